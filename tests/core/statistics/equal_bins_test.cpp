#include "fovea/core/statistics/equal_bins.hpp"

#include "fovea/tests/support/test.hpp"

namespace {

/// 2000 different probabilities between 0.1 and 0.3.
std::vector<double> spread_probabilities() {
  std::vector<double> p;
  for (int i = 0; i < 2000; ++i) p.push_back(0.1 + 0.2 * static_cast<double>(i * 7 % 2000) / 2000);
  return p;
}

}  // namespace

TEST_CASE("bins of equal size share the outcomes of equal probabilities, in any order", "[statistics][calibration]") {
  const std::vector<double> p{0.2, 0.9, 0.2, 0.1, 0.8, 0.2};
  // in order: 0.1, 0.2 | 0.2, 0.2 | 0.8, 0.9; each 0.2 has the outcome 1/3
  for (const auto& y : {std::vector<Index>{1, 1, 0, 0, 1, 0}, std::vector<Index>{0, 1, 0, 0, 1, 1}}) {
    const auto bins = equal_sized_bins(p, y, 3);
    REQUIRE(bins.size() == 3);
    CHECK((bins[0].low == 0.1 && bins[0].high == 0.2 && bins[2].low == 0.8 && bins[2].high == 0.9));
    CHECK(std::abs(bins[0].observed - 1.0 / 6) < 1e-15);
    CHECK(std::abs(bins[1].observed - 1.0 / 3) < 1e-15);
    CHECK(bins[2].observed == 1);
    CHECK(std::abs(bins[0].predicted - 0.15) < 1e-15);
    CHECK(std::abs(equal_sized_calibration_error(p, y, 3) - (1.0 / 60 + 2.0 / 15 + 0.15) / 3) < 1e-15);
  }
  const auto uneven = equal_sized_bins(p, std::vector<Index>(6), 4);
  CHECK((uneven[0].count == 1 && uneven[1].count == 2 && uneven[2].count == 1 && uneven[3].count == 2));
}

TEST_CASE("the noise floor of the calibration error is that of binomial bins", "[statistics][calibration]") {
  // |normal with variance p (1 - p) / m| in each of ten bins of m = 200; the mean of 400 draws is within 1.2 % (one
  // standard error), five of which are allowed.
  const std::vector<double> p = spread_probabilities();
  double expected = 0;
  for (int b = 0; b < 10; ++b) {
    const double mean = 0.11 + 0.02 * b;
    expected += std::sqrt(2 / std::numbers::pi * mean * (1 - mean) / 200) / 10;
  }
  const auto measure = [](std::span<const double> risks, std::span<const Index> outcomes) {
    return equal_sized_calibration_error(risks, outcomes, 10);
  };
  const NoiseFloor floor = calibration_floor(p, measure, Random(1));
  CHECK(std::abs(floor.mean / expected - 1) < 0.06);
  CHECK((floor.low < floor.mean && floor.mean < floor.high));
  CHECK(calibration_floor(p, measure, Random(1)).mean == floor.mean);
  CHECK(calibration_floor(p, measure, Random(2)).mean != floor.mean);
}

TEST_CASE("a noise floor leaves draws without a value out", "[statistics][calibration]") {
  const std::vector<double> p{0.5, 0.5};
  const auto one_of_each = [](std::span<const double>, std::span<const Index> y) {
    return y[0] == y[1] ? std::nan("") : 3.0;
  };
  const NoiseFloor floor = calibration_floor(p, one_of_each, Random(1));
  CHECK((floor.mean == 3 && floor.low == 3 && floor.high == 3));
  const auto never = [](std::span<const double>, std::span<const Index>) { return std::nan(""); };
  CHECK(std::isnan(calibration_floor(p, never, Random(1)).mean));
}

TEST_CASE("bins of equal size refuse more bins than examples and what is no probability",
          "[statistics][calibration][errors]") {
  const std::vector<double> p{0.5, 0.25};
  const std::vector<Index> y{1, 0};
  CHECK_THROWS_WITH(
      equal_sized_bins(p, y, 3),
      "equal_sized_bins: bins = 3 for 2 examples; there must be at least one bin, and an example for each.");
  CHECK_THROWS_WITH(equal_sized_bins(std::vector<double>{0.5, 1.5}, y, 1),
                    "equal_sized_bins: a probability is 1.5, but must be in [0, 1].");
  CHECK_THROWS_AS(equal_sized_bins(p, std::vector<Index>{1, 2}, 1), ArgumentError);
  CHECK_THROWS_AS(equal_sized_bins(p, std::vector<Index>{1}, 1), ArgumentError);
}
