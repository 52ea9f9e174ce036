#include "fovea/domains/opinion/phase/rounds.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/domains/opinion/phase/searches.hpp"

namespace fovea::opinion::phase {

namespace {

// Controls of a refined grid. A window is two spacings of the grid before it, and in the first one a narrow loop must
// still show, so that it has more; later ones need enough for a curve through each size (enough_controls()).
constexpr Index kFirstPoints = 13, kWindowPoints = 7;
// Of the end of a loop, between the places where the first and the last replica left the branch.
constexpr Index kLoopPoints = 7;
// Of U4 of the largest size from the middle of a window to its end: there the curves are still those that are fitted
// (theory.md, "Finding a transition", 2).
constexpr double kWindowRise = 0.10;
// Errors that a first sign of a crossing must have: the difference of two cumulants is tried between all neighbours of
// the grid, so that two errors would be met by chance.
constexpr double kSignificance = 4;
// Controls that each size must have been measured at before its curve is fitted: one more than a parabola has numbers.
constexpr int kLeastControls = 4;
// Steps on one of many networks: in burn-ins, which cost as much without being measured, and in measurements at least.
constexpr std::int64_t kBurnInsOfNetwork = 4, kLeastOfNetwork = 100;
// A window shrinks to a quarter in a round at most: a slope that is taken too steep, from few short walks, must not
// lose the crossing.
constexpr double kMostShrinking = 0.25;

double scale_of(double control, bool logarithmic) { return logarithmic ? std::log(control) : control; }

Estimate binder_of(const std::vector<CumulantPoint>& points, std::size_t size, double control) {
  for (const CumulantPoint& point : points)
    if (point.size_class == size && point.control == control)
      return pooled_estimate(point.replicas, OrderStatistic::binder);
  return {kNan, kNan};
}

std::int64_t last_round(const std::vector<RoundCell>& cells) {
  std::int64_t last = 0;
  for (const RoundCell& one : cells) last = std::max(last, one.round);
  return last;
}

std::int64_t largest_size(const PhaseSettings& settings) {
  return static_cast<std::int64_t>(settings.sizes.size()) - 1;
}

/// Every size at kLeastControls at least.
bool enough_controls(const PhaseSettings& settings, const std::vector<CumulantPoint>& points) {
  std::map<std::size_t, int> controls;
  for (const CumulantPoint& point : points) ++controls[point.size_class];
  return controls.size() == settings.sizes.size() &&
         std::all_of(controls.begin(), controls.end(), [](const auto& one) { return one.second >= kLeastControls; });
}

RoundPlan first_plan(const PhaseSettings& settings) {
  RoundPlan plan;
  std::vector<double> grid = phase_grid(settings), back(grid.rbegin(), grid.rend());
  for (std::int64_t size = largest_size(settings); size >= 0; --size)
    for (const std::int64_t up : {1, 0}) plan.walks.push_back({size, up, up ? grid : back});
  plan.steps = settings.steps;
  plan.burn_in = settings.burn_in;
  return plan;
}

/// A small crowd is fast and forgets in N^(1/2) steps, and the height of the crossing rests on it more than on a large
/// one: it walks longer.
double longer_walk(const PhaseSettings& settings, std::int64_t size) {
  return std::sqrt(static_cast<double>(settings.sizes.back()) / static_cast<double>(settings.sizes[size]));
}

/// The same window for all sizes and both directions; the largest sizes first, since they take longest.
RoundPlan window_plan(const PhaseSettings& settings, const CrossingWindow& window, std::int64_t round) {
  RoundPlan plan;
  const std::vector<double> grid =
      evenly_spaced(window.low, window.high, round == 1 ? kFirstPoints : kWindowPoints, false);
  const std::vector<double> back(grid.rbegin(), grid.rend());
  for (std::int64_t size = largest_size(settings); size >= 0; --size)
    for (const std::int64_t up : {1, 0})
      plan.walks.push_back({size, up, up ? grid : back, longer_walk(settings, size)});
  plan.steps = settings.steps << (round - 1);
  plan.burn_in = settings.burn_in;
  if (settings.networks)
    plan.steps_of_network = std::max(kBurnInsOfNetwork * settings.burn_in, kLeastOfNetwork * settings.measure_every);
  return plan;
}

}  // namespace

double steps_of_refinements(const PhaseSettings& settings, std::int64_t size) {
  double steps = 0;
  for (std::int64_t round = 1; round <= settings.rounds_max; ++round)
    steps += static_cast<double>(round == 1 ? kFirstPoints : kWindowPoints) *
             (longer_walk(settings, size) * static_cast<double>(settings.steps << (round - 1)) +
              static_cast<double>(settings.burn_in));
  return steps;
}

namespace {

/// Both ends of the loop of each size, between what the replicas left open.
RoundPlan loop_plan(const PhaseSettings& settings, const std::vector<RoundCell>& cells, std::int64_t loop_round,
                    std::int64_t round) {
  RoundPlan plan;
  for (std::int64_t size = largest_size(settings); size >= 0; --size) {
    const double middle = noisy_loop(cells, size, settings.logarithmic, loop_round).middle;
    for (const std::int64_t up : {1, 0}) {
      const LoopEnd end = loop_end(cells, round - 1, size, up, middle);
      if (!end.found || std::abs(end.far - end.near) <= settings.precision * end.at) continue;
      plan.walks.push_back({size, up, evenly_spaced(end.near, end.far, kLoopPoints, settings.logarithmic)});
    }
  }
  plan.steps = settings.steps << (round - 1);
  plan.burn_in = settings.burn_in;
  return plan;
}

/// Of <m> over both branches of the coarse grid.
double order_range(const std::vector<RoundCell>& cells, std::int64_t size) {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (const std::int64_t up : {1, 0})
    for (const Estimate& order : order_curve(cells, 0, size, up).order)
      lowest = std::min(lowest, order.value), highest = std::max(highest, order.value);
  return highest - lowest;
}

}  // namespace

void RoundCell::visit(Archive archive) {
  archive("round", round);
  archive("size", size);
  archive("replica", replica);
  archive("up", up);
  archive("cell", cell);
}

OrderCurve order_curve(const std::vector<RoundCell>& cells, std::int64_t round, std::int64_t size, std::int64_t up) {
  std::map<double, std::vector<OrderSums>> at;
  std::map<double, double> camps;
  for (const RoundCell& one : cells) {
    if (one.round != round || one.size != size || one.up != up) continue;
    at[one.cell.control].push_back(one.cell.moments);
    camps[one.cell.control] += one.cell.camps;
  }
  OrderCurve curve;
  for (const auto& [control, replicas] : at) {
    curve.controls.push_back(control);
    curve.order.push_back(pooled_estimate(replicas, OrderStatistic::mean));
    curve.camps.push_back(camps[control] / static_cast<double>(replicas.size()));
  }
  return curve;
}

NoisyLoop noisy_loop(const std::vector<RoundCell>& cells, std::int64_t size, bool logarithmic, std::int64_t round) {
  const OrderCurve up = order_curve(cells, round, size, 1), down = order_curve(cells, round, size, 0);
  NoisyLoop loop;
  loop.range = order_range(cells, size);
  double variance = 0;
  for (std::size_t k = 0; k < up.controls.size(); ++k) {
    const double gap = up.order[k].value - down.order[k].value;
    const double error = std::hypot(up.order[k].error, down.order[k].error);
    const bool at_end = k == 0 || k + 1 == up.controls.size();
    if (at_end && std::abs(gap) > loop.kOpenGap * loop.range && std::abs(gap) > loop.kOpenErrors * error)
      loop.closed = false;
    if (std::abs(gap) > loop.widest_gap) {
      loop.widest_gap = std::abs(gap);
      loop.gap_error = error;
      loop.at = up.controls[k];
      loop.middle = 0.5 * (up.order[k].value + down.order[k].value);
    }
    const std::size_t before = k == 0 ? 0 : k - 1, after = std::min(k + 1, up.controls.size() - 1);
    const double width = 0.5 * (scale_of(up.controls[after], logarithmic) - scale_of(up.controls[before], logarithmic));
    loop.area += width * gap;
    variance += width * width * error * error;
  }
  loop.area_error = std::sqrt(variance);
  return loop;
}

/// Later windows are so narrow that the slowness of a continuous transition could pass for memory.
std::optional<std::int64_t> round_of_loop(const std::vector<RoundCell>& cells, std::int64_t size, bool logarithmic) {
  if (!noisy_loop(cells, size, logarithmic, 0).closed) return std::nullopt;
  for (std::int64_t round = 0; round <= std::min<std::int64_t>(1, last_round(cells)); ++round)
    if (noisy_loop(cells, size, logarithmic, round).open()) return round;
  return std::nullopt;
}

std::vector<CumulantPoint> cumulant_points(const std::vector<RoundCell>& cells, std::int64_t first_round, double low,
                                           double high) {
  std::map<std::pair<std::int64_t, double>, std::vector<OrderSums>> at;
  for (const RoundCell& one : cells)
    if (one.round >= first_round && one.cell.control >= low && one.cell.control <= high)
      at[{one.size, one.cell.control}].push_back(one.cell.moments);
  std::vector<CumulantPoint> points;
  for (auto& [place, replicas] : at)
    points.push_back({static_cast<std::size_t>(place.first), place.second, std::move(replicas)});
  return points;
}

LoopEnd loop_end(const std::vector<RoundCell>& cells, std::int64_t round, std::int64_t size, std::int64_t up,
                 double middle) {
  std::map<std::int64_t, std::vector<const NoisyCell*>> walks;  // in the order of walking
  for (const RoundCell& one : cells)
    if (one.round == round && one.size == size && one.up == up) walks[one.replica].push_back(&one.cell);
  LoopEnd end;
  std::vector<double> places;
  double width = 0;
  for (const auto& [replica, walk] : walks) {
    const bool above = walk.front()->moments.mean() > middle;
    const auto changed = std::find_if(walk.begin(), walk.end(),
                                      [&](const NoisyCell* cell) { return (cell->moments.mean() > middle) != above; });
    if (changed == walk.end() || changed == walk.begin()) continue;
    const NoisyCell &before = **(changed - 1), &after = **changed;
    const bool first = places.empty();
    const auto outer = [&](double a, double b, bool least) {
      return first ? b : least ? std::min(a, b) : std::max(a, b);
    };
    end.near = outer(end.near, before.control, up != 0);
    end.far = outer(end.far, after.control, up == 0);
    end.order_near += before.moments.mean();
    end.order_far += after.moments.mean();
    width = std::max(width, std::abs(after.control - before.control));
    places.push_back(0.5 * (before.control + after.control));
  }
  if (places.empty()) return end;
  const MeanWithError mean = mean_with_error(places);
  end.found = true;
  end.at = mean.mean;
  // a place evenly spread over its bracket has this standard deviation
  end.error = std::hypot(mean.error, width / std::sqrt(12.0));
  end.order_near /= static_cast<double>(places.size());
  end.order_far /= static_cast<double>(places.size());
  return end;
}

namespace {

/// Where the cumulant of the largest size is halfway between its values at the two ends, if these differ clearly.
std::optional<double> halfway(const std::vector<double>& grid, const std::vector<Estimate>& cumulants) {
  const Estimate &first = cumulants.front(), &last = cumulants.back();
  if (!(std::abs(last.value - first.value) > kSignificance * std::hypot(first.error, last.error))) return std::nullopt;
  const double middle = 0.5 * (first.value + last.value);
  for (std::size_t k = 0; k + 1 < grid.size(); ++k) {
    const double left = cumulants[k].value - middle, right = cumulants[k + 1].value - middle;
    if (left * right <= 0) return grid[k] + (grid[k + 1] - grid[k]) * left / (left - right);
  }
  return std::nullopt;
}

CrossingWindow window_around(const PhaseSettings& settings, const std::vector<double>& grid, double at, double steps) {
  const auto next = std::upper_bound(grid.begin() + 1, grid.end() - 1, at);
  const double half = steps * (*next - *(next - 1));
  return {std::max(at - half, settings.low), std::min(at + half, settings.high)};
}

}  // namespace

/// Between which two controls the cumulants of the smallest and the largest size change their order most clearly.
std::optional<CrossingWindow> coarse_window(const PhaseSettings& settings, const std::vector<RoundCell>& cells) {
  const std::vector<double> grid = phase_grid(settings);
  const std::vector<CumulantPoint> points = cumulant_points(cells, 0, settings.low, settings.high);
  const std::size_t large = largest_size(settings);
  std::vector<Estimate> difference, cumulants;
  for (const double control : grid) {
    const Estimate a = binder_of(points, large, control), b = binder_of(points, 0, control);
    cumulants.push_back(a);
    difference.push_back({a.value - b.value, std::hypot(a.error, b.error)});
  }
  std::optional<CrossingWindow> window;
  double clearest = 0;
  for (std::size_t k = 0; k + 1 < grid.size(); ++k) {
    const Estimate &left = difference[k], &right = difference[k + 1];
    const double change = std::abs(right.value - left.value);
    const bool crosses = left.value * right.value < 0;
    if (!crosses || change < kSignificance * std::hypot(left.error, right.error) || change <= clearest) continue;
    clearest = change;
    const double at = grid[k] + (grid[k + 1] - grid[k]) * left.value / (left.value - right.value);
    window = window_around(settings, grid, at, 1);
  }
  if (window) return window;
  // The walks were too short to show a crossing: then where the largest crowd changes from one phase to the other, and
  // since that is less well known, half a spacing more on each side.
  const std::optional<double> at = halfway(grid, cumulants);
  return at ? std::optional(window_around(settings, grid, *at, 1.5)) : std::nullopt;
}

namespace {

struct RoughCrossing {
  double at = 0, slope = 0;  ///< slope of U4 of the largest size there
};

/// Between the neighbouring controls where the cumulants of the smallest and the largest size change their order most
/// clearly; where they do not, in the middle of the steepest rise of the largest size. Needs no shape of the curves.
std::optional<RoughCrossing> rough_crossing(const std::vector<CumulantPoint>& points, std::size_t large) {
  std::vector<double> controls;
  for (const CumulantPoint& point : points)
    if (point.size_class == large) controls.push_back(point.control);
  std::optional<RoughCrossing> crossing, steepest;
  double clearest = 0, slope = 0;
  for (std::size_t k = 0; k + 1 < controls.size(); ++k) {
    const double a = controls[k], b = controls[k + 1];
    const double left = binder_of(points, large, a).value, right = binder_of(points, large, b).value;
    const double below = left - binder_of(points, 0, a).value, above = right - binder_of(points, 0, b).value;
    const double rise = std::abs(right - left) / (b - a), change = std::abs(above - below);
    if (rise > slope) {
      slope = rise;
      steepest = RoughCrossing{0.5 * (a + b), rise};
    }
    if (below * above >= 0 || change <= clearest) continue;
    clearest = change;
    crossing = RoughCrossing{a + (b - a) * below / (below - above), rise};
  }
  // Next to the crossing two noisy cumulants may happen to be alike; a slope near 0 would leave the window as wide as
  // it is.
  if (crossing && steepest) crossing->slope = std::max(crossing->slope, 0.5 * steepest->slope);
  return crossing ? crossing : steepest;
}

}  // namespace

/// Narrow enough for a parabola, wide enough for the slopes: U4 of the largest size changes by kWindowRise to each end.
/// The first window is too wide for a fit.
std::optional<CrossingWindow> fine_window(const PhaseSettings& settings, const std::vector<RoundCell>& cells) {
  std::optional<CrossingWindow> window = coarse_window(settings, cells);
  if (!window) return window;
  for (std::int64_t round = 1; round <= last_round(cells); ++round) {
    if (settings.networks) {
      window = window_among_networks(settings, cells, *window);
      continue;
    }
    const std::vector<CumulantPoint> points = cumulant_points(cells, 1, window->low, window->high);
    std::optional<RoughCrossing> crossing = rough_crossing(points, largest_size(settings));
    if (!crossing) return window;
    if (round > 1 && enough_controls(settings, points)) {
      const CumulantCrossing fit = cumulant_crossing(points);
      if (!std::isnan(fit.control)) crossing = RoughCrossing{fit.control, std::abs(fit.slopes.back())};
    }
    const double half = 0.5 * (window->high - window->low);
    const double next = std::clamp(kWindowRise / crossing->slope, kMostShrinking * half, half);
    window = CrossingWindow{crossing->at - next, crossing->at + next};
  }
  return window;
}

void widen(FoundCrossing& crossing) {
  // The scale factor of the Particle Data Group, where chance seldom makes chi^2 so large.
  constexpr double kChance = 0.01;
  if (crossing.degrees < 1 || chi_squared_upper(crossing.chi_square, crossing.degrees) >= kChance) return;
  crossing.widened = std::sqrt(crossing.chi_square / crossing.degrees);
  const auto wider = [&](double& end, double centre) { end = centre + crossing.widened * (end - centre); };
  wider(crossing.low, crossing.control), wider(crossing.high, crossing.control);
  wider(crossing.binder_low, crossing.binder), wider(crossing.binder_high, crossing.binder);
}

bool narrow_enough(const PhaseSettings& settings, const CrossingInterval& found) {
  return found.high - found.low <= 2 * settings.precision * found.estimate.control &&
         found.binder_high - found.binder_low <= 2 * settings.binder_precision;
}

std::optional<CrossingInterval> crossing_in(const PhaseSettings& settings, const std::vector<RoundCell>& cells,
                                            const CrossingWindow& window, const Random& random) {
  const double margin = kWindowMargin * (window.high - window.low);
  const std::vector<CumulantPoint> points = cumulant_points(cells, 1, window.low - margin, window.high + margin);
  if (!enough_controls(settings, points)) return std::nullopt;
  const int draws = static_cast<int>(settings.draws);
  const std::vector<double> sizes(settings.sizes.begin(), settings.sizes.end());
  const CrossingInterval found = sizes.size() < 3 ? cumulant_crossing_interval(points, random, draws)
                                                  : cumulant_scaling_interval(points, sizes, random, draws);
  return std::isnan(found.estimate.control) ? std::nullopt : std::optional(found);
}

std::optional<RoundPlan> next_round(const PhaseSettings& settings, const std::vector<RoundCell>& cells,
                                    std::int64_t rounds, const Random& random) {
  if (rounds == 0) return first_plan(settings);
  if (rounds > settings.rounds_max) return std::nullopt;
  if (const auto loop = round_of_loop(cells, largest_size(settings), settings.logarithmic)) {
    RoundPlan plan = loop_plan(settings, cells, *loop, rounds);
    return plan.walks.empty() ? std::nullopt : std::optional(plan);
  }
  if (settings.sizes.size() < 2) return std::nullopt;
  const std::optional<CrossingWindow> window =
      rounds == 1 ? coarse_window(settings, cells) : fine_window(settings, cells);
  if (!window) return std::nullopt;
  if (rounds >= 2) {
    const auto found = crossing_in(settings, cells, *window, random);
    if (found && narrow_enough(settings, *found)) return std::nullopt;
  }
  return window_plan(settings, *window, rounds);
}

}  // namespace fovea::opinion::phase
