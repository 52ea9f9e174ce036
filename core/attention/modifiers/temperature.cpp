
#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/attention/modifiers/parts/sharing.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

template <typename Real>
class Temperature final : public ScoreModifier<Real> {
 public:
  explicit Temperature(Sharing sharing) : sharing_(sharing) {}

  Index parameter_count(Index heads) const override { return count_of(sharing_, heads); }

  Real bound(const TileRange& range, Real incoming, std::span<const Real> theta) const override {
    return incoming == 0 ? incoming : incoming * inverse(range, theta);
  }

  Real largest_difference(const TileRange& range, Real incoming, std::span<const Real> theta) const override {
    return incoming == 0 ? incoming : incoming * inverse(range, theta);
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    const Real factor = inverse(tile, theta);
    for (Index i = 0; i < tile.query_count; ++i) kernels<Real>().scale(tile.row(i), tile.key_count, factor);
  }

  void backward(const ScoreTile<Real>& before, const ScoreTile<Real>& gradient, std::span<const Real> theta,
                std::span<Real> theta_gradient) const override {
    const Real factor = inverse(gradient, theta);  // ds'/ds = 1 / tau,  ds'/dtheta = -s / tau
    Real sum = 0;
    for (Index i = 0; i < gradient.query_count; ++i) {
      sum += kernels<Real>().unmasked_dot(gradient.row(i), before.row(i), gradient.key_count);
      kernels<Real>().scale(gradient.row(i), gradient.key_count, factor);
    }
    theta_gradient[place_of(sharing_, gradient)] -= factor * sum;
  }

 private:
  Real inverse(const TileRange& range, std::span<const Real> theta) const {
    return exponential(-theta[place_of(sharing_, range)]);
  }

  Sharing sharing_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> temperature(Sharing sharing) {
  return std::make_shared<Temperature<Real>>(sharing);
}
template std::shared_ptr<const ScoreModifier<float>> temperature(Sharing);
template std::shared_ptr<const ScoreModifier<double>> temperature(Sharing);

template <typename Real>
ModifierEntry<Real> temperature_entry() {
  return {"temperature",
          "s / tau",
          "theta = log tau, one for all heads or one each",
          "Hinton et al. 2015",
          [](const ExampleProblem&) { return temperature<Real>(); },
          [](const ExampleProblem&) { return std::vector<Real>{Real(-0.4)}; },
          {"scores are divided by a temperature: below 1 the weights are sharper, above 1 more uniform",
           {positive_setting("temperature", 1, "", "initial temperature"), per_head_setting(false),
            spread_setting("temperature", 1)},
           [](const ModifierValues& values, ModifierRows<Real>) { return temperature<Real>(values.sharing()); },
           ModifierAsks::nothing,
           [](const ModifierValues& values) { return log_starts<Real>(values, "temperature", {"temperature"}); }}};
}
FOVEA_MODIFIER_ENTRY(temperature)

}  // namespace fovea
