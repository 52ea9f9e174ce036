#include <cmath>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/attention/modifiers/parts/sharing.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

template <typename Real>
class KeyNormClipping final : public ScoreModifier<Real> {
 public:
  explicit KeyNormClipping(Sharing sharing) : sharing_(sharing) {}

  Index parameter_count(Index heads) const override { return count_of(sharing_, heads); }
  bool reads_scores() const override { return false; }
  bool changes_keys() const override { return true; }

  // The scores of the clipped keys stay as they are.
  Real bound(const TileRange&, Real incoming, std::span<const Real>) const override { return incoming; }
  Real largest_difference(const TileRange&, Real incoming, std::span<const Real>) const override { return incoming; }
  void apply(const ScoreTile<Real>&, std::span<const Real>) const override {}
  void backward(const ScoreTile<Real>&, const ScoreTile<Real>&, std::span<const Real>, std::span<Real>) const override {
  }

  void change_keys(Eigen::Ref<Matrix<Real>> keys, Index head, std::span<const Real> theta) const override {
    const Real longest = longest_norm(head, theta);
    for (Index j = 0; j < keys.rows(); ++j)
      if (const Norm norm(keys.row(j).data(), keys.cols()); norm > longest)
        for (Index c = 0; c < keys.cols(); ++c) keys(j, c) = norm.unit(keys(j, c)) * longest;
  }

  // Of a clipped key, u = k / |k|:  dL/dk = c / |k| (g - u (u . g)),  dL/dlog c = c (u . g)
  void change_keys_backward(const MatrixView<Real>& before, Eigen::Ref<Matrix<Real>> gradient, Index head,
                            std::span<const Real> theta, std::span<Real> theta_gradient) const override {
    const Real longest = longest_norm(head, theta);
    Real sum = 0;
    for (Index j = 0; j < before.rows(); ++j) {
      const Norm norm(before.row(j).data(), before.cols());
      if (!(norm > longest)) continue;
      Real along = 0;
      for (Index c = 0; c < before.cols(); ++c) along += norm.unit(before(j, c)) * gradient(j, c);
      for (Index c = 0; c < before.cols(); ++c)
        gradient(j, c) = norm.share(longest) * (gradient(j, c) - norm.unit(before(j, c)) * along);
      sum += along;
    }
    theta_gradient[place(head)] += longest * sum;
  }

 private:
  /// The length of a key, largest |k_c| times sqrt(sum (k_c / largest)^2), so that no square overflows.
  struct Norm {
    Real largest = 0, ratio = 0;
    Norm(const Real* key, Index dimension) {
      for (Index c = 0; c < dimension; ++c)
        if (!(std::abs(key[c]) <= largest)) largest = std::abs(key[c]);  // in this order a NaN is found
      Real squares = 0;
      for (Index c = 0; c < dimension; ++c) squares += key[c] / largest * (key[c] / largest);
      ratio = std::sqrt(squares);
    }
    bool operator>(Real length) const { return largest * ratio > length; }
    Real unit(Real entry) const { return entry / largest / ratio; }
    Real share(Real length) const { return length / largest / ratio; }
  };

  std::size_t place(Index head) const { return sharing_ == Sharing::per_head ? head : 0; }
  Real longest_norm(Index head, std::span<const Real> theta) const { return exponential(theta[place(head)]); }

  Sharing sharing_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> key_norm_clipping(Sharing sharing) {
  return std::make_shared<KeyNormClipping<Real>>(sharing);
}
template std::shared_ptr<const ScoreModifier<float>> key_norm_clipping(Sharing);
template std::shared_ptr<const ScoreModifier<double>> key_norm_clipping(Sharing);

template <typename Real>
ModifierEntry<Real> key_norm_clipping_entry() {
  return {"key_norm_clipping",
          "score of the key k min(1, c / |k|)",
          "theta = log c, one for all heads or one each",
          "Henry et al. 2020 (all keys of one norm)",
          [](const ExampleProblem&) { return key_norm_clipping<Real>(Sharing::per_head); },
          [](const ExampleProblem& problem) { return per_head<Real>(problem, Real(-0.4), Real(0.2)); },
          {"the norm of each key is clipped, so that no key takes all the weight by its length",
           {positive_setting("longest", 4, "", "initial limit of a key's norm"), per_head_setting(false),
            spread_setting("longest", 1)},
           [](const ModifierValues& values, ModifierRows<Real>) { return key_norm_clipping<Real>(values.sharing()); },
           ModifierAsks::nothing,
           [](const ModifierValues& values) { return log_starts<Real>(values, "longest", {"longest"}); }}};
}
FOVEA_MODIFIER_ENTRY(key_norm_clipping)

}  // namespace fovea
