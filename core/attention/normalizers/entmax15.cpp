#include "fovea/core/attention/normalizers/sparse_row.hpp"

namespace fovea {
namespace {

/// tau = m_k - sqrt((1 - S_k) / k) with the largest k for which tau <= x_k, x descending; m_k and S_k: mean and sum of
/// squared deviations of the k largest. Each is updated from the one before, so that equal scores have S = 0 exactly.
double entmax15_threshold(std::span<const double> descending) {
  double mean = 0, deviations = 0, threshold = -1;
  for (std::size_t k = 1; k <= descending.size(); ++k) {
    const double x = descending[k - 1], step = x - mean;
    mean += step / static_cast<double>(k);
    deviations += step * (x - mean);
    if (deviations > 1) break;
    const double next = mean - std::sqrt((1 - deviations) / static_cast<double>(k));
    if (next > x) break;
    threshold = next;
  }
  return threshold;
}

template <typename Real>
class Entmax15 final : public Normalizer<Real> {
 public:
  RowState<Real> state(std::span<const Real> scores, RowName) const override {
    RowState<Real> state = row_state(scores);
    if (has_weights(state))
      state.threshold = static_cast<Real>(entmax15_threshold(possible_support(scores, state.maximum, Real(0.5), 2)));
    return state;
  }

  void weigh(std::span<const Real> scores, Index, const RowState<Real>& state, Real* weights,
             Real* slopes) const override {
    excess_over(scores, state, Real(0.5), weights);
    if (slopes) std::copy_n(weights, scores.size(), slopes);
    for (std::size_t j = 0; j < scores.size(); ++j) weights[j] *= weights[j];
  }
};

}  // namespace

template <typename Real>
std::shared_ptr<const Normalizer<Real>> entmax15() {
  return std::make_shared<Entmax15<Real>>();
}
template std::shared_ptr<const Normalizer<float>> entmax15();
template std::shared_ptr<const Normalizer<double>> entmax15();

template <typename Real>
NormalizerEntry<Real> entmax15_entry() {
  return {"entmax15", "max(s_j / 2 - tau, 0)^2, tau such that they sum to 1", "", "Peters, Niculae, Martins 2019",
          [] { return entmax15<Real>(); }};
}
FOVEA_NORMALIZER_ENTRY(entmax15)

}  // namespace fovea
