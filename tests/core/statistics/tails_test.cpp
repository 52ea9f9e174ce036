#include "fovea/core/statistics/distributions/tails.hpp"

#include "fovea/core/base/random.hpp"
#include "fovea/core/statistics/distributions/student.hpp"
#include "fovea/core/statistics/tests/false_discovery.hpp"
#include "fovea/tests/support/statistics/kolmogorov.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kDigits = 1e-12;  // relative: some thousand units of the last place in the far tail

}  // namespace

TEST_CASE("chi squared with many degrees of freedom has tails far out", "[tails]") {
  for (const double degrees : {300.0, 400.0, 460.0, 2000.0})
    for (const double x : {0.5 * degrees, degrees, 3 * degrees, 20 * degrees, 1e6}) {
      const double p = chi_squared_upper(x, degrees);
      INFO("degrees " << degrees << ", x " << x);
      CHECK((p >= 0 && p <= 1));
      CHECK(p <= chi_squared_upper(0.9 * x, degrees));
    }
  CHECK(chi_squared_upper(20 * 460.0, 460) < 1e-300);
}

TEST_CASE("p-values keep their digits in the far tails", "[statistics][tails]") {
  struct Known {
    double found, wanted;
  };
  // mpmath 1.3, 50 digits: betainc(..., regularized=True), gammainc, erfc
  const std::array known{Known{student_two_sided(0.001, 5), 0.99924078677219765},
                         Known{student_two_sided(1.96, 980), 0.050278848268459253},
                         Known{student_two_sided(6, 4), 0.0038825370469605104},
                         Known{student_two_sided(12.5, 980), 2.25361714745001e-33},
                         Known{student_two_sided(45, 950), 1.0201943644087831e-237},
                         Known{student_two_sided(30, 1), 0.021212804811070847},
                         Known{student_two_sided(2.5, 7.5), 0.038820258273625557},
                         Known{student_two_sided(100, 200), 9.9568435904535527e-173},
                         Known{fisher_upper(0.02, 3, 40), 0.99609454295478915},
                         Known{fisher_upper(1.7, 10, 880), 0.076284041980960809},
                         Known{fisher_upper(35, 5, 900), 9.0815756949439724e-33},
                         Known{fisher_upper(400, 1, 2), 0.002490663892367097},
                         Known{fisher_upper(80, 20, 3950), 3.5825338281626922e-273},
                         Known{fisher_upper(3, 2, 2.5), 0.2165964596775882},
                         Known{chi_squared_upper(0.1, 1), 0.75182963404584928},
                         Known{chi_squared_upper(12, 4), 0.017351265236664509},
                         Known{chi_squared_upper(700, 20), 2.213405340424449e-135},
                         Known{chi_squared_upper(1300, 2), 5.1119519486511562e-283},
                         Known{normal_two_sided(-20), 5.5072482372124674e-89}};
  for (const Known& one : known) CHECK(std::abs(one.found / one.wanted - 1) < kDigits);
  const double beyond = std::numeric_limits<double>::infinity();
  CHECK(student_two_sided(-beyond, 3) == 0);
  CHECK(student_two_sided(0, 3) == 1);
  CHECK(student_two_sided(1e200, 3) == 0);
  CHECK(fisher_upper(beyond, 2, 3) == 0);
  CHECK(fisher_upper(0, 2, 3) == 1);
  CHECK(chi_squared_upper(beyond, 2) == 0);
  for (const int degrees : {1, 2, 7, 40})
    CHECK(student_two_sided(1.3, degrees) == Approx(1 - student_within(1.3, degrees)).epsilon(kDigits));
  CHECK_THROWS_AS(student_two_sided(std::nan(""), 3), ArgumentError);
  CHECK_THROWS_AS(student_two_sided(1, 0), ArgumentError);
  CHECK_THROWS_AS(fisher_upper(-1, 1, 1), ArgumentError);
  CHECK_THROWS_AS(chi_squared_upper(-1, 1), ArgumentError);
}

TEST_CASE("logarithms of p-values go on where a double ends", "[statistics][tails]") {
  struct Known {
    double found, wanted;
  };
  // mpmath 1.3, 60 digits: log10 of betainc(..., regularized=True) and of erfc
  const double beyond = std::numeric_limits<double>::infinity();
  const std::array known{Known{log10_student_two_sided(12.5, 980), -32.647119861525218},
                         Known{log10_student_two_sided(45, 950), -236.99131707985691},
                         Known{log10_student_two_sided(-60, 950), -324.67300278195561},
                         Known{log10_student_two_sided(500, 3000), -2890.8329679210656},
                         Known{log10_student_two_sided(1e9, 40), -328.86060416559956},
                         Known{log10_student_two_sided(45, 1e5), -437.07730669973817},
                         Known{log10_student_two_sided(70, 7.5e5), -1062.5025750473995},
                         Known{log10_student_two_sided(40, beyond), -349.13597646368186},
                         Known{log10_student_two_sided(1000, beyond), -217150.33901199872},
                         Known{log10_fisher_upper(90, 20, 3950), -302.48970944161964},
                         Known{log10_fisher_upper(5000, 5, 900), -652.74076276723365},
                         Known{log10_fisher_upper(2000, 300, 5000), -4959.8842485866935}};
  constexpr double kLogDigits = 1e-10;  // what the header says
  for (const Known& one : known) {
    CAPTURE(one.wanted);
    CHECK(std::abs(one.found / one.wanted - 1) < kLogDigits);
  }
  CHECK(log10_student_two_sided(beyond, 3) == -beyond);
  CHECK(log10_student_two_sided(0, 3) == 0);
  CHECK(log10_fisher_upper(beyond, 2, 3) == -beyond);
  CHECK_THROWS_AS(log10_student_two_sided(1, 0), ArgumentError);
  CHECK_THROWS_AS(log10_fisher_upper(-1, 1, 1), ArgumentError);
}

TEST_CASE("logarithms of false discovery rates are those of the rates, and go on where a double ends",
          "[statistics][tails]") {
  const std::array p{.5, .01, 1e-20, .9, .01};
  std::vector<double> logarithms;
  for (const double value : p) logarithms.push_back(std::log10(value));
  const std::vector<double> q = benjamini_hochberg(p), log10_q = log10_benjamini_hochberg(logarithms);
  for (std::size_t k = 0; k < p.size(); ++k) CHECK(log10_q[k] == Approx(std::log10(q[k])));
  const std::vector<double> small = log10_benjamini_hochberg(std::array{-2000.0, -1.0, -5000.0, -HUGE_VAL});
  CHECK(small[0] == Approx(-2000 + std::log10(4.0 / 3)));
  CHECK(small[2] == Approx(-5000 + std::log10(2.0)));
  CHECK(small[3] == -HUGE_VAL);
  CHECK_THROWS_AS(log10_benjamini_hochberg(std::array{0.1}), ArgumentError);
}

TEST_CASE("false discovery rates are those of Benjamini and Hochberg's example", "[statistics][tails]") {
  // their table of 15 p-values (1995, section 3.2): at .05 the first four are discoveries
  const std::array p{.0001, .0004, .0019, .0095, .0201, .0278, .0298, .0344,
                     .0459, .3240, .4262, .5719, .6528, .7590, 1.0};
  const std::vector<double> q = benjamini_hochberg(p);
  for (std::size_t k = 0; k < p.size(); ++k) CHECK((q[k] <= .05) == (k < 4));
  CHECK(q[0] == Approx(.0015));
  CHECK(q[4] == Approx(.0201 * 15 / 5));
  CHECK(q[5] == Approx(.0298 * 15 / 7).epsilon(1e-9));  // a later one lowers it
  const std::array shuffled{.5, .01, .01, .9};
  const std::vector<double> of_shuffled = benjamini_hochberg(shuffled);
  CHECK(of_shuffled[1] == of_shuffled[2]);
  CHECK(of_shuffled[1] == Approx(.02));
  CHECK(of_shuffled[3] == Approx(.9));
  CHECK(benjamini_hochberg({}).empty());
  CHECK_THROWS_AS(benjamini_hochberg(std::array{.5, -.1}), ArgumentError);
  CHECK_THROWS_AS(benjamini_hochberg(std::array{.5, std::nan("")}), ArgumentError);
}

TEST_CASE("discoveries in groups are those of Benjamini and Bogomolov's procedure at every level",
          "[statistics][tails]") {
  std::vector<double> p;
  std::vector<std::size_t> group;
  for (std::uint64_t g = 0; g < 12; ++g)
    for (std::uint64_t k = 0; k < 1 + g % 4; ++k) {
      p.push_back(std::pow(Random(8).uniform(g, k), g % 3 == 0 ? 9 : 1));
      group.push_back(static_cast<std::size_t>(g * 5 % 12));  // in any order
    }
  std::vector<double> logarithms;
  for (const double value : p) logarithms.push_back(std::log10(value));
  const std::vector<double> q = log10_grouped_discovery(logarithms, group);
  const auto of_group = [&](std::size_t g) {
    std::vector<double> list;
    for (std::size_t k = 0; k < p.size(); ++k)
      if (group[k] == g) list.push_back(p[k]);
    return benjamini_hochberg(list);
  };
  for (double level = 1e-6; level < 1; level *= 1.07) {
    std::vector<double> simes;
    for (std::size_t g = 0; g < 12; ++g) {
      const std::vector<double> adjusted = of_group(g);
      simes.push_back(*std::min_element(adjusted.begin(), adjusted.end()));
    }
    const std::vector<double> pairs = benjamini_hochberg(simes);
    const auto chosen = std::count_if(pairs.begin(), pairs.end(), [&](double one) { return one <= level; });
    for (std::size_t g = 0; g < 12; ++g) {
      const std::vector<double> adjusted = of_group(g);
      std::size_t place = 0;
      for (std::size_t k = 0; k < p.size(); ++k) {
        if (group[k] != g) continue;
        const bool within = adjusted[place++] <= level * static_cast<double>(chosen) / 12;
        CHECK((within && pairs[g] <= level) == (std::pow(10, q[k]) <= level));
      }
    }
  }
  CHECK(log10_grouped_discovery({}, {}).empty());
  CHECK(log10_grouped_discovery(std::array{-HUGE_VAL, -5000.0}, std::array<std::size_t, 2>{0, 1})[0] == -HUGE_VAL);
  CHECK(log10_grouped_discovery(std::array{-3000.0, -5000.0}, std::array<std::size_t, 2>{0, 1})[0] == Approx(-3000));
  CHECK_THROWS_AS(log10_grouped_discovery(std::array{-1.0, -2.0}, std::array<std::size_t, 2>{0, 2}), ArgumentError);
  CHECK_THROWS_AS(log10_grouped_discovery(std::array{-1.0}, std::array<std::size_t, 2>{0, 0}), ArgumentError);
}

TEST_CASE("the test of uniformity has the exact test's p-values, and uniform ones under uniformity",
          "[statistics][tails]") {
  // scipy 1.17 kstest(values, "uniform", method="exact")
  constexpr double kLimit = 0.01;  // what the header says of the limit's correction
  const auto p_value = [](std::size_t n, double scale, double power) {
    std::vector<double> values;
    for (std::size_t k = 0; k < n; ++k)
      values.push_back(scale * std::pow((static_cast<double>(k) + 0.5) / static_cast<double>(n), power));
    return support::kolmogorov_uniform(values).p_value;
  };
  const support::KolmogorovTest six = support::kolmogorov_uniform(std::array{0.6, 0.1, 0.15, 0.2, 0.4, 0.55});
  CHECK(six.distance == Approx(0.4));
  CHECK(std::abs(six.p_value - 0.224029382716) < kLimit);
  CHECK(std::abs(p_value(40, 0.8, 1) - 0.050200733444) < kLimit);
  CHECK(std::abs(p_value(200, 1, 1.1) - 0.930420534801) < kLimit);
  const Random random = Random(3).stream("uniformity");
  std::vector<double> p_values;
  for (std::uint64_t set = 0; set < 400; ++set) {
    std::vector<double> values;
    for (std::uint64_t k = 0; k < 50; ++k) values.push_back(random.uniform(k, set));
    p_values.push_back(support::kolmogorov_uniform(values).p_value);
  }
  CHECK(support::kolmogorov_uniform(p_values).p_value > 0.01);
  for (double& p : p_values) p *= p;
  CHECK(support::kolmogorov_uniform(p_values).p_value < 1e-10);
  CHECK_THROWS_AS(support::kolmogorov_uniform({}), ArgumentError);
  CHECK_THROWS_AS(support::kolmogorov_uniform(std::array{1.5}), ArgumentError);
}
