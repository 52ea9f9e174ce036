#pragma once
/// The truth of some jets, which cases do not have: it is read, or simulated, once more.

#include <functional>
#include <string>
#include <vector>

#include "fovea/core/study/study.hpp"
#include "fovea/datasets/particles/particles.hpp"

namespace fovea::particle::tag {

/// The jets of a run without files once more, with their truth; empty: nobody knows it.
using MadeAgain = std::function<datasets::particles::ParticleSets(const Random&)>;

/// Which of b, q, q' is nearest to each constituent of a jet with truth, within dR < 0.8: 1, 2, 3; 0: none.
std::vector<int> prongs_of(const datasets::particles::ParticleSets& jets, Index jet);

/// Of each constituent of these cases the nearest quark of the top's decay: "b", "q", "q'", or "unmatched"; no words
/// for a jet whose truth is not known, or which is none of a top quark.
std::vector<std::vector<std::string>> nearest_quarks(const study::StudyOutcome& outcome, const MadeAgain& made,
                                                     const std::vector<Index>& items);

}  // namespace fovea::particle::tag
