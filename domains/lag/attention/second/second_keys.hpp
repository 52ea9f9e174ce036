#pragma once
/// The second stage of the attention: each target is asked for bumps, waves, turns and products in what its keys leave.

#include "fovea/domains/lag/attention/target_links.hpp"

namespace fovea::lag::attention {

/// Among how many of the past values products were looked for.
struct SecondStage {
  Index keys = 0, of = 0;
};

/// The links of each part again, given second keys (second_key.hpp) that are chosen as further conditions.
///
/// In turn the candidate (second_screen.hpp), or the plain value, of the least p-value over its weight joins the
/// conditions while that is below 0.3 (the first: 0.1; by Bonferroni so many false ones a target); then those that the
/// others make superfluous leave. Weights are a prior: 0.2 on bumps and waves, 0.15 on cosines and sines, 0.5 on
/// products of two series at the shortest lag, 0.15 on all other products; on plain values 1. There the test is the
/// weaker of Student's t and White's (1980). Where a second key stays, all links of the target are tested again, and
/// ContentTests::second gets the least p-value of each (source, lag), a product's being that of both of its values:
/// then the test must also hold with normal scores of what is left of the target, whose signs are even, so that a few
/// large products are no evidence (Efron 1969; Pinelis 1994), and t is shrunk for slow series as in ContentTests.
///
/// residuals: of residuals_of(); the columns of targets with second keys become what these leave.
/// Without settings.products nothing is done. Causes that settings.allowed forbids have no second keys.
SecondStage ask_again(std::vector<TargetLinks>& parts, const Learned& learned,
                      const datasets::series::SeriesTable& table, const methods::LagSettings& settings, Index held,
                      Matrix<double>& residuals);

}  // namespace fovea::lag::attention
