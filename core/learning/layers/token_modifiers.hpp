#pragma once
/// Modifiers that ask about the tokens of a pass, ready for a layer's list.

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/learning/layers/multi_head_attention.hpp"

namespace fovea::learning {

/// time_decay() over the tokens' times. start: log rate or log half-life, as options say, one or one a head. Times are
/// counted from the first of each set, so that floats hold them.
template <typename Real>
ModifierOfLayer<Real> decay_with_time(std::vector<Real> start, const TimeDecayOptions& options = {});

/// power_law_decay() over the tokens' times. start: {log exponent, log scale}, one pair or one a head.
template <typename Real>
ModifierOfLayer<Real> power_law_with_time(std::vector<Real> start, const PowerLawDecayOptions& options = {});

}  // namespace fovea::learning
