#pragma once
/// Background rejection at a signal efficiency, as taggers of particles and searches are compared.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea {

/// The cut that keeps at least this share of the signal: the ceil(efficiency n)-th highest score of n signal examples;
/// examples with exactly this score are kept. rejection = 1 / (share of the background that is kept); infinity where
/// none is.
struct RejectionPoint {
  double efficiency = 0;  ///< asked for
  double cut = 0;
  double signal = 0, background = 0;  ///< shares that are kept
  double rejection() const { return 1 / background; }
};

/// scores (N), any numbers but NaN; outcomes (N): 1 signal, 0 background, one of each at least; efficiency in (0, 1].
/// Throws ArgumentError.
RejectionPoint rejection_at(std::span<const double> scores, std::span<const Index> outcomes, double efficiency);

/// A curve with a band: at each efficiency the rejection, and the quantiles of it over draws of signal and background
/// examples, each class drawn by itself (Efron 1979). Where no background passes in the data the rejection is infinite
/// and `low` is what the rule of three allows, n / 3; draws in which none passes are infinite, too.
struct RejectionBand {
  std::vector<double> efficiency, rejection, low, high;
  std::vector<Index> background_kept;  ///< examples that the point rests on
};
RejectionBand rejection_band(std::span<const double> scores, std::span<const Index> outcomes,
                             std::span<const double> efficiencies, const Random& random, Index draws = 1000,
                             double level = 0.95);

/// The Jensen-Shannon divergence (Lin 1991) in bits between two samples in `bins` equal bins over the range of both:
/// H((p + q) / 2) - (H(p) + H(q)) / 2, in [0, 1]. Its inverse says how little a cut sculpts a spectrum. Finite, one of
/// each at least.
double jensen_shannon_divergence(std::span<const double> a, std::span<const double> b, Index bins);

}  // namespace fovea
