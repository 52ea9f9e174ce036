#include "fovea/core/attention/normalizers/chosen_key.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea {
namespace {

template <typename Real>
class SampledAttention final : public ChosenKey<Real> {
 public:
  explicit SampledAttention(std::uint64_t seed) : random_(Random(seed).stream("sampled_attention")) {}

  RowState<Real> state(std::span<const Real> scores, RowName name) const override {
    check_places<Real>("sampled_attention", scores.size());
    RowState<Real> state = row_state(scores);
    if (has_weights(state)) {
      const double uniform =
          random_.uniform(static_cast<std::uint64_t>(name.query), static_cast<std::uint64_t>(name.head));
      state.threshold = static_cast<Real>(draw(scores, state.maximum, uniform));
    }
    return state;
  }

  bool draws() const override { return true; }

 private:
  /// The first key at which the sum of exp(s_j) is above that share of the whole.
  static std::size_t draw(std::span<const Real> scores, Real maximum, double share) {
    const RowExponentials<Real> exponentials(scores, maximum);
    double whole = 0, sum = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) whole += static_cast<double>(exponentials.data[j]);
    std::size_t drawn = 0;  // share * whole may be rounded up to the whole: then the last key of positive weight
    for (std::size_t j = 0; j < scores.size() && sum <= share * whole; ++j) {
      sum += static_cast<double>(exponentials.data[j]);
      if (exponentials.data[j] > 0) drawn = j;
    }
    return drawn;
  }

  Random random_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const Normalizer<Real>> sampled_attention(std::uint64_t seed) {
  return std::make_shared<SampledAttention<Real>>(seed);
}
template std::shared_ptr<const Normalizer<float>> sampled_attention(std::uint64_t);
template std::shared_ptr<const Normalizer<double>> sampled_attention(std::uint64_t);

template <typename Real>
NormalizerEntry<Real> sampled_entry() {
  return {"sampled", "1 for one key, drawn with probability exp(s_j) / sum_k exp(s_k), else 0", "seed of the draws",
          "Williams 1992", [] { return sampled_attention<Real>(7); }};
}
FOVEA_NORMALIZER_ENTRY(sampled)

}  // namespace fovea
