#include "fovea/core/statistics/processes/fourier.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

using Number = std::complex<double>;

void reverse_places(std::vector<Number>& x) {
  for (std::size_t i = 1, j = 0; i < x.size(); ++i) {
    std::size_t bit = x.size() >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
}

/// low + turn high and low - turn high: std::complex' own product also asks for infinities.
inline void turn_into(Number& low, Number& high, const Number& turn) {
  const Number turned(high.real() * turn.real() - high.imag() * turn.imag(),
                      high.real() * turn.imag() + high.imag() * turn.real());
  high = low - turned;
  low += turned;
}

/// The last two rounds of n numbers, of which each quarter is transformed; stride: of the turns.
void join_quarters(Number* x, std::size_t n, const Number* turns, std::size_t stride) {
  const std::size_t quarter = n / 4;
  for (std::size_t k = 0; k < quarter; ++k) {
    Number a = x[k], b = x[k + quarter], c = x[k + 2 * quarter], d = x[k + 3 * quarter];
    turn_into(a, b, turns[2 * k * stride]);
    turn_into(c, d, turns[2 * k * stride]);
    turn_into(a, c, turns[k * stride]);
    turn_into(b, d, turns[(k + quarter) * stride]);
    x[k] = a, x[k + quarter] = b, x[k + 2 * quarter] = c, x[k + 3 * quarter] = d;
  }
}

/// A quarter at a time, so that its rounds find it in the fastest memory; the bits are those of round after round.
void transform(Number* x, std::size_t n, const Number* turns, std::size_t stride) {
  if (n == 2) return turn_into(x[0], x[1], turns[0]);
  for (std::size_t first = 0; n > 4 && first < n; first += n / 4) transform(x + first, n / 4, turns, 4 * stride);
  join_quarters(x, n, turns, stride);
}

}  // namespace

Fourier::Fourier(Index n) : n_(n) {
  require(n >= 2 && (n & (n - 1)) == 0, "Fourier: n = ", n, ", but must be a power of 2, at least 2.");
  turns_.reserve(n / 2 + 1);
  for (Index k = 0; k <= n / 2; ++k) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    turns_.emplace_back(std::cos(angle), std::sin(angle));
  }
}

void Fourier::operator()(std::vector<Number>& x) const {
  require(std::ssize(x) == n_, "Fourier: got ", x.size(), " numbers for a transform of ", n_, '.');
  reverse_places(x);
  transform(x.data(), x.size(), turns_.data(), 1);
}

std::vector<double> lagged_products_by_fourier(std::span<const double> x, std::size_t last) {
  std::vector<double> products(last + 1, 0.0);
  if (x.empty()) return products;
  const std::size_t reach = std::min(last, x.size() - 1), half = power_of_two((x.size() + reach + 1) / 2 + 1);
  const Fourier fourier(static_cast<Index>(half));
  const auto& turns = fourier.turns();
  const double angle = -std::numbers::pi / static_cast<double>(half);
  const Number turn(std::cos(angle), std::sin(angle));
  std::vector<Number> z(half);  // even and odd moments are one complex series of half the length
  for (std::size_t t = 0; t < x.size(); t += 2) z[t / 2] = {x[t], t + 1 < x.size() ? x[t + 1] : 0.0};
  fourier(z);
  // With E and O the transforms of the even and the odd moments and w = exp(-i pi / half): the power spectrum is
  // |E + w^k O|^2 at k and |E - w^k O|^2 at k + half; their sum and their difference turned back make the even and the
  // odd lags.
  const auto spectra = [&](std::size_t k) {
    const Number here = z[k], there = std::conj(z[(half - k) % half]);
    const Number even = 0.5 * (here + there), odd = Number(0, -0.5) * (here - there);
    const Number w = k % 2 == 0 ? turns[k / 2] : turns[k / 2] * turn;
    const double sum = 2 * (std::norm(even) + std::norm(odd)), difference = 4 * std::real(even * std::conj(w * odd));
    return std::conj(sum + Number(0, difference) * std::conj(w));  // conjugate: the transform turns the other way
  };
  for (std::size_t k = 0; 2 * k <= half; ++k) {
    const Number low = spectra(k), high = k == 0 ? low : spectra(half - k);
    z[k] = low;
    if (k > 0) z[half - k] = high;
  }
  fourier(z);
  const double scale = 0.5 / static_cast<double>(half);
  for (std::size_t lag = 0; lag <= reach; ++lag)
    products[lag] = scale * (lag % 2 == 0 ? z[lag / 2].real() : -z[lag / 2].imag());
  return products;
}

Index power_of_two(Index n) {
  Index power = 2;
  while (power < n) power *= 2;
  return power;
}

}  // namespace fovea
