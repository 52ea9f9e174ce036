#pragma once
/// What the page of opinion.phase says in words, by kind. Places are NaN where there is none.

#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/finding.hpp"
#include "fovea/domains/opinion/phase/control.hpp"

namespace fovea::opinion::phase {

struct AveragingHasNoTransition {
  bool plain_averaging, transitions;
  double steps_max, tolerance;
  FOVEA_FINDING(verdict, "averaging_has_no_transition", "nothing but averages with positive weights moves the crowd",
                plain_averaging, transitions, steps_max, tolerance)
  bool holds() const { return plain_averaging; }
  std::string sentence() const;
  static AveragingHasNoTransition example() { return {true, true, 200000, 1e-8}; }
  static AveragingHasNoTransition counterexample() { return {false, true, 200000, 1e-8}; }
};

/// A range without a located transition. Of the order parameter: its ends, with noise of the largest crowd.
struct NothingLocated : ControlWords {
  double low, high, least, most;
  bool noisy;
  bool absent = false, disordered = false;  ///< with noise: see SizeComparison
  std::size_t small = 0, large = 0;         ///< agents
  static NothingLocated of_spins() {
    return {{"temperature", "T", "1"}, 4, 9, 0.02, 0.03, true, true, true, 200, 1800};
  }
};

struct NoTransition : NothingLocated {
  FOVEA_FINDING(verdict, "no_transition", "a walk to rest has no jump, or sizes with noise show that none is there",
                name, symbol, unit, low, high, least, most, noisy, absent, disordered, small, large)
  bool holds() const { return !noisy || absent; }
  std::string sentence() const;
  static NoTransition example() { return {of_spins()}; }
  static NoTransition counterexample() {
    NoTransition unknown = example();
    unknown.absent = false;
    return unknown;
  }
};

struct NotResolved : NothingLocated {
  bool changes = false;                             ///< the order parameter, by more than its error
  double reverses_from = kNan, reverses_to = kNan;  ///< of the order of the cumulants; NaN: it does not reverse
  double peak_below = kNan, peak_above = kNan;      ///< of the fluctuations of the largest crowd; NaN: at an end
  FOVEA_FINDING(verdict, "not_resolved", "with noise neither a crossing of all sizes nor its absence is shown", name,
                symbol, unit, low, high, least, most, noisy, absent, disordered, small, large, changes, reverses_from,
                reverses_to, peak_below, peak_above)
  bool holds() const { return noisy && !absent; }
  std::string sentence() const;
  static NotResolved example() {
    NotResolved spins{of_spins(), true, 3.25, 4, 3.2, 3.9};
    spins.absent = spins.disordered = false;
    return spins;
  }
  static NotResolved counterexample() { return {of_spins()}; }
};

/// The values of the control beside that of the largest fluctuations.
struct OneNoisySize : ControlWords {
  std::size_t sizes, agents;
  double below, above;
  FOVEA_FINDING(verdict, "one_noisy_size", "there is no second size whose cumulants could cross", name, symbol, unit,
                sizes, agents, below, above)
  bool holds() const { return sizes == 1; }
  std::string sentence() const;
  static OneNoisySize example() { return {{"independence", "p", "1"}, 1, 100, 0.2, 0.4}; }
  static OneNoisySize counterexample() { return {{"independence", "p", "1"}, 2, 100, 0.2, 0.4}; }
};

struct CumulantsCross : ControlWords {
  double crossing, error, predicted, cumulant, cumulant_error, correction, peaks;
  bool networks = false;  ///< each walk has its own
  FOVEA_FINDING(verdict, "cumulants_cross", "the Binder cumulants of all sizes cross in the range", name, symbol, unit,
                crossing, error, predicted, cumulant, cumulant_error, correction, peaks, networks)
  bool holds() const { return !std::isnan(crossing); }
  std::string sentence() const;
  static CumulantsCross example() { return {{"independence", "p", "1"}, 0.33, 0.01, 1. / 3, 0.27, 0.02, 0.1, 1}; }
  static CumulantsCross counterexample() { return {{"independence", "p", "1"}, kNan, kNan, 0.3, kNan, kNan, 0, 1}; }
};

struct CrossingOfTwoSizes {
  std::size_t sizes;
  FOVEA_FINDING(verdict, "crossing_of_two_sizes", "no third size shows how the crossing moves", sizes)
  bool holds() const { return sizes < 3; }
  std::string sentence() const;
  static CrossingOfTwoSizes example() { return {2}; }
  static CrossingOfTwoSizes counterexample() { return {3}; }
};

struct SizesOffOneCurve {
  double chi_square, degrees, widened;
  FOVEA_FINDING(verdict, "sizes_off_one_curve",
                "chi^2 of the crossing's fit is too large, and its interval was widened", chi_square, degrees, widened)
  bool holds() const { return widened > 1; }
  std::string sentence() const;
  static SizesOffOneCurve example() { return {40, 10, 2}; }
  static SizesOffOneCurve counterexample() { return {11, 10, 1}; }
};

/// Where the walks with rising and with falling control leave their branch.
struct BranchEnds : ControlWords {
  double up = kNan, up_error = kNan, up_predicted = kNan, down = kNan, down_error = kNan, down_predicted = kNan;
  bool any() const { return !std::isnan(up) || !std::isnan(down); }
  static BranchEnds of_loop() { return {{"temperature", "T", "opinion^2"}, 0.1, 0.01, kNan, 0.05, 0.01, 0.051}; }
};

struct OrderLeavesZero : BranchEnds {
  FOVEA_FINDING(verdict, "order_leaves_zero", "without noise the order parameter leaves 0, and does not jump", name,
                symbol, unit, up, up_error, up_predicted, down, down_error, down_predicted)
  bool holds() const { return any(); }
  std::string sentence() const;
  static OrderLeavesZero example() { return {of_loop()}; }
  static OrderLeavesZero counterexample() { return {}; }
};

struct FirstOrderTransition : BranchEnds {
  std::size_t agents = 0;  ///< of the largest crowd
  bool noisy = false;
  double peaks = 0;  ///< of the histogram of the order parameter
  FOVEA_FINDING(verdict, "first_order_transition", "the order parameter of carried states jumps in the largest crowd",
                name, symbol, unit, up, up_error, up_predicted, down, down_error, down_predicted, agents, noisy, peaks)
  bool holds() const { return any(); }
  /// Whether the two ends lie apart.
  bool has_hysteresis() const { return up - down > std::hypot(up_error, down_error); }
  std::string sentence() const;
  static FirstOrderTransition example() { return {of_loop(), 4000, true, 2}; }
  static FirstOrderTransition counterexample() { return {{}, 4000, true, 2}; }
};

/// Of states that are not carried: each value of the control has its own.
struct FinalStateChanges {
  std::string control, places;
  std::size_t all, shown, agents;
  FOVEA_FINDING(verdict, "final_state_changes", "states from one start change abruptly in the largest crowd", control,
                places, all, shown, agents)
  bool holds() const { return shown > 0; }
  std::string sentence() const;
  static FinalStateChanges example() { return {"confidence", "eps = 0.2500(10) (3 camps below, 2 above)", 1, 1, 400}; }
  static FinalStateChanges counterexample() { return {"confidence", "", 0, 0, 400}; }
};

}  // namespace fovea::opinion::phase
