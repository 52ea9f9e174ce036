#pragma once
/// What the page of opinion.fit says of several windows or runs, by kind.

#include "fovea/core/data/finding.hpp"

namespace fovea::opinion::fit {

/// Errors relative, coverages with their binomial standard errors.
struct EstimatesExamined {
  std::size_t runs, moving;
  double temperature_error, stubbornness_error, temperature_coverage, temperature_coverage_error, stubbornness_coverage,
      stubbornness_coverage_error;
  FOVEA_FINDING(verdict, "estimates_examined", "several crowds that move were simulated and fitted", runs, moving,
                temperature_error, stubbornness_error, temperature_coverage, temperature_coverage_error,
                stubbornness_coverage, stubbornness_coverage_error)
  bool holds() const { return runs > 0; }
  std::string sentence() const;
  static EstimatesExamined example() { return {40, 40, 0.02, 0.03, 0.95, 0.034, 0.925, 0.042}; }
  static EstimatesExamined counterexample() { return {0, 0, 0.02, 0.03, 0.95, 0.034, 0.925, 0.042}; }
};

struct StillnessExamined {
  std::size_t runs, claimed, at_5_percent;
  FOVEA_FINDING(verdict, "stillness_examined", "several crowds that never move were simulated and fitted", runs,
                claimed, at_5_percent)
  bool holds() const { return runs > 0; }
  std::string sentence() const;
  static StillnessExamined example() { return {100, 1, 4}; }
  static StillnessExamined counterexample() { return {0, 0, 0}; }
};

struct MotionFound {
  std::size_t moving, all;
  std::string of;  ///< windows or runs
  FOVEA_FINDING(verdict, "motion_found", "several windows or runs were tested for motion", moving, all, of)
  bool holds() const { return all > 1; }
  std::string sentence() const;
  static MotionFound example() { return {12, 36, "windows"}; }
  static MotionFound counterexample() { return {1, 1, "windows"}; }
};

/// How many of the runs with motion each account describes best.
struct RunsDescribed {
  std::size_t moving, attention, drift, both, either, none;
  FOVEA_FINDING(verdict, "runs_described", "something moves in some of several runs with rivals", moving, attention,
                drift, both, either, none)
  bool holds() const { return moving > 0; }
  std::string sentence() const;
  static RunsDescribed example() { return {3, 1, 1, 1, 0, 0}; }
  static RunsDescribed counterexample() { return {0, 0, 0, 0, 0, 0}; }
};

/// How many windows with motion attention, a drift or attention beside a drift improve; whose intervals have ends.
struct WindowsDescribed {
  std::size_t moving, both, attention, drift, closed, above;
  FOVEA_FINDING(verdict, "windows_described", "something moves in some of several windows with rivals", moving, both,
                attention, drift, closed, above)
  bool holds() const { return moving > 0; }
  std::string sentence() const;
  static WindowsDescribed example() { return {12, 3, 5, 10, 4, 2}; }
  static WindowsDescribed counterexample() { return {0, 0, 0, 0, 4, 2}; }
};

struct RivalsNotFitted {
  std::size_t windows;
  bool fitted;
  FOVEA_FINDING(verdict, "rivals_not_fitted", "there are several windows, and fit.rivals is false", windows, fitted)
  bool holds() const { return windows > 1 && !fitted; }
  std::string sentence() const { return "The rivals were not fitted (fit.rivals)."; }
  static RivalsNotFitted example() { return {36, false}; }
  static RivalsNotFitted counterexample() { return {36, true}; }
};

/// Mean gains in log density a person over the frozen model.
struct NextPeriodPredicted {
  std::size_t windows, better;  ///< with a period behind them; where attention and drift do better than the drift
  double drift, both;
  FOVEA_FINDING(note, "next_period_predicted", "periods after windows were held out", windows, better, drift, both)
  bool holds() const { return windows > 0; }
  std::string sentence() const;
  static NextPeriodPredicted example() { return {35, 20, 0.02, 0.03}; }
  static NextPeriodPredicted counterexample() { return {0, 0, 0, 0}; }
};

struct QuadratureUnresolved {
  std::size_t moving, unresolved, nodes;
  double most;  ///< see quadrature_error()
  FOVEA_FINDING(verdict, "quadrature_unresolved", "more quadrature nodes change what decides where something moves",
                moving, unresolved, nodes, most)
  bool holds() const { return unresolved > 0; }
  std::string sentence() const;
  static QuadratureUnresolved example() { return {12, 2, 162, 3.1}; }
  static QuadratureUnresolved counterexample() { return {12, 0, 162, 0.04}; }
};

/// Simulated crowds with and without influence, some moved by other things: where influence is claimed.
struct InfluenceExamined {
  std::size_t without, false_claims, with, claims;
  FOVEA_FINDING(verdict, "influence_examined", "scenarios with and without influence were simulated and fitted",
                without, false_claims, with, claims)
  bool holds() const { return with + without > 0; }
  std::string sentence() const;
  static InfluenceExamined example() { return {40, 1, 40, 36}; }
  static InfluenceExamined counterexample() { return {0, 0, 0, 0}; }
};

}  // namespace fovea::opinion::fit
