#include "fovea/core/learning/training/optimizer.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/kernels/learning_kernels.hpp"

namespace fovea::learning {

namespace {

void check_decay(double decay) {
  require(decay >= 0 && std::isfinite(decay), "optimizer: decay = ", decay, ", but must be >= 0.");
}

void check_share(const char* name, double share) {
  require(share >= 0 && share < 1, "optimizer: ", name, " = ", share, ", but must be in [0, 1).");
}

void check_optimizer(const Sgd& settings) {
  check_share("momentum", settings.momentum);
  check_decay(settings.decay);
}

void check_optimizer(const AdamW& settings) {
  check_share("first", settings.first);
  check_share("second", settings.second);
  require(settings.epsilon > 0 && std::isfinite(settings.epsilon), "optimizer: epsilon = ", settings.epsilon,
          ", but must be > 0.");
  check_decay(settings.decay);
}

/// base^exponent by squaring: std::pow has other bits in other mathematical libraries.
double whole_power(double base, std::int64_t exponent) {
  double power = 1;
  for (; exponent > 0; exponent /= 2, base *= base)
    if (exponent % 2 == 1) power *= base;
  return power;
}

/// One parameter with its gradient and its state.
template <typename Real>
struct Stretch {
  Real* theta;
  const Real* gradient;
  Real* momentum;
  Real* squares;
  Index size;
};

template <typename Real>
void advance(const Sgd& settings, const Stretch<Real>& at, double rate, Real kept, std::int64_t) {
  const auto momentum = static_cast<Real>(settings.momentum), step = static_cast<Real>(rate);
  for (Index k = 0; k < at.size; ++k) {
    const Real g = at.gradient[k];
    const Real v = at.momentum[k] = momentum * at.momentum[k] + g;
    at.theta[k] = kept * at.theta[k] - step * (settings.nesterov ? g + momentum * v : v);
  }
}

template <typename Real>
void advance(const AdamW& settings, const Stretch<Real>& at, double rate, Real kept, std::int64_t t) {
  const AdamwStep<Real> step{static_cast<Real>(settings.first),
                             static_cast<Real>(settings.second),
                             static_cast<Real>(1 - settings.first),
                             static_cast<Real>(1 - settings.second),
                             kept,
                             static_cast<Real>(rate / (1 - whole_power(settings.first, t))),
                             static_cast<Real>(1 / std::sqrt(1 - whole_power(settings.second, t))),
                             static_cast<Real>(settings.epsilon)};
  learning_kernels<Real>().adamw(at.theta, at.gradient, at.momentum, at.squares, at.size, step);
}

}  // namespace

template <typename Real>
Optimizer<Real>::Optimizer(const OptimizerSettings& settings, Index count) : settings_(settings), momentum_(count) {
  std::visit([](const auto& known) { check_optimizer(known); }, settings);
  if (std::holds_alternative<AdamW>(settings)) squares_.resize(momentum_.size());
}

template <typename Real>
void Optimizer<Real>::step(Parameters<Real>& parameters, std::span<const Real> gradients, double rate) {
  const auto count = static_cast<Index>(momentum_.size());
  require(parameters.size() == count && static_cast<Index>(gradients.size()) == count, "optimizer: it was made for ",
          count, " numbers, but there are ", parameters.size(), " and ", gradients.size(),
          " gradients; make it when all parameters are there.");
  require(rate >= 0 && std::isfinite(rate), "optimizer: the learning rate is ", rate, ", but must be >= 0.");
  ++steps_;
  for (const auto& entry : parameters.entries()) {
    if (!entry.learns) continue;
    const Index k = entry.place.begin;
    const Stretch<Real> at{parameters.values().data() + k, gradients.data() + k, momentum_.data() + k,
                           squares_.empty() ? nullptr : squares_.data() + k, entry.place.size()};
    std::visit(
        [&](const auto& settings) {
          const double decay = entry.decay == Decay::yes ? settings.decay : 0;
          advance(settings, at, rate, static_cast<Real>(1 - rate * decay), steps_);
        },
        settings_);
  }
}

template <typename Real>
void Optimizer<Real>::visit(Archive archive) {
  archive.expect("optimizer", std::holds_alternative<AdamW>(settings_) ? "adamw" : "sgd");
  archive("steps", steps_);
  archive("momentum", std::span<Real>(momentum_));
  if (!squares_.empty()) archive("squares", std::span<Real>(squares_));
}

template class Optimizer<float>;
template class Optimizer<double>;

}  // namespace fovea::learning
