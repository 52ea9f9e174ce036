#pragma once
/// What the heads of a target say of one link.

#include "fovea/domains/lag/attention/links.hpp"
#include "fovea/domains/lag/attention/target.hpp"

namespace fovea::lag::attention {

/// Weight, gradient and credible lags of (source, lags[place]) among the heads of one target.
AttentionView view_of(const SingleEffects& heads, const KeyProducts& products, Index source,
                      const std::vector<Index>& lags, std::size_t place);

}  // namespace fovea::lag::attention
