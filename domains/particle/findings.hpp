#pragma once
/// What the pages of particle say in words, by kind.

#include <cmath>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::particle {

/// AUC of attention and of single numbers for telling the hard collision from pile-up.
struct PileUpSeparated {
  double attention, pt, alpha, nearby, gain;  ///< gain: of attention over the best of the three
  std::string compared() const {
    return concat("Attention separates particles of the hard collision from pile-up with an AUC of ",
                  plain_text(attention), ", compared with ", plain_text(pt), " for pT, ", plain_text(alpha),
                  " for PUPPI's alpha and ", plain_text(nearby),
                  " for the sum of pT nearby: ", plain_text(std::abs(gain), 2));
  }
};
struct AttentionBeatsNumbers : PileUpSeparated {
  FOVEA_FINDING(verdict, "attention_beats_numbers", "the AUC of attention is above that of each single number",
                attention, pt, alpha, nearby, gain)
  bool holds() const { return gain > 0; }
  std::string sentence() const { return concat(compared(), " more than the best of the three."); }
  static AttentionBeatsNumbers example() { return {{0.9, 0.6, 0.8, 0.7, 0.1}}; }
  static AttentionBeatsNumbers counterexample() { return {{0.75, 0.6, 0.8, 0.7, -0.05}}; }
};
struct NumbersBeatAttention : PileUpSeparated {
  FOVEA_FINDING(verdict, "numbers_beat_attention", "the AUC of a single number is at least that of attention",
                attention, pt, alpha, nearby, gain)
  bool holds() const { return gain <= 0; }
  std::string sentence() const { return concat(compared(), " less than the best of the three."); }
  static NumbersBeatAttention example() { return {AttentionBeatsNumbers::counterexample()}; }
  static NumbersBeatAttention counterexample() { return {AttentionBeatsNumbers::example()}; }
};

}  // namespace fovea::particle
