#pragma once
/// What is common to the residuals of several forecasts: links within a step, and hidden factors.

#include "fovea/domains/lag/attention/links.hpp"

namespace fovea::lag::attention {

struct ResidualCorrelations {
  Matrix<double> correlations;  ///< series x series, over the rows that each pair has in common
  Matrix<Index> rows;           ///< of each pair
};
ResidualCorrelations residual_correlations(const Matrix<double>& residuals);

/// At least 8 series, of whose residuals one direction holds more than a fifth of what full correlation would, with
/// more than half of the series taking part: then past values stand in for the factors', and tiny partial effects are
/// everywhere (Geiger, Zhang, Gong, Janzing & Schoelkopf 2015). `cut` is left 0.
HiddenFactors look_for_hidden_factors(const ResidualCorrelations& residuals);

/// Their first principal component, one value a row: the factor's own course as far as the residuals show it; 0 for
/// what is unknown.
Vector<double> factor_course(const ResidualCorrelations& of, const Matrix<double>& residuals);

/// Undirected links at lag 0 (cause < effect): partial correlation of two residuals given all others', from the
/// inverse. Those with p <= kWorthConfirming are tested again by rows_test, without normal scores, of what the others
/// leave of both, and the weaker of the two is taken. None where there are too few rows (2 * series) or the
/// correlations are singular.
///
/// of         what residual_correlations says of `residuals`
/// residuals  rows x series, NaN where unknown
std::vector<methods::Link> links_within_a_step(const ResidualCorrelations& of, const Matrix<double>& residuals);

}  // namespace fovea::lag::attention
