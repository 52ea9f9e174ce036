#pragma once
/// One series explained by its own past.

#include <span>
#include <vector>

namespace fovea {

/// Autocorrelations rho_0 = 1, ..., rho_last of a series about its mean, each sum divided by that of lag 0, which keeps
/// them positive semidefinite (Box & Jenkins 1970, eq. 2.1.10). All 0 but the first for a constant series. Where
/// cells are NaN a sum counts as many times more as pairs are missing. recording_starts: no lag reaches across (empty:
/// one recording).
std::vector<double> autocorrelations(std::span<const double> x, long last, std::span<const long> recording_starts = {});

/// x_t = sum_k coefficients[k - 1] x_(t - k) + e_t, from autocorrelations.
struct Autoregression {
  std::vector<double> coefficients;
  double variance = 1;  ///< of e, in units of that of x
};

/// The Yule-Walker fits of orders 0, 1, ..., rho.size() - 1 by Levinson's (1947) and Durbin's (1960) recursion. The
/// last coefficient of order p is the partial autocorrelation at lag p.
std::vector<Autoregression> autoregressions(std::span<const double> rho);

/// The one of least n log variance + 2 order (Akaike 1974).
const Autoregression& best_by_aic(std::span<const Autoregression> fits, double n);

}  // namespace fovea
