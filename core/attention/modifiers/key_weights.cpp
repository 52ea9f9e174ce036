#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

/// The logarithms come from theta, or are its own.
template <typename Real>
class KeyWeights final : public ScoreModifier<Real> {
 public:
  explicit KeyWeights(Index keys) : keys_(keys) {}
  explicit KeyWeights(Vector<Real> logarithms)
      : keys_(logarithms.size()), learned_(false), logarithms_(std::move(logarithms)) {}

  Index parameter_count(Index) const override { return learned_ ? keys_ : 0; }
  bool reads_scores() const override { return false; }
  void check(const AttentionShape& shape) const override {
    require(keys_ == shape.keys, "key_weights: there are weights for ", keys_, " keys, but attend() got ", shape.keys,
            "; each key needs one.");
  }

  Real bound(const TileRange& range, Real incoming, std::span<const Real> theta) const override {
    Real most = kMasked<Real>;
    for (Index j = 0; j < range.key_count; ++j) most = std::max(most, numbers(theta)[range.key(j)]);
    return most == kMasked<Real> ? most : incoming + most;
  }
  Real largest_difference(const TileRange&, Real incoming, std::span<const Real> theta) const override {
    Real least = std::numeric_limits<Real>::infinity(), most = -least;
    for (Index j = 0; j < keys_; ++j) {
      const Real at = numbers(theta)[j];
      if (at == kMasked<Real>) continue;
      least = std::min(least, at);
      most = std::max(most, at);
    }
    return most < least ? Real(0) : incoming + (most - least);
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    for (Index i = 0; i < tile.query_count && !tile.key_list; ++i)
      kernels<Real>().add_scaled(tile.row(i), numbers(theta) + tile.first_key, Real(1), tile.key_count);
    for (Index j = 0; j < tile.key_count; ++j) {
      const Real shift = numbers(theta)[tile.key(j)];
      if (!tile.key_list && shift != kMasked<Real>) continue;
      for (Index i = 0; i < tile.query_count; ++i) shift_one(tile.row(i)[j], shift);
    }
  }

  bool works_by_keys() const override { return true; }
  void apply_by_keys(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    for (Index j = 0; j < tile.key_count; ++j) {
      const Real shift = numbers(theta)[tile.key(j)];
      Real* row = tile.row(j);
      if (shift == kMasked<Real>)
        std::fill_n(row, tile.query_count, shift);
      else
        for (Index i = 0; i < tile.query_count; ++i) row[i] += shift;
    }
  }

  // ds'/ds = ds'/dtheta_j = 1
  void backward(const ScoreTile<Real>&, const ScoreTile<Real>& gradient, std::span<const Real>,
                std::span<Real> theta_gradient) const override {
    for (Index j = 0; j < gradient.key_count && learned_; ++j) {
      Real sum = 0;
      for (Index i = 0; i < gradient.query_count; ++i) sum += gradient.row(i)[j];
      theta_gradient[gradient.key(j)] += sum;
    }
  }

 private:
  const Real* numbers(std::span<const Real> theta) const { return learned_ ? theta.data() : logarithms_.data(); }
  static void shift_one(Real& score, Real shift) { score = shift == kMasked<Real> ? shift : score + shift; }

  Index keys_;
  bool learned_ = true;
  Vector<Real> logarithms_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> key_weights(Vector<Real> weights) {
  for (Index j = 0; j < weights.size(); ++j) {
    require(std::isfinite(weights[j]) && weights[j] >= 0, "key_weights: weight ", j, " is ", weights[j],
            ", but must be finite and at least 0; a key of weight 0 is masked.");
    weights[j] = weights[j] < std::numeric_limits<Real>::min() ? kMasked<Real> : logarithm(weights[j]);
  }
  return std::make_shared<KeyWeights<Real>>(std::move(weights));
}
template std::shared_ptr<const ScoreModifier<float>> key_weights(Vector<float>);
template std::shared_ptr<const ScoreModifier<double>> key_weights(Vector<double>);

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> learned_key_weights(Index keys) {
  require(keys >= 0, "learned_key_weights: keys = ", keys, ", but must be at least 0.");
  return std::make_shared<KeyWeights<Real>>(keys);
}
template std::shared_ptr<const ScoreModifier<float>> learned_key_weights(Index);
template std::shared_ptr<const ScoreModifier<double>> learned_key_weights(Index);

namespace {

/// 0.25, 0.75, ... 2.75; every seventh key has none.
template <typename Real>
Real example_weight(Index key) {
  return key % 7 == 5 ? Real(0) : Real(0.25) + Real(0.5) * static_cast<Real>((3 * key) % 6);
}

}  // namespace

template <typename Real>
ModifierEntry<Real> key_weights_entry() {
  return {"key_weights",
          "s + log m_j, masked where m_j = 0",
          "",
          "Konar, Ngairangbam, Spannowsky 2021",
          [](const ExampleProblem& problem) {
            Vector<Real> weights(problem.key_count);
            for (Index j = 0; j < problem.key_count; ++j) weights[j] = example_weight<Real>(j);
            return key_weights<Real>(std::move(weights));
          },
          &no_parameters<Real>,
          not_in_configs<Real>("a config cannot hold a weight for each token")};
}
FOVEA_MODIFIER_ENTRY(key_weights)

template <typename Real>
ModifierEntry<Real> learned_key_weights_entry() {
  return {"learned_key_weights",
          "s + log m_j, masked where m_j = 0",
          "theta = log m, one for each key",
          "Konar, Ngairangbam, Spannowsky 2021",
          [](const ExampleProblem& problem) { return learned_key_weights<Real>(problem.key_count); },
          [](const ExampleProblem& problem) {
            std::vector<Real> theta;
            for (Index j = 0; j < problem.key_count; ++j)
              theta.push_back(Real(0.2) * static_cast<Real>((5 * j) % 9) - Real(0.7));
            return theta;
          },
          not_in_configs<Real>("it has a parameter for each token, and new cases are other tokens")};
}
FOVEA_MODIFIER_ENTRY(learned_key_weights)

}  // namespace fovea
