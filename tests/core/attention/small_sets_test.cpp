// Small sets without modifiers go another way than the walk over tiles, and nobody can tell from the results.

#include "fovea/core/attention.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

// Around the borders of registers, groups and blocks of queries, up to the largest set that goes the other way.
const std::vector<std::pair<Index, Index>> kSmallSetSizes{{4, 1},   {16, 2},  {17, 15},  {33, 16},  {64, 17},  {65, 31},
                                                          {8, 100}, {3, 9},   {130, 33}, {20, 256}, {20, 257}, {0, 5},
                                                          {12, 0},  {97, 97}, {1, 40},   {31, 255}};

template <typename Real>
struct SmallSetCall {
  Matrix<Real> queries, keys, values;
  AttentionSpec<Real> spec;
  AttentionResult<Real> run() const { return attend(queries, keys, values, spec); }
  /// The same with a modifier that leaves every pair as it is: the walk takes it.
  AttentionResult<Real> walked() const {
    AttentionSpec<Real> walk = spec;
    walk.modifiers.push_back({window<Real>(100000), {}});
    return attend(queries, keys, values, walk);
  }
};

template <typename Real>
SmallSetCall<Real> small_set_call(const char* score, Index dimension, Index value_columns, Index key_heads = 2) {
  Packed p = packed_problem(kSmallSetSizes, 2, dimension, value_columns, 71);
  set_score(p, score_entry(score));
  SmallSetCall<Real> call;
  call.queries = (3 * p.queries).cast<Real>();
  call.keys = (3 * p.keys).leftCols(key_heads * dimension).cast<Real>();
  call.values = p.values.leftCols(key_heads * value_columns).cast<Real>();
  call.spec.heads = 2;
  call.spec.key_heads = key_heads;
  call.spec.query_offsets = p.spec.query_offsets;
  call.spec.key_offsets = p.spec.key_offsets;
  for (const auto& entry : scores<Real>())
    if (entry.name == score) call.spec.score.function = entry.make(p.example);
  for (const double theta : p.spec.score.theta) call.spec.score.theta.push_back(static_cast<Real>(theta));
  return call;
}

template <typename Real>
bool same_bits(const AttentionResult<Real>& a, const AttentionResult<Real>& b) {
  return test::same_bits(a.outputs, b.outputs) && test::same_bits(a.log_sum_exp, b.log_sum_exp) &&
         test::same_bits(a.max_score, b.max_score) && test::same_bits(a.sum_exp, b.sum_exp);
}

template <typename Real>
void check_small_sets() {
  for (const char* score : {"dot_product", "cosine", "general"})
    for (const Index dimension : {1, 7, 16, 17, 64})
      for (const Index value_columns : {8, 9, 16, 33}) {
        INFO(score << ", d " << dimension << ", dv " << value_columns);
        const SmallSetCall<Real> call = small_set_call<Real>(score, dimension, value_columns);
        CHECK(same_bits(call.run(), call.walked()));
      }
}

}  // namespace

TEST_CASE("small sets have the bits of the walk over tiles, whatever their size, width and score",
          "[attention][small][property]") {
  check_small_sets<float>();
  check_small_sets<double>();
}

TEST_CASE("small sets whose heads share keys have the bits of the walk", "[attention][small][property]") {
  const SmallSetCall<float> call = small_set_call<float>("dot_product", 16, 16, 1);
  CHECK(same_bits(call.run(), call.walked()));
}

TEST_CASE("small sets have the same bits for 1, 2, 3 and 5 threads", "[attention][small][threads]") {
  const int before = omp_get_max_threads();
  const SmallSetCall<float> call = small_set_call<float>("cosine", 16, 16);
  omp_set_num_threads(1);
  const AttentionResult<float> one = call.run();
  for (const int threads : {2, 3, 5}) {
    omp_set_num_threads(threads);
    CHECK(same_bits(call.run(), one));
  }
  omp_set_num_threads(before);
}

TEST_CASE("in a small set scores of 1e30 and more stay finite, and a NaN reaches the outputs of its row alone",
          "[attention][small][limit]") {
  SmallSetCall<float> call = small_set_call<float>("dot_product", 16, 16);
  const AttentionResult<float> calm = call.run();
  call.queries.row(30).setConstant(1e30F);
  call.queries.row(31).setConstant(-3e38F);
  call.queries(32, 3) = std::numeric_limits<float>::quiet_NaN();
  const AttentionResult<float> wild = call.run();
  for (Index i = 0; i < call.queries.rows(); ++i) {
    const Matrix<float> outputs = wild.outputs.row(i).leftCols(16), others = calm.outputs.row(i).leftCols(16);
    if (i == 32)
      CHECK(outputs.array().isNaN().all());
    else if (i == 30 || i == 31)
      CHECK(outputs.allFinite());
    else
      CHECK(test::same_bits(outputs, others));
  }
}
