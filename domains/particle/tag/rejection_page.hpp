#pragma once
/// What a page says of a tagger, beyond what every study says: rejection, single numbers, scores, mass sculpting.

#include "fovea/core/study/study.hpp"

namespace fovea::particle::tag {

struct RejectionSettings {
  double resonance = 0;   ///< GeV: a mass that class 1 has; 0: none
  bool fewer = false;     ///< class 1 has fewer and harder constituents
  bool sculpting = true;  ///< whether the mass of background jets that pass is shown
};

/// Over efficiency: rejection_of_the_tagger with low and high, rejection of each single number; over tagger: auc with
/// DeLong's interval, rejection_30 and rejection_50 with bands; over score: densities of both classes; over mass:
/// background before and after a cut at efficiency .5, and 1 / JSD. Nothing for more than two classes, or where the
/// test part has fewer than two jets of one.
void write_rejection(const study::StudyOutcome& outcome, const RejectionSettings& settings, const Random& random,
                     Results& results);

}  // namespace fovea::particle::tag
