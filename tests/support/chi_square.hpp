#pragma once
/// Pearson's chi-square test of counts against probabilities.

#include <cmath>
#include <vector>

namespace fovea::support {

struct ChiSquare {
  double statistic = 0;
  double degrees = -1;
  /// What a true law exceeds with the probability of a standard normal beyond z (Wilson and Hilferty 1931).
  double limit(double z) const {
    const double spread = 2 / (9 * degrees);
    return degrees * std::pow(1 - spread + z * std::sqrt(spread), 3);
  }
};

/// Cells are joined with the next ones until 10 or more are expected in each.
inline ChiSquare chi_square(const std::vector<double>& counts, const std::vector<double>& probabilities) {
  constexpr double kLeastExpected = 10;
  double total = 0, expected = 0, counted = 0;
  for (const double count : counts) total += count;
  ChiSquare found;
  const auto close = [&] {
    if (expected > 0) found.statistic += (counted - expected) * (counted - expected) / expected;
    found.degrees += 1;
    expected = counted = 0;
  };
  double left = total;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    expected += total * probabilities[k];
    counted += counts[k];
    left -= total * probabilities[k];
    if (expected >= kLeastExpected && left >= kLeastExpected) close();
  }
  close();
  return found;
}

}  // namespace fovea::support
