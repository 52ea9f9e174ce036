#include "fovea/domains/opinion/phase/sizes/size_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/statistics/binder.hpp"
#include "fovea/domains/opinion/phase/sizes/size_limit.hpp"

namespace fovea::opinion::phase {

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
