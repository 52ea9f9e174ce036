#pragma once
/// What the page of opinion.moderation says in words, by kind.

#include <cmath>

#include "fovea/core/data/finding.hpp"
#include "fovea/core/data/results.hpp"

namespace fovea::opinion::moderation {

/// Without a defence.
struct LoudnessCaptures {
  double share, loudness;  ///< attackers for each honest agent; the least that captures, infinite: none does
  FOVEA_FINDING(verdict, "loudness_captures", "the fewest attackers capture the crowd if they are loud enough", share,
                loudness)
  bool holds() const { return std::isfinite(loudness); }
  std::string sentence() const;
  static LoudnessCaptures example() { return {0.01, 3.2}; }
  static LoudnessCaptures counterexample() { return {0.01, INFINITY}; }
};

struct NoLoudnessCaptures {
  double share, loudness;
  FOVEA_FINDING(verdict, "no_loudness_captures", "the fewest attackers do not capture the crowd, however loud", share,
                loudness)
  bool holds() const { return !std::isfinite(loudness); }
  std::string sentence() const;
  static NoLoudnessCaptures example() { return {0.01, INFINITY}; }
  static NoLoudnessCaptures counterexample() { return {0.01, 3.2}; }
};

/// At the largest loudness.
struct AttackersNeeded {
  double honest;
  NamedNumbers needed;  ///< by the names of the defences
  FOVEA_FINDING(verdict, "attackers_needed", "defences were compared by how many attackers they withstand", honest,
                needed)
  bool holds() const { return !needed.empty(); }
  std::string sentence() const;
  static AttackersNeeded example() { return {200, {{"none", 1}, {"clipping", 40}}}; }
  static AttackersNeeded counterexample() { return {200, {}}; }
};

/// Checks, figures and verdict from all seeds.
void conclude_moderation(Results& merged);

}  // namespace fovea::opinion::moderation
