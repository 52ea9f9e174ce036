// Gradients through short lists, which are summed by key, against masks over all pairs.

#include "fovea/core/attention.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

constexpr double kListedTwin = 1e-13;  // sums of tens of terms of size 1 in another order

/// Sets of 60, 9 and 300 tokens; each sees a few, the fourth of a set none.
struct ListedProblem {
  std::vector<Index> offsets{0, 60, 69, 69, 369};
  std::shared_ptr<NeighbourLists> lists = std::make_shared<NeighbourLists>();
  std::vector<Matrix<double>> masks;
  Matrix<double> queries, keys, values, gradient;
  AttentionSpec<double> spec;

  explicit ListedProblem(Index key_heads, const char* score) {
    lists->offsets.push_back(0);
    for (std::size_t b = 0; b + 1 < offsets.size(); ++b) list_set(offsets[b], offsets[b + 1]);
    queries = random_matrix(369, 10, 1);
    keys = random_matrix(369, 5 * key_heads, 2);
    values = random_matrix(369, 3 * key_heads, 3);
    gradient = random_matrix(369, 6, 4);
    spec.score.function = score_entry(score).make({369, 369, 5, offsets, offsets, 2});
    spec.score.theta = score_entry(score).start({369, 369, 5, offsets, offsets, 2});
    spec.heads = 2;
    spec.key_heads = key_heads;
    spec.query_offsets = spec.key_offsets = offsets;
  }

  void list_set(Index first, Index end) {
    Matrix<double> mask = Matrix<double>::Constant(end - first, end - first, -std::numeric_limits<double>::infinity());
    for (Index i = 0; i < end - first; ++i) {
      for (Index j = (i * i) % 7; j < end - first && i != 3; j += (end - first) / 3 + 1) {
        lists->keys.push_back(first + j);
        mask(i, j) = 0;
      }
      lists->offsets.push_back(static_cast<Index>(lists->keys.size()));
    }
    masks.push_back(mask);
  }

  AttentionGradients<double> run(std::vector<ModifierTerm<double>> modifiers) {
    spec.modifiers = std::move(modifiers);
    return attend_backward(queries, keys, values, spec, attend(queries, keys, values, spec), gradient);
  }
};

double listed_difference(const AttentionGradients<double>& a, const AttentionGradients<double>& b) {
  return std::max({(a.queries - b.queries).cwiseAbs().maxCoeff(), (a.keys - b.keys).cwiseAbs().maxCoeff(),
                   (a.values - b.values).cwiseAbs().maxCoeff()});
}

}  // namespace

TEST_CASE("gradients through short lists are those through masks, also of shared keys and learned scores",
          "[attention][neighbours][twin]") {
  for (const char* score : {"dot_product", "general", "cosine", "gaussian"})
    for (const Index key_heads : {1, 2}) {
      INFO(score << " with key heads " << key_heads);
      ListedProblem p(key_heads, score);
      const auto by_lists = p.run({{neighbour_list<double>(p.lists), {}}});
      const auto by_masks = p.run({{fixed_pair_bias<double>(p.masks), {}}});
      CHECK(listed_difference(by_lists, by_masks) < kListedTwin);
    }
}

TEST_CASE("each listed pair takes the gradient of its own bias", "[attention][neighbours][twin]") {
  ListedProblem p(2, "dot_product");
  const std::size_t pairs = p.lists->keys.size();
  const auto listed = p.run({{listed_bias<double>(p.lists), std::vector<double>(2 * pairs, 0.0)}});
  std::size_t all = 0;
  for (const auto& mask : p.masks) all += mask.size();
  const auto dense = p.run({{fixed_pair_bias<double>(p.masks), {}},
                            {pair_bias<double>(p.offsets, p.offsets), std::vector<double>(2 * all, 0.0)}});
  std::vector<double> expected;
  for (std::size_t head = 0; head < 2; ++head) {
    std::size_t entry = head * all;
    for (const auto& mask : p.masks)
      for (const double allowed : mask.reshaped<Eigen::RowMajor>()) {
        if (allowed == 0) expected.push_back(dense.modifier_theta[1][entry]);
        ++entry;
      }
  }
  REQUIRE(expected.size() == 2 * pairs);
  double worst = 0;
  for (std::size_t k = 0; k < expected.size(); ++k)
    worst = std::max(worst, std::abs(listed.modifier_theta[0][k] - expected[k]));
  CHECK(worst < kListedTwin);
}

TEST_CASE("gradients through lists have the same bits for 1, 2, 3 and 5 threads", "[attention][neighbours][threads]") {
  ListedProblem p(1, "general");
  const auto run = [&] {
    return p.run({{listed_bias<double>(p.lists), std::vector<double>(2 * p.lists->keys.size(), 0.25)}});
  };
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const auto one = run();
  for (const int threads : {2, 3, 5}) {
    omp_set_num_threads(threads);
    CHECK(same_bits(run(), one));
  }
  omp_set_num_threads(before);
}
