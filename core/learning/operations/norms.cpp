#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/kernels/kernels.hpp"
#include "fovea/core/learning/normalized_rows.hpp"
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
Variable<Real> normalize_rows(Variable<Real> x, Real epsilon) {
  require(epsilon > 0, "normalize_rows: epsilon is ", epsilon, ", but must be > 0.");
  Tape<Real>& tape = x.tape();
  const Index columns = x.columns();
  Variable<Real> y = tape.result(x.rows(), columns, {x});
  Real* const inverse = tape.room(x.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    const Real* const row = x.data() + i * columns;
    inverse[i] = 1 / std::sqrt(kernels<Real>().dot(row, row, columns) + epsilon);
    learning_kernels<Real>().scale(row, inverse[i], 0, columns, y.data() + i * columns);
  }
  // dx = (g - y (y . g)) / |x|
  tape.on_backward(y, [=] {
    const auto [to, add] = gradient_place(x);
    for (Index i = 0; i < x.rows(); ++i) {
      const Real *const mine = y.data() + i * columns, *const slope = y.gradient() + i * columns;
      const Real along = kernels<Real>().dot(mine, slope, columns);
      learning_kernels<Real>().add_scaled(slope, inverse[i], columns, add, to + i * columns);
      learning_kernels<Real>().add_scaled(mine, -inverse[i] * along, columns, true, to + i * columns);
    }
  });
  return y;
}

template <typename Real>
Variable<Real> softmax_columns(Variable<Real> x) {
  Tape<Real>& tape = x.tape();
  const Index columns = x.columns();
  Variable<Real> y = tape.result(x.rows(), columns, {x});
  for (Index i = 0; i < x.rows(); ++i) {
    const Real* const row = x.data() + i * columns;
    Real* const weights = y.data() + i * columns;
    const Real top = kernels<Real>().maximum(row, columns);
    if (top == -std::numeric_limits<Real>::infinity()) {
      std::fill_n(weights, columns, Real(0));
      continue;
    }
    const Real sum = kernels<Real>().exponentials(row, columns, top, weights);
    for (Index c = 0; c < columns; ++c) weights[c] /= sum;
  }
  // dx_c = y_c (g_c - sum_c y_c g_c)
  tape.on_backward(y, [=] {
    Real* const to = x.gradient();
    for (Index i = 0; i < x.rows(); ++i) {
      const Real *const mine = y.data() + i * columns, *const slope = y.gradient() + i * columns;
      const Real mean = kernels<Real>().dot(mine, slope, columns);
      for (Index c = 0; c < columns; ++c) to[i * columns + c] += mine[c] * (slope[c] - mean);
    }
  });
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

template <typename Real>
OperationEntry<Real> normalize_rows_entry() {
  return {"normalize_rows", "x_i / sqrt(|x_i|^2 + epsilon)", "", &one_example<Real>,
          [](std::span<const Variable<Real>> in, const OperationExample&) { return normalize_rows(in[0], Real(0.5)); }};
}

template <typename Real>
OperationEntry<Real> softmax_columns_entry() {
  return {"softmax_columns", "e^(x_c) / sum_c e^(x_c)", "", &one_example<Real>,
          [](std::span<const Variable<Real>> in, const OperationExample&) { return softmax_columns(in[0]); }};
}

#define FOVEA_NORMS(Real)                                                                   \
  template Variable<Real> layer_norm(Variable<Real>, Variable<Real>, Variable<Real>, Real); \
  template Variable<Real> rms_norm(Variable<Real>, Variable<Real>, Real);                   \
  template Variable<Real> normalize_rows(Variable<Real>, Real);                             \
  template Variable<Real> softmax_columns(Variable<Real>);
FOVEA_NORMS(float)
FOVEA_NORMS(double)
FOVEA_OPERATION_ENTRY(layer_norm)
FOVEA_OPERATION_ENTRY(rms_norm)
FOVEA_OPERATION_ENTRY(normalize_rows)
FOVEA_OPERATION_ENTRY(softmax_columns)

}  // namespace fovea::learning
