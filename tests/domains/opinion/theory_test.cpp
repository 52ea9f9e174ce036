#include "fovea/domains/opinion/theory/theory.hpp"

#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

constexpr double kFormulaRounding = 1e-14;
constexpr double kPrinted = 1e-6;  // relative: the published digits end there

}  // namespace

TEST_CASE("the gap of two equal camps shrinks by tanh(d^2 / 4T)", "[theory]") {
  for (const double d : {0.3, 1.0, 2.0})
    for (const double t : {0.05, 0.3, 2.0})
      CHECK(std::abs(theory::next_gap(d, t) / (d * std::tanh(d * d / (4 * t))) - 1) < 1e-13);
}

TEST_CASE("camps of unequal size follow the same two rows of weights", "[theory]") {
  // n1 = 3, n2 = 1, a = exp(-1/2): the large camp moves by a / (3 + a), the small one by 3a / (1 + 3a).
  const double a = std::exp(-0.5);
  CHECK(std::abs(theory::next_gap(1.0, 1.0, 3, 1) - (1 - a / (3 + a) - 3 * a / (1 + 3 * a))) < kFormulaRounding);
  CHECK(std::abs(theory::next_gap(1.0, 1.0, 3, 1) - theory::next_gap(1.0, 1.0, 1, 3)) < kFormulaRounding);
  CHECK_THROWS_AS(theory::next_gap(1.0, 0.0), ArgumentError);
  CHECK_THROWS_AS(theory::next_gap(1.0, 1.0, 0, 1), ArgumentError);
}

TEST_CASE("two camps live as long as the asymptote says, to 14 % at T = 0.05 and 10 % at 0.04", "[theory][limit]") {
  for (const auto& [t, ratio] : {std::pair{0.05, 1.14}, std::pair{0.04, 1.10}}) {
    double d = 1;
    int steps = 0;
    for (; d > 1e-3; ++steps) d = theory::next_gap(d, t);
    CHECK(std::abs(steps / theory::camp_lifetime(1.0, t) - ratio) < 0.01);
  }
  CHECK(theory::camp_lifetime(1.0, 1e-4) == std::numeric_limits<double>::infinity());
  CHECK_THROWS_AS(theory::camp_lifetime(0.0, 1.0), ArgumentError);
}

TEST_CASE("of two camps a small one is drawn in sooner: the lifetime follows the sizes", "[theory][limit]") {
  constexpr double kAsymptote = 0.11;  // d^2 / T = 25: the next term is 10 % of it, as for equal sizes
  for (const double share : {2.0, 5.0}) {
    double d = 1;
    int steps = 0;
    for (; d > 1e-3; ++steps) d = theory::next_gap(d, 0.04, share, 1);
    CHECK(std::abs(steps / theory::camp_lifetime(1.0, 0.04, share, 1) - 1) < kAsymptote);
    CHECK(theory::camp_lifetime(1.0, 0.04, share, 1) == theory::camp_lifetime(1.0, 0.04, 1, share));
  }
  CHECK(theory::camp_lifetime(1.0, 0.05, 5, 1) < 0.5 * theory::camp_lifetime(1.0, 0.05));
  CHECK_THROWS_AS(theory::camp_lifetime(1.0, 0.05, 0, 1), ArgumentError);
}

TEST_CASE("two anchored camps rest just below their end and merge just above it", "[theory][limit]") {
  for (const double s : {0.02, 0.05, 0.1, 0.2}) {
    const double end = theory::two_camps_end(s), anchor = std::sqrt(2 / std::numbers::pi);
    const auto place_at_rest = [&](double tau) {
      double a = anchor;
      for (int step = 0; step < 20000; ++step) a = (1 - s) * a * std::tanh(a * a / tau) + s * anchor;
      return a;
    };
    CAPTURE(s, end);
    CHECK(place_at_rest(0.998 * end) > 1.5 * place_at_rest(1.002 * end));
  }
  CHECK(std::abs(theory::two_camps_end(0.05) / 0.17733 - 1) < 1e-4);
  CHECK(std::isnan(theory::two_camps_end(0.4)));
  CHECK_THROWS_AS(theory::two_camps_end(0.0), ArgumentError);
}

TEST_CASE("the folds of the Gaussian state are the published ones", "[theory]") {
  CHECK(std::abs(theory::lower_fold(0.05).tau / 0.00896836 - 1) < kPrinted);
  CHECK(std::abs(theory::lower_fold(0.05).u / 0.106790 - 1) < 1e-5);
  CHECK(std::abs(theory::lower_fold(0.02).tau / 0.00153530 - 1) < 1e-5);
  CHECK(std::abs(theory::lower_fold(0.08).tau / 0.02125088 - 1) < kPrinted);
  CHECK(std::abs(theory::lower_fold(0.1).tau - 1.0 / 32) < kFormulaRounding);
  CHECK(std::abs(theory::lower_fold(0.1).u - 0.25) < kFormulaRounding);
  constexpr double kDoubleRoot = 1e-7;  // at the endpoint the root of a difference of rounding size
  CHECK(std::abs(theory::lower_fold(1.0 / 9).tau - 1.0 / 27) < kDoubleRoot);
  CHECK(std::abs(theory::upper_fold(1.0 / 9).u - 1.0 / 3) < kDoubleRoot);
  CHECK(theory::upper_fold(0.05).tau > theory::lower_fold(0.05).tau);
  CHECK(std::isnan(theory::lower_fold(0.2).tau));
}

TEST_CASE("the Gaussian state is a fixed point of one step, and lies on the consensus side", "[theory]") {
  for (const double s : {0.02, 0.05, 0.1, 0.3})
    for (const double tau : {0.04, 0.1, 1.0, 50.0}) {
      const double u = theory::gaussian_state_u(tau, s);
      CAPTURE(s, tau, u);
      CHECK(std::abs((1 - s) * theory::next_gaussian_sd(u, tau) + s - u) < kFormulaRounding);
      CHECK(std::abs(theory::gaussian_state_tau(u, s) / tau - 1) < 1e-10);  // tau(u) is steep next to u = s
      if (s <= 1.0 / 9) CHECK(u <= theory::lower_fold(s).u);
    }
  CHECK(std::isnan(theory::gaussian_state_u(0.999 * theory::lower_fold(0.05).tau, 0.05)));
  CHECK(std::abs(theory::gaussian_state_u(1.002 * theory::lower_fold(0.05).tau, 0.05) - 0.10159) < 1e-5);
  CHECK_THROWS_AS(theory::gaussian_state_u(0.1, 0.0), ArgumentError);
  CHECK_THROWS_AS(theory::gaussian_state_tau(0.01, 0.05), ArgumentError);
}

TEST_CASE("degree 1 of the displacement spectrum is the slope of the map of the spread", "[theory]") {
  const double tau = 0.02, u = 0.3, h = 1e-6;
  const double slope = (theory::next_gaussian_sd(u + h, tau) - theory::next_gaussian_sd(u - h, tau)) / (2 * h);
  CHECK(std::abs(theory::displacement_growth(1, u * u / (u * u + tau)) - slope) < 1e-8);  // h^2 and rounding / h
  CHECK(std::abs(theory::displacement_growth(0, 0.4) - 1) < kFormulaRounding);  // everybody moved alike stays moved
}

TEST_CASE("consensus ends at the fold for s up to 1/10 and at a fragmentation mode above", "[theory]") {
  for (const double s : {0.02, 0.05, 0.08, 0.099}) {
    CHECK(theory::consensus_ends(s).degree == 1);
    CHECK(std::abs(theory::consensus_ends(s).tau / theory::lower_fold(s).tau - 1) < 1e-7);  // flat at the fold
  }
  CHECK(theory::consensus_ends(0.105).degree == 2);
  CHECK(theory::consensus_ends(0.105).tau > theory::lower_fold(0.105).tau);
  CHECK(theory::consensus_ends(0.2).degree > 2);
  CHECK(std::isnan(theory::consensus_ends(0.4).tau));
}
