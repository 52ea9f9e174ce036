#pragma once
/// What a model's answer owes to each token: three methods to hold beside its attention weights.

#include <functional>

#include "fovea/core/learning/tape.hpp"

namespace fovea::learning {

/// The one number F (1 x 1) that is to be explained, from tokens x (N x C): a logit, a forecast.
template <typename Real>
using Answer = std::function<Variable<Real>(Variable<Real> x)>;

/// F and dF/dx, N x C.
template <typename Real>
struct Sensitivity {
  Real answer = 0;
  Matrix<Real> gradient;
};
template <typename Real>
Sensitivity<Real> sensitivity(Tape<Real>& tape, const Parameters<Real>& parameters, const Answer<Real>& answer,
                              const Matrix<Real>& x);

/// sum_c x_ic dF/dx_ic for each token (Shrikumar, Greenside, Kundaje 2017): the first order of what its absence, as a
/// row of zeros, would take away.
template <typename Real>
Vector<Real> gradient_times_input(Tape<Real>& tape, const Parameters<Real>& parameters, const Answer<Real>& answer,
                                  const Matrix<Real>& x);

/// sum_c (x - b)_ic int_0^1 dF/dx_ic(b + a (x - b)) da (Sundararajan, Taly, Yan 2017, eq. 1) by the midpoint rule with
/// `steps` >= 1 points. baseline b: N x C.
template <typename Real>
struct IntegratedGradients {
  Vector<Real> shares;  ///< one a token
  /// F(x) - F(b) - sum of the shares: 0 but for the rule's error, O(steps^-2).
  Real remainder = 0;
};
template <typename Real>
IntegratedGradients<Real> integrated_gradients(Tape<Real>& tape, const Parameters<Real>& parameters,
                                               const Answer<Real>& answer, const Matrix<Real>& x,
                                               const Matrix<Real>& baseline, Index steps);

/// F(x) - F(x with row i replaced by that of the baseline), for each token (Zeiler & Fergus 2014): what really changes.
/// N + 1 passes.
template <typename Real>
Vector<Real> deletion(Tape<Real>& tape, const Parameters<Real>& parameters, const Answer<Real>& answer,
                      const Matrix<Real>& x, const Matrix<Real>& baseline);

}  // namespace fovea::learning
