/// The oracle on order on the circle with noise (E9): where it sets in, and whether with a loop.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/binder.hpp"
#include "fovea/core/statistics/line_fit.hpp"
#include "fovea/domains/opinion/oracle/crowds.hpp"
#include "fovea/domains/opinion/oracle/oracle.hpp"
#include "fovea/domains/opinion/theory/circle.hpp"

namespace fovea::opinion::oracle {

namespace {

const std::vector<double> kSizes{50, 400, 3200};
// From 0.1 above the crossing's cumulant to 0.1 below it in the largest crowd, where a cubic is all that shows.
const std::vector<double> kNoiseRatios{0.976, 0.984, 0.992, 1.0, 1.008, 1.016, 1.024};
constexpr std::size_t kReplicas = 8;
constexpr double kBinderStep = 1;  // Euler's dt: long, as the predicted noise is that of the steps

dynamics::ModelSettings noisy_circle(double beta, double noise, double time_step) {
  return {.model = "transformer_circle_unnormalised", .temperature = 1 / beta, .time_step = time_step, .noise = noise};
}

/// R^2, R = |mean of exp(i theta)|.
double squared_order(const Matrix<double>& angles) {
  const double n = static_cast<double>(angles.rows());
  const double x = angles.array().cos().sum() / n, y = angles.array().sin().sum() / n;
  return x * x + y * y;
}

Matrix<double> random_angles(Index count, const Random& random) {
  Matrix<double> angles(count, 1);
  for (Index i = 0; i < count; ++i) angles(i, 0) = 2 * std::numbers::pi * random.uniform(static_cast<std::uint64_t>(i));
  return angles;
}

/// Moments of R over a run of `lifetimes` relaxation times of the critical crowd, 1.2 sqrt(N) time units each (the time
/// in which the mean of N tokens diffuses over <R^2>), after 6 more.
OrderSums order_moments(Index agents, double noise, double lifetimes, const Random& random) {
  const auto dynamics = free_crowd(noisy_circle(1, noise, kBinderStep), random_angles(agents, random.stream("start")),
                                   random.stream("noise"));
  Matrix<double> angles = dynamics->agents().start;
  const double lifetime = 1.2 * std::sqrt(static_cast<double>(agents)) / kBinderStep;
  const auto steps = static_cast<int>(lifetimes * lifetime), burn_in = static_cast<int>(6 * lifetime);
  const int every = std::max(1, static_cast<int>(lifetime / 30));
  OrderSums moments;
  for (int step = 0; step < burn_in + steps; ++step) {
    dynamics->step(angles, step);
    if (step >= burn_in && step % every == 0) moments.add(std::sqrt(squared_order(angles)));
  }
  return moments;
}

/// All sizes, each at all noise ratios, in this order. A run of N tokens has lifetimes (3200 / N) relaxation times: a
/// small crowd is fast, and the height of the crossing rests on it more than on a large one.
std::vector<CumulantPoint> measured_binder(OracleSheet& sheet, double onset, double lifetimes) {
  const std::size_t count = kNoiseRatios.size() * kReplicas;
  std::vector<CumulantPoint> points(kSizes.size() * kNoiseRatios.size());
  for (std::size_t size = kSizes.size(); size-- > 0;) {  // the longest first
    for (std::size_t k = 0; k < kNoiseRatios.size(); ++k)
      points[size * kNoiseRatios.size() + k] = {size, onset * kNoiseRatios[k], std::vector<OrderSums>(kReplicas)};
    side_by_side(count, [&](std::size_t place) {
      CumulantPoint& point = points[size * kNoiseRatios.size() + place / kReplicas];
      const Random random = sheet.random().stream(concat("run ", size * count + place));
      point.replicas[place % kReplicas] = order_moments(static_cast<Index>(kSizes[size]), point.control,
                                                        lifetimes * kSizes.back() / kSizes[size], random);
    });
    sheet.progress(1 - 0.1 * static_cast<double>(size));
  }
  return points;
}

void draw_binder(OracleSheet& sheet, const std::vector<CumulantPoint>& points, double onset) {
  std::vector<double> noise, cumulants;
  for (const double ratio : kNoiseRatios) noise.push_back(ratio * onset);
  for (const CumulantPoint& point : points)
    cumulants.push_back(pooled_estimate(point.replicas, OrderStatistic::binder).value);
  Results& results = sheet.results();
  results.coordinate("e9_noise", noise, "1 / time", "noise D");
  results.coordinate("e9_agents", kSizes, "1", "N");
  results.add("e9_cumulant", {"e9_agents", "e9_noise"}, cumulants, "1", "Binder cumulant U4");
  results.add("e9_universal", {"e9_noise"}, std::vector<double>(noise.size(), theory::critical_binder(2)), "1",
              "1 - pi / 6");
  results.scalar("e9_onset", onset, "1 / time", "predicted onset");
  results.figure(
      {.name = "binder",
       .title = "E9: the Binder cumulants cross at the onset of order",
       .caption =
           "U4 = 1 - <R^4> / (3 <R^2>^2) of tokens on the circle with noise, beta = 1. With more tokens the crossings "
           "approach the predicted noise (mark) and the value 1 - pi / 6 (dashed) of every complete graph.",
       .variables = {"e9_cumulant"},
       .references = {"e9_universal"},
       .x = "e9_noise",
       .hue = "e9_agents",
       .marks = {"e9_onset"}});
}

/// R along a walk through noise ratios, each for `duration` after `duration` of settling; carried on from one to the
/// next.
std::vector<double> order_along(dynamics::Dynamics& dynamics, Matrix<double>& angles, const std::vector<double>& noises,
                                int duration) {
  std::vector<double> orders;
  std::int64_t step = 0;
  for (const double noise : noises) {
    dynamics.set(dynamics::Control::noise, noise);
    double sum = 0;
    for (int k = 0; k < 2 * duration; ++k) {
      dynamics.step(angles, step++);
      if (k >= duration) sum += std::sqrt(squared_order(angles));
    }
    orders.push_back(sum / duration);
  }
  return orders;
}

/// R while the noise rises from order, and while it falls from disorder.
struct BothWays {
  double rising, falling;
};

std::vector<BothWays> noise_loop(double beta, const std::vector<double>& ratios, double time_step, double duration,
                                 const Random& random) {
  constexpr Index kLoopAgents = 10000;
  const double onset = theory::critical_noise(beta, theory::CircleWeights::unnormalised, time_step);
  std::vector<double> noises;
  for (const double ratio : ratios) noises.push_back(ratio * onset);
  const auto dynamics = free_crowd(noisy_circle(beta, noises.front(), time_step), Matrix<double>::Zero(kLoopAgents, 1),
                                   random.stream("rising"));
  const int steps = static_cast<int>(duration / time_step);
  Matrix<double> angles = dynamics->agents().start;
  const std::vector<double> rising = order_along(*dynamics, angles, noises, steps);
  angles = random_angles(kLoopAgents, random.stream("disorder"));
  std::reverse(noises.begin(), noises.end());
  const std::vector<double> falling = order_along(*dynamics, angles, noises, steps);
  std::vector<BothWays> loop;
  for (std::size_t k = 0; k < rising.size(); ++k) loop.push_back({rising[k], falling[falling.size() - 1 - k]});
  return loop;
}

}  // namespace

void measure_binder_crossing(OracleSheet& sheet) {
  constexpr double kCrossing = 0.01, kHeight = 0.015, kExponent = 0.03;
  constexpr int kDraws = 400;
  const double onset = theory::critical_noise(1, theory::CircleWeights::unnormalised, kBinderStep);
  const std::vector<CumulantPoint> points = measured_binder(sheet, onset, sheet.config().real("order.lifetimes"));
  const CrossingInterval found = cumulant_scaling_interval(points, kSizes, sheet.random().stream("crossing"), kDraws);
  const CumulantCrossing& crossing = found.estimate;
  sheet.compare("critical_noise", "noise where the Binder cumulants of N = 50, 400 and 3200 cross, beta = 1", onset,
                crossing.control, relative(kCrossing));
  sheet.compare("critical_cumulant", "height of that crossing, for infinitely many tokens", theory::critical_binder(2),
                crossing.binder, absolute(kHeight));
  sheet.results().note(concat("E9: the cumulants cross at ", found.low / onset, " to ", found.high / onset,
                              " of the predicted noise and at the height ", found.binder_low, " to ", found.binder_high,
                              " (95 %, bootstrap over ", kReplicas, " runs); U4 of N tokens lies ", crossing.correction,
                              " / sqrt(N) above it; chi^2 ", crossing.chi_square, " of ", crossing.degrees, "."));
  std::vector<double> second;
  for (const CumulantPoint& point : points) {
    if (point.control != onset) continue;
    OrderSums sums;
    for (const OrderSums& replica : point.replicas) sums.add(replica);
    second.push_back(sums.second / sums.count);
  }
  sheet.compare("size_exponent", "exponent of <R^2> in N at the predicted noise", -0.5, fit_power(kSizes, second).slope,
                absolute(kExponent));
  draw_binder(sheet, points, onset);
}

void measure_noise_hysteresis(OracleSheet& sheet) {
  const std::vector<double> ratios{0.8, 0.9, 0.95, 1.05, 1.1, 1.15, 1.2, 1.3, 1.4};
  std::vector<BothWays> jump, smooth;
  side_by_side(2, [&](std::size_t k) {
    if (k == 0) jump = noise_loop(4, ratios, 0.01, 5, sheet.random());
    // at 0.95 of the onset order grows by 1 / 36 a time unit: less than 200 would show how long one waited
    if (k == 1) smooth = noise_loop(1, ratios, 0.5, 250, sheet.random());
  });
  const auto widest = [](const std::vector<BothWays>& loop) {
    double gap = 0;
    for (const BothWays& at : loop) gap = std::max(gap, at.rising - at.falling);
    return gap;
  };
  sheet.claim("loop_beta_4",
              concat("hysteresis at beta = 4: the branches differ by up to ", widest(jump), ", which must exceed 0.3"),
              widest(jump) > 0.3);
  sheet.claim(
      "no_loop_beta_1",
      concat("no hysteresis at beta = 1: the branches differ by up to ", widest(smooth), ", which must be below 0.05"),
      widest(smooth) < 0.05);
  std::vector<BothWays> both = smooth;
  both.insert(both.end(), jump.begin(), jump.end());
  Results& results = sheet.results();
  results.coordinate("e9_loop_beta", std::vector<double>{1, 4}, "1", "beta");
  results.coordinate("e9_ratio", ratios, "1", "noise over D_c");
  rows({"e9_loop_beta", "e9_ratio"}, both)
      .number("e9_rising", &BothWays::rising, "order R, noise rising")
      .number("e9_falling", &BothWays::falling, "order R, noise falling")
      .write(results);
  results.figure(
      {.name = "noise_loop",
       .title = "E9: hysteresis at beta = 4, none at beta = 1",
       .caption = "Order of 10,000 tokens with the noise rising from the ordered state and falling from the disordered "
                  "one. Above beta = 2.447 both states coexist between D_c and the end of the ordered branch.",
       .variables = {"e9_rising", "e9_falling"},
       .x = "e9_ratio",
       .hue = "e9_loop_beta"});
}

}  // namespace fovea::opinion::oracle
