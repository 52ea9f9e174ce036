#include "fovea/core/learning/recompute.hpp"

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/learning/layers/feed_forward.hpp"
#include "fovea/core/learning/layers/token_modifiers.hpp"
#include "fovea/core/learning/layers/transformer_block.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/tests/support/gradient_check.hpp"
#include "fovea/tests/support/odd_sum.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning {
namespace {

constexpr Index kRecomputedWidth = 16, kRecomputedHeads = 2, kSeen = 5;

/// Three sets, of which one is empty, on a strip; more rows than go through a block at once.
Tokens recomputed_tokens(Index rows) {
  Tokens tokens;
  tokens.offsets = {0, rows / 3, rows / 3, rows};
  tokens.coordinates.resize(rows, 2);
  for (Index k = 0; k < 2 * rows; ++k) tokens.coordinates.data()[k] = Random(3).uniform(static_cast<std::uint64_t>(k));
  for (Index i = 0; i < rows; ++i) tokens.times.push_back(static_cast<double>(i % 17));
  return tokens;
}

template <typename Real>
Matrix<Real> recomputed_numbers(Index rows, Index columns, std::uint64_t seed) {
  Matrix<Real> x(rows, columns);
  for (Index k = 0; k < x.size(); ++k)
    x.data()[k] = static_cast<Real>(Random(seed).normal(static_cast<std::uint64_t>(k)));
  return x;
}

BlockSettings<float> recomputed_settings(Recompute recompute) {
  BlockSettings<float> settings;
  settings.attention.width = kRecomputedWidth;
  settings.attention.heads = kRecomputedHeads;
  settings.attention.modifiers = {listed_bias_of_pass<float>({0, kSeen, true}),
                                  same_for_all<float>("temperature", temperature<float>(), {0.3F})};
  settings.hidden = 40;
  settings.dropout = 0.1;
  settings.recompute = recompute;
  return settings;
}

struct RecomputedAnswer {
  std::vector<float> gradients;
  Matrix<float> y, x_gradient, bias_gradient;
  bool operator==(const RecomputedAnswer& other) const {
    return gradients == other.gradients && y == other.y && x_gradient == other.x_gradient &&
           bias_gradient == other.bias_gradient;
  }
};

/// Two blocks and what a loss that feels every entry gives to parameters, inputs and biases of pairs.
RecomputedAnswer two_blocks(const BlockSettings<float>& settings, Index rows) {
  Parameters<float> parameters;
  const TransformerBlock<float> first(parameters, "first", settings, Random(1)),
      second(parameters, "second", settings, Random(2));
  const Tokens tokens = recomputed_tokens(rows);
  const Matrix<float> x = recomputed_numbers<float>(rows, kRecomputedWidth, 4);
  const auto lists = neighbours_of(tokens, {0, kSeen, true});
  const Matrix<float> biases = recomputed_numbers<float>(1, kRecomputedHeads * std::ssize(lists->keys), 5);
  RecomputedAnswer answer;
  answer.gradients.assign(parameters.size(), 0.0F);
  Tape<float> tape;
  for (int pass = 0; pass < 2; ++pass) {  // the second finds the memory of the first
    std::fill(answer.gradients.begin(), answer.gradients.end(), 0.0F);
    tape.begin(&parameters, answer.gradients, {true, Random(6), 7});
    const Variable<float> in = tape.variable(x), bias = tape.variable(biases);
    const std::vector<Variable<float>> theta{bias};
    const Variable<float> y = second(first(in, tokens, theta), tokens, theta);
    tape.backward(fovea::test::odd_sum(y));
    answer.y = y.value(), answer.x_gradient = in.gradient_matrix(), answer.bias_gradient = bias.gradient_matrix();
  }
  return answer;
}

TEST_CASE("a block that computes again what it did not keep has the same bits, with dropout, for any threads",
          "[learning][recompute][threads]") {
  for (const Index rows : {7, 448, 1501}) {
    for (const NormPlace place : {NormPlace::before, NormPlace::after}) {
      BlockSettings<float> settings = recomputed_settings(Recompute::nothing);
      settings.place = place;
      settings.attention.rotary_base = place == NormPlace::before ? 100 : 0;
      settings.norm_of_attention = settings.norm_of_hidden = settings.gain_of_residual = place == NormPlace::before;
      const RecomputedAnswer plain = two_blocks(settings, rows);
      CHECK(plain.x_gradient.cwiseAbs().maxCoeff() > 0);
      CHECK(plain.bias_gradient.cwiseAbs().maxCoeff() > 0);
      for (const Recompute recompute : {Recompute::rows, Recompute::block})
        for (const int threads : {1, 2, 3, 5}) {
          omp_set_num_threads(threads);
          settings.recompute = recompute;
          CHECK(two_blocks(settings, rows) == plain);
        }
      omp_set_num_threads(omp_get_num_procs());
    }
  }
}

/// What a pass over a large event keeps, in numbers a token and column.
double kept_by_blocks(Recompute recompute, bool learns, int blocks) {
  constexpr Index kRows = 8960;
  BlockSettings<float> settings = recomputed_settings(recompute);
  settings.attention.modifiers.clear();
  settings.attention.modifiers = {neighbours_alone<float>({0, kSeen, true})};
  settings.dropout = 0;
  Parameters<float> parameters;
  std::vector<TransformerBlock<float>> stack;
  for (int k = 0; k < blocks; ++k) stack.emplace_back(parameters, concat("block ", k), settings, Random(1));
  const Tokens tokens = recomputed_tokens(kRows);
  const Matrix<float> x = recomputed_numbers<float>(kRows, kRecomputedWidth, 4);
  std::vector<float> gradients(learns ? static_cast<std::size_t>(parameters.size()) : 0);
  Tape<float> tape;
  tape.begin(&parameters, gradients);
  Variable<float> y = tape.input(x);
  for (const auto& block : stack) y = block(y, tokens);
  return static_cast<double>(tape.capacity()) / (sizeof(float) * kRows * kRecomputedWidth);
}

TEST_CASE("what a block keeps: its result alone without gradients, and as little as is asked for with them",
          "[learning][recompute]") {
  constexpr int kFew = 2, kMany = 6;
  const auto each = [](Recompute recompute, bool learns) {
    return (kept_by_blocks(recompute, learns, kMany) - kept_by_blocks(recompute, learns, kFew)) / (kMany - kFew);
  };
  const double all = each(Recompute::nothing, true), rows = each(Recompute::rows, true),
               block = each(Recompute::block, true), none = each(Recompute::nothing, false);
  CAPTURE(all, rows, block, none);
  CHECK(all > 10);     // norms, q, k, v, sums, twice the hidden values; the heads are the engine's
  CHECK(rows < 4.2);   // q, k, v, and the result
  CHECK(block < 1.2);  // the result
  CHECK(none < 1.2);
}

TEST_CASE("gradients through parts computed again agree with central differences", "[learning][recompute][gradient]") {
  constexpr Index kRows = 130, kColumns = 3;
  Parameters<double> parameters;
  const FeedForward<double> layer(parameters, "layer", kColumns, 5, Random(1));
  Matrix<double> x = recomputed_numbers<double>(kRows, kColumns, 1), h = recomputed_numbers<double>(kRows, kColumns, 2);
  std::vector<double> gradients(parameters.size());
  Matrix<double> x_gradient, h_gradient;
  for (const Index rows_at_once : {0, 64, 128, 192}) {
    Tape<double> tape;
    const auto loss = [&] {
      std::fill(gradients.begin(), gradients.end(), 0.0);
      tape.begin(&parameters, gradients);
      const Variable<double> a = tape.variable(x), b = tape.variable(h);
      const auto parts = recomputed<double>(  // a stands twice, the last input is not looked at, one result is an input
          {a, b, a, b},
          [&](std::span<const Variable<double>> in) {
            const auto inner = recomputed<double>({in[0], in[2]}, [&](std::span<const Variable<double>> two) {
              return std::vector{multiply(two[0], layer(two[1]))};
            });
            return std::vector{add(inner[0], in[1]), in[0], inner[0]};
          },
          rows_at_once);
      const Variable<double> answer = fovea::test::odd_sum(multiply(add(parts[0], a), add(parts[1], parts[1])));
      tape.backward(answer);
      x_gradient = a.gradient_matrix(), h_gradient = b.gradient_matrix();
      return answer.data()[0];
    };
    (void)loss();
    const std::vector<double> of_layer = gradients;
    const Matrix<double> of_x = x_gradient, of_h = h_gradient;
    const auto error = [&](double* at, Index count, const double* analytic) {
      return fovea::test::gradient_error(at, count, analytic, loss);
    };
    constexpr double kSums = 1e-6;  // the loss is a sum of 390 terms of some size: its rounding is felt
    CHECK(error(x.data(), x.size(), of_x.data()) < kSums);
    CHECK(error(h.data(), h.size(), of_h.data()) < kSums);
    CHECK(error(parameters.values().data(), parameters.size(), of_layer.data()) < kSums);
  }
}

TEST_CASE("parts computed again refuse rows that do not fit", "[learning][recompute][error]") {
  Tape<float> tape;
  tape.begin(nullptr, {});
  const Variable<float> x = tape.constant(3, 2), y = tape.constant(4, 2);
  const auto first = [](std::span<const Variable<float>> in) { return std::vector{in[0]}; };
  CHECK_THROWS_WITH(recomputed<float>({x}, first, 100),
                    "recomputed: rows_at_once = 100, but must be a multiple of 64, or 0 for all at once.");
  CHECK_THROWS_WITH(recomputed<float>({x, y}, first, 64), Catch::Matchers::Contains("4 rows, the first 3"));
  CHECK_THROWS_WITH(recomputed<float>({}, first, 64), Catch::Matchers::Contains("at least one is needed"));
  CHECK(recomputed<float>({x, y}, first)[0].rows() == 3);
}

TEST_CASE("an arena takes little more than it is asked for, and nothing again", "[learning][recompute]") {
  constexpr Index kPiece = 3 << 20;
  Arena arena;
  const auto fill = [&] {
    for (int k = 0; k < 9; ++k) {
      arena.take<char>(100);
      arena.take<char>(kPiece);
    }
  };
  fill();
  CHECK(arena.capacity() < 9 * static_cast<std::size_t>(kPiece) + (std::size_t{1} << 17));
  arena.clear();
  const std::size_t before = arena.capacity();
  for (int pass = 0; pass < 3; ++pass) {
    fill();
    CHECK(arena.capacity() == before);
    arena.clear();
  }
}

}  // namespace
}  // namespace fovea::learning
