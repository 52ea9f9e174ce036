// attend() with split bf16 products: errors, and that it keeps every promise of the full precision.

#include <random>

#include "fovea/core/attention.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

constexpr Precision kSplits[] = {Precision::split_bf16, Precision::split_bf16_6};

struct FloatProblem {
  Matrix<float> queries, keys, values, output_gradient;
  AttentionSpec<float> spec;
};

Matrix<float> normal_matrix(Index rows, Index columns, unsigned salt) {
  std::mt19937 bits(salt);
  Matrix<float> matrix(rows, columns);
  for (Index k = 0; k < matrix.size(); ++k) {
    const double u = (static_cast<double>(bits()) + 0.5) * 0x1p-32;
    const double phase = static_cast<double>(bits()) * 0x1p-31 * 3.14159265358979;
    matrix.data()[k] = static_cast<float>(std::sqrt(-2 * std::log(u)) * std::cos(phase));  // Box & Muller 1958
  }
  return matrix;
}

FloatProblem normal_problem(Index queries, Index keys, Index dimension, Index heads = 1, Index key_heads = 1) {
  FloatProblem p{normal_matrix(queries, heads * dimension, 1),
                 normal_matrix(keys, key_heads * dimension, 2),
                 normal_matrix(keys, key_heads * dimension, 3),
                 normal_matrix(queries, heads * dimension, 4),
                 {}};
  p.spec.score = {dot_product_score<float>(), {}};
  p.spec.heads = heads;
  p.spec.key_heads = key_heads;
  return p;
}

AttentionResult<float> attend_with(const FloatProblem& p, Precision precision) {
  AttentionSpec<float> spec = p.spec;
  spec.precision = precision;
  return attend(p.queries, p.keys, p.values, spec);
}

double difference(const Matrix<float>& a, const Matrix<double>& b) {
  return (a.cast<double>() - b).cwiseAbs().maxCoeff();
}

Matrix<double> exact_outputs(const FloatProblem& p) {
  AttentionSpec<double> spec;
  spec.score = {dot_product_score<double>(), {}};
  spec.heads = p.spec.heads;
  spec.key_heads = p.spec.key_heads;
  return attend(p.queries.cast<double>(), p.keys.cast<double>(), p.values.cast<double>(), spec).outputs;
}

/// A float problem with a registered modifier, several heads and sets.
FloatProblem packed_with(std::size_t modifier, Packed& p) {
  FloatProblem f{
      p.queries.cast<float>(), p.keys.cast<float>(), p.values.cast<float>(), p.output_gradient.cast<float>(), {}};
  f.spec.score = {dot_product_score<float>(), {}};
  f.spec.modifiers = {{modifiers<float>()[modifier].make(p.example), modifiers<float>()[modifier].start(p.example)}};
  f.spec.heads = p.spec.heads;
  f.spec.query_offsets = p.spec.query_offsets;
  f.spec.key_offsets = p.spec.key_offsets;
  return f;
}

}  // namespace

TEST_CASE("split products of standard normal inputs, d 64 and N 1024, err by less than 1e-6",
          "[attention][split][twin]") {
  const FloatProblem p = normal_problem(1024, 1024, 64);
  const Matrix<double> exact = exact_outputs(p);
  const double largest_value = static_cast<double>(p.values.cwiseAbs().maxCoeff());
  const double three = difference(attend_with(p, Precision::split_bf16).outputs, exact);
  const double six = difference(attend_with(p, Precision::split_bf16_6).outputs, exact);
  const double full = difference(attend_with(p, Precision::full).outputs, exact);
  INFO("3 products " << three << ", 6 products " << six << ", full " << full << ", largest value " << largest_value);
  CHECK(three < 1e-6 * largest_value);  // a mean of values is as large as they can be
  CHECK(three > 2 * full);              // else they were not split
  CHECK(six < 1e-6);
  CHECK(six < 2 * full);
}

TEST_CASE("outputs stay within the a-priori bound of the header", "[attention][split][twin]") {
  const Index terms = 64, keys = 300;
  const FloatProblem p = normal_problem(100, keys, terms);
  const Matrix<double> exact = exact_outputs(p);
  const Matrix<double> size = p.queries.cast<double>().cwiseAbs() * p.keys.cast<double>().cwiseAbs().transpose() / 8;
  const double largest_value = static_cast<double>(p.values.cwiseAbs().maxCoeff());
  for (const Precision precision : kSplits) {
    const bool three = precision == Precision::split_bf16;
    const double e = three ? 0x1p-15 : 0x1p-24, products = three ? 3 : 6;
    const auto rounding = [=](double n) { return 0x1p-24 * ((products + 1) * (n + 32) + 64); };
    const Matrix<double> found = attend_with(p, precision).outputs.cast<double>();
    for (Index i = 0; i < exact.rows(); ++i) {
      const double d = (e + rounding(terms)) * size.row(i).maxCoeff();
      const double bound = (std::expm1(2 * d) + e + rounding(keys)) * largest_value;
      CHECK((found.row(i) - exact.row(i)).cwiseAbs().maxCoeff() < bound);
    }
  }
}

TEST_CASE("every modifier acts on split products as on full ones", "[attention][split][twin]") {
  // Scores below 10 to 2^-15 (2^-22: float itself), and modifiers that multiply them by up to 10.
  constexpr double kTolerance[] = {3e-4, 2e-5};
  for (std::size_t m = 0; m < modifiers<float>().size(); ++m) DYNAMIC_SECTION(modifiers<float>()[m].name) {
      Packed packed = packed_problem({{40, 300}, {1, 1}, {70, 45}}, 2, 16, 8, 5);
      const FloatProblem p = packed_with(m, packed);
      const auto full = attend_with(p, Precision::full);
      for (int k = 0; k < 2; ++k) {
        const auto split = attend_with(p, kSplits[k]);
        CHECK(difference(split.outputs, full.outputs.cast<double>()) < kTolerance[k]);
        for (Index i = 0; i < full.log_sum_exp.size(); ++i) {
          const float expected = full.log_sum_exp.data()[i], found = split.log_sum_exp.data()[i];
          if (!(expected == found || std::abs(static_cast<double>(expected - found)) < kTolerance[k]))
            FAIL_CHECK("log_sum_exp " << i << " is " << found << ", expected " << expected);
        }
      }
    }
}

TEST_CASE("grouped heads share their split keys", "[attention][split][twin]") {
  const FloatProblem p = normal_problem(70, 90, 32, 4, 2);
  CHECK(difference(attend_with(p, Precision::split_bf16).outputs, exact_outputs(p)) < 2e-5);
  CHECK(difference(attend_with(p, Precision::split_bf16_6).outputs, exact_outputs(p)) < 2e-6);
}

TEST_CASE("split products: 1, 2, 3 and 5 threads give the same bits", "[attention][split][threads]") {
  const int before = omp_get_max_threads();
  FloatProblem p = normal_problem(150, 700, 40, 2, 2);
  p.spec.query_offsets = {0, 100, 150};
  p.spec.key_offsets = {0, 600, 700};
  p.spec.modifiers = {{temperature<float>(), {0.3F}}, {causal<float>(), {}}};
  for (const Precision precision : kSplits) {
    omp_set_num_threads(1);
    const auto alone = attend_with(p, precision);
    for (const int threads : {2, 3, 5}) {
      omp_set_num_threads(threads);
      const auto together = attend_with(p, precision);
      CHECK(same_bits(alone.outputs, together.outputs));
      CHECK(same_bits(alone.log_sum_exp, together.log_sum_exp));
    }
  }
  omp_set_num_threads(before);
}

TEST_CASE("split products: a query has the same bits alone as among others, a set alone as packed",
          "[attention][split][property]") {
  const FloatProblem p = normal_problem(100, 700, 40);
  FloatProblem packed = normal_problem(150, 900, 40);
  packed.queries.middleRows(20, 100) = p.queries;
  packed.keys.middleRows(150, 700) = p.keys;
  packed.values.middleRows(150, 700) = p.values;
  packed.spec.query_offsets = {0, 20, 120, 150};
  packed.spec.key_offsets = {0, 150, 850, 900};
  for (const Precision precision : kSplits) {
    const auto all = attend_with(p, precision);
    for (const Index i : {0, 31, 63, 99}) {
      FloatProblem one = p;
      one.queries = p.queries.row(i);
      CHECK(same_bits<float>(attend_with(one, precision).outputs, all.outputs.row(i)));
    }
    CHECK(same_bits<float>(attend_with(packed, precision).outputs.middleRows(20, 100), all.outputs));
  }
}

TEST_CASE("split products behind a causal mask: what a query may not see changes no bit",
          "[attention][split][property]") {
  FloatProblem p = normal_problem(600, 600, 32);
  p.spec.modifiers = {{causal<float>(), {}}};
  FloatProblem shorter = p;
  const Index seen = 290;
  shorter.queries = p.queries.topRows(seen);
  shorter.keys = p.keys.topRows(seen);
  shorter.values = p.values.topRows(seen);
  for (const Precision precision : kSplits)
    CHECK(same_bits<float>(attend_with(shorter, precision).outputs, attend_with(p, precision).outputs.topRows(seen)));
}

TEST_CASE("split products: queries without a key have output 0, and their gradients are 0",
          "[attention][split][limit]") {
  FloatProblem p = normal_problem(40, 20, 16);
  p.spec.modifiers = {{window<float>(2), {}}};  // queries 22 and later see no key
  for (const Precision precision : kSplits) {
    const auto result = attend_with(p, precision);
    CHECK(result.outputs.bottomRows(18).cwiseAbs().maxCoeff() == 0);
    CHECK(result.outputs.row(21).cwiseAbs().maxCoeff() > 0);
    CHECK(result.log_sum_exp(39, 0) == -std::numeric_limits<float>::infinity());
    const auto gradients = attend_backward(p.queries, p.keys, p.values, p.spec, result, p.output_gradient);
    CHECK(gradients.queries.bottomRows(18).cwiseAbs().maxCoeff() == 0);
    CHECK(gradients.keys.allFinite());
  }
}

TEST_CASE("split products: scores of 1e30 and overflows stay finite and are as in full", "[attention][split][limit]") {
  FloatProblem p = normal_problem(3, 40, 16);
  p.queries.row(0) *= 1e15F;
  p.keys.row(7) *= 1e15F;
  p.queries.row(1).setConstant(3e38F);
  p.keys.row(11).setConstant(-3e38F);
  p.keys.row(12).setConstant(1e30F);
  for (const Precision precision : kSplits) {
    const auto result = attend_with(p, precision);
    CHECK(result.outputs.allFinite());
    CHECK(result.max_score(1, 0) == attend_with(p, Precision::full).max_score(1, 0));
    CHECK(difference(result.outputs, attend_with(p, Precision::full).outputs.cast<double>()) < 1e-3);
  }
}

TEST_CASE("split products: a NaN reaches the outputs of its row and no other", "[attention][split][limit]") {
  FloatProblem p = normal_problem(20, 40, 16);
  p.queries(5, 3) = std::numeric_limits<float>::quiet_NaN();
  for (const Precision precision : kSplits) {
    const auto result = attend_with(p, precision);
    for (Index i = 0; i < 20; ++i) CHECK(std::isnan(result.outputs(i, 0)) == (i == 5));
  }
}

TEST_CASE("gradients after a split forward pass are those after a full one", "[attention][split][twin]") {
  const FloatProblem p = normal_problem(60, 300, 32);
  const auto full =
      attend_backward(p.queries, p.keys, p.values, p.spec, attend_with(p, Precision::full), p.output_gradient);
  constexpr double kTolerance[] = {2e-4, 1e-5};  // gradients up to 10, times the errors of the scores: 1e-5, 1e-6
  for (int k = 0; k < 2; ++k) {
    const auto split =
        attend_backward(p.queries, p.keys, p.values, p.spec, attend_with(p, kSplits[k]), p.output_gradient);
    CHECK(difference(split.queries, full.queries.cast<double>()) < kTolerance[k]);
    CHECK(difference(split.keys, full.keys.cast<double>()) < kTolerance[k]);
    CHECK(difference(split.values, full.values.cast<double>()) < kTolerance[k]);
  }
}

TEST_CASE("where split products do not apply, the full ones are computed", "[attention][split]") {
  FloatProblem narrow = normal_problem(20, 30, 15), distance = normal_problem(20, 30, 16);
  distance.spec.score = {gaussian_score<float>(), {}};
  FloatProblem tolerant = normal_problem(20, 600, 16), listed = normal_problem(3, 30, 16);
  tolerant.spec.tolerance = 1e-3F;
  listed.spec.modifiers = {{neighbour_list<float>({{0, 2, 2, 5}, {0, 7, 1, 2, 29}, {}}), {}}};
  for (const FloatProblem& p : {narrow, distance, tolerant, listed})
    for (const Precision precision : kSplits)
      CHECK(same_bits(attend_with(p, precision).outputs, attend_with(p, Precision::full).outputs));
}

TEST_CASE("double refuses split products", "[attention][split]") {
  AttentionSpec<double> spec;
  spec.score = {dot_product_score<double>(), {}};
  spec.precision = Precision::split_bf16;
  const Matrix<double> ones = Matrix<double>::Ones(3, 16);
  CHECK(support::refusal_of<ArgumentError>([&] { attend(ones, ones, ones, spec); }) ==
        "attend: precision is split_bf16 or split_bf16_6, which are for float; with double it must be full.");
}
