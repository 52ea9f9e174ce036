#include <algorithm>
#include <limits>

#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

namespace {

/// w = softmax of the scores of a set; all 0 where all scores are masked (-inf).
template <typename Real>
void pooling_weights(const Real* scores, Index count, Real* weights) {
  const auto& engine = kernels<Real>();
  const Real top = engine.maximum(scores, count);
  if (top == -std::numeric_limits<Real>::infinity()) {
    std::fill_n(weights, count, Real(0));
    return;
  }
  const Real sum = engine.exponentials(scores, count, top, weights);
  learning_kernels<Real>().scale(weights, Real(1) / sum, 0, count, weights);
}

/// Of one set: from dL/dy (a row) to dL/dw in `slopes`, then to dL/dscores there.
template <typename Real>
void pooling_slopes(const Real* x, const Real* y_gradient, const Real* weights, Index count, Index columns,
                    Real* slopes) {
  const auto& engine = kernels<Real>();
  for (Index i = 0; i < count; ++i) slopes[i] = engine.dot(x + i * columns, y_gradient, columns);
  engine.softmax_gradient(slopes, weights, engine.dot(slopes, weights, count), count);
}

template <typename Real>
void pooling_backward(Variable<Real> x, Variable<Real> scores, Variable<Real> y, Offsets offsets, const Real* weights,
                      Real* slopes) {
  const auto& kernels = learning_kernels<Real>();
  const Index columns = x.columns();
  const auto place = x.learns() ? gradient_place(x) : GradientPlace<Real>{nullptr, false};
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    const Index first = offsets[b], count = offsets[b + 1] - first;
    const Real* const g = y.gradient() + static_cast<Index>(b) * columns;
    if (scores.learns()) pooling_slopes(x.data() + first * columns, g, weights + first, count, columns, slopes + first);
    if (place.to)
      for (Index i = first; i < first + count; ++i)
        kernels.add_scaled(g, weights[i], columns, place.add, place.to + i * columns);
  }
  if (!scores.learns()) return;
  const auto [to, add] = gradient_place(scores);
  kernels.add_scaled(slopes, Real(1), x.rows(), add, to);
}

}  // namespace

template <typename Real>
Variable<Real> attention_pooling(Variable<Real> x, Variable<Real> scores, Offsets offsets) {
  const Index sets = check_offsets("attention_pooling", x.rows(), offsets), columns = x.columns();
  require(scores.rows() == x.rows() && scores.columns() == 1, "attention_pooling: the scores are ", scores.rows(),
          " x ", scores.columns(), ", but must be ", x.rows(), " x 1.");
  Tape<Real>& tape = x.tape();
  Variable<Real> y = tape.result(sets, columns, {x, scores});
  Real *const weights = tape.room(x.rows()), *const slopes = scores.learns() ? tape.room(x.rows()) : nullptr;
  std::fill_n(y.data(), y.size(), Real(0));
  for (Index b = 0; b < sets; ++b) {
    const Index first = offsets[b], last = offsets[b + 1];
    pooling_weights(scores.data() + first, last - first, weights + first);
    for (Index i = first; i < last; ++i)
      learning_kernels<Real>().add_scaled(x.data() + i * columns, weights[i], columns, true, y.data() + b * columns);
  }
  tape.on_backward(y, [=] { pooling_backward(x, scores, y, offsets, weights, slopes); });
  return y;
}

template <typename Real>
OperationEntry<Real> attention_pooling_entry() {
  return {"attention_pooling",
          "sum_i w_i x_i, w = softmax of scores in set b",
          "Ilse, Tomczak, Welling 2018",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{example_matrix<Real>(example.tokens(), kExampleColumns, 1),
                                             example_matrix<Real>(example.tokens(), 1, 2, -2, 2)};
          },
          [](std::span<const Variable<Real>> in, const OperationExample& example) {
            return attention_pooling(in[0], in[1], example.offsets);
          },
          false};
}

template Variable<float> attention_pooling(Variable<float>, Variable<float>, Offsets);
template Variable<double> attention_pooling(Variable<double>, Variable<double>, Offsets);
FOVEA_OPERATION_ENTRY(attention_pooling)

}  // namespace fovea::learning
