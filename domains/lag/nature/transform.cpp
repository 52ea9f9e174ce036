#include "fovea/domains/lag/nature/transform.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "fovea/core/base/error.hpp"

namespace fovea::lag::nature {

namespace {

void reverse_places(std::vector<std::complex<double>>& x) {
  for (std::size_t i = 1, j = 0; i < x.size(); ++i) {
    std::size_t bit = x.size() >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
}

}  // namespace

Fourier::Fourier(Index n) : n_(n) {
  require(n >= 2 && (n & (n - 1)) == 0, "Fourier: n = ", n, ", but must be a power of 2, at least 2.");
  for (Index k = 0; k <= n / 2; ++k) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    turns_.emplace_back(std::cos(angle), std::sin(angle));
  }
}

void Fourier::operator()(std::vector<std::complex<double>>& x) const {
  require(std::ssize(x) == n_, "Fourier: got ", x.size(), " numbers for a transform of ", n_, '.');
  reverse_places(x);
  const std::size_t n = n_;
  for (std::size_t length = 2; length <= n; length <<= 1) {
    const std::size_t half = length / 2, stride = n / length;
    for (std::size_t first = 0; first < n; first += length)
      for (std::size_t k = 0; k < half; ++k) {
        const std::complex<double> turn = turns_[k * stride], low = x[first + k], high = x[first + k + half];
        const std::complex<double> turned(high.real() * turn.real() - high.imag() * turn.imag(),
                                          high.real() * turn.imag() + high.imag() * turn.real());
        x[first + k] = low + turned;
        x[first + k + half] = low - turned;
      }
  }
}

Index power_of_two(Index n) {
  Index power = 2;
  while (power < n) power *= 2;
  return power;
}

}  // namespace fovea::lag::nature
