#pragma once
/// How easily chance gives a course as much evidence L (OwnPast) as was found, whatever the memory of the series is.
///
/// Beside its own past a series with a unit root fits slow courses too well: L is not chi squared there (Dickey &
/// Fuller 1979; Perron 1989 for steps, Enders & Lee 2012 for slow waves). The factors below make the p-values hold for
/// random walks, where chance does most, and so they are cautious for all others; a course that could make false links
/// has an L of 3.6 sqrt(rows) or more, far above. Found on simulated random walks of 60 to 3000 rows.

#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::lag::nature {

/// Of one wave that was given, that has so many cycles in the rows (2 degrees).
double chance_of_wave(double evidence, double cycles);
/// The evidence of a wave as that of a series without a unit root: divided by 1 + a / cycles^2.
double settled_evidence(double evidence, double cycles);
/// Of a pattern, the sum of its waves' evidence: chi squared, but rare events fall on few places of a period by chance;
/// tails: the excess kurtosis of what the past leaves (variance of a sum of squares over places: Box & Watson 1962).
double chance_of_pattern(double evidence, double degrees, double tails, double rows);
/// Of polynomials of the trend that many degrees (1 to 6).
double chance_of_trend(double evidence, Index degrees);
/// Of the most conspicuous of all rows for a step.
double chance_of_step(double evidence);
/// Of different levels of recordings, one degree less than there are of them.
double chance_of_differing_levels(double evidence, Index degrees);
/// Of the trends, and the most conspicuous step, of so many series together, their correlations taken out.
/// settled: their unit roots are ruled out beside the candidate.
double chance_of_trends(double evidence, double degrees, double series, bool settled);
double chance_of_steps(double evidence, double series, bool settled);
/// Whether the mean of the unit root's statistics of so many series, beside a trend or a step, rules out that all have
/// one (Im, Pesaran & Shin 2003: mean -2.2, variance .75, less .4 for a course that was chosen; 3 deviations).
bool rules_out_unit_roots(double mean_statistic, double series);
/// Of the unit root's statistic, for a regression with a constant (quantiles: Fuller 1976, table 8.5.2).
double chance_of_unit_root(double statistic);

/// One p-value of several that may depend on each other, one a series: min p_(k) m / k (Simes 1986).
double joint_chance(std::vector<double> p_values);

}  // namespace fovea::lag::nature
