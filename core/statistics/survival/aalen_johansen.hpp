#pragma once
/// Cumulative incidence of competing ends.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// The share to which each end has happened by a time.
struct IncidenceStep {
  double time = 0;
  Index at_risk = 0;
  double survival = 1;            ///< no end yet: 1 less the sum of the incidences
  std::vector<double> incidence;  ///< of ends 1 .. K in [0, K)
  std::vector<double> error;      ///< their standard errors
};

/// F_k(t) = sum over times t_j <= t of S(t_j-) d_kj / n_j, S: Kaplan & Meier's survival of all ends together (Aalen &
/// Johansen 1978). One minus Kaplan & Meier with the other ends censored is larger: it asks what would be if the others
/// could not happen. Variance by the delta method (Marubini & Valsecchi 1995, eq. 10.12), n, d at t_j:
///   sum (F_k(t) - F_kj)^2 d / (n (n - d)) + S(t_j-)^2 d_k (n - d_k) / n^3 - 2 (F_k(t) - F_kj) S(t_j-) d_k / n^2
/// times  (N) finite;  ends (N) 0: censored, 1 .. count: which end came; count >= 1, N >= 1
/// One step for each different time, ascending. Throws ArgumentError.
std::vector<IncidenceStep> aalen_johansen(std::span<const double> times, std::span<const Index> ends, Index count);

}  // namespace fovea
