#pragma once
/// What maps have in common that give most keys the weight 0: w_j = f(max(factor (s_j - maximum) - tau, 0)). Internal
/// to core/attention.

#include "fovea/core/attention/modifiers/parts/widest.hpp"
#include "fovea/core/attention/normalizers/row.hpp"

namespace fovea {

/// Leaves the numbers above a bound, and returns how many. Without a branch: which numbers stay is hard to guess.
inline std::size_t keep_above(double bound, double* numbers, std::size_t count) {
  std::size_t kept = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const double x = numbers[j];
    numbers[kept] = x;
    kept += x > bound;
  }
  return kept;
}

/// Among x_j = factor (s_j - maximum), those that may be above the tau of sum_j max(x_j - tau, 0)^power = 1, largest
/// first; power is 1 or 2. In double, for sums of many terms.
///
/// tau is at least -1, since the largest x_j is 0 and its weight at most 1. And for any n of the x_j with mean m it is
/// at least m - n^(-1/power), since sum_j (x_j - tau) <= n^(1 - 1/power) (Hoelder): so the candidates become few before
/// they are sorted (Michelot 1986 for power 1).
template <typename Real>
std::span<const double> possible_support(std::span<const Real> scores, Real maximum, Real factor, int power) {
  struct Memory;
  double* possible = row_memory<Memory, double>(static_cast<Index>(scores.size()));
  std::size_t count = 0;
  for (const Real score : scores) {
    const Real x = factor * (score - maximum);
    possible[count] = static_cast<double>(x);
    count += x > Real(-1);
  }
  for (std::size_t before = 2 * count; 10 * count < 9 * before;) {
    double sum = 0;
    for (std::size_t j = 0; j < count; ++j) sum += possible[j];
    const double n = static_cast<double>(count);
    const double rounding = n * std::numeric_limits<double>::epsilon();  // of the mean
    before = count;
    count = keep_above(sum / n - (power == 1 ? 1 / n : 1 / std::sqrt(n)) - rounding, possible, count);
  }
  std::sort(possible, possible + count, std::greater<double>());
  return {possible, count};
}

struct ExcessLoop {
  template <typename Real>
  FOVEA_LOOP void operator()(const Real* scores, Real* excess, Real maximum, Real factor, Real tau, Index count) const {
#pragma omp simd
    for (Index j = 0; j < count; ++j) {
      const Real x = factor * (scores[j] - maximum) - tau;
      excess[j] = select(x <= Real(0), Real(0), x);  // a NaN stays
    }
  }
};

/// max(factor (s_j - maximum) - tau, 0)
template <typename Real>
void excess_over(std::span<const Real> scores, const RowState<Real>& state, Real factor, Real* excess) {
  run_widest<ExcessLoop>(scores.data(), excess, state.maximum, factor, state.threshold,
                         static_cast<Index>(scores.size()));
}

}  // namespace fovea
