#include "fovea/core/attention/engine/small_sets.hpp"

#include <algorithm>

#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

constexpr Index kWidestRow = 64;  // columns: up to here it was measured to be no slower

template <typename Real>
struct SmallSetMemory {
  AlignedVector<Real> queries, packed, scores, outputs, maximum, sums;
  static SmallSetMemory& mine() {
    static thread_local SmallSetMemory memory;
    return memory;
  }
};

/// The queries of a strip as columns of one group.
template <typename Real>
const Real* strip_of(const Problem<Real>& problem, Index head, Index first, Index count) {
  SmallSetMemory<Real>& memory = SmallSetMemory<Real>::mine();
  const Index columns = problem.prepared_columns();
  Real* packed = room(memory.packed, kGroup<Real> * columns);
  const MatrixView<Real> queries = problem.queries_of(head);
  RowSource<Real> rows{queries.data(), queries.outerStride(), columns, first};
  if (problem.score().prepares()) {
    Real* prepared = room(memory.queries, count * columns);
    prepare_queries(problem, head, first, count, prepared);
    rows = {prepared, columns, columns};
  }
  pack_columns(rows, count, packed);
  return packed;
}

/// Scores that stand by keys go through the modifiers.
template <typename Real>
void modify(const Problem<Real>& problem, const RowBlock& strip, Index keys, Real* scores) {
  if (problem.spec().modifiers.empty()) return;
  ScoreTile<Real> tile;
  static_cast<TileRange&>(tile) = problem.range(strip, problem.first_key(strip.set), keys);
  tile.scores = scores;
  tile.stride = kGroup<Real>;
  for (const ModifierTerm<Real>& term : problem.spec().modifiers) term.modifier->apply_by_keys(tile, term.parameters());
}

/// A strip of queries: kGroup at most, one group of columns.
template <typename Real>
void small_set_strip(const PackedKeys<Real>& packed, const RowBlock& strip, AttentionResult<Real>& result) {
  const Problem<Real>& problem = packed.problem();
  const BlockKernels<Real>& kernel = kernels<Real>().blocks;
  SmallSetMemory<Real>& memory = SmallSetMemory<Real>::mine();
  const Index terms = problem.prepared_columns(), columns = packed.value_columns();
  const Index count = problem.first_key(strip.set + 1) - problem.first_key(strip.set);
  const RowSource<Real> keys = packed.keys_of(strip.head, strip.set);
  const RowSource<Real> values = packed.values_of(problem.key_head(strip.head), strip.set);
  const RightOperand<Real> queries{strip_of(problem, strip.head, strip.first, strip.count), kGroup<Real>, 0};
  Real* scores = room(memory.scores, kTileKeys * kGroup<Real>);
  Real *maximum = room(memory.maximum, kGroup<Real>), *sums = room(memory.sums, 2 * kGroup<Real>);
  kernel.scores(count, strip.count, terms, {keys.row(0), keys.stride, 1}, queries,
                problem.score().factor(problem.dimension()), scores, kGroup<Real>);
  modify(problem, strip, count, scores);
  kernel.softmax_columns(strip.count, count, scores, kGroup<Real>, maximum, sums);
  Real* outputs = zeros(memory.outputs, columns * kGroup<Real>);
  kernel.add_product(columns, strip.count, count, {values.row(0), 1, values.stride}, {scores, kGroup<Real>, 0}, nullptr,
                     outputs, kGroup<Real>);
  Real* logs = sums + kGroup<Real>;
  for (Index i = 0; i < strip.count; ++i) logs[i] = sums[i] == Real(0) ? Real(1) : sums[i];
  kernel.divide_columns(strip.count, columns, outputs, kGroup<Real>, logs);
  unpack_columns(outputs, strip.count, columns,
                 result.outputs.data() + strip.first * result.outputs.cols() + strip.head * columns,
                 result.outputs.cols());
  kernels<Real>().logarithms(logs, strip.count);
  for (Index i = 0; i < strip.count; ++i) {
    result.max_score(strip.first + i, strip.head) = maximum[i];
    result.sum_exp(strip.first + i, strip.head) = sums[i];
    result.log_sum_exp(strip.first + i, strip.head) = logs[i] + maximum[i];
  }
}

}  // namespace

template <typename Real>
SmallSets<Real>::SmallSets(const Problem<Real>& problem, Index value_columns) : problem_(problem) {
  const AttentionSpec<Real>& spec = problem.spec();
  const bool by_keys = std::all_of(spec.modifiers.begin(), spec.modifiers.end(), [](const ModifierTerm<Real>& term) {
    return term.modifier->works_by_keys() && !term.modifier->changes_keys();
  });
  plain_ = by_keys && !spec.normalizer && !problem.skips() && problem.score().comparison() == Comparison::product &&
           !problem.score().finishes() && problem.prepared_columns() <= kWidestRow && kWide <= value_columns &&
           value_columns <= kWidestRow;
}

// Less than half a register of queries is left to the walk.
template <typename Real>
bool SmallSets<Real>::has(Index set) const {
  const Index keys = problem_.first_key(set + 1) - problem_.first_key(set);
  const Index queries = problem_.first_query(set + 1) - problem_.first_query(set);
  return plain_ && problem_.is_rectangle(set) && 0 < keys && keys <= kTileKeys && 2 * queries >= kLanes<Real>;
}

template <typename Real>
void small_set_block(const PackedKeys<Real>& packed, const RowBlock& block, AttentionResult<Real>& result) {
  for (Index i = 0; i < block.count; i += kGroup<Real>)
    small_set_strip(packed, {block.set, block.head, block.first + i, std::min(kGroup<Real>, block.count - i)}, result);
}

#define FOVEA_SMALL_SETS(Real)    \
  template class SmallSets<Real>; \
  template void small_set_block(const PackedKeys<Real>&, const RowBlock&, AttentionResult<Real>&);
FOVEA_SMALL_SETS(float)
FOVEA_SMALL_SETS(double)

}  // namespace fovea
