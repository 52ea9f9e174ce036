#include "fovea/core/attention/hijacking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/attention/engine/weight_tiles.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea {
namespace {

/// The length of a row; the largest entry is divided out, so that no square overflows.
template <typename Real>
Real length_of(const Real* row, Index dimension) {
  Real largest = 0, squares = 0;
  for (Index c = 0; c < dimension; ++c) largest = std::max(largest, std::abs(row[c]));
  if (largest == 0) return largest;
  for (Index c = 0; c < dimension; ++c) squares += row[c] / largest * (row[c] / largest);
  return largest * std::sqrt(squares);
}

/// Of the keys of a head as they are compared.
template <typename Real>
Real longest_key(const Problem<Real>& problem, Index head) {
  Matrix<Real> keys = problem.keys_of(head);
  for (const ModifierTerm<Real>& term : problem.spec().modifiers)
    if (term.modifier->changes_keys()) term.modifier->change_keys(keys, head, term.parameters());
  Real longest = 0;
  for (Index j = 0; j < keys.rows(); ++j) longest = std::max(longest, length_of(keys.row(j).data(), keys.cols()));
  return longest;
}

/// The largest difference of two scores of a row; infinity where a part of the spec knows none.
template <typename Real>
Real difference_in(const AttentionSpec<Real>& spec, Index dimension, Index head, Real query_norm, Real key_norm) {
  TileRange range;
  range.head = head;
  Real difference = spec.score.function->largest_difference(query_norm, key_norm, dimension);
  for (const ModifierTerm<Real>& term : spec.modifiers)
    difference = term.modifier->largest_difference(range, difference, term.parameters());
  return difference;
}

/// What the queries of a block look at.
template <typename Real>
struct BlockLook {
  Index visible[kBlockQueries] = {};
  Real weight[kBlockQueries] = {};
  Index key[kBlockQueries] = {};

  void add(const Problem<Real>& problem, const AttentionResult<Real>& forward, const ScoreTile<Real>& tile, Index i,
           Index at) {
    for (Index j = 0; j < tile.key_count; ++j) visible[at] += tile.row(i)[j] != kMasked<Real>;
    weigh_row(problem, forward, tile, i);
    for (Index j = 0; j < tile.key_count; ++j)
      if (tile.row(i)[j] > weight[at]) {
        weight[at] = tile.row(i)[j];
        key[at] = tile.key(j);
      }
  }
};

template <typename Real>
HeadHijacking<Real> block_hijacking(const PackedKeys<Real>& packed, const AttentionResult<Real>& forward,
                                    const RowBlock& block, Real key_norm) {
  const Problem<Real>& problem = packed.problem();
  BlockLook<Real> look;
  for_each_tile(packed, block, [&](const ScoredTile<Real>& scored) {
    const ScoreTile<Real>& tile = scored.scores;
    for (Index i = 0; i < tile.query_count; ++i) look.add(problem, forward, tile, i, tile.query(i) - block.first);
  });
  HeadHijacking<Real> worst;
  for (Index i = 0; i < block.count; ++i) {
    if (look.visible[i] == 0) continue;
    const auto query = problem.queries_of(block.head).row(block.first + i);
    worst.bound =
        std::max(worst.bound, largest_weight_bound(problem.spec(), problem.dimension(), block.head,
                                                   length_of(query.data(), query.size()), key_norm, look.visible[i]));
    if (look.weight[i] > worst.weight) {
      worst.weight = look.weight[i];
      worst.query = block.first + i;
      worst.key = look.key[i];
    }
  }
  return worst;
}

template <typename Real>
void add_block(HeadHijacking<Real>& head, const HeadHijacking<Real>& block) {
  head.bound = std::max(head.bound, block.bound);
  if (!(block.weight > head.weight)) return;
  head.weight = block.weight;
  head.query = block.query;
  head.key = block.key;
}

}  // namespace

template <typename Real>
Real largest_weight_bound(Real largest_difference, Index visible_keys) {
  require(visible_keys >= 1, "largest_weight_bound: visible_keys = ", visible_keys, ", but must be at least 1.");
  require(largest_difference >= 0, "largest_weight_bound: largest_difference = ", largest_difference,
          ", but must be at least 0.");
  return Real(1) / (Real(1) + static_cast<Real>(visible_keys - 1) * exponential(-largest_difference));
}

template <typename Real>
Real largest_weight_bound(const AttentionSpec<Real>& spec, Index dimension, Index head, Real query_norm, Real key_norm,
                          Index visible_keys) {
  require(spec.score.function != nullptr, "largest_weight_bound: the spec has no score function.");
  check_head("largest_weight_bound", head, spec);
  require(query_norm >= 0, "largest_weight_bound: query_norm = ", query_norm, ", but must be at least 0.");
  require(key_norm >= 0, "largest_weight_bound: key_norm = ", key_norm, ", but must be at least 0.");
  Real difference = difference_in(spec, dimension, head, query_norm, key_norm);
  if (spec.normalizer || std::isnan(difference)) difference = std::numeric_limits<Real>::infinity();
  return largest_weight_bound(difference, visible_keys);
}

template <typename Real>
std::vector<HeadHijacking<Real>> attention_hijacking(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                                                     const AttentionSpec<Real>& spec,
                                                     const AttentionResult<Real>& forward,
                                                     std::type_identity_t<Real> key_norm) {
  const Problem<Real> problem("attention_hijacking", queries, keys, spec);
  problem.check_forward("attention_hijacking", forward);
  const PackedKeys<Real> packed(problem, nullptr);
  std::vector<HeadHijacking<Real>> heads(spec.heads);
  for (Index h = 0; h < spec.heads; ++h) heads[h].key_norm = std::max(key_norm, longest_key(problem, h));
  const std::vector<RowBlock> blocks = problem.query_blocks();
  std::vector<HeadHijacking<Real>> parts(blocks.size());
  for_each_task(static_cast<Index>(blocks.size()), problem.worth_threads(), [&](Index b) {
    const RowBlock& block = blocks[b];
    parts[b] = block_hijacking(packed, forward, block, heads[block.head].key_norm);
  });
  for (std::size_t b = 0; b < blocks.size(); ++b) add_block(heads[blocks[b].head], parts[b]);
  return heads;
}

#define FOVEA_HIJACKING(Real)                                                                                       \
  template Real largest_weight_bound(Real, Index);                                                                  \
  template Real largest_weight_bound(const AttentionSpec<Real>&, Index, Index, Real, Real, Index);                  \
  template std::vector<HeadHijacking<Real>> attention_hijacking(const MatrixInput<Real>&, const MatrixInput<Real>&, \
                                                                const AttentionSpec<Real>&,                         \
                                                                const AttentionResult<Real>&, Real);
FOVEA_HIJACKING(float)
FOVEA_HIJACKING(double)

}  // namespace fovea
