#include <cmath>
#include <limits>

#include "fovea/core/attention/attention_weights.hpp"
#include "fovea/core/attention/engine/weight_tiles.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea {
namespace {

/// Puts a weight in its place among the largest of a row. Keys come in ascending order, so an equal one stands behind.
template <typename Real>
void insert_weight(Real weight, Index key, Index count, Real* weights, Index* keys) {
  Index place = count - 1;
  for (; place > 0 && weights[place - 1] < weight; --place) {
    weights[place] = weights[place - 1];
    keys[place] = keys[place - 1];
  }
  weights[place] = weight;
  keys[place] = key;
}

/// Adds the weights of a tile's row; returns what they add to the entropy.
template <typename Real>
double take_top(const ScoreTile<Real>& tile, Index i, Index count, Real* weights, Index* keys) {
  double entropy = 0;
  for (Index j = 0; j < tile.key_count; ++j) {
    const Real weight = tile.row(i)[j];
    if (weight > weights[count - 1]) insert_weight(weight, tile.key(j), count, weights, keys);
    if (!(weight < std::numeric_limits<Real>::min()))  // below, w log w is nothing
      entropy -= static_cast<double>(weight) * static_cast<double>(logarithm(weight));
  }
  return entropy;
}

template <typename Real>
void finish_row(AttentionTop<Real>& top, Index row, double entropy) {
  top.entropy[row] = static_cast<Real>(std::abs(entropy));  // of one key: -0
  if (!std::isnan(entropy)) return;
  top.weights.row(row).setConstant(std::numeric_limits<Real>::quiet_NaN());
  top.keys.row(row).setConstant(-1);
}

}  // namespace

template <typename Real>
AttentionTop<Real> attention_top(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                                 const AttentionSpec<Real>& spec, const AttentionResult<Real>& forward, Index head,
                                 Index count, const std::vector<Index>& rows) {
  const Problem<Real> problem("attention_top", queries, keys, spec);
  problem.check_forward("attention_top", forward);
  check_head("attention_top", head, spec);
  check_rows("attention_top", rows, queries.rows());
  require(count >= 1, "attention_top: count = ", count, ", but must be at least 1 key of each row.");
  const PackedKeys<Real> packed(problem, nullptr);
  const Index row_count = rows.empty() ? queries.rows() : static_cast<Index>(rows.size());
  AttentionTop<Real> top;
  top.keys.setConstant(row_count, count, -1);
  top.weights.setZero(row_count, count);
  top.entropy.setZero(row_count);
  const std::vector<NamedRows> blocks = named_rows(problem, head, rows);
  for_each_task(static_cast<Index>(blocks.size()), problem.worth_threads(), [&](Index b) {
    const NamedRows& named = blocks[b];
    double entropy[kBlockQueries] = {};
    for_each_weight_tile(packed, forward, named.block, [&](const ScoreTile<Real>& tile) {
      for (Index i = 0; i < tile.query_count; ++i) {
        const Index at = tile.query(i) - named.block.first, row = named.place + at;
        entropy[at] += take_top(tile, i, count, top.weights.row(row).data(), top.keys.row(row).data());
      }
    });
    for (Index i = 0; i < named.block.count; ++i) finish_row(top, named.place + i, entropy[i]);
  });
  return top;
}

#define FOVEA_TOP(Real)                                                                                             \
  template AttentionTop<Real> attention_top(const MatrixInput<Real>&, const MatrixInput<Real>&,                     \
                                            const AttentionSpec<Real>&, const AttentionResult<Real>&, Index, Index, \
                                            const std::vector<Index>&);
FOVEA_TOP(float)
FOVEA_TOP(double)

}  // namespace fovea
