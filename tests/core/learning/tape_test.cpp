#include "fovea/core/learning/tape.hpp"

#include "fovea/core/learning/layers/transformer_block.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning {
namespace {

Matrix<float> tape_numbers(Index rows, Index columns) {
  Matrix<float> numbers(rows, columns);
  for (Index i = 0; i < numbers.size(); ++i) numbers.data()[i] = static_cast<float>((i * 7 + 3) % 23 - 11) / 8;
  return numbers;
}

struct TapeBlock {
  Parameters<float> parameters;
  std::optional<TransformerBlock<float>> block;
  Tokens tokens;
  Matrix<float> x = tape_numbers(40, 16);

  TapeBlock() {
    BlockSettings<float> settings;
    settings.attention.width = 16;
    settings.attention.heads = 2;
    block.emplace(parameters, "block", settings, Random(1));
    tokens.offsets = {0, 9, 40};
  }
};

TEST_CASE("a tape that forgets keeps the values of what it is asked to keep") {
  Tape<float> tape;
  const Matrix<float> x = tape_numbers(30, 20);
  for (int pass = 0; pass < 3; ++pass) {
    tape.begin(nullptr, {});
    const Variable<float> before = scale(tape.input(x), 2.0F);
    const Tape<float>::Mark mark = tape.mark();
    tape.kept<std::vector<int>>();
    const Variable<float> y = tape.forget(mark, gelu(gelu(before)));
    const Matrix<float> kept = y.value();
    const Variable<float> next = gelu(before);  // takes memory that was given back
    REQUIRE(next.data() != y.data());
    const Matrix<float> first = gelu(next).value();
    REQUIRE(y.value() == kept);
    REQUIRE(first == kept);
    REQUIRE(before.value() == Matrix<float>(x * 2.0F));
  }
}

TEST_CASE("an object that a pass keeps is found by the next pass where it was, whatever was forgotten before") {
  Tape<float> tape;
  const Matrix<float> x = tape_numbers(4, 4);
  for (int pass = 0; pass < 2; ++pass) {
    tape.begin(nullptr, {});
    const Tape<float>::Mark mark = tape.mark();
    auto& inner = tape.kept<std::vector<int>>();
    REQUIRE(inner == (pass == 0 ? std::vector<int>{} : std::vector<int>{1}));
    inner = {1};
    tape.forget(mark, gelu(tape.input(x)));
    auto& outer = tape.kept<std::vector<int>>();
    REQUIRE(outer == (pass == 0 ? std::vector<int>{} : std::vector<int>{2}));
    outer = {2};
  }
}

TEST_CASE("a tape forgets nothing of what learns") {
  Tape<float> tape;
  tape.begin(nullptr, {});
  const Variable<float> x = tape.variable(tape_numbers(4, 4));
  const Tape<float>::Mark mark = tape.mark();
  const Variable<float> y = gelu(x);
  REQUIRE(tape.forget(mark, y).data() == y.data());
}

TEST_CASE("blocks give back the memory of a pass without gradients, and their values stay the same") {
  TapeBlock of;
  Tape<float> forgetful, learner;
  std::vector<float> gradients(of.parameters.values().size());
  for (int pass = 0; pass < 2; ++pass) {
    forgetful.begin(&of.parameters, {});
    learner.begin(&of.parameters, gradients);
    Variable<float> a = forgetful.input(of.x), b = learner.input(of.x);
    for (int k = 0; k < 8; ++k) {
      a = (*of.block)(a, of.tokens);
      b = (*of.block)(b, of.tokens);
      REQUIRE(a.value() == b.value());
    }
  }
  REQUIRE(2 * forgetful.capacity() <= learner.capacity());
}

TEST_CASE("a gradient of a long chain needs the memory of a few links") {
  Tape<float> tape;
  const Matrix<float> x = tape_numbers(64, 64);
  const auto pass = [&](int links, bool learns) {
    tape.begin(nullptr, {});
    Variable<float> y = tape.variable(x);
    const Variable<float> start = y;
    for (int k = 0; k < links; ++k) y = scale(y, 1.0F);
    if (learns) tape.backward(squared_loss<float>(y, Matrix<float>::Zero(64, 64), {}, 1.0F));
    return Matrix<float>(learns ? start.gradient_matrix() : start.value());
  };
  const Matrix<float> one = pass(1, true);
  REQUIRE(pass(100, true) == one);
  REQUIRE(tape.capacity() < std::size_t{180} * 64 * 64 * sizeof(float));  // of values and gradients there are 200
}

}  // namespace
}  // namespace fovea::learning
