#pragma once
/// Steps downhill over the long vector of parameters.
///
///   Optimizer<float> optimizer(AdamW{}, parameters.size());
///   optimizer.step(parameters, gradients, 1e-3);

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "fovea/core/data/archive.hpp"
#include "fovea/core/learning/parameters.hpp"

namespace fovea::learning {

/// Stochastic gradient descent with the heavy ball (Polyak 1964):
///   theta <- (1 - rate decay) theta;  v <- momentum v + g;  theta <- theta - rate v
/// Nesterov (1983), as reformulated by Sutskever et al. (2013): theta <- theta - rate (g + momentum v) at the end.
struct Sgd {
  double momentum = 0.9;  ///< in [0, 1)
  bool nesterov = false;
  double decay = 0;  ///< >= 0
};

/// Adam with decoupled weight decay (Loshchilov & Hutter 2019, algorithm 2; their eta_t alpha is our rate):
///   theta <- (1 - rate decay) theta
///   m <- first m + (1 - first) g;  v <- second v + (1 - second) g^2
///   theta <- theta - rate m / (1 - first^t) / (sqrt(v / (1 - second^t)) + epsilon),  t = 1, 2, ...
struct AdamW {
  double first = 0.9;     ///< in [0, 1)
  double second = 0.999;  ///< in [0, 1)
  double epsilon = 1e-8;  ///< > 0
  double decay = 0.01;    ///< >= 0
};

using OptimizerSettings = std::variant<AdamW, Sgd>;

/// Weight decay acts where an entry says Decay::yes; a frozen entry (learns == false) keeps every bit.
template <typename Real>
class Optimizer {
 public:
  /// count: parameters.size(). Throws ArgumentError for settings out of range.
  Optimizer(const OptimizerSettings& settings, Index count);
  /// gradients: as long as parameters.values(). rate: >= 0. Throws ArgumentError where the lengths differ.
  void step(Parameters<Real>& parameters, std::span<const Real> gradients, double rate);
  std::int64_t steps() const { return steps_; }  ///< made so far
  /// Saves or restores all that the next step depends on.
  void visit(Archive archive);

 private:
  OptimizerSettings settings_;
  std::int64_t steps_ = 0;
  std::vector<Real> momentum_;  ///< v of Sgd, m of AdamW
  std::vector<Real> squares_;   ///< v of AdamW
};

}  // namespace fovea::learning
