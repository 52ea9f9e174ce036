#include "fovea/datasets/simulated/light_curves.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/processes/walk_integral.hpp"

namespace fovea::datasets::simulated {

namespace {

/// The walk on a fine grid, with its running integral, so that the mean over any window is a difference.
class FineWalk {
 public:
  FineWalk(double from, double to, double step, double damping_time, const Random& random) : from_(from), step_(step) {
    const auto cells = static_cast<std::size_t>(std::ceil((to - from) / step)) + 1;
    std::vector<double> time(cells + 1);
    for (std::size_t i = 0; i <= cells; ++i) time[i] = from + step * static_cast<double>(i);
    value_ = damped_random_walk(time, damping_time, random);
    integral_.assign(1, 0.0);
    for (std::size_t i = 0; i < cells; ++i)
      integral_.push_back(integral_.back() + step * (value_[i] + value_[i + 1]) / 2);
  }

  double at(double t) const {
    const auto [cell, part] = place(t);
    return value_[cell] + part * (value_[cell + 1] - value_[cell]);
  }
  double mean(double low, double high) const {
    return high > low ? (integral(high) - integral(low)) / (high - low) : at(low);
  }

 private:
  struct Place {
    std::size_t cell;
    double part;
  };
  Place place(double t) const {
    const double cells = (t - from_) / step_;
    const auto cell = std::min(static_cast<std::size_t>(std::max(0.0, cells)), value_.size() - 2);
    return {cell, cells - static_cast<double>(cell)};
  }
  double integral(double t) const {
    const auto [cell, part] = place(t);
    return integral_[cell] + step_ * part * (value_[cell] + part / 2 * (value_[cell + 1] - value_[cell]));
  }

  double from_, step_;
  std::vector<double> value_, integral_;
};

/// Moments uniform within the seasons, ascending.
std::vector<double> moments_in_seasons(const LightCurvePlan& plan, Index points, const Random& random) {
  const double season = (plan.span - plan.gap * (plan.seasons - 1)) / plan.seasons;
  std::vector<double> time;
  for (Index i = 0; i < points; ++i) {
    const double within = season * plan.seasons * random.uniform(static_cast<std::uint64_t>(i));
    const double before = std::min(std::floor(within / season), static_cast<double>(plan.seasons - 1));
    time.push_back(within + before * plan.gap);
  }
  std::sort(time.begin(), time.end());
  return time;
}

void check_plan(const LightCurvePlan& plan) {
  require(plan.driver_points >= 2 && plan.response_points >= 2, "light curves: there are ", plan.driver_points, " and ",
          plan.response_points, " points; each curve must have 2 at least.");
  require(plan.seasons >= 1 && plan.span > plan.gap * plan.seasons, "light curves: ", plan.seasons,
          " seasons with gaps of ", plan.gap, " days do not fit into ", plan.span, " days.");
  require(plan.gap >= 0 && plan.damping_time > 0 && plan.width >= 0, "light curves: gap is ", plan.gap,
          ", damping time ", plan.damping_time, ", width ", plan.width, "; they must be >= 0, > 0, >= 0.");
  require(plan.driver_error >= 0 && plan.response_error >= 0, "light curves: the errors are ", plan.driver_error,
          " and ", plan.response_error, "; they must be >= 0.");
  const ErrorPlan& errors = plan.errors;
  require(errors.factor > 0 && errors.degrees >= 0 && errors.outliers >= 0 && errors.outliers <= 1,
          "light curves: the errors' factor is ", errors.factor, ", their degrees ", errors.degrees,
          ", the share of outliers ", errors.outliers, "; they must be > 0, >= 0, 0 to 1.");
}

/// The error of a curve's point (curve 0: the driver, 1: the response) in units of the stated one.
double relative_error(const ErrorPlan& plan, const Random& noise, std::size_t point, std::uint64_t curve) {
  double error = plan.factor * noise.normal(point, curve);
  if (plan.degrees > 0) {
    const Random tails = noise.stream(curve == 0 ? "driver tails" : "response tails");
    double chi_squared = 0;
    for (int d = 0; d < plan.degrees; ++d)
      chi_squared +=
          tails.normal(point, static_cast<std::uint64_t>(d)) * tails.normal(point, static_cast<std::uint64_t>(d));
    error /= std::sqrt(chi_squared / plan.degrees);
  }
  const Random outliers = noise.stream(curve == 0 ? "driver outliers" : "response outliers");
  if (outliers.uniform(point, 0) < plan.outliers)
    error += (outliers.uniform(point, 1) < 0.5 ? -1 : 1) * (5 + 5 * outliers.uniform(point, 2));
  return error;
}

}  // namespace

std::vector<double> damped_random_walk(const std::vector<double>& time, double damping_time, const Random& random) {
  std::vector<double> walk(time.size());
  random.normals(0, 0, walk);
  for (std::size_t i = 1; i < walk.size(); ++i) {
    const double kept = exponential(-(time[i] - time[i - 1]) / damping_time);
    walk[i] = kept * walk[i - 1] + std::sqrt((1 - kept) * (1 + kept)) * walk[i];
  }
  return walk;
}

std::vector<double> smoothed_random_walk(const std::vector<double>& time, double width, double damping_time,
                                         const Random& random) {
  if (width <= 0) return damped_random_walk(time, damping_time, random);
  const std::size_t count = time.size();
  std::vector<double> opened(count), mean(count);
  double walk = random.normal(0), integral = 0, now = count > 0 ? time[0] - width / 2 : 0;
  for (std::size_t open = 0, close = 0, edge = 1; close < count; ++edge) {
    const bool opens = open < count && time[open] - width / 2 <= time[close] + width / 2;
    const double at = opens ? time[open] - width / 2 : time[close] + width / 2;
    const double x = (at - now) / damping_time, kept = exponential(-x), rest = 1 - kept;
    // what is new: of the walk, and of the integral in units of the damping time, given that of the walk
    const double of_walk = rest * (1 + kept), shared = of_walk > 0 ? rest * rest / std::sqrt(of_walk) : 0;
    const double alone = std::sqrt(std::max(0.0, walk_integral_variance(x) - shared * shared));
    const double z = random.normal(edge, 0);
    integral += damping_time * (rest * walk + shared * z + alone * random.normal(edge, 1));
    walk = kept * walk + std::sqrt(of_walk) * z;
    now = at;
    if (opens)
      opened[open++] = integral;
    else {
      mean[close] = (integral - opened[close]) / width;
      ++close;
    }
  }
  return mean;
}

datasets::series::CurveGroup light_curves(const LightCurvePlan& plan, const Random& random) {
  check_plan(plan);
  const double reach = std::abs(plan.lag) + plan.width + 1;
  const double step = plan.span / (16 * static_cast<double>(plan.driver_points + plan.response_points));
  const FineWalk walk(-reach, plan.span + reach, step, plan.damping_time, random.stream("walk"));
  const FineWalk other(-reach, plan.span + reach, step, plan.damping_time, random.stream("unrelated"));
  const Random noise = random.stream("noise");
  datasets::series::Curve driver{
      "driver", moments_in_seasons(plan, plan.driver_points, random.stream("driver")), {}, {}};
  for (std::size_t i = 0; i < driver.time.size(); ++i) {
    driver.value.push_back(walk.at(driver.time[i]) + plan.driver_error * relative_error(plan.errors, noise, i, 0));
    driver.error.push_back(plan.driver_error);
  }
  datasets::series::Curve response{
      "response", moments_in_seasons(plan, plan.response_points, random.stream("response")), {}, {}};
  for (std::size_t i = 0; i < response.time.size(); ++i) {
    const double middle = response.time[i] - plan.lag;
    const double echo = (plan.related ? walk : other).mean(middle - plan.width / 2, middle + plan.width / 2);
    response.value.push_back(plan.scale * (echo + plan.response_error * relative_error(plan.errors, noise, i, 1)));
    response.error.push_back(std::abs(plan.scale) * plan.response_error);
  }
  return {"", {std::move(driver), std::move(response)}};
}

LightCurvePlan random_light_curve_plan(const Random& random) {
  LightCurvePlan plan;
  const auto between = [&](std::uint64_t which, double low, double high) {
    return low + (high - low) * random.uniform(which);
  };
  plan.driver_points = static_cast<Index>(between(0, 80, 160));
  plan.response_points = static_cast<Index>(between(1, 30, 90));
  plan.damping_time = 40 * exponential(between(2, 0, logarithm(300.0 / 40)));
  plan.lag = between(3, 5, 80);
  plan.width = plan.lag * between(4, 0, 0.4);
  plan.scale = between(5, 0.5, 1.5);
  plan.driver_error = between(6, 0.05, 0.2);
  plan.response_error = between(7, 0.05, 0.2);
  return plan;
}

}  // namespace fovea::datasets::simulated
