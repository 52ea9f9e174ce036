#pragma once
/// What maps have in common that give most keys the weight 0: w_j = f(max(factor (s_j - maximum) - tau, 0)). Internal
/// to core/attention.

#include "fovea/core/attention/modifiers/widest.hpp"
#include "fovea/core/attention/normalizers/row.hpp"

namespace fovea {

/// The x_j = factor (s_j - maximum) above -1, largest first. No other key can have a weight: tau is at least -1, since
/// the largest x_j is 0 and its weight at most 1. In double, for sums of many terms.
template <typename Real>
std::span<const double> possible_support(std::span<const Real> scores, Real maximum, Real factor) {
  struct Memory;
  double* possible = row_memory<Memory, double>(static_cast<Index>(scores.size()));
  std::size_t count = 0;
  for (const Real score : scores)
    if (const Real x = factor * (score - maximum); x > Real(-1)) possible[count++] = static_cast<double>(x);
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
