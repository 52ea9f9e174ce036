#pragma once
/// Links within a step and links after one: which of them explains the other.

#include <set>

#include "fovea/domains/lag/attention/target_links.hpp"

namespace fovea::lag::attention {

/// log of the Bayes factor, by the Bayesian information criterion (Schwarz 1978), of "i acts on j within the step"
/// against "j acts on i":
///
///   (B(i | keys of i, x_j(t)) + B(j | keys of j) - B(i | keys of i) - B(j | keys of j, x_i(t))) / 2
///
/// with B(y | X) = n log(residual square / n) + columns log n, after keys without t^2 > log n are left out, one by one.
/// Both have the same likelihood where all lagged values are conditions; what decides is which needs fewer of them: a
/// past value that acts on the cause alone says the same of the effect only through it, the rule by which PCMCI+
/// orients (Runge 2020). 0 where there are too few rows, NaN where columns depend on each other.
struct DirectionEvidence {
  double whole = 0;
  double first_half = 0, second_half = 0;  ///< of the rows
  double reversed = 0;                     ///< with what follows in place of what went before
  double shared = 0, shared_reversed = 0;  ///< where both series may have the keys of either: a shock to both leaves
                                           ///< past values of each in the other
  /// Whether i acts on j (sign 1) or j on i (-1): above 2, of the same sign in both halves, and of the other where time
  /// is reversed. Noise and unequal memories favour one of two series whichever way time goes (Haufe, Nikulin, Mueller
  /// & Nolte 2013).
  bool holds(double sign) const;
};
DirectionEvidence evidence_of_direction(Index i, Index j, const Learned& learned,
                                        const datasets::series::SeriesTable& table, const std::vector<Index>& lags);

/// Of the significant links within a step `within` (undirected): orients those whose evidence holds where past values
/// of the cause are significant for the effect (a shock that both share leaves no such past), where more pairs have a
/// lagged link than one within the step (else the step is coarser than what acts), or where it holds for more than half
/// of at least 20 links that join less than half of all pairs (a shock to all joins more); and tests the significant
/// lagged links of each such pair again, given the causes of the effect within the step; of a pair without direction,
/// those both ways, given the other series at the same step. Returns how many lagged links have become insignificant
/// (p > 0.05): what they say goes through the step. Lagged links of other pairs are left as they are: with bent
/// responses a common cause leaves something within a step too, which would explain too much.
/// held: conditions that were taken out of all columns before.
Index compete_within_step(std::vector<methods::Link*> within, std::vector<TargetLinks>& parts, const Learned& learned,
                          const datasets::series::SeriesTable& table, const std::vector<Index>& lags, Index held);

}  // namespace fovea::lag::attention
