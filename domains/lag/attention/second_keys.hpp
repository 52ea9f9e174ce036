#pragma once
/// The second stage of the attention: each target is asked for bumps, waves and products in what its keys leave.

#include "fovea/domains/lag/attention/target_links.hpp"

namespace fovea::lag::attention {

/// Among how many of the past values products were looked for.
struct SecondStage {
  Index keys = 0, of = 0;
};

/// The links of each part again, given second keys (second_key.hpp) that are chosen as further conditions.
///
/// Candidates are bumps and waves of every (source, lag), and products of two of them, of as many lags as take at most
/// 5e8 multiplications for all targets, and of every two conditions. In turn the candidate, or the plain value, of the
/// least p-value over its weight joins the conditions while that is below 0.3 (with Bonferroni: so many false ones a
/// target); then those that the others make superfluous leave. Weights are a prior: 0.3 on bumps and waves, 0.35 on
/// products of two series one lag back, 0.35 on all other products; on plain values 1. A second key's test is the
/// weaker of rows_test with what is left of the target and with its normal scores, whose signs are even, so that a few
/// large products are no evidence (Efron 1969; Pinelis 1994); t is shrunk for slow series as in ContentTests. A
/// product's p-value is that of both of its values. ContentTests::second gets the least over all keys of a (source,
/// lag).
///
/// residuals: of residuals_of(); the columns of targets with second keys become what these leave.
/// Without settings.products nothing is done. Causes that settings.allowed forbids have no second keys.
SecondStage ask_again(std::vector<TargetLinks>& parts, const Learned& learned,
                      const datasets::series::SeriesTable& table, const methods::LagSettings& settings, Index held,
                      Matrix<double>& residuals);

}  // namespace fovea::lag::attention
