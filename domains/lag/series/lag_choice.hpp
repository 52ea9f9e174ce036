#pragma once
/// How far back to look, from the data.

#include <string>
#include <vector>

#include "fovea/datasets/series/series.hpp"

namespace fovea::lag::series {

struct LagChoice {
  std::vector<Index> lags;  ///< 1, 2, ..., the longest looked at
  Index tried = 0;          ///< lags that were examined for it one by one; more than lags where fewer are chosen
  std::string reason = {};  ///< one sentence for the reader
};

/// Each series is whitened by its own autoregression (Yule and Walker; order by Akaike 1974, at most steps / 10 and
/// 20); the longest lag is the last at which a cross-correlation of two whitened series leaves the band that all of
/// them together leave with probability `level` when nothing depends on anything (Haugh 1976, Bonferroni):
///
///   |r_ij(lag)| sqrt(rows) > z(1 - level / (2 series (series - 1) cap))
///
/// and is seen at one of the two lags on either side as well (3 standard errors), or leaves the band of a 25th of the
/// level and is seen in either half of the rows (2.5). It is looked for up to cap = min(100, steps / 5, 2000 / series),
/// at least 1. Up to least = min(cap, 5, max(1, steps / 50)) lags are kept where a longer one is chosen, and otherwise
/// the fewest for which, given the residuals of all series so many steps back, no residual up to `least` steps back and
/// no square of one is correlated with another series' (Simes 1986, values and squares at the level each; all of them
/// where values are more than a quarter of the rows or fewer than a fifteenth, or steps more than 20 000): each lag
/// that is searched in vain takes power from the others. Missing cells are bridged and their residuals left out;
/// residuals are clipped at 3 standard deviations. One series: its own autoregression's order takes the part of the
/// longest lag. level in (0, 1). held: steps x any, finite, such as a season's harmonics, is taken off each series
/// first, so that a course that series share stretches no lag.
LagChoice choose_lags(const datasets::series::SeriesTable& table, const Matrix<double>& held = {}, double level = 0.05);

}  // namespace fovea::lag::series
