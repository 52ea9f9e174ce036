#pragma once
/// What a study of so many cases could find: the smallest effect that a two-sided test at the 5 % level sees in four of
/// five such studies (power 0.8),
///
///   effect = z_0.975 SE(no effect) + z_0.8 SE(effect)
///
/// Counts may be broken, as those of clustered cases are; NaN where they are too few to be a study. The best possible
/// value where even that would be missed.

namespace fovea {

/// Of an area under the ROC curve, with the standard error of Hanley & McNeil (1982, eq. 1): positives, negatives >= 1.
double detectable_auroc(double positives, double negatives);

/// Of a share of right answers above `chance` in (0, 1), with binomial standard errors. cases >= 2.
double detectable_accuracy(double cases, double chance);

/// Of a correlation, by Fisher's z (1921), whose standard error is 1 / sqrt(cases - 3). cases > 3.
double detectable_correlation(double cases);

}  // namespace fovea
