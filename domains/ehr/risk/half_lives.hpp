#pragma once
/// How long a variable's value stays informative about the outcome: the half-lives that the data bound, and of which
/// variables they bound none (decay/half_life_profile.hpp has the model, the test and the profile).
///
/// It is asked of all cases with a known outcome; of ends in time, of the hazard of the first end. In the bank of heads
/// of the risk's own model many half-lives share the work, so none of them is "the" half-life.

#include <vector>

#include "fovea/core/config/shared_key.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/domains/ehr/decay/half_life_profile.hpp"

namespace fovea::ehr::risk {

/// Variables are the classes, values the normal scores in `inputs` (prepared() of the cases: its first column, where
/// its second is 0), ages count back from the case's end. The span of the ages is what nine tenths of the values are
/// younger than.
decay::DecayData decay_data(const study::Target& target, const study::Cases& cases, const Matrix<float>& inputs);

inline const SharedKey kHalfLifeLevel{
    "half_lives.level", "level of the intervals of half-lives, from their profile likelihood; 0: none are sought",
    Range::between(0, 0.999)};
inline constexpr double kUsualHalfLifeLevel = 0.9;

/// Over variable: half_life with its interval (NaN: none is claimed), half_life_claim, half_life_discovery,
/// measuring_gap, memory (variable_memory.hpp), source; the figure, and a note. Nothing at level 0.
void write_half_lives(const study::StudyOutcome& outcome, double level, Results& results);

}  // namespace fovea::ehr::risk
