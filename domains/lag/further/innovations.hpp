#pragma once
/// What the past leaves of each series, for the tests of further effects.

#include <vector>

#include "fovea/datasets/series/series.hpp"
#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::further {

/// The residual of each series by least squares given an intercept, the conditions, its own last three values, and of
/// every link in `known` the cause's past value as it is and bent: (z^2 - 1) and (z^3 - 3 z) of the normal scores z of
/// its ranks (Hermite polynomials), so that a response that is not quite linear leaves little behind. Regressors beyond
/// a quarter of the rows are left out, those of the largest p-values first.
///
/// known       links that count (LagSettings::level), own pasts too; those at lag 0 are passed over
/// conditions  steps x columns, finite; no columns: none
/// steps x series; NaN where the value or one of its regressors is missing or in another recording, and of a series
/// with fewer than 20 complete rows. Throws ArgumentError for conditions of another number of rows.
Matrix<double> innovations_of(const datasets::series::SeriesTable& table, const std::vector<methods::Link>& known,
                              const Matrix<double>& conditions);

}  // namespace fovea::lag::further
