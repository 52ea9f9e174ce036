#include "fovea/core/attention/engine/walk.hpp"

#include <atomic>

#include "fovea/core/base/parallel.hpp"

namespace fovea {
namespace {

/// What a thread has packed last: a set of a call and the copy of its keys, or the head of its values.
struct PackedLast {
  std::uint64_t call = 0;
  Index set = -1, copy = -1;
  bool operator==(const PackedLast&) const = default;
};

/// Memory of a thread for a small set or a gathered list, the prepared queries of a block and the scores of a tile.
template <typename Real>
struct WalkMemory {
  AlignedVector<Real> keys, values, queries, scores;
  PackedLast keys_of, values_of;
  static WalkMemory& mine() {
    static thread_local WalkMemory memory;
    return memory;
  }
};

std::uint64_t next_call() {
  static std::atomic<std::uint64_t> calls{0};
  return ++calls;
}

}  // namespace

template <typename Real>
std::vector<RowSkips<Real>>& row_skips() {
  static thread_local std::vector<RowSkips<Real>> rows;
  return rows;
}

template <typename Real>
PackedKeys<Real>::PackedKeys(const Problem<Real>& problem, const MatrixView<Real>* values)
    : problem_(problem),
      prepared_(problem),
      given_values_(values),
      value_columns_(values ? values->cols() / problem.key_heads() : 0),
      number_(next_call()) {
  if (problem.skips()) skipping_.emplace(problem, prepared_);
  if (problem.lists()) return;
  room_before_.push_back(0);
  for (Index set = 0; set < problem.set_count(); ++set)
    room_before_.push_back(room_before_.back() + (is_small(set) ? 0 : whole_groups<Real>(size_of(set))));
  room(keys_, prepared_.copies() * room_before_.back() * problem.prepared_columns());
  room(values_, problem.key_heads() * room_before_.back() * value_width());
  const Index parts = prepared_.copies() + (values ? problem.key_heads() : 0);
  std::vector<Index> large;
  for (Index set = 0; set < problem.set_count(); ++set)
    if (!is_small(set)) large.push_back(set);
  for_each_task(static_cast<Index>(large.size()) * parts, problem.worth_threads(),
                [&](Index task) { pack_set(large[task / parts], task % parts); });
}

template <typename Real>
RowSource<Real> PackedKeys<Real>::keys_of(Index head, Index set) const {
  RowSource<Real> rows = prepared_.of(head);
  rows.first = problem_.first_key(set);
  return rows;
}

template <typename Real>
RowSource<Real> PackedKeys<Real>::values_of(Index key_head, Index set) const {
  return {given_values_->data() + key_head * value_columns_, given_values_->outerStride(), value_columns_,
          problem_.first_key(set)};
}

template <typename Real>
void PackedKeys<Real>::pack_values(const RowSource<Real>& rows, Index count, Real* packed) const {
  if (value_columns_ < kWide)
    pack_columns(rows, count, packed);
  else
    pack_rows(rows, count, packed);
}

// part: a copy of the keys, or behind them a head of the values
template <typename Real>
void PackedKeys<Real>::pack_set(Index set, Index part) {
  const Index copies = prepared_.copies(), before = room_before_[set];
  if (part >= copies) {
    Real* place = values_.data() + ((part - copies) * room_before_.back() + before) * value_width();
    pack_values(values_of(part - copies, set), size_of(set), place);
    return;
  }
  const Index head = copies == problem_.heads() ? part : part * (problem_.heads() / problem_.key_heads());
  pack_columns(keys_of(head, set), size_of(set),
               keys_.data() + (part * room_before_.back() + before) * problem_.prepared_columns());
}

template <typename Real>
const Real* PackedKeys<Real>::small_keys(Index head, Index set) const {
  WalkMemory<Real>& memory = WalkMemory<Real>::mine();
  const PackedLast wanted{number_, set, prepared_.copy_of(head)};
  if (memory.keys_of == wanted) return memory.keys.data();
  pack_columns(keys_of(head, set), size_of(set),
               room(memory.keys, column_room<Real>(size_of(set), problem_.prepared_columns())));
  memory.keys_of = wanted;
  return memory.keys.data();
}

template <typename Real>
const Real* PackedKeys<Real>::small_values(Index key_head, Index set) const {
  WalkMemory<Real>& memory = WalkMemory<Real>::mine();
  const PackedLast wanted{number_, set, key_head};
  if (memory.values_of == wanted) return memory.values.data();
  pack_values(values_of(key_head, set), size_of(set),
              room(memory.values, whole_groups<Real>(size_of(set)) * value_width()));
  memory.values_of = wanted;
  return memory.values.data();
}

template <typename Real>
RightOperand<Real> PackedKeys<Real>::keys(const TileRange& range, Index set) const {
  const Index columns = problem_.prepared_columns();
  if (range.key_list) {
    RowSource<Real> rows = prepared_.of(range.head);
    rows.list = range.key_list;
    WalkMemory<Real>& memory = WalkMemory<Real>::mine();
    memory.keys_of = {};
    Real* gathered = room(memory.keys, column_room<Real>(range.key_count, columns));
    pack_columns(rows, range.key_count, gathered);
    return columns_operand(gathered, columns);
  }
  const Real* of_set =
      is_small(set)
          ? small_keys(range.head, set)
          : keys_.data() + (prepared_.copy_of(range.head) * room_before_.back() + room_before_[set]) * columns;
  return columns_operand(of_set + range.key_position(0) * columns, columns);
}

template <typename Real>
RightOperand<Real> PackedKeys<Real>::values(const TileRange& range, Index set) const {
  if (!given_values_) return {nullptr, 0, 0};
  const Index columns = value_columns_, key_head = problem_.key_head(range.head);
  const auto operand = [&](const Real* packed) {
    return columns < kWide ? columns_operand(packed, columns) : rows_operand(packed, columns);
  };
  if (range.key_list) {
    RowSource<Real> rows = values_of(key_head, set);
    rows.list = range.key_list;
    WalkMemory<Real>& memory = WalkMemory<Real>::mine();
    memory.values_of = {};
    Real* gathered = room(memory.values, whole_groups<Real>(range.key_count) * value_width());
    pack_values(rows, range.key_count, gathered);
    return operand(gathered);
  }
  const Real* of_set = is_small(set)
                           ? small_values(key_head, set)
                           : values_.data() + (key_head * room_before_.back() + room_before_[set]) * value_width();
  return operand(of_set + range.key_position(0) * value_width());
}

template <typename Real>
void PackedKeys<Real>::expect(const TileRange& range, Index set) const {
  RowSource<Real> rows = prepared_.of(range.head);
  rows.list = range.key_list;
  expect_rows(rows, range.key_count);
  if (!given_values_) return;
  RowSource<Real> values = values_of(problem_.key_head(range.head), set);
  values.list = range.key_list;
  expect_rows(values, range.key_count);
}

template <typename Real>
QueryRows<Real>::QueryRows(const Problem<Real>& problem, const RowBlock& block)
    : first_(block.first), columns_(problem.prepared_columns()) {
  rows_ = room(WalkMemory<Real>::mine().queries, block.count * columns_);
  prepare_queries(problem, block.head, block.first, block.count, rows_);
}

template <typename Real>
Walk<Real>::Walk(const PackedKeys<Real>& packed, const RowBlock& block)
    : packed_(packed),
      block_(block),
      tile_queries_(ForwardTiles::of(instruction_set(), packed.problem().is_modified()).queries),
      step_(packed.problem().is_modified() ? kTileQueries : tile_queries_),
      queries_(packed.problem(), block),
      scorer_(packed.problem(), block.head, false),
      scores_(room(WalkMemory<Real>::mine().scores, ForwardTiles::kMostQueries * kTileKeys)),
      skips_(row_skips<Real>()) {
  std::vector<RowSkips<Real>>& skips = row_skips<Real>();
  skips.clear();
  if (!packed.skipping()) return;
  packed.skipping()->decide(
      block, queries_.data(), [&](const TileRange& range) { return score(range).scores.row(0); }, skips);
}

template <typename Real>
void Walk<Real>::expect_list(Index query) const {
  const Index* begin = packed_.problem().lists()->offsets.data() + query;
  const Index count = std::min(kTileKeys, begin[1] - begin[0]);
  if (count == 0) return;  // the last list of all may be empty, and then there is no first key to read
  packed_.expect(packed_.problem().listed_range({block_.set, block_.head, query, 1}, begin[0], count), block_.set);
}

template <typename Real>
ScoredTile<Real> Walk<Real>::score(const TileRange& range) {
  const RightOperand<Real> keys = packed_.keys(range, block_.set), values = packed_.values(range, block_.set);
  scorer_.compare(range, queries_.from(range.first_query), keys, scores_, kTileKeys);
  for (Index row = 0; row < range.query_count; row += step_)
    scorer_.finish(with_queries(range, range.first_query + row, std::min(step_, range.query_count - row)),
                   scores_ + row * kTileKeys, kTileKeys);
  ScoreTile<Real> tile;
  static_cast<TileRange&>(tile) = range;
  tile.scores = scores_;
  tile.stride = kTileKeys;
  return {tile, values};
}

template <typename Real>
bool Walk<Real>::all_skip(const TileRange& range) const {
  if (skips_.empty()) return false;
  const std::size_t tile = range.key_position(0) / kTileKeys;
  for (Index i = 0; i < range.query_count; ++i)
    if (!skips_[range.query(i) - block_.first].skipped[tile]) return false;
  return true;
}

template <typename Real>
void Walk<Real>::mask_skipped(const ScoreTile<Real>& tile) const {
  if (skips_.empty()) return;
  const std::size_t number = tile.key_position(0) / kTileKeys;
  for (Index i = 0; i < tile.query_count; ++i)
    if (skips_[tile.query(i) - block_.first].skipped[number]) std::fill_n(tile.row(i), tile.key_count, kMasked<Real>);
}

#define FOVEA_WALK(Real)                             \
  template std::vector<RowSkips<Real>>& row_skips(); \
  template class Walk<Real>;                         \
  template class PackedKeys<Real>;                   \
  template class QueryRows<Real>;
FOVEA_WALK(float)
FOVEA_WALK(double)

}  // namespace fovea
