#pragma once
/// What the page of opinion.temperature says in words, by kind. Places are NaN where there is none.

#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::opinion::temperature {

/// Of the agents whose side is known and was not given.
struct SharesOnSide {
  double least, most, propagated;  ///< over temperatures and branches; by label propagation
  FOVEA_FINDING(verdict, "shares_on_side", "some agents' sides were withheld, and where they end was compared", least,
                most, propagated)
  bool holds() const { return least <= most; }
  std::string sentence() const;
  static SharesOnSide example() { return {0.5, 0.97, 0.969}; }
  static SharesOnSide counterexample() { return {kNan, kNan, 0.969}; }
};

/// Where the branches jump, at points whose keys differ, so that their mean says nothing.
struct SweptTransitions {
  double cooling_low, cooling_high, predicted_low, predicted_high, heating_low, heating_high;
  FOVEA_FINDING(verdict, "swept_transitions", "a key was swept, and crowds jump at some of its values", cooling_low,
                cooling_high, predicted_low, predicted_high, heating_low, heating_high)
  bool holds() const { return !std::isnan(cooling_low) || !std::isnan(heating_low); }
  std::string sentence() const;
  static SweptTransitions example() { return {0.007, 0.02, 0.008, 0.021, kNan, kNan}; }
  static SweptTransitions counterexample() { return {kNan, kNan, 0.008, 0.021, kNan, kNan}; }
};

struct TransitionsOfBranches {
  double cooling, cooling_error, predicted, heating, heating_error;
  bool heated;     ///< there is a branch of heating
  double highest;  ///< temperature of the range
  FOVEA_FINDING(verdict, "transitions_of_branches", "the number of camps jumps on cooling or on heating", cooling,
                cooling_error, predicted, heating, heating_error, heated, highest)
  bool holds() const { return !std::isnan(cooling) || !std::isnan(heating); }
  /// Whether polarization persists on heating beyond where consensus is lost on cooling.
  bool has_hysteresis() const {
    const double end = std::isnan(heating) ? highest : heating - heating_error;
    return heated && end > cooling + cooling_error;
  }
  std::string sentence() const;
  static TransitionsOfBranches example() { return {0.009, 0.001, 0.00897, kNan, kNan, true, 0.3}; }
  static TransitionsOfBranches counterexample() { return {kNan, kNan, 0.00897, kNan, kNan, true, 0.3}; }
};

struct NoCamps {
  double most;  ///< camps at any temperature
  FOVEA_FINDING(verdict, "no_camps", "no group of the least share is apart from the rest at any temperature", most)
  bool holds() const { return most == 0; }
  std::string sentence() const {
    return "The crowd has no camps at any temperature: no group without a gap wider than camps.gap holds "
           "camps.least_share of the agents.";
  }
  static NoCamps example() { return {0}; }
  static NoCamps counterexample() { return {1}; }
};

/// Where no jump was found.
struct CampsOverTemperature {
  double least, most;
  std::size_t branches;  ///< of cooling or heating, which have a direction
  FOVEA_FINDING(verdict, "camps_over_temperature", "the number of camps is the same everywhere, or has no direction",
                least, most, branches)
  bool holds() const { return most > 0 && (least == most || branches == 0); }
  std::string sentence() const;
  static CampsOverTemperature example() { return {1, 4, 0}; }
  static CampsOverTemperature counterexample() { return {1, 4, 2}; }
};

/// Of one branch without a jump.
struct CampsOfBranch {
  std::string branch;                                                  ///< cooling or heating
  double coldest, hottest, camps_coldest, camps_hottest, least, most;  ///< temperatures, and camps: here and anywhere
  FOVEA_FINDING(verdict, "camps_of_branch", "the number of camps changes, without a jump that was found", branch,
                coldest, hottest, camps_coldest, camps_hottest, least, most)
  bool holds() const { return least < most; }
  std::string sentence() const;
  static CampsOfBranch example() { return {"heating", 0.003, 1, 6, 1, 1, 6}; }
  static CampsOfBranch counterexample() { return {"heating", 0.003, 1, 1, 1, 1, 1}; }
};

struct AveragingNotAtRest {
  bool moves;  ///< PlainAveragingMoves was found
  FOVEA_FINDING(verdict, "averaging_not_at_rest", "the states shown are those of plain averaging when steps end", moves)
  bool holds() const { return moves; }
  std::string sentence() const {
    return "This is not a phase transition: without stubbornness or noise every crowd ends in consensus, and the "
           "result only reflects the finite number of steps.";
  }
  static AveragingNotAtRest example() { return {true}; }
  static AveragingNotAtRest counterexample() { return {false}; }
};

/// The end of the simplest polarized state; where heating ends depends on the camps that cold left.
struct TwoCampsEnd {
  double least, most;  ///< over the points
  FOVEA_FINDING(note, "two_camps_end", "theory knows up to where two equal camps rest, the same at all points", least,
                most)
  bool holds() const { return least == most; }
  std::string sentence() const;
  static TwoCampsEnd example() { return {0.15, 0.15}; }
  static TwoCampsEnd counterexample() { return {0.15, 0.2}; }
};

struct TemperaturesNotAtRest {
  std::size_t moving, temperatures;
  std::string places;
  FOVEA_FINDING(note, "temperatures_not_at_rest", "without noise the crowd still moves when the steps end", moving,
                temperatures, places)
  bool holds() const { return moving > 0; }
  std::string sentence() const;
  static TemperaturesNotAtRest example() { return {1, 16, "T = 0.01: not at rest after 60 steps"}; }
  static TemperaturesNotAtRest counterexample() { return {0, 16, ""}; }
};

struct MeansOverTime {
  double noise;
  std::size_t steps, burn_in;
  FOVEA_FINDING(note, "means_over_time", "noise moves the crowd for ever", noise, steps, burn_in)
  bool holds() const { return noise > 0; }
  std::string sentence() const;
  static MeansOverTime example() { return {0.1, 1000, 500}; }
  static MeansOverTime counterexample() { return {0, 1000, 500}; }
};

struct BisectionNotAtRest {
  std::size_t moving, steps_max;
  FOVEA_FINDING(note, "bisection_not_at_rest", "the transition was bracketed by states that still moved", moving,
                steps_max)
  bool holds() const { return moving > 0; }
  std::string sentence() const;
  static BisectionNotAtRest example() { return {2, 5000}; }
  static BisectionNotAtRest counterexample() { return {0, 5000}; }
};

}  // namespace fovea::opinion::temperature
