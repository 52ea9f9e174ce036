#include "fovea/domains/particle/kinematics/bins.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"

namespace fovea::particle::kinematics {

std::vector<double> Bins::centres() const {
  std::vector<double> all;
  for (std::size_t k = 0; k < count; ++k) all.push_back(edge(k) + width() / 2);
  return all;
}

std::vector<double> Bins::density(const std::vector<double>& values) const {
  std::vector<double> all(count, 0.0);
  for (const double value : values)
    if (value >= low && value < high)
      all[std::min(count - 1, static_cast<std::size_t>((value - low) / width()))] +=
          1 / (static_cast<double>(values.size()) * width());
  return all;
}

std::vector<double> Bins::resonance(double mass, double resonance_width, double reach) const {
  const auto distribution = [&](double m) {
    const double x = std::clamp(2 * (m - mass) / resonance_width, -2 * reach, 2 * reach);
    return std::atan(x) / (2 * std::atan(2 * reach));
  };
  std::vector<double> all;
  for (std::size_t k = 0; k < count; ++k) all.push_back((distribution(edge(k + 1)) - distribution(edge(k))) / width());
  return all;
}

double middle_of(std::vector<double> values) {
  if (values.empty()) return kNan;
  std::sort(values.begin(), values.end());
  return sorted_quantile(values, 0.5);
}

}  // namespace fovea::particle::kinematics
