#include "fovea/core/statistics/equal_bins.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/ordering.hpp"

namespace fovea {

namespace {

void check_risks(const char* who, std::span<const double> probabilities, std::span<const Index> outcomes) {
  require(!probabilities.empty() && probabilities.size() == outcomes.size(), who, ": there are ", probabilities.size(),
          " probabilities and ", outcomes.size(), " outcomes; as many are needed, and at least one.");
  for (const double p : probabilities)
    require(p >= 0 && p <= 1, who, ": a probability is ", p, ", but must be in [0, 1].");
  for (const Index y : outcomes) require(y == 0 || y == 1, who, ": an outcome is ", y, ", but must be 0 or 1.");
}

/// Outcomes in that order, each the mean of all that have the same probability.
std::vector<double> shared_outcomes(std::span<const double> probabilities, std::span<const Index> outcomes,
                                    const std::vector<std::uint32_t>& order) {
  std::vector<double> shared(order.size());
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    double sum = 0;
    for (; last < order.size() && probabilities[order[last]] == probabilities[order[first]]; ++last)
      sum += static_cast<double>(outcomes[order[last]]);
    std::fill(shared.begin() + static_cast<Index>(first), shared.begin() + static_cast<Index>(last),
              sum / static_cast<double>(last - first));
  }
  return shared;
}

}  // namespace

std::vector<ReliabilityBin> equal_sized_bins(std::span<const double> probabilities, std::span<const Index> outcomes,
                                             Index bins) {
  check_risks("equal_sized_bins", probabilities, outcomes);
  const auto count = static_cast<Index>(probabilities.size());
  require(bins >= 1 && bins <= count, "equal_sized_bins: bins = ", bins, " for ", count,
          " examples; there must be at least one bin, and an example for each.");
  const std::vector<std::uint32_t> order = ascending_order(probabilities);
  const std::vector<double> shared = shared_outcomes(probabilities, outcomes, order);
  std::vector<ReliabilityBin> curve;
  for (Index b = 0; b < bins; ++b) {
    const std::size_t first = b * count / bins, last = (b + 1) * count / bins;
    ReliabilityBin bin{probabilities[order[first]], probabilities[order[last - 1]], static_cast<Index>(last - first), 0,
                       0};
    for (std::size_t k = first; k < last; ++k) {
      bin.predicted += probabilities[order[k]] / static_cast<double>(bin.count);
      bin.observed += shared[k] / static_cast<double>(bin.count);
    }
    curve.push_back(bin);
  }
  return curve;
}

double equal_sized_calibration_error(std::span<const double> probabilities, std::span<const Index> outcomes,
                                     Index bins) {
  double error = 0;
  for (const ReliabilityBin& bin : equal_sized_bins(probabilities, outcomes, bins))
    error += static_cast<double>(bin.count) * std::abs(bin.predicted - bin.observed);
  return error / static_cast<double>(probabilities.size());
}

NoiseFloor calibration_floor(std::span<const double> probabilities, const CalibrationMeasure& measure,
                             const Random& random, Index draws) {
  require(draws >= 1, "calibration_floor: draws = ", draws, ", but must be >= 1.");
  std::vector<Index> outcomes(probabilities.size());
  check_risks("calibration_floor", probabilities, outcomes);
  const Random lots = random.stream("calibration floor");
  std::vector<double> values;
  for (Index draw = 0; draw < draws; ++draw) {
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      outcomes[i] = lots.uniform(i, static_cast<std::uint64_t>(draw)) < probabilities[i] ? 1 : 0;
    const double value = measure(probabilities, outcomes);
    if (!std::isnan(value)) values.push_back(value);
  }
  if (values.empty()) return {kNan, kNan, kNan};
  std::sort(values.begin(), values.end());
  return {moments(values).mean, sorted_quantile(values, 0.05), sorted_quantile(values, 0.95)};
}

}  // namespace fovea
