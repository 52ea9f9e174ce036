/// What a layer of attention looked at.

#include "fovea/core/attention/score_changes.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/learning/attention_operation.hpp"
#include "fovea/core/learning/layers/multi_head_attention.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning {

namespace {

/// dL/dx, L a squared loss of attention between parts of x. earlier: x had a gradient before the call's was added.
Matrix<double> gradient_of_parts(const Matrix<double>& x, Index first_of_keys, Index first_of_values, bool earlier) {
  AttentionSpec<double> spec;
  spec.score.function = dot_product_score<double>();
  spec.heads = 2;
  Tape<double> tape;
  tape.begin(nullptr, {});
  const Variable<double> all = tape.variable(x);
  Variable<double> y = attention<double>({{all, 0, 4}, {all, first_of_keys, 4}, {all, first_of_values, 4}}, spec);
  if (earlier) y = add(y, take_columns(all, 2, 4));
  const Matrix<double> targets = Matrix<double>::Constant(y.rows(), y.columns(), 0.5);
  tape.backward(squared_loss<double>(y, targets, {}, 1));
  return all.gradient_matrix();
}

/// The same by differences of the loss.
Matrix<double> gradient_of_parts_by_differences(const Matrix<double>& x, Index first_of_keys, Index first_of_values,
                                                bool earlier) {
  const auto loss = [&](const Matrix<double>& at) {
    AttentionSpec<double> spec;
    spec.score.function = dot_product_score<double>();
    spec.heads = 2;
    Matrix<double> y =
        attend<double>(at.leftCols(4), at.middleCols(first_of_keys, 4), at.middleCols(first_of_values, 4), spec)
            .outputs;
    if (earlier) y += at.middleCols(2, 4);
    Tape<double> tape;
    tape.begin(nullptr, {});
    return squared_loss<double>(tape.input(y), Matrix<double>::Constant(y.rows(), y.cols(), 0.5), {}, 1).data()[0];
  };
  constexpr double kStep = 1e-5;
  Matrix<double> gradient(x.rows(), x.cols()), at = x;
  for (Index k = 0; k < x.size(); ++k) {
    at.data()[k] = x.data()[k] + kStep;
    const double above = loss(at);
    at.data()[k] = x.data()[k] - kStep;
    gradient.data()[k] = (above - loss(at)) / (2 * kStep);
    at.data()[k] = x.data()[k];
  }
  return gradient;
}

}  // namespace

TEST_CASE("queries, keys and values may be the same columns, overlap, or leave columns out", "[learning][layers]") {
  Matrix<double> x(5, 12);
  for (Index k = 0; k < x.size(); ++k) x.data()[k] = Random(4).normal(static_cast<std::uint64_t>(k));
  const auto [keys, values] =
      GENERATE(std::pair<Index, Index>{4, 8}, std::pair<Index, Index>{8, 4}, std::pair<Index, Index>{0, 0},
               std::pair<Index, Index>{2, 6}, std::pair<Index, Index>{4, 4}, std::pair<Index, Index>{0, 8});
  const bool earlier = GENERATE(false, true);
  CAPTURE(keys, values, earlier);
  const Matrix<double> gradient = gradient_of_parts(x, keys, values, earlier);
  const Matrix<double> expected = gradient_of_parts_by_differences(x, keys, values, earlier);
  CHECK((gradient - expected).cwiseAbs().maxCoeff() < 1e-7);  // of the differences
}

TEST_CASE("the weights of a layer's call, times its values, are what its heads gave", "[learning][layers]") {
  Parameters<double> parameters;
  AttentionSettings<double> settings;
  settings.width = 8;
  settings.heads = 2;
  settings.rotary_base = 100;
  settings.modifiers = {
      same_for_all<double>("relative", relative_position<double>(1), {0.3, -1.0, 0.5, 0.0, 2.0, -0.7})};
  const MultiHeadAttention<double> layer(parameters, "layer", settings, Random(3));
  Matrix<double> x(7, 8);
  for (Index k = 0; k < x.size(); ++k) x.data()[k] = Random(4).normal(static_cast<std::uint64_t>(k));
  Tokens tokens;
  tokens.offsets = {0, 4, 7};
  Tape<double> tape;
  tape.begin(&parameters, {});
  const AttentionCall<double>* call = nullptr;
  layer(tape.input(x), tokens, &call);
  REQUIRE(call != nullptr);
  const Matrix<double> projected =
      x * parameters.matrix(parameters.at("layer.key_value.weight").place);  // biases start at 0
  for (Index head = 0; head < 2; ++head) {
    const Matrix<double> weights = attention_weights(*call, head, {0, 1, 2, 3, 4, 5, 6});
    CHECK(weights.topRightCorner(4, 3).cwiseAbs().maxCoeff() == 0);  // of the other set
    const Matrix<double> heads = weights * projected.middleCols(8 + 4 * head, 4);
    CHECK((heads - call->result.outputs.middleCols(4 * head, 4)).cwiseAbs().maxCoeff() < 1e-14);  // rounding
  }
}

}  // namespace fovea::learning
