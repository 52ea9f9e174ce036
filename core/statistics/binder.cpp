#include "fovea/core/statistics/binder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include <Eigen/Dense>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"

namespace fovea {

namespace {

constexpr std::size_t kFewestForCurvature = 5;  // values of the control

double statistic_of(const OrderSums& moments, OrderStatistic statistic, double size) {
  if (statistic == OrderStatistic::mean) return moments.mean();
  return statistic == OrderStatistic::susceptibility ? moments.susceptibility(size) : moments.binder();
}

/// One point of a curve: place in [-1, 1] over the range of the controls, cumulant, weight 1 / error^2.
struct CurvePoint {
  double x = 0, cumulant = 0, weight = 1;
};

struct Curves {
  double middle = 0, half = 1;  ///< of the range of the controls
  std::vector<std::vector<CurvePoint>> of_size;
  std::vector<double> rarity;  ///< (N_1 / N)^(1/2) of each size, N_1 the smallest; empty: each size has its own slopes
  double smallest = 1;         ///< N_1
};

/// What remains of the vectors 1 and U when b dx + c dx^2 is fitted to each, as weighted products, for one size.
struct Remains {
  double one_one = 0, one_u = 0, u_u = 0;
  std::array<double, 2> slope_of_one{}, slope_of_u{};  ///< b and c fitted to 1 and to U
};

Remains remains_of(const std::vector<CurvePoint>& curve, double at, bool curved) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, u0 = 0, u1 = 0, u2 = 0, uu = 0;
  for (const CurvePoint& point : curve) {
    const double d = point.x - at, w = point.weight, wd = w * d, wdd = wd * d;
    s0 += w, s1 += wd, s2 += wdd, s3 += wdd * d, s4 += wdd * d * d;
    u0 += w * point.cumulant, u1 += wd * point.cumulant, u2 += wdd * point.cumulant;
    uu += w * point.cumulant * point.cumulant;
  }
  const double determinant = s2 * s4 - s3 * s3;
  const auto fitted = [&](double a, double b) -> std::array<double, 2> {
    if (!curved) return {a / s2, 0.0};
    return {(a * s4 - b * s3) / determinant, (b * s2 - a * s3) / determinant};
  };
  Remains r;
  r.slope_of_one = fitted(s1, s2);
  r.slope_of_u = fitted(u1, u2);
  r.one_one = s0 - r.slope_of_one[0] * s1 - r.slope_of_one[1] * s2;
  r.one_u = u0 - r.slope_of_one[0] * u1 - r.slope_of_one[1] * u2;
  r.u_u = uu - r.slope_of_u[0] * u1 - r.slope_of_u[1] * u2;
  return r;
}

struct CommonFit {
  double x = 0, level = 0, chi_square = 0;
  std::vector<double> slopes;
  double correction = 0;  ///< of the smallest size
};

constexpr int kScalingTerms = 6;  // 1, n, s, n s, s^2, s^3
using ScalingRow = Eigen::Matrix<double, kScalingTerms, 1>;

ScalingRow scaling_row(double distance, double n) {
  const double s = distance / n;
  return (ScalingRow() << 1, n, s, n * s, s * s, s * s * s).finished();
}

/// One function of the scaled distance for all sizes, with its corrections; given x linear.
CommonFit scaling_at(const Curves& curves, double x) {
  Eigen::Matrix<double, kScalingTerms, kScalingTerms> products = decltype(products)::Zero();
  ScalingRow right = ScalingRow::Zero();
  double squares = 0;
  for (std::size_t size = 0; size < curves.of_size.size(); ++size)
    for (const CurvePoint& point : curves.of_size[size]) {
      const ScalingRow row = scaling_row(point.x - x, curves.rarity[size]);
      products.noalias() += point.weight * row * row.transpose();
      right += point.weight * point.cumulant * row;
      squares += point.weight * point.cumulant * point.cumulant;
    }
  const ScalingRow fitted = products.ldlt().solve(right);
  CommonFit fit{x, fitted[0], squares - fitted.dot(right), {}, fitted[1]};
  for (const double n : curves.rarity) fit.slopes.push_back(fitted[2] / n + fitted[3]);
  return fit;
}

CommonFit fit_at(const Curves& curves, double x) {
  if (!curves.rarity.empty()) return scaling_at(curves, x);
  CommonFit fit{x, 0, 0, {}, 0};
  double one_one = 0, one_u = 0, u_u = 0;
  std::vector<Remains> all;
  for (const auto& curve : curves.of_size) {
    all.push_back(remains_of(curve, x, curve.size() >= kFewestForCurvature));
    one_one += all.back().one_one, one_u += all.back().one_u, u_u += all.back().u_u;
  }
  fit.level = one_u / one_one;
  fit.chi_square = u_u - one_u * one_u / one_one;
  for (const Remains& r : all) fit.slopes.push_back(r.slope_of_u[0] - fit.level * r.slope_of_one[0]);
  return fit;
}

/// The x in [-1, 1] with the least chi^2: the best of a scan, then golden sections around it.
CommonFit best_fit(const Curves& curves) {
  constexpr int kScan = 40;
  constexpr double kGolden = 0.6180339887498949;
  double best = -1, least = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= kScan; ++k) {
    const double x = -1 + 2.0 * k / kScan, chi_square = fit_at(curves, x).chi_square;
    if (chi_square < least) best = x, least = chi_square;
  }
  double low = std::max(-1.0, best - 2.0 / kScan), high = std::min(1.0, best + 2.0 / kScan);
  for (int k = 0; k < 40; ++k) {
    const double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    if (fit_at(curves, a).chi_square <= fit_at(curves, b).chi_square)
      high = b;
    else
      low = a;
  }
  return fit_at(curves, 0.5 * (low + high));
}

/// Weights from the points' own errors, averaged 1 : 2 : 1 with those of the neighbouring controls.
std::vector<double> smooth_variances(std::span<const CumulantPoint> points) {
  std::vector<double> variance(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    const double error = pooled_estimate(points[k].replicas, OrderStatistic::binder).error;
    variance[k] = error * error;
  }
  std::vector<double> smooth(points.size(), 1.0);
  for (std::size_t k = 0; k < points.size(); ++k) {
    double sum = 0, weights = 0;
    double below = -std::numeric_limits<double>::infinity(), above = -below;
    for (const CumulantPoint& other : points)
      if (other.size_class == points[k].size_class) {
        if (other.control < points[k].control) below = std::max(below, other.control);
        if (other.control > points[k].control) above = std::min(above, other.control);
      }
    for (std::size_t j = 0; j < points.size(); ++j) {
      const bool same = points[j].size_class == points[k].size_class;
      const double weight = !same || !std::isfinite(variance[j])                       ? 0
                            : j == k                                                   ? 2
                            : points[j].control == below || points[j].control == above ? 1
                                                                                       : 0;
      if (weight > 0) sum += weight * variance[j], weights += weight;
    }
    if (sum > 0) smooth[k] = sum / weights;
  }
  return smooth;
}

Curves curves_of_points(std::span<const CumulantPoint> points, const std::vector<double>& variances,
                        std::span<const double> sizes) {
  const auto [low, high] = std::minmax_element(points.begin(), points.end(),
                                               [](const auto& a, const auto& b) { return a.control < b.control; });
  Curves curves;
  curves.middle = 0.5 * (low->control + high->control);
  curves.half = 0.5 * (high->control - low->control);
  std::map<std::size_t, std::vector<CurvePoint>> by_size;
  for (std::size_t k = 0; k < points.size(); ++k) {
    OrderSums pooled;
    for (const OrderSums& replica : points[k].replicas) pooled.add(replica);
    by_size[points[k].size_class].push_back(
        {(points[k].control - curves.middle) / curves.half, pooled.binder(), 1 / variances[k]});
  }
  for (auto& [size, curve] : by_size) {
    curves.of_size.push_back(std::move(curve));
    if (sizes.empty()) continue;
    curves.smallest = sizes[by_size.begin()->first];
    curves.rarity.push_back(std::sqrt(curves.smallest / sizes[size]));
  }
  return curves;
}

void require_crossable(std::span<const CumulantPoint> points) {
  std::map<std::size_t, int> count;
  for (const CumulantPoint& point : points) {
    require(!point.replicas.empty(), "cumulant_crossing: a point has no replicas; each needs at least one.");
    ++count[point.size_class];
  }
  require(count.size() >= 2, "cumulant_crossing: there is ", count.size(), " size; a crossing needs at least 2.");
  for (const auto& [size, controls] : count)
    require(controls >= 3, "cumulant_crossing: size class ", size, " has ", controls,
            " values of the control; each needs at least 3.");
}

constexpr double kAtTheEnd = 0.999;  // of the range: chi^2 falls on beyond it

void require_scalable(std::span<const CumulantPoint> points, std::span<const double> sizes) {
  std::map<std::size_t, int> count;
  for (const CumulantPoint& point : points) {
    ++count[point.size_class];
    require(point.size_class < sizes.size() && sizes[point.size_class] > 0, "cumulant_scaling: size class ",
            point.size_class, " has no size; give one > 0 for each.");
  }
  require(count.size() >= 3, "cumulant_scaling: there are ", count.size(),
          " sizes; a correction to the crossing needs at least 3.");
}

CumulantCrossing crossing_of(std::span<const CumulantPoint> points, std::span<const double> sizes) {
  require_crossable(points);
  const Curves curves = curves_of_points(points, smooth_variances(points), sizes);
  const CommonFit fit = best_fit(curves);
  CumulantCrossing crossing;
  crossing.control = std::abs(fit.x) < kAtTheEnd ? curves.middle + curves.half * fit.x : kNan;
  crossing.binder = fit.level;
  crossing.chi_square = fit.chi_square;
  crossing.degrees = static_cast<int>(points.size()) - (sizes.empty() ? 2 : kScalingTerms + 1);
  if (sizes.empty())
    for (const auto& curve : curves.of_size) crossing.degrees -= curve.size() >= kFewestForCurvature ? 2 : 1;
  else
    crossing.correction = fit.correction * std::sqrt(curves.smallest);
  for (const double slope : fit.slopes) crossing.slopes.push_back(slope / curves.half);
  return crossing;
}

/// Each replica of each point drawn again from the replicas of that point.
void draw_again(std::span<const CumulantPoint> points, const Random& random, int draw,
                std::vector<CumulantPoint>& drawn) {
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto& replicas = points[k].replicas;
    for (std::size_t r = 0; r < replicas.size(); ++r)
      drawn[k].replicas[r] = replicas[random.below(replicas.size(), (k << 16) + r, static_cast<std::uint64_t>(draw))];
  }
}

CrossingInterval interval_of(std::span<const CumulantPoint> points, std::span<const double> sizes, const Random& random,
                             int draws) {
  require(draws >= 10, "cumulant_crossing_interval: draws = ", draws, ", but must be at least 10.");
  CrossingInterval interval{crossing_of(points, sizes), kNan, kNan, kNan, kNan, 1};
  const std::vector<double> variances = smooth_variances(points);
  std::size_t replicas = points.front().replicas.size();
  for (const CumulantPoint& point : points) replicas = std::min(replicas, point.replicas.size());
  if (replicas < 2 || std::isnan(interval.estimate.control)) return interval;
  std::vector<double> controls, levels;
  double lost = 0;
  std::vector<CumulantPoint> drawn(points.begin(), points.end());
  for (int draw = 0; draw < draws; ++draw) {
    draw_again(points, random, draw, drawn);
    const Curves curves = curves_of_points(drawn, variances, sizes);
    const CommonFit fit = best_fit(curves);
    lost += std::abs(fit.x) >= kAtTheEnd;
    controls.push_back(curves.middle + curves.half * fit.x);
    levels.push_back(fit.level);
  }
  std::sort(controls.begin(), controls.end());
  std::sort(levels.begin(), levels.end());
  const double wider = std::sqrt(static_cast<double>(replicas) / static_cast<double>(replicas - 1));
  const auto end = [&](const std::vector<double>& sorted, double estimate, double p) {
    return estimate + wider * (sorted_quantile(sorted, p) - estimate);
  };
  interval.low = end(controls, interval.estimate.control, 0.025);
  interval.high = end(controls, interval.estimate.control, 0.975);
  interval.binder_low = end(levels, interval.estimate.binder, 0.025);
  interval.binder_high = end(levels, interval.estimate.binder, 0.975);
  interval.lost = lost / draws;
  return interval;
}

}  // namespace

void OrderSums::add(double m) {
  const double square = m * m;
  count += 1;
  first += m;
  second += square;
  fourth += square * square;
}

void OrderSums::add(const OrderSums& other) {
  count += other.count;
  first += other.first;
  second += other.second;
  fourth += other.fourth;
}

double OrderSums::susceptibility(double size) const { return size * std::max(0.0, second / count - mean() * mean()); }

double OrderSums::binder() const { return second > 0 ? 1 - fourth * count / (3 * second * second) : kNan; }

Estimate pooled_estimate(std::span<const OrderSums> replicas, OrderStatistic statistic, double size) {
  OrderSums all;
  for (const OrderSums& replica : replicas) all.add(replica);
  Estimate estimate{statistic_of(all, statistic, size), kNan};
  if (replicas.size() < 2) return estimate;
  std::vector<double> without;
  for (const OrderSums& replica : replicas) {
    OrderSums rest = all;
    rest.add({-replica.count, -replica.first, -replica.second, -replica.fourth});
    without.push_back(statistic_of(rest, statistic, size));
  }
  const Moments spread = moments(without);
  estimate.error = std::sqrt(spread.variance * static_cast<double>(without.size() - 1));
  return estimate;
}

CumulantCrossing cumulant_crossing(std::span<const CumulantPoint> points) { return crossing_of(points, {}); }

CumulantCrossing cumulant_scaling(std::span<const CumulantPoint> points, std::span<const double> sizes) {
  require_scalable(points, sizes);
  return crossing_of(points, sizes);
}

CrossingInterval cumulant_crossing_interval(std::span<const CumulantPoint> points, const Random& random, int draws) {
  return interval_of(points, {}, random, draws);
}

CrossingInterval cumulant_scaling_interval(std::span<const CumulantPoint> points, std::span<const double> sizes,
                                           const Random& random, int draws) {
  require_scalable(points, sizes);
  return interval_of(points, sizes, random, draws);
}

}  // namespace fovea
