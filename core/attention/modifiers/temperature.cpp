#include <algorithm>
#include <limits>

#include "fovea/core/attention/kernels/exponential.hpp"
#include "fovea/core/attention/kernels/kernels.hpp"
#include "fovea/core/attention/modifiers.hpp"

namespace fovea {
namespace {

template <typename Real>
class Temperature final : public ScoreModifier<Real> {
 public:
  Index parameter_count() const override { return 1; }

  void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    const Real inverse = exponential(-theta[0]);
    for (Index i = 0; i < tile.query_count; ++i) kernels<Real>().scale(tile.row(i), tile.key_count, inverse);
  }

  void backward(const ScoreTile<Real>& before, const ScoreTile<Real>& gradient, std::span<const Real> theta,
                std::span<Real> theta_gradient) const override {
    const Real inverse = exponential(-theta[0]);  // ds'/ds = 1 / tau,  ds'/dtheta = -s / tau
    for (Index i = 0; i < gradient.query_count; ++i) {
      kernels<Real>().scale(gradient.row(i), gradient.key_count, inverse);
      theta_gradient[0] -= kernels<Real>().unmasked_dot(gradient.row(i), before.row(i), before.key_count);
    }
  }
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> temperature() {
  return std::make_shared<Temperature<Real>>();
}
template std::shared_ptr<const ScoreModifier<float>> temperature();
template std::shared_ptr<const ScoreModifier<double>> temperature();

}  // namespace fovea
