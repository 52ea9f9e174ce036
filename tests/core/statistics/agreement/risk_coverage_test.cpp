/// Risk against coverage: by hand, ties against all their orders, and the limit of a perfect confidence.

#include "fovea/core/statistics/agreement/risk_coverage.hpp"
#include "fovea/tests/support/test.hpp"

TEST_CASE("risk and coverage of four answers by hand", "[statistics][risk_coverage]") {
  const RiskCoverage found = risk_coverage(std::vector<double>{0.6, 0.9, 0.8, 0.7}, std::vector<double>{1, 0, 1, 0});
  REQUIRE(found.curve.size() == 4);
  CHECK(found.curve[1].threshold == 0.8);
  CHECK(found.curve[1].coverage == 0.5);
  CHECK(found.curve[1].risk == 0.5);
  CHECK(found.area == Approx((0 + 1.0 / 2 + 1.0 / 3 + 2.0 / 4) / 4).epsilon(1e-14));
  CHECK(found.best_area == Approx((0 + 0 + 1.0 / 3 + 2.0 / 4) / 4).epsilon(1e-14));
  CHECK(found.excess() == Approx(0.125).epsilon(1e-14));
  CHECK(found.risk_at(0.25) == 0);
  CHECK(found.risk_at(0.6) == Approx(1.0 / 3));
  CHECK(found.risk_at(1) == 0.5);
}

TEST_CASE("equal confidences have the mean area over all their orders", "[statistics][risk_coverage]") {
  const std::vector<double> losses{3, 0, 1, 7, 2};
  std::vector<std::size_t> order{0, 1, 2};  // the places of those with the confidence 0.5
  double sum = 0;
  do {
    const std::vector<double> one{losses[order[0] + 1], losses[order[1] + 1], losses[order[2] + 1]};
    sum += risk_coverage(std::vector<double>{9, 5, 4, 3, 1}, std::vector<double>{3, one[0], one[1], one[2], 2}).area;
  } while (std::next_permutation(order.begin(), order.end()));
  const RiskCoverage tied = risk_coverage(std::vector<double>{9, 0.5, 0.5, 0.5, 0}, losses);
  CHECK(tied.area == Approx(sum / 6).epsilon(1e-14));
  REQUIRE(tied.curve.size() == 3);
  CHECK(tied.curve[1].coverage == 0.8);
  CHECK(tied.curve[1].risk == Approx(11.0 / 4));
  const RiskCoverage blind = risk_coverage(std::vector<double>(5, 1.0), losses);
  CHECK(blind.area == Approx(13.0 / 5).epsilon(1e-14));
}

TEST_CASE("the best area of a share r of errors is r + (1 - r) log(1 - r), and no confidence has less",
          "[statistics][risk_coverage][limit]") {
  constexpr Index kMany = 20000;
  const Random random(5);
  std::vector<double> losses, sure, random_confidences;
  for (Index i = 0; i < kMany; ++i) {
    losses.push_back(i % 5 == 0 ? 1 : 0);
    sure.push_back(-losses.back());
    random_confidences.push_back(random.uniform(static_cast<std::uint64_t>(i)));
  }
  const RiskCoverage blind = risk_coverage(random_confidences, losses);
  CHECK(std::abs(blind.best_area - (0.2 + 0.8 * std::log(0.8))) < 1e-4);  // a sum for an integral: 1 / N
  CHECK(std::abs(blind.area - 0.2) < 0.01);
  CHECK(blind.excess() > 0.1);
  const RiskCoverage perfect = risk_coverage(sure, losses);  // among the errors all are the same
  CHECK(perfect.excess() == Approx(0).margin(1e-12));
}

TEST_CASE("risk and coverage refuse what has no meaning", "[statistics][risk_coverage][fault]") {
  CHECK_THROWS_AS(risk_coverage(std::vector<double>{}, std::vector<double>{}), ArgumentError);
  CHECK_THROWS_AS(risk_coverage(std::vector<double>{1}, std::vector<double>{NAN}), ArgumentError);
  CHECK_THROWS_AS(risk_coverage(std::vector<double>{NAN}, std::vector<double>{1}), ArgumentError);
  CHECK_THROWS_AS(risk_coverage(std::vector<double>{1}, std::vector<double>{1}).risk_at(0), ArgumentError);
}
