#pragma once
/// The search checks itself on the table at hand.

#include "fovea/domains/lag/attention/target_links.hpp"

namespace fovea::lag::attention {

/// Surrogates for at most about 3e8 operations, but at least 10, and at most `most`; shifts are spread evenly.
///
/// parts    of all targets, with their conditions; shared: theirs, where all have the same; null: each its own
/// held     conditions that were taken out of all columns before
SurrogateCheck check_on_surrogates(const std::vector<TargetLinks>& parts, const RowsGiven* shared, Index held,
                                   const Learned& learned, const datasets::series::SeriesTable& table,
                                   const std::vector<Index>& lags, double level, Index most);

}  // namespace fovea::lag::attention
