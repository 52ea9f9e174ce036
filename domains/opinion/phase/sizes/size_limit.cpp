#include "fovea/domains/opinion/phase/sizes/size_limit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/binder.hpp"
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

namespace {

constexpr double kClearErrors = 4, kPowerErrors = 2;

/// Means over directions and rounds at one control. The errors of few replicas are noisy themselves: that of U4 is the
/// root mean square with those of the neighbouring controls.
struct MeanPoint {
  double control = 0;
  Estimate order, binder;
};

std::vector<MeanPoint> means_of(const PhaseFindings& findings, Index size) {
  struct Sums {
    double count = 0, order = 0, order_squares = 0, binder = 0, binder_squares = 0;
  };
  std::map<double, Sums> sums;
  for (const PhasePoint& point : findings.points) {
    if (point.size != size) continue;
    Sums& here = sums[point.control];
    here.count += 1;
    here.order += point.order, here.order_squares += point.order_error * point.order_error;
    here.binder += point.binder, here.binder_squares += point.binder_error * point.binder_error;
  }
  std::vector<MeanPoint> means;
  for (const auto& [control, here] : sums)
    means.push_back({control,
                     {here.order / here.count, std::sqrt(here.order_squares) / here.count},
                     {here.binder / here.count, std::sqrt(here.binder_squares) / here.count}});
  const std::vector<MeanPoint> own = means;
  for (std::size_t k = 1; k + 1 < own.size(); ++k)
    means[k].binder.error =
        std::hypot(own[k - 1].binder.error, own[k].binder.error, own[k + 1].binder.error) / std::sqrt(3.0);
  return means;
}

/// b of <m> ~ N^-b between two sizes.
Estimate power_of(const Estimate& small, const Estimate& large, double log_ratio) {
  return {std::log(small.value / large.value) / log_ratio,
          std::hypot(small.error / small.value, large.error / large.value) / log_ratio};
}

}  // namespace

SizeComparison compare_sizes(const PhaseFindings& findings) {
  const std::vector<Index> sizes = sizes_of(findings);
  SizeComparison found{static_cast<std::size_t>(sizes.front()), static_cast<std::size_t>(sizes.back())};
  const std::vector<MeanPoint> small = means_of(findings, sizes.front()), large = means_of(findings, sizes.back());
  const double log_ratio = std::log(static_cast<double>(found.large) / static_cast<double>(found.small));
  Estimate least{kNan, kNan}, most{kNan, kNan};
  double sign = 0, signed_at = kNan;
  found.ordered = found.disordered = true;
  for (const MeanPoint& here : large) {
    const auto other =
        std::find_if(small.begin(), small.end(), [&](const MeanPoint& point) { return point.control == here.control; });
    if (other == small.end()) continue;
    const Estimate& order = here.order;
    const double difference = here.binder.value - other->binder.value;
    if (std::abs(difference) > kClearErrors * std::hypot(here.binder.error, other->binder.error)) {
      if (difference * sign < 0) {
        if (std::isnan(found.reverses_from)) found.reverses_from = signed_at;
        found.reverses_to = here.control;
      }
      sign = difference, signed_at = here.control;
    }
    if (!(order.value >= least.value)) least = order;
    if (!(order.value <= most.value)) most = order;
    const Estimate power = power_of(other->order, order, log_ratio);
    found.ordered = found.ordered && power.value + kPowerErrors * power.error < 1. / 8;
    found.disordered = found.disordered && power.value - kPowerErrors * power.error > 3. / 8;
  }
  found.least = least.value, found.most = most.value;
  found.changes = most.value - least.value > kClearErrors * std::hypot(least.error, most.error);
  std::tie(found.peak_below, found.peak_above) = around_peak(findings, sizes.back());
  return found;
}

std::pair<double, double> around_peak(const PhaseFindings& findings, Index size) {
  const PhasePoint* peak = nullptr;
  for (const PhasePoint& point : findings.points)
    if (point.round == 0 && point.size == size && (peak == nullptr || point.susceptibility > peak->susceptibility))
      peak = &point;
  double below = kNan, above = kNan;
  for (const PhasePoint& point : findings.points) {
    if (point.round != 0) continue;
    if (point.control < peak->control) below = std::fmax(below, point.control);
    if (point.control > peak->control) above = std::fmin(above, point.control);
  }
  return {below, above};
}

}  // namespace fovea::opinion::phase
