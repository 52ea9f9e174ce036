#pragma once
/// What normalisers have in common that choose one key; RowState::threshold is its place. Internal to core/attention.

#include <string_view>

#include "fovea/core/attention/normalizers/row.hpp"
#include "fovea/core/base/error.hpp"

namespace fovea {

/// Throws where Real cannot hold every place in the row exactly.
template <typename Real>
void check_places(std::string_view who, std::size_t count) {
  constexpr std::size_t kMost = std::size_t(1) << std::numeric_limits<Real>::digits;
  require(count <= kMost, who, ": a row has ", count, " keys, but must have at most ", kMost,
          ", since the place of the chosen one is kept in this precision; use double.");
}

/// Weight 1 for the chosen key; slopes: those of a softmax.
template <typename Real>
class ChosenKey : public Normalizer<Real> {
 public:
  void weigh(std::span<const Real> scores, Index first, const RowState<Real>& state, Real* weights,
             Real* slopes) const override {
    const Index count = static_cast<Index>(scores.size());
    if (slopes) {  // before the weights, which may take the place of the scores
      kernels<Real>().exponentials(scores.data(), count, state.maximum, slopes);
      kernels<Real>().scale(slopes, count, Real(1) / state.sum_exp);
    }
    std::fill_n(weights, count, has_weights(state) ? Real(0) : state.maximum);
    const Real place = state.threshold - static_cast<Real>(first);
    if (place >= 0 && place < static_cast<Real>(count)) weights[static_cast<std::size_t>(place)] = Real(1);
  }
};

}  // namespace fovea
