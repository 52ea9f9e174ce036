#include <algorithm>
#include <cstdlib>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/row_memory.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/attention/modifiers/parts/sharing.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

template <typename Real>
class PairFeatureBias final : public ScoreModifier<Real> {
 public:
  PairFeatureBias(std::shared_ptr<const PairFeatures<Real>> features, Sharing sharing)
      : features_(std::move(features)), sharing_(sharing) {
    require(features_ != nullptr, "pair_features: there is no PairFeatures object; pass one.");
    require(count() >= 1, "pair_features: the object has ", count(), " features, but must have at least 1.");
  }

  Index parameter_count(Index heads) const override { return count() * count_of(sharing_, heads); }
  bool reads_scores() const override { return false; }
  void check(const AttentionShape& shape) const override { features_->check(shape); }

  void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    for (Index i = 0; i < tile.query_count; ++i) {
      const Real* features = row(tile, i);
      for (Index f = 0; f < count(); ++f)
        kernels<Real>().add_scaled(tile.row(i), features + f * tile.key_count, theta[place(tile, f)], tile.key_count);
    }
  }

  // ds'/ds = 1,  ds'/dtheta_f = phi_f
  void backward(const ScoreTile<Real>&, const ScoreTile<Real>& gradient, std::span<const Real>,
                std::span<Real> theta_gradient) const override {
    struct Sums;
    Real* sums = row_memory<Sums, Real>(count());
    std::fill_n(sums, count(), Real(0));
    for (Index i = 0; i < gradient.query_count; ++i) {
      const Real* features = row(gradient, i);
      for (Index f = 0; f < count(); ++f)
        sums[f] += kernels<Real>().dot(gradient.row(i), features + f * gradient.key_count, gradient.key_count);
    }
    for (Index f = 0; f < count(); ++f) theta_gradient[place(gradient, f)] += sums[f];
  }

 private:
  Index count() const { return features_->count(); }
  std::size_t place(const TileRange& range, Index f) const { return place_of(sharing_, range) * count() + f; }
  const Real* row(const TileRange& tile, Index i) const {
    struct Features;
    Real* features = row_memory<Features, Real>(count() * tile.key_count);
    features_->fill(tile, i, features);
    return features;
  }

  std::shared_ptr<const PairFeatures<Real>> features_;
  Sharing sharing_;
};

/// For the examples: phi_0 = ((i + 2 j) mod 7) / 10 of the row numbers, phi_1 = 1 / (1 + |i - j|) of the positions.
template <typename Real>
class ExampleFeatures final : public PairFeatures<Real> {
 public:
  Index count() const override { return 2; }
  void fill(const TileRange& tile, Index i, Real* features) const override {
    for (Index j = 0; j < tile.key_count; ++j) {
      features[j] = static_cast<Real>((tile.query(i) + 2 * tile.key(j)) % 7) / 10;
      const Index distance = std::abs(tile.query_position(i) - tile.key_position(j));
      features[tile.key_count + j] = 1 / static_cast<Real>(1 + distance);
    }
  }
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> pair_features(std::shared_ptr<const PairFeatures<Real>> features,
                                                         Sharing sharing) {
  return std::make_shared<PairFeatureBias<Real>>(std::move(features), sharing);
}
template std::shared_ptr<const ScoreModifier<float>> pair_features(std::shared_ptr<const PairFeatures<float>>, Sharing);
template std::shared_ptr<const ScoreModifier<double>> pair_features(std::shared_ptr<const PairFeatures<double>>,
                                                                    Sharing);

template <typename Real>
ModifierEntry<Real> pair_features_entry() {
  return {"pair_features",
          "s + sum_f a_f phi_f(i, j)",
          "theta = a, one for each feature, once for all heads or for each",
          "Qu et al. 2022",
          [](const ExampleProblem&) { return pair_features<Real>(std::make_shared<ExampleFeatures<Real>>()); },
          [](const ExampleProblem& problem) {
            std::vector<Real> theta;
            for (Index k = 0; k < 2 * problem.heads; ++k) theta.push_back(Real(0.8) - Real(0.5) * static_cast<Real>(k));
            return theta;
          },
          not_in_configs<Real>("its features are written in C++")};
}
FOVEA_MODIFIER_ENTRY(pair_features)

}  // namespace fovea
