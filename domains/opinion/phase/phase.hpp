#pragma once
/// A finder of transitions: it is given crowds that move and a range of one control, and is told nothing else.
///
/// At rest it walks a coarse grid up and down, each walk from a state prepared at its beginning, and bisects
/// every change in the number of camps, every jump of the order parameter, and the place where it leaves 0, from the
/// last state on the near side.
/// With noise it measures moments of the order parameter on line in crowds of several sizes, looks for hysteresis, and
/// then either closes in on the crossing of the Binder cumulants (Binder 1981) until its bootstrap interval is narrow
/// enough, or on the two ends of the loop. Equations: theory.md, "Finding a transition".

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"

namespace fovea::opinion::phase {

/// The number that tells the phases apart, of the counted agents, in [0, inf):
///   dispersion  standard deviation of the opinions     resultant  |mean of exp(i theta)|, angles on the circle
///   mean        |mean opinion|                         camps      share of the agents outside the largest camp
///   strength    root mean square of the opinions       positive   share of the agents with an opinion above 0
/// automatic: resultant for the models on the circle and the sphere; dispersion for the others at rest; mean with
/// noise.
enum class Order { automatic, dispersion, resultant, mean, camps, strength, positive };

/// The state at the beginning of a walk: the start of the agents, or everybody at its mean (agents of stubbornness 1
/// where they are).
enum class Prepared { spread, consensus };

/// Defaults are those of the keys of opinion.phase.
struct PhaseSettings {
  bool noisy = false;                               ///< the crowd moves for ever: moments are measured, in replicas
  bool drawn = false;                               ///< at rest: replicas differ, by their meetings, start or network
  bool networks = false;                            ///< with noise: networks are drawn, so each walk takes many
  double low = 0.005, high = 0.3;                   ///< the range, 0 < low < high
  bool logarithmic = true;                          ///< spacing of the first grid
  Index points = 13;                                ///< of the first grid, >= 4
  std::vector<Index> sizes{500, 1000, 2000, 4000};  ///< numbers of agents, ascending; 3 and more for a crossing
  Index replicas = 4;                               ///< of each size and direction, with noise or where they differ
  Order order = Order::automatic;
  bool fresh = false;  ///< without noise: begin every value of the control from the start of the agents, no carrying
  Prepared up_from = Prepared::spread, down_from = Prepared::consensus;
  bool mean_is_opinion = true;      ///< false: consensus is at the first agent's opinion (circle, sphere, voters)
  double camps_gap = 0.1;           ///< opinions nearer than this, over others between them, are one camp
  double camps_least_share = 0.01;  ///< smaller camps are not counted
  std::int64_t slice = 1000000;     ///< agents times steps of each walk between two opportunities for a checkpoint
  // Without noise.
  double tolerance = 1e-8;          ///< at rest: no opinion moves further than this in a step
  std::int64_t steps_max = 200000;  ///< at one value of the control
  double resolution = 0.001;        ///< relative width of the last bracket
  double least_jump = 0.1;          ///< smallest jump of the order parameter that counts, of its whole range
  // With noise.
  std::int64_t burn_in = 500;      ///< steps at each value of the control that are not measured
  std::int64_t steps = 4000;       ///< measured steps of the first round; each later round has twice the steps before,
                                   ///< and around a crossing a crowd of N agents (N_largest / N)^(1/2) times as many
  std::int64_t measure_every = 5;  ///< steps between two measurements
  double precision = 0.005;        ///< wanted half width of the crossing's 95 % interval, relative
  double binder_precision = 1;     ///< wanted half width of the 95 % interval of the cumulant there
  Index rounds_max = 4;            ///< refinements, then it ends as it is, and says so
  Index draws = 1000;              ///< of the bootstrap
};

enum class Direction { up, down };

/// What was measured at one value of the control; without noise at rest (or when the steps ran out).
struct PhasePoint {
  double control = 0;
  Index size = 0;
  Direction direction = Direction::up;
  int round = 0;                                        ///< 0: the coarse grid
  double order = 0, order_error = 0;                    ///< <m>, standard error over the replicas
  double susceptibility = 0, susceptibility_error = 0;  ///< N (<m^2> - <m>^2)
  double binder = 0, binder_error = 0;                  ///< 1 - <m^4> / (3 <m^2>^2)
  double correlation_time = 0;                          ///< of m^2, integrated, in steps (Flyvbjerg and Petersen 1989)
  double camps = 0;  ///< at the end of the walk through this point, mean over replicas
  double steps = 0;  ///< until at rest; NaN with noise
  bool at_rest = true;
};

/// A change that was closed in on: it lies in [low, high], with the walk's own past on its near side.
struct FoundJump {
  double low = 0, high = 0;
  Index size = 0;
  Direction direction = Direction::up;
  double order_before = 0, order_after = 0;  ///< in the direction of the walk
  double camps_before = 0, camps_after = 0;
  bool averaged = false;  ///< the mean over replicas of their largest, so the only one of its size and direction
  bool smooth = false;    ///< no jump: the order parameter leaves 0 here without one
  double at() const { return 0.5 * (low + high); }
};

/// Where the cumulants of all sizes meet, with its 95 % bootstrap interval; see core/statistics/binder.hpp. Of three
/// sizes and more: that of infinitely many agents, from the common function of the scaled distance.
struct FoundCrossing {
  double control = kNan, low = kNan, high = kNan;
  double binder = kNan, binder_low = kNan, binder_high = kNan;
  double correction = 0;  ///< g: at the transition U4 of N agents is that of infinitely many + g N^(-1/2)
  double chi_square = 0;  ///< of the fit, and its degrees of freedom
  int degrees = 0;
  double widened = 1;  ///< factor (chi^2 / degrees)^(1/2) on the intervals where chi^2 has p < 0.01 (the scale factor
                       ///< of the Particle Data Group), else 1
  std::vector<double> pair_control, pair_binder;  ///< of neighbouring sizes alone
  bool narrow_enough = false;                     ///< both intervals are as narrow as asked
};

enum class TransitionKind { none, continuous, first_order };

struct PhaseFindings {
  TransitionKind kind = TransitionKind::none;
  Order order = Order::dispersion;   ///< what was measured
  std::vector<PhasePoint> points;    ///< by size, direction, control
  std::vector<FoundJump> jumps;      ///< by size, direction, control; first order with noise: the ends of the loop
  FoundCrossing crossing;            ///< NaN where there is none
  std::vector<double> loop_area;     ///< for each size: integral of |m_down - m_up| over the coarse grid (of ln control
  std::vector<double> loop_error;    ///< on a logarithmic one), and its standard error over the replicas
  std::vector<double> least_binder;  ///< for each size
  double peaks = 0;                  ///< of the histogram of m of the largest crowds where it is broadest: 1 or 2
  double peaks_chance = 0;           ///< p value of the second peak under one peak
  std::vector<double> histogram_order, histogram;  ///< bin centres and density of m there
  double histogram_control = 0;                    ///< where
  std::vector<std::vector<double>> densities;  ///< of opinions, largest crowd: points of its first direction, or down
  std::vector<double> density_opinion, density_control;
  Index rounds = 0;        ///< refinements done
  std::int64_t steps = 0;  ///< of all crowds together
};

/// A crowd of `size` agents at one value of the control, with its own noise for each replica (and for each `walk`,
/// which numbers the walks of a replica, and their networks where PhaseSettings::networks); called from several threads
/// at a time. The same arguments give the same crowd.
using CrowdMaker =
    std::function<std::shared_ptr<dynamics::Dynamics>(double control, Index size, Index replica, Index walk)>;

/// Finds the transitions of the range. The same bits for any number of threads; goes on from bench.restored(), and
/// offers a checkpoint about every second. random: for the bootstrap. Throws ArgumentError for settings that
/// contradict each other, and where an opinion leaves the numbers.
PhaseFindings find_transitions(const PhaseSettings& settings, const CrowdMaker& make, const Random& random,
                               Workbench& bench);

}  // namespace fovea::opinion::phase
