#include "fovea/core/attention/engine/weight_tiles.hpp"

#include <algorithm>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {

template <typename Real>
void weigh_row(const Problem<Real>& problem, const AttentionResult<Real>& forward, const ScoreTile<Real>& tile,
               Index i) {
  const Index query = tile.query(i), head = tile.head;
  const std::span<Real> row(tile.row(i), tile.key_count);
  const Real maximum = forward.max_score(query, head), sum = forward.sum_exp(query, head);
  if (!problem.spec().normalizer) {
    const Real inverse = sum == Real(0) ? Real(0) : Real(1) / sum;
    kernels<Real>().blocks.weights(1, tile.key_count, row.data(), 0, &maximum, &inverse);
    return;
  }
  if (maximum == kMasked<Real>) {
    std::fill(row.begin(), row.end(), Real(0));
    return;
  }
  const NeighbourLists* lists = problem.lists();
  const Index place = lists ? tile.key_list - lists->keys.data() - lists->offsets[query] : tile.key_position(0);
  problem.spec().normalizer->weigh(row, place, {maximum, sum, forward.threshold(query, head)}, row.data(), nullptr);
}

template <typename Real>
std::vector<NamedRows> named_rows(const Problem<Real>& problem, Index head, const std::vector<Index>& rows) {
  std::vector<Index> all;
  if (rows.empty()) {
    all.resize(problem.query_count());
    std::iota(all.begin(), all.end(), Index(0));
  }
  const std::vector<Index>& named = rows.empty() ? all : rows;
  std::vector<NamedRows> cut;
  for (std::size_t r = 0; r < named.size(); ++r) {
    const Index set = problem.set_of_query(named[r]);
    RowBlock* last = cut.empty() ? nullptr : &cut.back().block;
    if (last && last->set == set && last->first + last->count == named[r] && last->count < kBlockQueries)
      ++last->count;
    else
      cut.push_back({{set, head, named[r], 1}, static_cast<Index>(r)});
  }
  return cut;
}

template <typename Real>
void check_head(std::string_view who, Index head, const AttentionSpec<Real>& spec) {
  require(0 <= head && head < spec.heads, who, ": head = ", head, ", but must be from 0 to ", spec.heads - 1, ".");
}

void check_rows(std::string_view who, const std::vector<Index>& rows, Index queries) {
  for (const Index row : rows)
    require(0 <= row && row < queries, who, ": row ", row, " is asked for, but there are ", queries, " queries.");
}

#define FOVEA_WEIGHT_TILES(Real)                                                                              \
  template void weigh_row(const Problem<Real>&, const AttentionResult<Real>&, const ScoreTile<Real>&, Index); \
  template std::vector<NamedRows> named_rows(const Problem<Real>&, Index, const std::vector<Index>&);         \
  template void check_head(std::string_view, Index, const AttentionSpec<Real>&);
FOVEA_WEIGHT_TILES(float)
FOVEA_WEIGHT_TILES(double)

}  // namespace fovea
