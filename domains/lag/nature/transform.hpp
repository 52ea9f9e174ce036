#pragma once
/// The discrete Fourier transform.

#include <complex>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::lag::nature {

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

/// The least power of 2 that is not below n >= 1, and at least 2.
Index power_of_two(Index n);

}  // namespace fovea::lag::nature
