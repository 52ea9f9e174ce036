#pragma once
/// The truth of some jets, which cases do not have: it is read, or simulated, once more.

#include <string>
#include <vector>

#include "fovea/domains/particle/display/displays.hpp"

namespace fovea::particle::display {

/// Of each constituent of these cases the nearest quark of the top's decay: "b", "q", "q'", or "unmatched"; no words
/// for a jet whose truth is not known, or which is none of a top quark.
std::vector<std::vector<std::string>> nearest_quarks(const study::StudyOutcome& outcome, const MadeAgain& made,
                                                     const std::vector<Index>& items);

}  // namespace fovea::particle::display
