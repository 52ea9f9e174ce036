#include "fovea/core/statistics/profile_interval.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"

namespace fovea {

namespace {

/// One end of the interval.
struct ProfileEnd {
  double at = 0;
  bool open = false;
};

/// The distance d in (0, farthest] from the estimate where root(d) = sqrt(2 (loss - least)) reaches `wanted`.
template <typename Root>
ProfileEnd profile_end(const Root& root, double farthest, double step, double wanted, double tolerance) {
  double inside = 0, at_inside = -wanted, outside = std::min(step, farthest), at_outside = root(outside) - wanted;
  while (at_outside <= 0) {
    if (outside >= farthest) return {farthest, true};
    inside = outside, at_inside = at_outside;
    outside = std::min(2 * outside, farthest);
    at_outside = root(outside) - wanted;
  }
  for (bool halve = false; outside - inside > tolerance; halve = !halve) {
    const double middle = (inside + outside) / 2;
    double next = middle;
    if (!halve && std::isfinite(at_outside)) {
      next = inside - at_inside * (outside - inside) / (at_outside - at_inside);
      const double edge = std::min(tolerance / 2, (outside - inside) / 4);  // so that both ends close in
      next = std::clamp(next, inside + edge, outside - edge);
    }
    const double there = root(next) - wanted;
    (there <= 0 ? inside : outside) = next;
    (there <= 0 ? at_inside : at_outside) = there;
  }
  return {(inside + outside) / 2, false};
}

}  // namespace

ProfileInterval profile_interval(const std::function<double(double)>& loss, double estimate, double lowest,
                                 double highest, double step, double level, double tolerance) {
  require(lowest < estimate && estimate < highest, "profile_interval: the estimate is ", estimate,
          ", but must be between ", lowest, " and ", highest, ".");
  require(step > 0 && tolerance > 0, "profile_interval: step = ", step, ", tolerance = ", tolerance,
          "; both must be > 0.");
  require(level > 0 && level < 1, "profile_interval: level = ", level, ", but must be in (0, 1).");
  const double least = loss(estimate), wanted = normal_quantile((1 + level) / 2);
  require(std::isfinite(least), "profile_interval: the loss at the estimate is ", least, ", but must be finite.");
  ProfileInterval interval;
  interval.evaluations = 1;
  const auto root = [&](double sign) {
    return [&, sign](double distance) {
      ++interval.evaluations;
      const double lost = loss(estimate + sign * distance) - least;
      return std::isfinite(lost) ? std::sqrt(2 * std::max(lost, 0.0)) : INFINITY;
    };
  };
  const ProfileEnd low = profile_end(root(-1), estimate - lowest, step, wanted, tolerance);
  const ProfileEnd high = profile_end(root(1), highest - estimate, step, wanted, tolerance);
  interval.low = low.open ? lowest : estimate - low.at;
  interval.high = high.open ? highest : estimate + high.at;
  interval.low_open = low.open;
  interval.high_open = high.open;
  return interval;
}

}  // namespace fovea
