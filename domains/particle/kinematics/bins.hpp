#pragma once
/// Equal bins of masses, and the middle of numbers.

#include <cstddef>
#include <vector>

namespace fovea::particle::kinematics {

struct Bins {
  double low = 0, high = 1;
  std::size_t count = 1;
  double width() const { return (high - low) / static_cast<double>(count); }
  double edge(std::size_t k) const { return low + static_cast<double>(k) * width(); }
  std::vector<double> centres() const;
  /// The share of all values in each bin over its width.
  std::vector<double> density(const std::vector<double>& values) const;
  /// Of the Cauchy law of a resonance cut off at `reach` widths, its mean over each bin.
  std::vector<double> resonance(double mass, double resonance_width, double reach) const;
};

/// The median; NaN of none.
double middle_of(std::vector<double> values);

}  // namespace fovea::particle::kinematics
