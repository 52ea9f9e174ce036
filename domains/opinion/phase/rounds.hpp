#pragma once
/// The search with noise: what to measure next, given everything that was measured.

#include <limits>
#include <optional>

#include "fovea/domains/opinion/phase/noisy.hpp"

namespace fovea::opinion::phase {

/// One crowd at one value of the control, with where it belongs.
struct RoundCell {
  std::int64_t round = 0, size = 0, replica = 0, up = 0;  ///< size: 0, 1, ... from the smallest
  NoisyCell cell;
  void visit(Archive archive);
};

/// The controls of one walk of a size and direction, and how long it stays at each.
struct RoundWalk {
  std::int64_t size = 0, up = 0;
  std::vector<double> controls;  ///< in the order of walking
  double longer = 1;             ///< times the steps of the plan
};
struct RoundPlan {
  std::vector<RoundWalk> walks;  ///< each for every replica
  std::int64_t steps = 0, burn_in = 0;
  /// With noise networks differ more than the states of one do: where a crossing is looked for, each gets few steps.
  std::int64_t steps_of_network = std::numeric_limits<std::int64_t>::max();
};

/// <m> of the replicas of a size and direction at each control of a round, and its error.
struct OrderCurve {
  std::vector<double> controls;  ///< ascending
  std::vector<Estimate> order;
  std::vector<double> camps;
};
OrderCurve order_curve(const std::vector<RoundCell>& cells, std::int64_t round, std::int64_t size, std::int64_t up);

/// The two branches of one size on the coarse grid (round 0), or on the first finer one (round 1).
struct NoisyLoop {
  double area = 0, area_error = 0;       ///< integral of m_up - m_down over the scale of the grid
  double widest_gap = 0, gap_error = 0;  ///< largest |m_up - m_down|
  double at = 0, middle = 0;             ///< where, and the order halfway between the branches there
  double range = 0;                      ///< of m over both branches of the coarse grid
  bool closed = true;                    ///< the branches meet at both ends of the grid; else a walk keeps its start
  /// The crowd remembers where it came from: two branches, and not one that a slow walk follows with a lag.
  bool open() const { return widest_gap > kOpenGap * range && widest_gap > kOpenErrors * gap_error; }
  static constexpr double kOpenGap = 0.3;   ///< of the range of m
  static constexpr double kOpenErrors = 5;  ///< the widest of the gaps at many controls is looked for
};
NoisyLoop noisy_loop(const std::vector<RoundCell>& cells, std::int64_t size, bool logarithmic, std::int64_t round);

/// The first of these two rounds whose loop is open; nullopt: neither's is.
std::optional<std::int64_t> round_of_loop(const std::vector<RoundCell>& cells, std::int64_t size, bool logarithmic);

/// U4 of all replicas and both directions at the controls of the rounds from `first_round` on within [low, high].
std::vector<CumulantPoint> cumulant_points(const std::vector<RoundCell>& cells, std::int64_t first_round, double low,
                                           double high);

/// Where the loop of a size ends in a direction: each replica's first control beyond the change, halfway back to the
/// one before.
struct LoopEnd {
  double at = 0, error = 0;  ///< mean over the replicas, standard error with the grid's own width
  double near = 0, far = 0;  ///< the changes of all replicas lie between these
  double order_near = 0, order_far = 0;
  bool found = false;
};
LoopEnd loop_end(const std::vector<RoundCell>& cells, std::int64_t round, std::int64_t size, std::int64_t up,
                 double middle);

/// Steps of one walk of a crowd of this size in one direction through all windows around a crossing.
double steps_of_refinements(const PhaseSettings& settings, std::int64_t size);

/// What the next round measures; nothing when the search is at its end. rounds: done so far.
std::optional<RoundPlan> next_round(const PhaseSettings& settings, const std::vector<RoundCell>& cells,
                                    std::int64_t rounds, const Random& random);

/// On each side of a window, of its width: controls there were measured before the window moved, and are near enough to
/// count for the fit.
inline constexpr double kWindowMargin = 0.1;

/// The window around the crossing that the fit uses, and the fit in it; nullopt where nothing crosses.
struct CrossingWindow {
  double low = 0, high = 0;
};
std::optional<CrossingWindow> coarse_window(const PhaseSettings& settings, const std::vector<RoundCell>& cells);
std::optional<CrossingWindow> fine_window(const PhaseSettings& settings, const std::vector<RoundCell>& cells);
/// The next window where networks are drawn: around where U4 of the largest size is as far between the ends of the
/// coarse grid as at a transition in mean field, by a line through the window before.
CrossingWindow window_among_networks(const PhaseSettings& settings, const std::vector<RoundCell>& cells,
                                     const CrossingWindow& window);
/// Whether a crossing among networks is none by chance: it is in nearly all draws, with U4 above 0.
bool stands_out(const CrossingInterval& found);
/// Multiplies the intervals by (chi^2 / degrees)^(1/2) where chi^2 has p < 0.01: the sizes do not follow one curve
/// within their errors, which are too small.
void widen(FoundCrossing& crossing);
bool narrow_enough(const PhaseSettings& settings, const CrossingInterval& found);
std::optional<CrossingInterval> crossing_in(const PhaseSettings& settings, const std::vector<RoundCell>& cells,
                                            const CrossingWindow& window, const Random& random);

}  // namespace fovea::opinion::phase
