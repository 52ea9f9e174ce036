#pragma once
/// What the losses share: sum_i weight_i l_i / total, with the gradient found on the way. Internal to core/learning.

#include <algorithm>
#include <cmath>
#include <span>

#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

template <typename Real>
void check_loss(std::string_view who, const Variable<Real>& x, std::span<const Real> weights, Real total) {
  require(weights.empty() || static_cast<Index>(weights.size()) == x.rows(), who, ": there are ", weights.size(),
          " weights for ", x.rows(), " rows; each row needs one, or none has one.");
  for (const Real weight : weights)
    require(weight >= 0 && std::isfinite(weight), who, ": a weight is ", weight, ", but must be >= 0.");
  require(total > 0 && std::isfinite(total), who, ": the total of the weights is ", total, ", but must be > 0.");
}

template <typename Real>
void check_targets(std::string_view who, const Variable<Real>& x, const Matrix<Real>& targets) {
  require(x.rows() == targets.rows() && x.columns() == targets.cols(), who, ": the targets are ", targets.rows(), " x ",
          targets.cols(), ", but must be ", x.rows(), " x ", x.columns(), ".");
}

/// row(i, slopes) gives l_i in double and writes dl_i/dx_i into slopes (columns of x), which is nullptr where nobody
/// wants them; it is called for rows with a weight only.
template <typename Real, typename Row>
Variable<Real> weighted_loss(Variable<Real> x, std::span<const Real> weights, Real total, const Row& row) {
  const auto& kernels = learning_kernels<Real>();
  Variable<Real> loss = x.tape().result(1, 1, {x});
  const Index columns = x.columns();
  Real* const slopes = loss.learns() ? x.tape().room(x.size()) : nullptr;
  double sum = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    const Real weight = weights.empty() ? Real(1) : weights[i];
    Real* const mine = slopes ? slopes + i * columns : nullptr;
    if (weight > 0) {
      sum += static_cast<double>(weight) * row(i, mine);
      if (mine) kernels.scale(mine, weight / total, 0, columns, mine);
    } else if (mine) {
      std::fill_n(mine, columns, Real(0));
    }
  }
  loss.data()[0] = static_cast<Real>(sum / static_cast<double>(total));
  x.tape().on_backward(loss, [=, &kernels] {
    const auto [to, add] = gradient_place(x);
    kernels.add_scaled(slopes, loss.gradient()[0], x.size(), add, to);
  });
  return loss;
}

/// The same for l_i = sum_c l(x, target): entry(place, slope) gives l of the entry at that place of x in double and
/// writes dl/dx.
template <typename Real, typename Entry>
Variable<Real> loss_of_entries(Variable<Real> x, std::span<const Real> weights, Real total, const Entry& entry) {
  return weighted_loss(x, weights, total, [&, columns = x.columns()](Index i, Real* slopes) {
    double sum = 0;
    for (Index c = 0; c < columns; ++c) {
      Real slope = 0;
      sum += entry(i * columns + c, slope);
      if (slopes) slopes[c] = slope;
    }
    return sum;
  });
}

}  // namespace fovea::learning
