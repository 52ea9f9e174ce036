#include "fovea/core/attention/normalizers/chosen_key.hpp"

namespace fovea {
namespace {

template <typename Real>
class HardAttention final : public ChosenKey<Real> {
 public:
  RowState<Real> state(std::span<const Real> scores, RowName) const override {
    check_places<Real>("hard_attention", scores.size());
    RowState<Real> state = row_state(scores);
    if (has_weights(state))
      state.threshold = static_cast<Real>(std::find(scores.begin(), scores.end(), state.maximum) - scores.begin());
    return state;
  }
};

}  // namespace

template <typename Real>
std::shared_ptr<const Normalizer<Real>> hard_attention() {
  return std::make_shared<HardAttention<Real>>();
}
template std::shared_ptr<const Normalizer<float>> hard_attention();
template std::shared_ptr<const Normalizer<double>> hard_attention();

template <typename Real>
NormalizerEntry<Real> hard_entry() {
  return {"hard", "1 for the largest s_j (the first, if several are equal), else 0; gradient of softmax", "",
          "Bengio, Leonard, Courville 2013", [] { return hard_attention<Real>(); }};
}
FOVEA_NORMALIZER_ENTRY(hard)

}  // namespace fovea
