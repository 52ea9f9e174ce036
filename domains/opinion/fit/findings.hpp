#pragma once
/// What the page of opinion.fit says in words, by kind.

#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/finding.hpp"
#include "fovea/domains/opinion/fit/one_window.hpp"

namespace fovea::opinion::fit {

/// Of a single window.
struct SamplesDiffer {
  double p, least_p;  ///< of the permutation test; the smallest that its permutations can give
  FOVEA_FINDING(verdict, "samples_differ", "samples of one unchanging distribution seldom differ as much", p, least_p)
  bool holds() const { return p <= kMovesLevel; }
  std::string sentence() const;
  static SamplesDiffer example() { return {0.002, 0.002}; }
  static SamplesDiffer counterexample() { return {0.03, 0.002}; }
};

struct SamplesAlike {
  double p;
  FOVEA_FINDING(verdict, "samples_alike", "samples of one unchanging distribution often differ as much", p)
  bool holds() const { return p > kMovesLevel; }
  std::string sentence() const;
  static SamplesAlike example() { return {0.03}; }
  static SamplesAlike counterexample() { return {0.002}; }
};

/// Log likelihoods above that of the frozen model. See Account, Evidence.
struct ModelsCompared {
  double p, quadrature, described;
  double drift, attention, both, shift, growth;
  bool with_drift, estimated;  ///< estimates are those of both; T and s are given
  FOVEA_FINDING(verdict, "models_compared", "something moves, and its rivals were fitted well enough", p, quadrature,
                described, drift, attention, both, shift, growth, with_drift, estimated)
  Account account() const { return account_of({p, {0, drift, kNan, attention, both}, quadrature, described}); }
  bool holds() const {
    return p <= kMovesLevel && !std::isnan(both) && account() != Account::unresolved && account() != Account::refuted;
  }
  std::string sentence() const;
  static ModelsCompared example() { return {0.002, 0.01, 0.3, 21.2, 4.1, 22, -0.3, 0.02, false, false}; }
  static ModelsCompared counterexample() { return {0.002, 0.3, 0.3, 4.1, 21.2, 22, -0.3, 0.02, false, false}; }
};

struct ModelRefuted {
  bool refuted;  ///< attention would account for the motion
  double described;
  FOVEA_FINDING(verdict, "model_refuted", "the model in which attention is significant does not describe the samples",
                refuted, described)
  bool holds() const { return refuted; }
  std::string sentence() const;
  static ModelRefuted example() { return {true, 0.0004}; }
  static ModelRefuted counterexample() { return {false, 0.4}; }
};

/// NaN: an interval has no such end.
struct AttentionFitted {
  bool given;    ///< the estimates say something of influence, or the truth is known
  bool claimed;  ///< the former
  double temperature, temperature_low, temperature_high, stubbornness, stubbornness_low, stubbornness_high, level;
  FOVEA_FINDING(verdict, "attention_fitted", "attention describes the motion", given, claimed, temperature,
                temperature_low, temperature_high, stubbornness, stubbornness_low, stubbornness_high, level)
  bool holds() const { return given; }
  std::string sentence() const;
  static AttentionFitted example() { return {true, true, 0.15, 0.14, 0.16, 0.1, kNan, 0.2, 0.95}; }
  static AttentionFitted counterexample() { return {false, false, 0.15, 0.14, 0.16, 0.1, kNan, 0.2, 0.95}; }
};

struct SimulatedValues {
  bool moves;
  double temperature, stubbornness;
  FOVEA_FINDING(verdict, "simulated_values", "the crowd was simulated, and moves", moves, temperature, stubbornness)
  bool holds() const { return moves; }
  std::string sentence() const;
  static SimulatedValues example() { return {true, 0.15, 0.1}; }
  static SimulatedValues counterexample() { return {false, 0.15, 1}; }
};

struct GainsOverFrozen {
  bool resolved;  ///< by the quadrature, or nothing moves
  double drift, uniform, attention, both;
  FOVEA_FINDING(verdict, "gains_over_frozen", "the rivals were fitted", resolved, drift, uniform, attention, both)
  bool holds() const { return resolved && !std::isnan(both); }
  std::string sentence() const;
  static GainsOverFrozen example() { return {true, 21.2, 3, 4.1, 22}; }
  static GainsOverFrozen counterexample() { return {false, 21.2, 3, 4.1, 22}; }
};

struct PeopleAnswerAgain {
  bool moves;
  double stayed;  ///< largest share of a sample that was in the one before
  FOVEA_FINDING(note, "people_answer_again", "something moves, and the samples share people", moves, stayed)
  bool holds() const { return moves && stayed > 0; }
  std::string sentence() const;
  static PeopleAnswerAgain example() { return {true, 0.4}; }
  static PeopleAnswerAgain counterexample() { return {true, 0}; }
};

}  // namespace fovea::opinion::fit
