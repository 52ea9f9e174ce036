#pragma once
/// What all normalisers compute of a row. Internal to core/attention.

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/attention/modifiers/parts/row_memory.hpp"
#include "fovea/core/attention/normalizers.hpp"
#include "fovea/core/attention/registry.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {

/// exp(s_j - maximum), in memory of the thread that lasts until the next call.
template <typename Real>
struct RowExponentials {
  const Real* data = nullptr;
  Real sum = 0;
  RowExponentials(std::span<const Real> scores, Real maximum) {
    struct Memory;
    const Index count = static_cast<Index>(scores.size());
    Real* exponentials = row_memory<Memory, Real>(count);
    sum = kernels<Real>().exponentials(scores.data(), count, maximum, exponentials);
    data = exponentials;
  }
};

/// Maximum and sum. All masked: the state of such a row. A score that is NaN or +infinity: all is NaN.
template <typename Real>
RowState<Real> row_state(std::span<const Real> scores) {
  RowState<Real> state;
  state.maximum = kernels<Real>().maximum(scores.data(), static_cast<Index>(scores.size()));
  if (state.maximum == kMasked<Real>) return state;
  if (!std::isfinite(state.maximum)) {
    constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN();
    return {kNaN, kNaN, kNaN};
  }
  state.sum_exp = RowExponentials<Real>(scores, state.maximum).sum;
  return state;
}

/// Whether row_state() has left something to compute.
template <typename Real>
bool has_weights(const RowState<Real>& state) {
  return std::isfinite(state.maximum);
}

/// Defines name_entry() for float and double, which the table in registry.cpp refers to.
#define FOVEA_NORMALIZER_ENTRY(name)              \
  template NormalizerEntry<float> name##_entry(); \
  template NormalizerEntry<double> name##_entry();

}  // namespace fovea
