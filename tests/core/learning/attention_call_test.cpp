/// What a layer of attention looked at.

#include "fovea/core/attention/score_changes.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/core/learning/layers/multi_head_attention.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/tests/support/catch.hpp"

namespace fovea::learning {

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
