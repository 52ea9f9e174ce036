#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

namespace {

template <typename Real>
void check_norm(std::string_view who, const Variable<Real>& x, const Variable<Real>& gain, Real epsilon) {
  check_row(who, "gain", x, gain);
  require(epsilon > 0, who, ": epsilon is ", epsilon, ", but must be > 0.");
}

/// The norm of y's kernel backwards; shift_gradient: nullptr where there is none.
template <typename Real>
void norm_gradients(Variable<Real> x, Variable<Real> gain, Variable<Real> y,
                    typename LearningKernels<Real>::NormRows kept, Real* shift_gradient) {
  Real* const gain_gradient = gain.learns() ? gain.gradient() : nullptr;
  const auto [to, add] = x.learns() ? gradient_place(x) : GradientPlace<Real>{nullptr, false};
  learning_kernels<Real>().norm_backward(x.data(), y.gradient(), x.rows(), x.columns(), gain.data(), kept,
                                         {to, add, gain_gradient, shift_gradient});
}

}  // namespace

template <typename Real>
Variable<Real> layer_norm(Variable<Real> x, Variable<Real> gain, Variable<Real> shift, Real epsilon) {
  check_norm("layer_norm", x, gain, epsilon);
  check_row("layer_norm", "shift", x, shift);
  Tape<Real>& tape = x.tape();
  Variable<Real> y = tape.result(x.rows(), x.columns(), {x, gain, shift});
  const typename LearningKernels<Real>::NormRows kept{tape.room(x.rows()), tape.room(x.rows())};
  learning_kernels<Real>().norm(x.data(), x.rows(), x.columns(), gain.data(), shift.data(), epsilon, y.data(), kept);
  tape.on_backward(y, [=] { norm_gradients(x, gain, y, kept, shift.learns() ? shift.gradient() : nullptr); });
  return y;
}

template <typename Real>
Variable<Real> rms_norm(Variable<Real> x, Variable<Real> gain, Real epsilon) {
  check_norm("rms_norm", x, gain, epsilon);
  Tape<Real>& tape = x.tape();
  Variable<Real> y = tape.result(x.rows(), x.columns(), {x, gain});
  const typename LearningKernels<Real>::NormRows kept{nullptr, tape.room(x.rows())};
  learning_kernels<Real>().norm(x.data(), x.rows(), x.columns(), gain.data(), nullptr, epsilon, y.data(), kept);
  tape.on_backward(y, [=] { norm_gradients<Real>(x, gain, y, kept, nullptr); });
  return y;
}

template <typename Real>
OperationEntry<Real> layer_norm_entry() {
  return {"layer_norm", "gain (x_i - mean_i) / sqrt(variance_i + epsilon) + shift", "Ba, Kiros, Hinton 2016",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{example_matrix<Real>(example.tokens(), kExampleColumns, 1),
                                             example_matrix<Real>(1, kExampleColumns, 2),
                                             example_matrix<Real>(1, kExampleColumns, 3)};
          },
          [](std::span<const Variable<Real>> in, const OperationExample&) {
            return layer_norm(in[0], in[1], in[2], Real(0.01));
          }};
}

template <typename Real>
OperationEntry<Real> rms_norm_entry() {
  return {
      "rms_norm", "gain x_i / sqrt(mean of x_i^2 + epsilon)", "Zhang & Sennrich 2019", &row_example<Real>,
      [](std::span<const Variable<Real>> in, const OperationExample&) { return rms_norm(in[0], in[1], Real(0.01)); }};
}

#define FOVEA_NORMS(Real)                                                                   \
  template Variable<Real> layer_norm(Variable<Real>, Variable<Real>, Variable<Real>, Real); \
  template Variable<Real> rms_norm(Variable<Real>, Variable<Real>, Real);
FOVEA_NORMS(float)
FOVEA_NORMS(double)
FOVEA_OPERATION_ENTRY(layer_norm)
FOVEA_OPERATION_ENTRY(rms_norm)

}  // namespace fovea::learning
