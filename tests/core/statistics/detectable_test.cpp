/// What studies of so many cases find: against studies that were simulated.

#include "fovea/core/statistics/tests/detectable.hpp"

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/tests/support/test.hpp"

TEST_CASE("four of five studies find the smallest area that is named", "[statistics][detectable]") {
  constexpr int kStudies = 400, kOnes = 40, kZeros = 60;
  const double area = detectable_auroc(kOnes, kZeros);
  const double shift = std::sqrt(2.0) * normal_quantile(area);  // of normal scores with this area
  const double error = std::sqrt((kOnes + kZeros + 1.0) / (12.0 * kOnes * kZeros));
  int found = 0;
  for (int study = 0; study < kStudies; ++study) {
    const Random random(static_cast<std::uint64_t>(study));
    double above = 0;
    for (int i = 0; i < kOnes; ++i)
      for (int k = 0; k < kZeros; ++k)
        above +=
            shift + random.normal(static_cast<std::uint64_t>(i)) > random.normal(static_cast<std::uint64_t>(100 + k));
    found += above / (kOnes * kZeros) - 0.5 > normal_quantile(0.975) * error ? 1 : 0;
  }
  CHECK(found > 0.74 * kStudies);  // three standard errors of 0.8
  CHECK(found < 0.86 * kStudies);
}

TEST_CASE("more cases find smaller effects, and too few find none", "[statistics][detectable]") {
  CHECK(detectable_auroc(1000, 1000) < detectable_auroc(100, 100));
  CHECK(detectable_auroc(2, 2) > 0.99);
  CHECK(std::isnan(detectable_auroc(0, 10)));
  CHECK(std::abs(detectable_correlation(85) - 0.3) < 0.005);  // Hulley et al. 2013: 85 cases for r = 0.3
  CHECK(std::isnan(detectable_correlation(3)));
  // n = ((1.96 sqrt(.25) + .842 sqrt(.24)) / .1)^2 = 194 for .6 against .5
  CHECK(std::abs(detectable_accuracy(194, 0.5) - 0.6) < 0.001);
  CHECK(std::isnan(detectable_accuracy(10, 1)));
}
