#include "fovea/domains/opinion/phase/size_limit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/phase/known.hpp"

namespace fovea::opinion::phase {

namespace {

constexpr double kSlowest = 0.25, kFastest = 20;  // of the exponent b

/// What the last change is to the one before if places move as N^-b.
double ratio_of_changes(double b, double n1, double n2, double n3) {
  return (std::pow(n3, -b) - std::pow(n2, -b)) / (std::pow(n2, -b) - std::pow(n1, -b));
}

/// b of a ratio of changes; NaN below kSlowest.
double exponent_of(double ratio, double n1, double n2, double n3) {
  const double n = n3;  // in units of the largest, so that powers stay in range
  double slow = kSlowest, fast = kFastest;
  if (!(ratio > 0) || ratio > ratio_of_changes(slow, n1 / n, n2 / n, 1)) return kNan;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (slow + fast);
    (ratio_of_changes(middle, n1 / n, n2 / n, 1) > ratio ? slow : fast) = middle;
  }
  return 0.5 * (slow + fast);
}

}  // namespace

SizeLimit size_limit(const std::vector<Index>& sizes, const std::vector<double>& places,
                     const std::vector<double>& half_widths) {
  require(sizes.size() == places.size() && sizes.size() == half_widths.size(), "size_limit: there are ", sizes.size(),
          " sizes, ", places.size(), " places and ", half_widths.size(), " half widths; there must be one of each.");
  SizeLimit limit;
  limit.sizes = sizes;
  const std::size_t count = sizes.size();
  if (count == 0) return limit;
  limit.value = places.back();
  limit.error = half_widths.back();
  if (count == 1) return limit;
  const double change = places[count - 1] - places[count - 2];
  limit.error = std::hypot(half_widths.back(), change);
  limit.last_change = std::abs(change);
  const double brackets = half_widths[count - 1] + half_widths[count - 2];
  if (std::abs(change) <= brackets) {
    limit.converges = true;
    return limit;
  }
  if (count == 2) return limit;
  const auto n = [&](std::size_t back) { return static_cast<double>(sizes[count - back]); };
  const double b = exponent_of(change / (places[count - 2] - places[count - 3]), n(3), n(2), n(1));
  if (std::isnan(b)) return limit;
  const double further = change / (std::pow(n(2) / n(1), -b) - 1);  // T_inf - T(N3) = -a N3^-b
  limit.value = places.back() + further;
  limit.error = std::hypot(half_widths.back(), further);
  limit.converges = true;
  return limit;
}

namespace {

/// The jump that `choose` picks in each size, over the sizes.
SizeLimit limit_over_sizes(const PhaseFindings& findings, const std::function<const FoundJump*(Index size)>& choose) {
  std::vector<Index> sizes, have;
  std::vector<double> places, half_widths;
  for (const FoundJump& jump : findings.jumps) sizes.push_back(jump.size);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  for (const Index size : sizes) {
    const FoundJump* jump = choose(size);
    if (jump == nullptr) continue;
    have.push_back(size);
    places.push_back(jump->at());
    half_widths.push_back(0.5 * (jump->high - jump->low));
  }
  return size_limit(have, places, half_widths);
}

}  // namespace

SizeLimit size_limit(const PhaseFindings& findings, Direction direction) {
  return limit_over_sizes(findings, [&](Index size) { return main_jump(findings, direction, size); });
}

SizeLimit size_limit(const PhaseFindings& findings, const FoundJump& jump) {
  return limit_over_sizes(findings, [&](Index size) {
    const FoundJump* nearest = nullptr;
    for (const FoundJump& other : findings.jumps) {
      const bool alike =
          other.size == size && other.direction == jump.direction &&
          (jump.averaged || (other.camps_before == jump.camps_before && other.camps_after == jump.camps_after));
      if (alike && (nearest == nullptr || std::abs(other.at() - jump.at()) < std::abs(nearest->at() - jump.at())))
        nearest = &other;
    }
    return nearest;
  });
}

}  // namespace fovea::opinion::phase
