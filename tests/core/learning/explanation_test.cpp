#include "fovea/core/learning/explanation.hpp"

#include "fovea/core/learning/operations.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning {
namespace {

constexpr double kExplanationRounding = 1e-12;
const std::vector<Index> kWhole{0, 3};

/// F(x) = sum_i x_i w: linear in every token.
struct Plain {
  Parameters<double> parameters;
  ParameterPlace weight;
  Matrix<double> x{3, 2};
  Tape<double> tape;
  Plain() {
    Matrix<double> w(2, 1);
    w << 0.5, -2;
    weight = parameters.add("weight", w);
    x << 1, 2, -1, 0.5, 3, 0;
  }
  Answer<double> linear_answer() {
    return [this](Variable<double> tokens) {
      return sum_of_sets(linear(tokens, tokens.tape().parameter(weight)), Offsets(kWhole));
    };
  }
  /// F(x) = (sum_i x_i w)^2
  Answer<double> square_answer() {
    return [answer = linear_answer()](Variable<double> tokens) {
      const Variable<double> y = answer(tokens);
      return multiply(y, y);
    };
  }
};

TEST_CASE("explanation: of a linear model all methods give each token's own part", "[learning][explanation]") {
  Plain plain;
  const Matrix<double> zeros = Matrix<double>::Zero(3, 2);
  const Vector<double> own = plain.x * plain.parameters.matrix(plain.weight);
  const auto integrated = integrated_gradients(plain.tape, plain.parameters, plain.linear_answer(), plain.x, zeros, 1);
  CHECK((gradient_times_input(plain.tape, plain.parameters, plain.linear_answer(), plain.x) - own).norm() <
        kExplanationRounding);
  CHECK((integrated.shares - own).norm() < kExplanationRounding);
  CHECK((deletion(plain.tape, plain.parameters, plain.linear_answer(), plain.x, zeros) - own).norm() <
        kExplanationRounding);
}

TEST_CASE("explanation: integrated gradients share out the whole difference; the others do not",
          "[learning][explanation]") {
  Plain plain;
  const Matrix<double> baseline = Matrix<double>::Constant(3, 2, 0.25);
  const auto shares = integrated_gradients(plain.tape, plain.parameters, plain.square_answer(), plain.x, baseline, 1);
  CHECK(std::abs(shares.remainder) < kExplanationRounding);  // the midpoint rule is exact for a square
  const Vector<double> own = plain.x * plain.parameters.matrix(plain.weight);
  const Vector<double> sum = gradient_times_input(plain.tape, plain.parameters, plain.square_answer(), plain.x);
  CHECK(std::abs(sum.sum() - 2 * own.sum() * own.sum()) < kExplanationRounding);
}

TEST_CASE("explanation: deletion is the change that really happens", "[learning][explanation]") {
  Plain plain;
  const Matrix<double> zeros = Matrix<double>::Zero(3, 2);
  const Vector<double> own = plain.x * plain.parameters.matrix(plain.weight);
  const Vector<double> lost = deletion(plain.tape, plain.parameters, plain.square_answer(), plain.x, zeros);
  for (Index i = 0; i < 3; ++i) {
    const double rest = own.sum() - own[i];
    CHECK(std::abs(lost[i] - (own.sum() * own.sum() - rest * rest)) < kExplanationRounding);
  }
}

TEST_CASE("explanation: refuses a baseline of another shape and an answer of many numbers", "[learning][explanation]") {
  Plain plain;
  CHECK_THROWS_WITH(deletion(plain.tape, plain.parameters, plain.linear_answer(), plain.x, Matrix<double>(2, 2)),
                    "explanation: the tokens are 3 x 2, the baseline 2 x 2; they must be of the same shape.");
  const Answer<double> many = [](Variable<double> x) { return x; };
  CHECK_THROWS_WITH(deletion(plain.tape, plain.parameters, many, plain.x, Matrix<double>::Zero(3, 2).eval()),
                    "explanation: the answer is 3 x 2, but must be one number.");
}

}  // namespace
}  // namespace fovea::learning
