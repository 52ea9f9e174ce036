#pragma once
/// A second look at what the linear tests leave: effects whose sign or size changes in time, and effects on the size of
/// a series' variations. theory.md has the tests.

#include <string>
#include <vector>

#include "fovea/datasets/series/series.hpp"
#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::further {

struct FurtherSettings {
  std::vector<Index> lags;     ///< looked at, in steps, ascending, each >= 1 and < steps; never empty
  std::vector<Index> targets;  ///< the effects, ascending; empty: every series
  double level = 0.05;         ///< of the false discovery rate, of each kind by itself, in (0, 1)
  bool changing = true, variance = true;
  /// What is significant already. A link of these is not tested for a change; a pair of them not for an effect on the
  /// variance: what a linear fit leaves of a response that is not quite linear would be found there.
  std::vector<methods::Link> known = {};
  double budget = 8e9;  ///< multiplications for each kind, > 0; what would take more is not looked for
};

struct FurtherFindings {
  std::vector<methods::Link> links;    ///< significant ones, by kind, then effect, then as they were accepted
  std::vector<std::string> sentences;  ///< one a link
  std::vector<std::string> notes;      ///< what was not looked for, and why
};

/// Tests of every ordered pair of series at every lag. u is the innovation of a cause `lag` steps before, e that of the
/// effect, both about their means in up to 16 windows of at least 40 rows (none is tested below 80 rows).
///
///   changing  t_b = sum u e / sqrt(sum u^2 e^2) in each of B = 2, 4, 8, 16 windows; Q = the least sum over b of
///             (S_b - c U_b)^2 / V_b^2 over c, U_b = sum u^2: whether one coefficient c serves all windows (Cochran
///             1954)
///   variance  sum u g / sqrt(sum u^2 g^2), g the normal score of |e| less what its own past forecasts; and the same
///             with the cause's own g in place of u
///
/// These sums are self-normalised: given all sizes, their tails are at most 4.46 times those of chi and the normal if
/// the signs are even and independent (Efron 1969; Pinelis 1994), whatever the tails and variances. That factor is in
/// every p-value. Each sum of squares is at least what independent factors of their sizes give, which
/// keeps it honest for rare events; neighbours in time that are correlated lower the statistic (Newey & West 1987).
/// Changes that all pairs share (the median over all tests: Devlin & Roeder 1999), or that a pair has within the step
/// too, come from a common course and lower it as well. Where the sizes of most series move together within a step no
/// effect on a variance is looked for, and a note says so.
///
/// A cause that has memory echoes at other lags: links are accepted in the order of their p-values, each is
/// taken out of its effect, and the others have to pass again. strength: of a change the root of the mean squared
/// correlation in the windows (>= 0), of the others a correlation, signed.
///
/// innovations  steps x series: what each series' own past, its significant causes and the conditions leave of it
///              (innovations.hpp), NaN where unknown, never infinite
/// Deterministic, the same bits for any number of threads.
FurtherFindings further_effects(const Matrix<double>& innovations, const datasets::series::SeriesTable& table,
                                const FurtherSettings& settings);

}  // namespace fovea::lag::further
