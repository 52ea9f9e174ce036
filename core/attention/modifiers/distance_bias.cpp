#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/positions.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/attention/modifiers/parts/sharing.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

template <typename Real>
class DistanceBias final : public ScoreModifier<Real> {
 public:
  explicit DistanceBias(Sharing sharing) : sharing_(sharing) {}

  Index parameter_count(Index heads) const override { return count_of(sharing_, heads); }
  bool reads_scores() const override { return false; }

  Real bound(const TileRange& range, Real incoming, std::span<const Real> theta) const override {
    return incoming - static_cast<Real>(least_distance(range)) * slope(range, theta);
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    const Real per_step = slope(tile, theta);
    const Real* steps = key_steps<Real>(tile);
    for (Index i = 0; i < tile.query_count; ++i)
      kernels<Real>().subtract_age(tile.row(i), steps, static_cast<Real>(query_step(tile, i)), per_step,
                                   tile.key_count);
  }

  // ds'/ds = 1,  ds'/dtheta = -slope |i - j|
  void backward(const ScoreTile<Real>&, const ScoreTile<Real>& gradient, std::span<const Real> theta,
                std::span<Real> theta_gradient) const override {
    const Real* steps = key_steps<Real>(gradient);
    Real sum = 0;
    for (Index i = 0; i < gradient.query_count; ++i)
      sum += kernels<Real>().age_dot(gradient.row(i), steps, static_cast<Real>(query_step(gradient, i)),
                                     gradient.key_count);
    theta_gradient[place_of(sharing_, gradient)] -= slope(gradient, theta) * sum;
  }

 private:
  // No distance is above 2^63, so the product with any slope of this size is finite.
  Real slope(const TileRange& range, std::span<const Real> theta) const {
    return std::min(exponential(theta[place_of(sharing_, range)]), std::numeric_limits<Real>::max() * Real(0x1p-65));
  }

  Sharing sharing_;
};

/// 2^(-8 / heads) to the powers 1 .. heads, for a power of two.
std::vector<double> geometric_slopes(Index heads) {
  double ratio = 0x1p-8;
  for (Index k = 1; k < heads; k *= 2) ratio = std::sqrt(ratio);
  std::vector<double> slopes{ratio};
  while (static_cast<Index>(slopes.size()) < heads) slopes.push_back(slopes.back() * ratio);
  return slopes;
}

}  // namespace

std::vector<double> alibi_slopes(Index heads) {
  require(heads >= 1, "alibi_slopes: heads = ", heads, ", but must be at least 1.");
  Index power = 1;
  while (2 * power <= heads) power *= 2;
  std::vector<double> slopes = geometric_slopes(power);
  const std::vector<double> between = geometric_slopes(2 * power);
  for (std::size_t k = 0; static_cast<Index>(slopes.size()) < heads; k += 2) slopes.push_back(between[k]);
  return slopes;
}

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> distance_bias(Sharing sharing) {
  return std::make_shared<DistanceBias<Real>>(sharing);
}
template std::shared_ptr<const ScoreModifier<float>> distance_bias(Sharing);
template std::shared_ptr<const ScoreModifier<double>> distance_bias(Sharing);

namespace {

template <typename Real>
std::vector<Real> slope_starts(const ModifierValues& values) {
  const Index count = values.flag("per_head") ? values.heads : 1;
  std::vector<double> slopes = alibi_slopes(count);
  if (values.real("slope") > 0) slopes.assign(slopes.size(), values.real("slope"));
  std::vector<Real> theta;
  for (const double slope : slopes) theta.push_back(static_cast<Real>(log_of(slope)));
  return theta;
}

}  // namespace

template <typename Real>
ModifierEntry<Real> distance_bias_entry() {
  return {"distance_bias",
          "s - slope |i - j|",
          "theta = log slope, one for all heads or one each",
          "Press et al. 2022 (ALiBi)",
          [](const ExampleProblem&) { return distance_bias<Real>(); },
          [](const ExampleProblem& problem) { return per_head<Real>(problem, Real(-1.5), Real(0.6)); },
          {"scores fall in proportion to the number of positions between two tokens",
           {{"slope",
             ModifierSetting::Kind::real,
             {0},
             0,
             kAnySize,
             false,
             "per position",
             "initial slope; 0: 2^(-8 h / heads) for head h = 1, 2, ... (Press et al. 2022)"},
            per_head_setting(true)},
           [](const ModifierValues& values, ModifierRows<Real>) { return distance_bias<Real>(values.sharing()); },
           ModifierAsks::nothing,
           &slope_starts<Real>}};
}
FOVEA_MODIFIER_ENTRY(distance_bias)

}  // namespace fovea
