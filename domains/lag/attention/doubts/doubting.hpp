#pragma once
/// Finds what makes links doubtful: theory.md, Doubts.

#include "fovea/domains/lag/attention/doubts/doubts.hpp"
#include "fovea/domains/lag/attention/learned.hpp"
#include "fovea/domains/lag/attention/residual_links.hpp"

namespace fovea::lag::attention {

constexpr double kNoisy = .12;    ///< share of the variance that is noise of measurement
constexpr double kDoubted = .01;  ///< level, over the table, of each family of tests: products and squares, memory,
                                  ///< noise on all series; half of it for noise on one

/// What each series is as it was measured, before anything is held fixed: few values, gaps. One list a series, about
/// it.
Doubts doubts_of_series(const datasets::series::SeriesTable& table);

/// Those of few values and of gaps at each target that is such a series or whose regression has one, and where a third
/// of the series are, at all; and what the targets show. The regression of a target has, of itself and each series
/// among the conditions that were found (Learned::models), all values of the last K steps - K at most 6 and the longest
/// lag, by Schwarz' criterion over all targets together - and the conditions beyond. Each test is a score test that
/// stands uneven variances (core/statistics/tests/score_test.hpp):
///
///   square, product   of values among the conditions, and of these with the newest value searched of
///                     every series (where that is more than 1000 products: among the conditions alone)
///   memory            values of the same series at K + 1 to K + 3 steps
///   noise             of all series, and of each: the share V / (1 + V) of its variance, V by ScoreTest::attenuation
///                     with these further values as instruments, over all targets together
///
/// by Bonferroni within a target and over targets. Where half of the targets (two at least) show squares or products at
/// .05 too, all are doubted, and in a table where any is, each that is correlated with another within the step.
///
/// table   as it was learned from; within  null: no tests are made, only the doubts of series go to targets.
/// Uses at most 10^4 rows, evenly spread. Deterministic for any number of threads.
Doubts doubts_of_targets(const Learned& learned, const datasets::series::SeriesTable& table,
                         const std::vector<Index>& lags, const ResidualCorrelations* within, const Doubts& of_series);

}  // namespace fovea::lag::attention
