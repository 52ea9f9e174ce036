// Pictures of the weights that need no N x M matrix: the largest of each tile, the top keys of each row.

#include "fovea/core/attention.hpp"
#include "fovea/tests/support/peak_memory.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/sanitizers.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

// Entropy: a few hundred terms below 1/e, rounded at 1e-16: x 100.
constexpr double kEntropyTolerance = 1e-13;

struct Pictured {
  Packed problem;
  AttentionResult<double> forward;
  Matrix<double> weights;  ///< of head 1
};

/// The second set has 45 x 609 pairs.
Pictured pictured(const char* mask, const std::shared_ptr<const Normalizer<double>>& normalizer) {
  Pictured all{packed_problem({{70, 300}, {45, 609}, {2, 0}}, 2, 2, 1, 217), {}, {}};
  Packed& p = all.problem;
  set_score(p, score_entry("gaussian"));
  add_modifier(p, modifier_entry("temperature"));
  add_modifier(p, modifier_entry(mask));
  p.spec.normalizer = normalizer;
  all.forward = attend(p.queries, p.keys, p.values, p.spec);
  std::vector<Index> rows(p.queries.rows());
  std::iota(rows.begin(), rows.end(), Index(0));
  all.weights = attention_weights(p.queries, p.keys, p.spec, all.forward, 1, rows);
  return all;
}

Matrix<double> tiles_of(const Pictured& all, Index set, Index rows, Index columns) {
  const Packed& p = all.problem;
  return attention_tiles(p.queries, p.keys, p.spec, all.forward, 1, set, rows, columns);
}

AttentionTop<double> top_of(const Pictured& all, Index count, const std::vector<Index>& rows = {}) {
  const Packed& p = all.problem;
  return attention_top(p.queries, p.keys, p.spec, all.forward, 1, count, rows);
}

std::vector<Index> keys_by_weight(const Eigen::RowVectorXd& weights) {
  std::vector<Index> keys(weights.size());
  std::iota(keys.begin(), keys.end(), Index(0));
  std::stable_sort(keys.begin(), keys.end(), [&](Index a, Index b) { return weights[a] > weights[b]; });
  return keys;
}

double plain_entropy(const Eigen::RowVectorXd& weights) {
  double entropy = 0;
  for (const double w : weights)
    if (w > 0) entropy -= w * std::log(w);
  return entropy;
}

void check_top_row(const AttentionTop<double>& top, Index row, const Eigen::RowVectorXd& weights) {
  const std::vector<Index> expected = keys_by_weight(weights);
  for (Index t = 0; t < top.keys.cols(); ++t) {
    const Index key = expected[t];
    CHECK(top.weights(row, t) == weights[key]);
    CHECK(top.keys(row, t) == (weights[key] > 0 ? key : -1));
  }
  CHECK(std::abs(top.entropy[row] - plain_entropy(weights)) < kEntropyTolerance);
}

}  // namespace

TEST_CASE("tiles hold the largest weight of their rectangle", "[attention][twin]") {
  for (const char* mask : {"causal", "neighbour_list", "time_decay"})
    for (const auto& entry : normalizers<double>()) {
      const Pictured all = pictured(mask, entry.make());
      for (const auto& [rows, columns] : std::vector<std::pair<Index, Index>>{{1, 1}, {7, 10}, {45, 609}, {44, 3}}) {
        Matrix<double> expected = Matrix<double>::Zero(rows, columns);
        for (Index i = 0; i < 45; ++i)
          for (Index j = 0; j < 609; ++j) {
            double& largest = expected(i * rows / 45, j * columns / 609);
            largest = std::max(largest, all.weights(70 + i, 300 + j));
          }
        INFO(entry.name << " behind " << mask << ", " << rows << " x " << columns);
        CHECK(test::same_bits(tiles_of(all, 1, rows, columns), expected));
      }
    }
}

TEST_CASE("the top keys of a row are its largest weights, ties in the order of keys; the entropy is that of the row",
          "[attention][twin]") {
  for (const char* mask : {"causal", "neighbour_list"})
    for (const auto& entry : normalizers<double>()) {
      INFO(entry.name << " behind " << mask);
      const Pictured all = pictured(mask, entry.make());
      const AttentionTop<double> top = top_of(all, 5);
      REQUIRE(top.keys.rows() == 117);
      for (Index i = 0; i < 117; i += 13) check_top_row(top, i, all.weights.row(i));
      const std::vector<Index> rows{116, 3, 4, 5, 71, 70, 69, 3};
      const AttentionTop<double> chosen = top_of(all, 2, rows);
      for (std::size_t r = 0; r < rows.size(); ++r)
        check_top_row(chosen, static_cast<Index>(r), all.weights.row(rows[r]));
    }
}

TEST_CASE("equal weights are listed by key, their entropy is log M, and a masked row has none", "[attention][limit]") {
  const Matrix<double> queries = Matrix<double>::Zero(6, 1), keys = Matrix<double>::Zero(3, 1);
  AttentionSpec<double> spec;
  spec.score = {gaussian_score<double>(), {}};
  spec.modifiers = {{window<double>(2), {}}};  // query 5 sees no key
  const auto forward = attend(queries, keys, keys, spec);
  const auto top = attention_top(queries, keys, spec, forward, 0, 4);
  CHECK(top.keys(0, 0) == 0);
  CHECK(top.keys(0, 1) == 1);
  CHECK(top.keys(0, 2) == 2);
  CHECK(top.keys(0, 3) == -1);
  CHECK(top.weights(0, 3) == 0);
  CHECK(std::abs(top.entropy[0] - std::log(3)) < kEntropyTolerance);
  CHECK(top.keys(5, 0) == -1);
  CHECK(top.entropy[5] == 0);
}

TEST_CASE("a NaN shows in the tile and the row that has it", "[attention][limit]") {
  Matrix<double> queries = Matrix<double>::Zero(4, 1), keys = Matrix<double>::Zero(3, 1);
  queries(2, 0) = std::numeric_limits<double>::quiet_NaN();
  AttentionSpec<double> spec;
  spec.score = {gaussian_score<double>(), {}};
  const auto forward = attend(queries, keys, keys, spec);
  const auto top = attention_top(queries, keys, spec, forward, 0, 2);
  CHECK(std::isnan(top.entropy[2]));
  CHECK(std::isnan(top.weights(2, 0)));
  CHECK(top.keys(2, 0) == -1);
  CHECK(std::isfinite(top.entropy[1]));
  const auto tiles = attention_tiles(queries, keys, spec, forward, 0, 0, 2, 2);
  CHECK(tiles.row(0).allFinite());
  CHECK(tiles.row(1).array().isNaN().all());
}

TEST_CASE("tiles and top keys have the same bits for 1, 2, 3 and 5 threads", "[attention][threads]") {
  const int before = omp_get_max_threads();
  for (const char* mask : {"time_decay", "neighbour_list"}) {
    omp_set_num_threads(1);
    const Pictured all = pictured(mask, nullptr);
    const Matrix<double> tiles = tiles_of(all, 1, 3, 8);
    const AttentionTop<double> top = top_of(all, 3);
    for (const int threads : {2, 3, 5}) {
      omp_set_num_threads(threads);
      CHECK(test::same_bits(tiles_of(all, 1, 3, 8), tiles));
      const AttentionTop<double> again = top_of(all, 3);
      CHECK(test::same_bits(again.weights, top.weights));
      CHECK((again.keys.array() == top.keys.array()).all());
      CHECK((again.entropy.array() == top.entropy.array()).all());
    }
  }
  omp_set_num_threads(before);
}

TEST_CASE("tiles and top keys say what is wrong with what they are asked for", "[attention][error]") {
  const Pictured all = pictured("causal", nullptr);
  CHECK_THROWS_WITH(tiles_of(all, 3, 1, 1), "attention_tiles: set = 3, but must be from 0 to 2.");
  CHECK_THROWS_WITH(tiles_of(all, 1, 46, 1),
                    "attention_tiles: rows = 46, but must be from 1 to 45, the number of queries in set 1.");
  CHECK_THROWS_WITH(tiles_of(all, 0, 1, 0),
                    "attention_tiles: columns = 0, but must be from 1 to 300, the number of keys in set 0.");
  CHECK_THROWS_WITH(top_of(all, 0), "attention_top: count = 0, but must be at least 1 key of each row.");
  CHECK_THROWS_WITH(top_of(all, 1, {117}), "attention_top: row 117 is asked for, but there are 117 queries.");
  AttentionResult<double> softmax = all.forward;
  AttentionSpec<double> spec = all.problem.spec;
  spec.normalizer = sparsemax<double>();
  CHECK_THROWS_WITH(attention_top(all.problem.queries, all.problem.keys, spec, softmax, 1, 1),
                    "attention_top: the forward result has no thresholds; pass what attend() gave with the same "
                    "normaliser.");
}

// A score matrix would take 3200 MB. The address sanitizer keeps what is freed for a while.
const double kMostMebibytes = support::address_sanitizer() ? 96 : 32;

TEST_CASE("whole rows, tiles and top keys of 20000 tokens stay below 32 MiB", "[attention][normalizer][memory][long]") {
  // The weights of 20000 x 20000 pairs would be 3.2 GB. The window leaves little work, but no smaller matrix.
  const Matrix<double> tokens = random_matrix(20000, 1, 247);
  AttentionSpec<double> spec;
  spec.score = {gaussian_score<double>(), {}};
  spec.modifiers = {{window<double>(50), {}}};
  spec.normalizer = sparsemax<double>();
  const double before = peak_mebibytes(true);
  const auto forward = attend(tokens, tokens, tokens, spec);
  const auto gradients = attend_backward(tokens, tokens, tokens, spec, forward, tokens);
  const auto tiles = attention_tiles(tokens, tokens, spec, forward, 0, 0, 100, 100);
  const auto top = attention_top(tokens, tokens, spec, forward, 0, 4);
  CHECK(peak_mebibytes(false) - before < kMostMebibytes);
  CHECK(gradients.queries.allFinite());
  CHECK(tiles(50, 50) > 0);
  CHECK(tiles(0, 50) == 0);
  CHECK(top.entropy.maxCoeff() <= std::log(101));
}
