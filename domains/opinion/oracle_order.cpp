/// The oracle on order on the circle with noise (E9): where it sets in, and whether with a loop.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/core/error.hpp"
#include "fovea/core/statistics/line_fit.hpp"
#include "fovea/core/statistics/missing.hpp"
#include "fovea/core/statistics/moments.hpp"
#include "fovea/domains/opinion/oracle.hpp"
#include "fovea/domains/opinion/oracle_crowds.hpp"
#include "fovea/domains/opinion/oracle_targets.hpp"
#include "fovea/domains/opinion/theory_circle.hpp"

namespace fovea::opinion {

namespace {

const std::vector<double> kSizes{200, 800, 3200};
const std::vector<double> kLonger{4, 2, 1};  // small crowds are cheap: their runs are longer
const std::vector<double> kNoiseRatios{0.94, 0.97, 1.0, 1.03, 1.06};
constexpr std::size_t kReplicas = 8;
constexpr double kBinderStep = 0.5;  // Euler's dt: long, as the predicted noise is that of the steps

ModelSettings noisy_circle(double beta, double noise, double time_step) {
  ModelSettings settings;
  settings.model = "transformer_circle_unnormalised";
  settings.temperature = 1 / beta;
  settings.noise = noise;
  settings.time_step = time_step;
  return settings;
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
struct OrderMoments {
  double second = 0, fourth = 0;
};

OrderMoments order_moments(Index agents, double noise, double lifetimes, const Random& random) {
  const auto dynamics = free_crowd(noisy_circle(1, noise, kBinderStep), random_angles(agents, random.stream("start")),
                                   random.stream("noise"));
  Matrix<double> angles = dynamics->agents().start;
  const double lifetime = 1.2 * std::sqrt(static_cast<double>(agents)) / kBinderStep;
  const auto steps = static_cast<int>(lifetimes * lifetime), burn_in = static_cast<int>(6 * lifetime);
  const int every = std::max(1, static_cast<int>(lifetime / 30));
  OrderMoments moments;
  int count = 0;
  for (int step = 0; step < burn_in + steps; ++step) {
    dynamics->step(angles, step);
    if (step < burn_in || step % every != 0) continue;
    const double order = squared_order(angles);
    moments.second += order;
    moments.fourth += order * order;
    ++count;
  }
  return {moments.second / count, moments.fourth / count};
}

/// U4 for sizes x noise ratios x replicas.
struct BinderTable {
  std::vector<OrderMoments> moments;
  const OrderMoments& at(std::size_t size, std::size_t ratio, std::size_t replica) const {
    return moments[(size * kNoiseRatios.size() + ratio) * kReplicas + replica];
  }
  /// Over all replicas but one (kReplicas: over all).
  double cumulant(std::size_t size, std::size_t ratio, std::size_t left_out) const {
    double second = 0, fourth = 0, count = 0;
    for (std::size_t r = 0; r < kReplicas; ++r) {
      if (r == left_out) continue;
      second += at(size, ratio, r).second;
      fourth += at(size, ratio, r).fourth;
      ++count;
    }
    return 1 - fourth * count / (3 * second * second);
  }
};

/// U4 at the ratio 1 + x is a + b x + c x^2 near the crossing. The bend is not small: a straight line would put the
/// height at the crossing too high by 0.02.
struct BinderCurve {
  double a = 0, b = 0, c = 0;
};

/// By least squares; the ratios are symmetric about 1, so odd sums are 0.
BinderCurve binder_curve(const BinderTable& table, std::size_t size, std::size_t left_out) {
  double n = 0, s2 = 0, s4 = 0, y = 0, xy = 0, xxy = 0;
  for (std::size_t k = 0; k < kNoiseRatios.size(); ++k) {
    const double x = kNoiseRatios[k] - 1, u = table.cumulant(size, k, left_out);
    n += 1, s2 += x * x, s4 += x * x * x * x;
    y += u, xy += x * u, xxy += x * x * u;
  }
  const double determinant = n * s4 - s2 * s2;
  return {(s4 * y - s2 * xxy) / determinant, xy / s2, (n * xxy - s2 * y) / determinant};
}

double crossing_ratio(const BinderTable& table, std::size_t small, std::size_t large, std::size_t left_out) {
  const BinderCurve one = binder_curve(table, small, left_out), two = binder_curve(table, large, left_out);
  const double a = two.a - one.a, b = two.b - one.b, c = two.c - one.c;
  double x = -a / b;
  for (int round = 0; round < 20; ++round) x -= (a + b * x + c * x * x) / (b + 2 * c * x);
  return 1 + x;
}

/// With its jackknife error.
template <typename Estimate>
MeanWithError jackknifed(Estimate estimate) {
  const double whole = estimate(kReplicas);
  double spread = 0;
  for (std::size_t r = 0; r < kReplicas; ++r) spread += std::pow(estimate(r) - whole, 2);
  const double n = static_cast<double>(kReplicas);
  return {whole, std::sqrt(spread * (n - 1) / n), kReplicas};
}

BinderTable measured_binder(OracleSheet& sheet, double onset, double lifetimes) {
  const std::size_t runs = kSizes.size() * kNoiseRatios.size() * kReplicas;
  BinderTable table{std::vector<OrderMoments>(runs)};
  for (std::size_t size = kSizes.size(); size-- > 0;) {  // the longest first
    const std::size_t count = kNoiseRatios.size() * kReplicas;
    side_by_side(count, [&](std::size_t place) {
      const std::size_t run = size * count + place, ratio = place / kReplicas;
      const Random random = sheet.random().stream(concat("run ", run));
      table.moments[run] = order_moments(static_cast<Index>(kSizes[size]), onset * kNoiseRatios[ratio],
                                         kLonger[size] * lifetimes, random);
    });
    sheet.progress(1 - 0.1 * static_cast<double>(size));
  }
  return table;
}

void draw_binder(OracleSheet& sheet, const BinderTable& table, double onset) {
  std::vector<double> noise, cumulants;
  for (const double ratio : kNoiseRatios) noise.push_back(ratio * onset);
  for (std::size_t size = 0; size < kSizes.size(); ++size)
    for (std::size_t k = 0; k < kNoiseRatios.size(); ++k) cumulants.push_back(table.cumulant(size, k, kReplicas));
  Results& results = sheet.results();
  results.coordinate("e9_noise", noise, "1 / time", "noise D");
  results.coordinate("e9_agents", kSizes, "1", "N");
  results.add("e9_cumulant", {"e9_agents", "e9_noise"}, cumulants, "1", "Binder cumulant U4");
  results.add("e9_universal", {"e9_noise"}, std::vector<double>(noise.size(), critical_binder(2)), "1", "1 - pi / 6");
  results.scalar("e9_onset", onset, "1 / time", "predicted onset");
  Figure figure;
  figure.name = "binder";
  figure.title = "E9: order sets in where the cumulants cross";
  figure.caption =
      "U4 = 1 - <R^4> / (3 <R^2>^2) of tokens on the circle with noise, beta = 1. All sizes cross at the "
      "predicted noise (mark) and at the height 1 - pi / 6 (dashed) that every complete graph has.";
  figure.variables = {"e9_cumulant"};
  figure.references = {"e9_universal"};
  figure.x = "e9_noise";
  figure.hue = "e9_agents";
  figure.marks = {"e9_onset"};
  results.figure(figure);
}

/// R along a walk through noise ratios, each for `duration` after `duration` of settling; carried on from one to the
/// next.
std::vector<double> order_along(Dynamics& dynamics, Matrix<double>& angles, const std::vector<double>& noises,
                                int duration) {
  std::vector<double> orders;
  std::int64_t step = 0;
  for (const double noise : noises) {
    dynamics.set(Control::noise, noise);
    double sum = 0;
    for (int k = 0; k < 2 * duration; ++k) {
      dynamics.step(angles, step++);
      if (k >= duration) sum += std::sqrt(squared_order(angles));
    }
    orders.push_back(sum / duration);
  }
  return orders;
}

struct NoiseLoop {
  std::vector<double> rising, falling;  ///< R while the noise rises from order, and while it falls from disorder
};

NoiseLoop noise_loop(double beta, const std::vector<double>& ratios, double time_step, double duration,
                     const Random& random) {
  constexpr Index kLoopAgents = 10000;
  const double onset = critical_noise(beta, CircleWeights::unnormalised, time_step);
  std::vector<double> noises;
  for (const double ratio : ratios) noises.push_back(ratio * onset);
  const auto dynamics = free_crowd(noisy_circle(beta, noises.front(), time_step), Matrix<double>::Zero(kLoopAgents, 1),
                                   random.stream("rising"));
  const int steps = static_cast<int>(duration / time_step);
  Matrix<double> angles = dynamics->agents().start;
  NoiseLoop loop;
  loop.rising = order_along(*dynamics, angles, noises, steps);
  angles = random_angles(kLoopAgents, random.stream("disorder"));
  std::reverse(noises.begin(), noises.end());
  loop.falling = order_along(*dynamics, angles, noises, steps);
  std::reverse(loop.falling.begin(), loop.falling.end());
  return loop;
}

}  // namespace

void measure_binder_crossing(OracleSheet& sheet) {
  constexpr double kCrossing = 0.01, kHeight = 0.015;
  const double onset = critical_noise(1, CircleWeights::unnormalised, kBinderStep);
  const BinderTable table = measured_binder(sheet, onset, sheet.config().real("order.lifetimes"));
  const std::size_t large = kSizes.size() - 1;
  const MeanWithError crossing = jackknifed([&](std::size_t left) { return crossing_ratio(table, 0, large, left); });
  sheet.compare("critical_noise", "noise where the Binder cumulants of N = 200 and 3200 cross, beta = 1", onset,
                onset * crossing.mean, kCrossing);
  for (std::size_t size = 0; size < kSizes.size(); ++size) {
    const MeanWithError height = jackknifed([&](std::size_t left) { return binder_curve(table, size, left).a; });
    sheet.compare(concat("height_N_", kSizes[size]),
                  concat("Binder cumulant at the predicted noise, N = ", kSizes[size]), critical_binder(2), height.mean,
                  kHeight, Scale::absolute);
    sheet.results().note(concat("E9: at the predicted noise U4 = ", height.mean, " +- ", height.error,
                                " for N = ", kSizes[size], " (jackknife over ", kReplicas, " runs)."));
  }
  sheet.results().note(concat("E9: the cumulants of N = 200 and 3200 cross at ", crossing.mean, " +- ", crossing.error,
                              " of the predicted noise; those of 800 and 3200 at ",
                              crossing_ratio(table, 1, large, kReplicas), "."));
  std::vector<double> sizes, second;
  for (std::size_t size = 0; size < kSizes.size(); ++size) {
    double sum = 0;
    for (std::size_t r = 0; r < kReplicas; ++r) sum += table.at(size, 2, r).second / kReplicas;
    sizes.push_back(kSizes[size]);
    second.push_back(sum);
  }
  sheet.compare("size_exponent", "exponent of <R^2> in N at the predicted noise", -0.5, fit_power(sizes, second).slope,
                0.03, Scale::absolute);
  draw_binder(sheet, table, onset);
}

void measure_noise_hysteresis(OracleSheet& sheet) {
  const std::vector<double> ratios{0.8, 0.9, 0.95, 1.05, 1.1, 1.15, 1.2, 1.3, 1.4};
  NoiseLoop jump, smooth;
  side_by_side(2, [&](std::size_t k) {
    if (k == 0) jump = noise_loop(4, ratios, 0.01, 5, sheet.random());
    // at 0.95 of the onset order grows by 1 / 36 a time unit: less than 200 would show how long one waited
    if (k == 1) smooth = noise_loop(1, ratios, 0.5, 250, sheet.random());
  });
  const auto widest = [](const NoiseLoop& loop) {
    double gap = 0;
    for (std::size_t k = 0; k < loop.rising.size(); ++k) gap = std::max(gap, loop.rising[k] - loop.falling[k]);
    return gap;
  };
  sheet.claim("loop_beta_4", concat("a loop at beta = 4: order differs by ", widest(jump), " at most, more than 0.3"),
              widest(jump) > 0.3);
  sheet.claim("no_loop_beta_1",
              concat("none at beta = 1: order differs by ", widest(smooth), " at most, less than 0.05"),
              widest(smooth) < 0.05);
  std::vector<double> rising = smooth.rising, falling = smooth.falling;
  rising.insert(rising.end(), jump.rising.begin(), jump.rising.end());
  falling.insert(falling.end(), jump.falling.begin(), jump.falling.end());
  Results& results = sheet.results();
  results.coordinate("e9_loop_beta", std::vector<double>{1, 4}, "1", "beta");
  results.coordinate("e9_ratio", ratios, "1", "noise over D_c");
  results.add("e9_rising", {"e9_loop_beta", "e9_ratio"}, rising, "1", "order R, noise rising");
  results.add("e9_falling", {"e9_loop_beta", "e9_ratio"}, falling, "1", "order R, noise falling");
  Figure figure;
  figure.name = "noise_loop";
  figure.title = "E9: a loop at beta = 4, none at beta = 1";
  figure.caption =
      "Order of 10,000 tokens as the noise rises from order and falls from disorder. Above beta = 2.447 "
      "both states persist between D_c and the end of the ordered one.";
  figure.variables = {"e9_rising", "e9_falling"};
  figure.x = "e9_ratio";
  figure.hue = "e9_loop_beta";
  results.figure(figure);
}

}  // namespace fovea::opinion
