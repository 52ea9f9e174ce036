#include "fovea/core/learning/explanation.hpp"

#include "fovea/core/base/error.hpp"

namespace fovea::learning {

namespace {

template <typename Real>
void check_baseline(const Matrix<Real>& x, const Matrix<Real>& baseline) {
  require(x.rows() == baseline.rows() && x.cols() == baseline.cols(), "explanation: the tokens are ", x.rows(), " x ",
          x.cols(), ", the baseline ", baseline.rows(), " x ", baseline.cols(), "; they must be of the same shape.");
}

template <typename Real>
Real answer_to(Tape<Real>& tape, const Parameters<Real>& parameters, const Answer<Real>& answer,
               const Matrix<Real>& x) {
  tape.begin(&parameters, {});
  const Variable<Real> result = answer(tape.input(x));
  require(result.size() == 1, "explanation: the answer is ", result.rows(), " x ", result.columns(),
          ", but must be one number.");
  return result.data()[0];
}

}  // namespace

template <typename Real>
Sensitivity<Real> sensitivity(Tape<Real>& tape, const Parameters<Real>& parameters, const Answer<Real>& answer,
                              const Matrix<Real>& x) {
  tape.begin(&parameters, {});  // parameters stay constants: only dF/dx is wanted
  const Variable<Real> tokens = tape.variable(x), result = answer(tokens);
  tape.backward(result);
  return {result.data()[0], tokens.gradient_matrix()};
}

template <typename Real>
Vector<Real> gradient_times_input(Tape<Real>& tape, const Parameters<Real>& parameters, const Answer<Real>& answer,
                                  const Matrix<Real>& x) {
  return sensitivity(tape, parameters, answer, x).gradient.cwiseProduct(x).rowwise().sum();
}

template <typename Real>
IntegratedGradients<Real> integrated_gradients(Tape<Real>& tape, const Parameters<Real>& parameters,
                                               const Answer<Real>& answer, const Matrix<Real>& x,
                                               const Matrix<Real>& baseline, Index steps) {
  check_baseline(x, baseline);
  require(steps >= 1, "integrated_gradients: ", steps, " steps, but there must be at least 1.");
  const Matrix<Real> path = x - baseline;
  Matrix<Real> sum = Matrix<Real>::Zero(x.rows(), x.cols());
  for (Index step = 0; step < steps; ++step) {
    const Real way = (static_cast<Real>(step) + Real(0.5)) / static_cast<Real>(steps);
    const Matrix<Real> place = baseline + way * path;
    sum += sensitivity(tape, parameters, answer, place).gradient;
  }
  IntegratedGradients<Real> result;
  result.shares = sum.cwiseProduct(path).rowwise().sum() / static_cast<Real>(steps);
  result.remainder =
      answer_to(tape, parameters, answer, x) - answer_to(tape, parameters, answer, baseline) - result.shares.sum();
  return result;
}

template <typename Real>
Vector<Real> deletion(Tape<Real>& tape, const Parameters<Real>& parameters, const Answer<Real>& answer,
                      const Matrix<Real>& x, const Matrix<Real>& baseline) {
  check_baseline(x, baseline);
  const Real whole = answer_to(tape, parameters, answer, x);
  Vector<Real> lost(x.rows());
  Matrix<Real> without = x;
  for (Index i = 0; i < x.rows(); ++i) {
    without.row(i) = baseline.row(i);
    lost[i] = whole - answer_to(tape, parameters, answer, without);
    without.row(i) = x.row(i);
  }
  return lost;
}

#define FOVEA_EXPLANATION(Real)                                                                                      \
  template Sensitivity<Real> sensitivity(Tape<Real>&, const Parameters<Real>&, const Answer<Real>&,                  \
                                         const Matrix<Real>&);                                                       \
  template Vector<Real> gradient_times_input(Tape<Real>&, const Parameters<Real>&, const Answer<Real>&,              \
                                             const Matrix<Real>&);                                                   \
  template IntegratedGradients<Real> integrated_gradients(Tape<Real>&, const Parameters<Real>&, const Answer<Real>&, \
                                                          const Matrix<Real>&, const Matrix<Real>&, Index);          \
  template Vector<Real> deletion(Tape<Real>&, const Parameters<Real>&, const Answer<Real>&, const Matrix<Real>&,     \
                                 const Matrix<Real>&);
FOVEA_EXPLANATION(float)
FOVEA_EXPLANATION(double)

}  // namespace fovea::learning
