#pragma once
/// The discrete Fourier transform.

#include <complex>
#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// X(k) = sum_t x(t) exp(-2 pi i k t / n) of n = 2^m numbers, in place (Cooley & Tukey 1965). Keeps the angles, so one
/// object serves many transforms and all threads.
class Fourier {
 public:
  /// n: a power of 2, >= 2. Throws ArgumentError.
  explicit Fourier(Index n);
  Index size() const { return n_; }
  void operator()(std::vector<std::complex<double>>& x) const;
  /// exp(-2 pi i k / n), k <= n / 2.
  const std::vector<std::complex<double>>& turns() const { return turns_; }

 private:
  Index n_;
  std::vector<std::complex<double>> turns_;
};

/// sum_t x(t) x(t - lag) for the lags 0 .. last, by the power spectrum (Wiener & Khinchin): O(n log n), and off the
/// sums one by one by rounding of the sum at lag 0.
std::vector<double> lagged_products_by_fourier(std::span<const double> x, std::size_t last);

/// The least power of 2 that is not below n >= 1, and at least 2.
Index power_of_two(Index n);

}  // namespace fovea
