#include "fovea/domains/opinion/phase/sizes/size_limit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/phase/known.hpp"

namespace fovea::opinion::phase {

namespace {

// Of the exponent b. Nothing that is known shrinks faster: N^(-1/2) by chance, N^(-2/3) at a fold, N^-1 of an interval
// cut into N, N^-2 of a sum at its midpoints. What seems to has not settled, such as camps that are others in each
// size.
constexpr double kSlowest = 0.25, kFastest = 2;

/// What the last change is to the one before if places move as N^-b.
double ratio_of_changes(double b, double n1, double n2, double n3) {
  return (std::pow(n3, -b) - std::pow(n2, -b)) / (std::pow(n2, -b) - std::pow(n1, -b));
}

/// b of a ratio of changes; NaN outside the two.
double exponent_of(double ratio, double n1, double n2, double n3) {
  const double n = n3;  // in units of the largest, so that powers stay in range
  double slow = kSlowest, fast = kFastest;
  const double least = ratio_of_changes(fast, n1 / n, n2 / n, 1), most = ratio_of_changes(slow, n1 / n, n2 / n, 1);
  // rounding must not refuse places that move as N^-2 exactly, such as those of a sum at midpoints
  if (!(ratio >= least * (1 - 1e-9) && ratio <= most)) return kNan;
  // to the last bit of a double
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
  // a change that the brackets explain is none
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

/// The jump that `choose` picks in each size.
JumpOfSizes choose_in_sizes(const PhaseFindings& findings, const std::function<const FoundJump*(Index size)>& choose) {
  JumpOfSizes jumps;
  for (const Index size : sizes_of(findings)) jumps.emplace_back(size, choose(size));
  return jumps;
}

}  // namespace

std::vector<Index> sizes_of(const PhaseFindings& findings) {
  std::set<Index> sizes;
  for (const PhasePoint& point : findings.points) sizes.insert(point.size);
  return {sizes.begin(), sizes.end()};
}

bool is_carried(const PhaseFindings& findings) {
  return std::any_of(findings.points.begin(), findings.points.end(),
                     [](const PhasePoint& point) { return point.direction == Direction::down; });
}

JumpOfSizes over_sizes(const PhaseFindings& findings, Direction direction) {
  const FoundJump* largest = main_jump(findings, direction);
  if (!is_carried(findings) && largest != nullptr) return over_sizes(findings, *largest);
  return choose_in_sizes(findings, [&](Index size) { return main_jump(findings, direction, size); });
}

JumpOfSizes over_sizes(const PhaseFindings& findings, const FoundJump& jump) {
  return choose_in_sizes(findings, [&](Index size) {
    const FoundJump* nearest = nullptr;
    for (const FoundJump& other : findings.jumps) {
      const bool same_camps = other.camps_before == jump.camps_before && other.camps_after == jump.camps_after;
      const bool alike = other.size == size && other.direction == jump.direction && other.smooth == jump.smooth &&
                         (jump.averaged || jump.smooth || same_camps);
      if (alike && (nearest == nullptr || std::abs(other.at() - jump.at()) < std::abs(nearest->at() - jump.at())))
        nearest = &other;
    }
    return nearest;
  });
}

SizeLimit size_limit(const JumpOfSizes& jumps) {
  std::vector<Index> have;
  std::vector<double> places, half_widths;
  for (const auto& [size, jump] : jumps) {
    if (jump == nullptr) continue;
    have.push_back(size);
    places.push_back(jump->at());
    half_widths.push_back(0.5 * (jump->high - jump->low));
  }
  return size_limit(have, places, half_widths);
}

}  // namespace fovea::opinion::phase
