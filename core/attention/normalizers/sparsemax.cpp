#include "fovea/core/attention/normalizers/sparse_row.hpp"

namespace fovea {
namespace {

/// tau = (x_1 + ... + x_k - 1) / k with the largest k for which 1 + k x_k > x_1 + ... + x_k, x descending.
double sparsemax_threshold(std::span<const double> descending) {
  double sum = 0, threshold = -1;
  for (std::size_t k = 1; k <= descending.size(); ++k) {
    const double x = descending[k - 1];
    sum += x;
    if (1 + static_cast<double>(k) * x <= sum) break;
    threshold = (sum - 1) / static_cast<double>(k);
  }
  return threshold;
}

template <typename Real>
class Sparsemax final : public Normalizer<Real> {
 public:
  RowState<Real> state(std::span<const Real> scores, RowName) const override {
    RowState<Real> state = row_state(scores);
    if (has_weights(state))
      state.threshold = static_cast<Real>(sparsemax_threshold(possible_support(scores, state.maximum, Real(1), 1)));
    return state;
  }

  void weigh(std::span<const Real> scores, Index, const RowState<Real>& state, Real* weights,
             Real* slopes) const override {
    excess_over(scores, state, Real(1), weights);
    for (std::size_t j = 0; slopes && j < scores.size(); ++j) slopes[j] = weights[j] > 0 ? Real(1) : weights[j];
  }
};

}  // namespace

template <typename Real>
std::shared_ptr<const Normalizer<Real>> sparsemax() {
  return std::make_shared<Sparsemax<Real>>();
}
template std::shared_ptr<const Normalizer<float>> sparsemax();
template std::shared_ptr<const Normalizer<double>> sparsemax();

template <typename Real>
NormalizerEntry<Real> sparsemax_entry() {
  return {"sparsemax", "max(s_j - tau, 0), tau such that they sum to 1", "", "Martins & Astudillo 2016",
          [] { return sparsemax<Real>(); }};
}
FOVEA_NORMALIZER_ENTRY(sparsemax)

}  // namespace fovea
