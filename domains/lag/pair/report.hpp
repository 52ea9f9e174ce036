#pragma once
/// What `lag.pair` hands in: arrays, figures, headlines, the verdict.
///
/// Over "pair" (whose coordinate is "GROUP: DRIVER > RESPONSE"): driver, response (names), lag, lag_low68, lag_high68,
/// lag_low95, lag_high95, false_alarm, counts (1: it is at most `level`, a scalar); main_share, width, tail,
/// log_bayes_factor, outliers (their number in both curves), attention_lag, bandwidth, centroid_lag, centroid_low68,
/// centroid_high68; true_lag and related where the pairs were made. Over ("pair", "lag_profile"): posterior, attention,
/// attention_low, attention_high, interpolated, discrete. Over ("pair", "lag_near"): posterior_near, where the mass is;
/// lag_near is the lag of a single pair, and the lag less its median where there are several. Over ("pair", "moment"):
/// driver_curve, response_curve (moved back by the lag), both in standard deviations.

#include <vector>

#include "fovea/core/data/results.hpp"
#include "fovea/domains/lag/pair/input.hpp"
#include "fovea/domains/lag/pair/outcome.hpp"

namespace fovea::lag::pair {

/// level: of the false alarm, up to which a pair counts as related.
void write_pairs(const PairInputs& inputs, const std::vector<PairOutcome>& outcomes, double level, Results& results);
void conclude_pairs(Results& merged);

}  // namespace fovea::lag::pair
