#include "fovea/core/statistics/processes/cross_products.hpp"

#include <algorithm>

#include "fovea/core/base/parallel.hpp"
#include "fovea/core/statistics/processes/fourier.hpp"

namespace fovea {

namespace {

using Number = std::complex<double>;

constexpr Index kTogether = 8;      // blocks transformed before their spectra are
                                    // multiplied: these stay in the caches
constexpr Index kLeastSize = 1024;  // of a transform; else eight times the lags,
                                    // most of which is a block's rows

struct RowBlock {
  Index recording, first, end;
};

/// Of one block, of each series: the spectra of its rows, and of these with the
/// `last` before. Two real series are one complex transform.
struct Spectra {
  Eigen::ArrayXXcd now, past;

  void transform(const MatrixView<double>& x, Index i, const RowBlock& block, Index last, const Fourier& fourier) {
    std::vector<Number> z(fourier.size());
    for (Index t = std::max(block.first - last, block.recording); t < block.end; ++t)
      z[t - block.first + last].imag(x(t, i));
    for (Index t = block.first; t < block.end; ++t) z[t - block.first].real(x(t, i));
    fourier(z);
    for (Index k = 0; k < now.rows(); ++k) {
      const Number here = z[k], there = std::conj(z[(fourier.size() - k) % fourier.size()]);
      now(k, i) = 0.5 * (here + there), past(k, i) = Number(0, -0.5) * (here - there);
    }
  }
};

}  // namespace

std::vector<Matrix<double>> lagged_cross_products(const MatrixView<double>& x, const std::vector<Index>& starts,
                                                  Index last) {
  const Index series = x.cols(), size = power_of_two(std::max(kLeastSize, 8 * (last + 1))), half = size / 2 + 1;
  const Fourier fourier(size);
  std::vector<RowBlock> blocks;
  for (std::size_t r = 0; r < starts.size(); ++r) {
    const Index end = r + 1 < starts.size() ? starts[r + 1] : x.rows();
    for (Index t = starts[r]; t < end; t += size - last)
      blocks.push_back({starts[r], t, std::min(t + size - last, end)});
  }
  const Eigen::ArrayXXcd none = Eigen::ArrayXXcd::Zero(half, series);
  std::vector<Eigen::ArrayXXcd> sums(series, none);  // of each later series, with all earlier ones
  std::vector<Spectra> spectra(kTogether, {none, none});
  for (Index first = 0; first < std::ssize(blocks); first += kTogether) {
    const Index count = std::min(kTogether, std::ssize(blocks) - first);
    for_each_task(series * count, true, [&](Index k) {
      spectra[k / series].transform(x, k % series, blocks[first + k / series], last, fourier);
    });
    for_each_task(series, true, [&](Index i) {
      for (Index b = 0; b < count; ++b) sums[i] += spectra[b].past.colwise() * spectra[b].now.col(i).conjugate();
    });
  }
  std::vector<Matrix<double>> products(last + 1, Matrix<double>(series, series));
  for_each_task(series, true, [&](Index i) {
    std::vector<Number> z(size);
    for (Index j = 0; j < series; ++j) {
      for (Index k = 0; k < half; ++k)  // conjugate: the transform turns the other way
        z[k] = std::conj(sums[i](k, j)), z[(size - k) % size] = sums[i](k, j);
      fourier(z);
      for (Index lag = 0; lag <= last; ++lag) products[lag](i, j) = z[last - lag].real() / static_cast<double>(size);
    }
  });
  return products;
}

}  // namespace fovea
