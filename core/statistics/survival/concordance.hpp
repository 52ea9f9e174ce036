#pragma once
/// Whether those with the larger risk end sooner.

#include <span>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// Pairs of which is known who ended first: one ended, the other ended later or was still observed then (censored at
/// the same time counts as later). Two who ended at the same time are no pair.
struct Concordance {
  double concordant = 0;  ///< who ended first has the larger risk
  double discordant = 0;
  double tied = 0;       ///< the same risk
  double index() const;  ///< (concordant + tied / 2) / all, Harrell's C; NaN where there is no pair
};

/// Harrell, Califf, Pryor, Lee, Rosati (1982). Without censoring and with two different times it is the AUROC. Of
/// competing ends pass one: the others count as censored. O(N log N).
/// risks (N) any numbers but NaN;  times (N) finite;  ended (N) 1, or 0 where censored;  N >= 1. Throws ArgumentError.
Concordance concordance(std::span<const double> risks, std::span<const double> times, std::span<const Index> ended);

}  // namespace fovea
