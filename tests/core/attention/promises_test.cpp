// What attend() promises: the same bits for a row whatever surrounds it and whatever the threads; masks; limits;
// memory.

#include "fovea/core/attention.hpp"
#include "fovea/core/base/instruction_set.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/tests/support/peak_memory.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

// 1000 terms of size 1e-3, rounded at 1e-16: x 100.
constexpr double kSumTolerance = 1e-14;

struct Everything {
  AttentionResult<double> forward;
  AttentionGradients<double> gradients;
  Matrix<double> pooled;
};

Everything everything(const Packed& p) {
  Everything all;
  all.forward = attend(p.queries, p.keys, p.values, p.spec);
  all.gradients = attend_backward(p.queries, p.keys, p.values, p.spec, all.forward, p.output_gradient);
  std::vector<Index> query_group(p.queries.rows(), 0);
  std::vector<Index> key_group(p.keys.rows(), 0);
  for (std::size_t i = 0; i < query_group.size(); ++i) query_group[i] = static_cast<Index>(i % 3);
  for (std::size_t j = 0; j < key_group.size(); ++j) key_group[j] = static_cast<Index>(j % 4);
  all.pooled = attention_between_groups(p.queries, p.keys, p.spec, all.forward, 0, query_group, 3, key_group, 4);
  return all;
}

bool same_bits(const Everything& a, const Everything& b) {
  return test::same_bits(a.forward.outputs, b.forward.outputs) &&
         test::same_bits(a.forward.log_sum_exp, b.forward.log_sum_exp) &&
         test::same_bits(a.gradients.queries, b.gradients.queries) &&
         test::same_bits(a.gradients.keys, b.gradients.keys) &&
         test::same_bits(a.gradients.values, b.gradients.values) && test::same_bits(a.pooled, b.pooled) &&
         a.gradients.score_theta == b.gradients.score_theta && a.gradients.modifier_theta == b.gradients.modifier_theta;
}

Packed gaussian_with(const std::vector<const char*>& names, const std::vector<std::pair<Index, Index>>& sets,
                     Index heads = 2) {
  Packed p = packed_problem(sets, heads, 2, 3, 5);
  set_score(p, score_entry("gaussian"));
  for (const char* name : names) add_modifier(p, modifier_entry(name));
  return p;
}

Matrix<double> rows_of(const Matrix<double>& matrix, Index first, Index count) {
  return matrix.middleRows(first, count);
}

Matrix<double> column(std::initializer_list<double> entries) {
  Matrix<double> matrix(static_cast<Index>(entries.size()), 1);
  std::copy(entries.begin(), entries.end(), matrix.data());
  return matrix;
}

/// Calls f() with the kernels of each instruction set there is.
template <typename F>
void with_each_instruction_set(const F& f) {
  const InstructionSet before = instruction_set();
  for (const InstructionSet set : instruction_sets()) {
    INFO(name_of(set));
    use_instruction_set(set);
    f();
  }
  use_instruction_set(before);
}

/// Everything that attention in single precision gives, one number after the other.
std::vector<float> single_precision(const ScoreTerm<float>& score, bool changed, Index dimension, Index value_columns) {
  const std::vector<Index> queries{0, 90, 93, 220}, keys{0, 700, 709, 830};
  const auto drawn = [](Index rows, Index columns, unsigned salt) {
    return Matrix<float>(random_matrix(rows, columns, salt).cast<float>());
  };
  const Matrix<float> q = drawn(queries.back(), 2 * dimension, 1), k = drawn(keys.back(), 2 * dimension, 2),
                      v = drawn(keys.back(), 2 * value_columns, 3), g = drawn(queries.back(), 2 * value_columns, 4);
  AttentionSpec<float> spec;
  spec.score = score;
  spec.heads = 2;
  spec.query_offsets = queries;
  spec.key_offsets = keys;
  const auto times = [](Index count) { return Vector<float>(Vector<float>::LinSpaced(count, 0, 9)); };
  if (changed)
    spec.modifiers = {{causal<float>(), {}}, {time_decay<float>(times(queries.back()), times(keys.back())), {-1.0F}}};
  const AttentionResult<float> forward = attend(q, k, v, spec);
  const AttentionGradients<float> back = attend_backward(q, k, v, spec, forward, g);
  std::vector<float> all;
  for (const Matrix<float>* part : {&forward.outputs, &forward.log_sum_exp, &back.queries, &back.keys, &back.values})
    all.insert(all.end(), part->data(), part->data() + part->size());
  for (const auto& theta : back.modifier_theta) all.insert(all.end(), theta.begin(), theta.end());
  return all;
}

AttentionSpec<double> gaussian_spec(double log_tau) {
  AttentionSpec<double> spec;
  spec.score = {gaussian_score<double>(), {}};
  spec.modifiers = {{temperature<double>(), {log_tau}}};
  return spec;
}

}  // namespace

TEST_CASE("1, 2, 3 and 5 threads give the same bits, forward and every gradient", "[attention][threads]") {
  const int before = omp_get_max_threads();
  const auto check = [](const std::vector<const char*>& names) {
    const Packed p = gaussian_with(names, {{70, 600}, {3, 5}, {40, 1100}});
    omp_set_num_threads(1);
    const Everything alone = everything(p);
    for (const int threads : {2, 3, 5}) {
      omp_set_num_threads(threads);
      CHECK(same_bits(alone, everything(p)));
    }
  };
  with_each_instruction_set([&] {
    check({"temperature", "time_decay"});
    check({"temperature", "causal"});
    check({"neighbour_list", "temperature"});
  });
  omp_set_num_threads(before);
}

TEST_CASE("AVX2 and AVX-512 give the same bits, forward and every gradient, in every shape",
          "[attention][instructions]") {
  const bool both = instruction_sets().front() == InstructionSet::avx512;
  for (const auto& score : {dot_product_score<float>(), gaussian_score<float>()})
    for (const bool changed : {false, true})
      for (const auto& [dimension, value_columns] :
           {std::pair<Index, Index>{1, 1}, {2, 3}, {3, 1}, {3, 4}, {7, 9}, {16, 16}, {33, 20}, {64, 64}, {70, 130}}) {
        CAPTURE(changed, dimension, value_columns);
        std::vector<std::vector<float>> found;
        with_each_instruction_set([&] {
          found.push_back(single_precision({score, {}}, changed, dimension, value_columns));
        });
        if (both) CHECK(found[0] == found[1]);
        // rounded before they are added, hundreds of terms of size 1
        for (std::size_t at = 0; at < found[0].size(); ++at)
          if (!(std::abs(found.back()[at] - found[0][at]) <= 1e-4F * std::max(1.0F, std::abs(found[0][at])))) {
            CHECK(found.back()[at] == found[0][at]);
            break;
          }
      }
}

TEST_CASE("a query has the same bits alone as among others", "[attention][property]") {
  with_each_instruction_set([&] {
    for (const auto& entry : scores<double>()) {
      Packed p = packed_problem({{37, 1100}}, 2, 3, 2, 15);
      set_score(p, entry);
      add_modifier(p, modifier_entry("temperature"));
      const Everything all = everything(p);
      for (const Index i : {0, 16, 35, 36}) {
        const auto alone = attend(rows_of(p.queries, i, 1), p.keys, p.values, [&] {
          AttentionSpec<double> spec = p.spec;
          spec.query_offsets = {0, 1};
          return spec;
        }());
        AttentionSpec<double> spec = p.spec;
        spec.query_offsets = {0, 1};
        const auto gradients =
            attend_backward(rows_of(p.queries, i, 1), p.keys, p.values, spec, alone, rows_of(p.output_gradient, i, 1));
        CHECK(test::same_bits(alone.outputs, rows_of(all.forward.outputs, i, 1)));
        CHECK(test::same_bits(gradients.queries, rows_of(all.gradients.queries, i, 1)));
      }
    }
  });
}

TEST_CASE("a set has the same bits alone as packed with others", "[attention][property]") {
  const auto names = {"temperature", "causal"};
  const Packed packed = gaussian_with(names, {{5, 9}, {50, 1050}, {30, 2}});
  Packed alone = gaussian_with(names, {{50, 1050}});
  alone.queries = rows_of(packed.queries, 5, 50);
  alone.keys = rows_of(packed.keys, 9, 1050);
  alone.values = rows_of(packed.values, 9, 1050);
  alone.output_gradient = rows_of(packed.output_gradient, 5, 50);
  const Everything a = everything(alone), b = everything(packed);
  CHECK(test::same_bits(a.forward.outputs, rows_of(b.forward.outputs, 5, 50)));
  CHECK(test::same_bits(a.gradients.queries, rows_of(b.gradients.queries, 5, 50)));
  CHECK(test::same_bits(a.gradients.keys, rows_of(b.gradients.keys, 9, 1050)));
  CHECK(test::same_bits(a.gradients.values, rows_of(b.gradients.values, 9, 1050)));
}

TEST_CASE("weights sum to 1, and permuting the keys permutes them", "[attention][property]") {
  for (const auto& entry : scores<double>()) {
    Packed p = packed_problem({{3, 1000}}, 1, 2, 1, 25);
    set_score(p, entry);
    const auto forward = attend(p.queries, p.keys, p.values, p.spec);
    const auto weights = attention_weights(p.queries, p.keys, p.spec, forward, 0, {0, 1, 2});
    CHECK((weights.rowwise().sum().array() - 1).abs().maxCoeff() < kSumTolerance);
    Matrix<double> keys = p.keys, values = p.values;
    for (Index j = 0; j < 1000; ++j) {
      keys.row(j) = p.keys.row((j * 7 + 3) % 1000);
      values.row(j) = p.values.row((j * 7 + 3) % 1000);
    }
    const auto permuted = attend(p.queries, keys, values, p.spec);
    const auto permuted_weights = attention_weights(p.queries, keys, p.spec, permuted, 0, {0, 1, 2});
    double error = (permuted.outputs - forward.outputs).cwiseAbs().maxCoeff();
    for (Index j = 0; j < 1000; ++j)
      error = std::max(error, (permuted_weights.col(j) - weights.col((j * 7 + 3) % 1000)).cwiseAbs().maxCoeff());
    CHECK(error < kSumTolerance);
  }
}

TEST_CASE("queries whose keys are all masked have output, weights and gradients 0", "[attention][limit]") {
  Packed p = packed_problem({{10, 6}, {2, 0}}, 2, 2, 2, 35);
  set_score(p, score_entry("dot_product"));
  p.spec.modifiers = {{temperature<double>(), {0.3}}, {window<double>(2), {}}};  // queries 8 and 9 see no key
  const Everything all = everything(p);
  for (const Index i : {8, 9, 10, 11}) {
    CHECK(all.forward.outputs.row(i).cwiseAbs().maxCoeff() == 0);
    CHECK(all.forward.log_sum_exp(i, 1) == -std::numeric_limits<double>::infinity());
    CHECK(all.gradients.queries.row(i).cwiseAbs().maxCoeff() == 0);
  }
  CHECK(all.forward.outputs.row(7).cwiseAbs().maxCoeff() > 0);
  CHECK(attention_weights(p.queries, p.keys, p.spec, all.forward, 0, {8, 10}).cwiseAbs().maxCoeff() == 0);
  CHECK(all.gradients.keys.allFinite());
  CHECK(std::isfinite(all.gradients.modifier_theta[0][0]));
}

TEST_CASE("temperature to 0 picks the nearest key, to infinity the plain mean; rate 0 changes nothing",
          "[attention][limit]") {
  const Matrix<double> queries = column({0.1, 0.8}), keys = column({0, 0.3, 1}), values = column({1, 2, 6});
  const auto cold = attend(queries, keys, values, gaussian_spec(std::log(1e-30)));
  CHECK(cold.outputs(0, 0) == 1);
  CHECK(cold.outputs(1, 0) == 6);
  const auto hot = attend(queries, keys, values, gaussian_spec(std::numeric_limits<double>::infinity()));
  CHECK(hot.outputs(0, 0) == 3);
  const auto frozen = attend(queries, keys, values, gaussian_spec(-std::numeric_limits<double>::infinity()));
  CHECK(frozen.outputs(0, 0) == 1);
  AttentionSpec<double> spec = gaussian_spec(0);
  const auto without = attend(queries, keys, values, spec);
  spec.modifiers.push_back({time_decay<double>(Vector<double>::Ones(2), Vector<double>::Random(3)),
                            {-std::numeric_limits<double>::infinity()}});
  CHECK(test::same_bits(attend(queries, keys, values, spec).outputs, without.outputs));
}

TEST_CASE("log distance is flat within its floor: equal and almost equal points have gradient 0",
          "[attention][limit]") {
  const Matrix<double> queries = column({0.5}), keys = column({0.5, 0.504, 0.497}), values = column({1, 5, 2});
  AttentionSpec<double> spec;
  spec.score = {log_distance_score<double>(0.01), {}};
  const auto result = attend(queries, keys, values, spec);
  CHECK(std::abs(result.outputs(0, 0) - 8.0 / 3) < kSumTolerance);
  const auto gradients = attend_backward(queries, keys, values, spec, result, column({1}));
  CHECK(gradients.queries(0, 0) == 0);
  CHECK(gradients.keys.cwiseAbs().maxCoeff() == 0);
}

TEST_CASE("scores of 1e30 and a temperature of 1e-30 stay finite", "[attention][limit]") {
  const Matrix<double> queries = column({1e30, -1e30, 1e200}), keys = column({1, -1, 1e30, 1e200}),
                       values = column({1, 2, 3, 4});
  for (const double log_tau : {0.0, std::log(1e-30), std::log(1e30)})
    for (const auto& entry : scores<double>()) {
      AttentionSpec<double> spec = gaussian_spec(log_tau);
      const ExampleProblem problem{3, 4, 1, {}, {}};
      spec.score = {entry.make(problem), entry.start(problem)};
      INFO(entry.name << ", log tau " << log_tau);
      const auto result = attend(queries, keys, values, spec);
      CHECK(result.outputs.allFinite());
      CHECK(result.outputs.minCoeff() >= 1);
      const auto gradients = attend_backward(queries, keys, values, spec, result, Matrix<double>::Ones(3, 1));
      CHECK(gradients.values.allFinite());
      Matrix<float> q(2, 1), k(2, 1), v(2, 1);
      q << 1e15F, -1e15F;
      k << 1e15F, 3;
      v << 1, 2;
      AttentionSpec<float> single;
      single.score = {dot_product_score<float>(), {}};
      single.modifiers = {{temperature<float>(), {static_cast<float>(log_tau)}}};
      CHECK(attend(q, k, v, single).outputs.allFinite());
    }
}

TEST_CASE("a NaN reaches the outputs of its row instead of vanishing", "[attention][limit]") {
  Matrix<double> queries = column({0.1, 0.2}), keys = column({0, 0.3}), values = column({1, 2});
  queries(1, 0) = std::numeric_limits<double>::quiet_NaN();
  const auto result = attend(queries, keys, values, gaussian_spec(0));
  CHECK(std::isfinite(result.outputs(0, 0)));
  CHECK(std::isnan(result.outputs(1, 0)));
}

TEST_CASE("memory grows with N: 20000 tokens, forward and backward, stay below 32 MiB", "[attention][memory]") {
  // A score matrix of 20000 x 20000 would be 3.2 GB. The window leaves little work, but masks nothing a matrix would
  // save.
  const Index n = 20000;
  const Matrix<double> tokens = random_matrix(n, 1, 45);
  AttentionSpec<double> spec = gaussian_spec(-1);
  spec.modifiers.push_back({window<double>(50), {}});
  const double before = peak_mebibytes(true);
  const auto forward = attend(tokens, tokens, tokens, spec);
  const auto gradients = attend_backward(tokens, tokens, tokens, spec, forward, tokens);
  CHECK(peak_mebibytes(false) - before < 32);
  CHECK(gradients.queries.allFinite());
}
