#pragma once
/// How large the innovations are, step by step.

#include "fovea/domains/lag/further/panel.hpp"

namespace fovea::lag::further {

/// Normal scores of |e| of each series over the steps where it is known, about the window's mean; 0 where unknown.
/// rows: series x steps.
Matrix<double> size_scores(const Matrix<double>& rows, const Panel& panel);

/// What the last two scores and the mean of the last ten leave of a score: sizes that come in spells forecast
/// themselves (Engle 1982).
Matrix<double> surprises(const Matrix<double>& scores, const Panel& panel);

/// Whether the sizes of most series move together within a step, beyond what correlated innovations give (r^2 for a
/// correlation r): z = (r_size - r^2) sqrt(n) of each pair of series.
struct CommonSizes {
  bool found = false;  ///< their sum is above 4 sqrt(pairs), and more than half are above 1
  double mean = 0;     ///< of r_size - r^2 over the pairs
  Matrix<double> z;    ///< series x series, diagonal 0
};
CommonSizes common_sizes(const Matrix<double>& scores, const Panel& panel);

}  // namespace fovea::lag::further
