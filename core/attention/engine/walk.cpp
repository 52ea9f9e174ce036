#include "fovea/core/attention/engine/walk.hpp"

#include "fovea/core/attention/engine/parallel.hpp"

namespace fovea {
namespace {

/// Memory of a thread for gathered keys, gathered values, the prepared queries of a block and the scores of a tile.
template <typename Real>
struct WalkMemory {
  AlignedVector<Real> keys, values, queries, scores;
  static WalkMemory& mine() {
    static thread_local WalkMemory memory;
    return memory;
  }
};

}  // namespace

template <typename Real>
Real* tile_memory(Index count) {
  return room(WalkMemory<Real>::mine().scores, count);
}

template <typename Real>
PackedKeys<Real>::PackedKeys(const Problem<Real>& problem, const MatrixView<Real>* values)
    : problem_(problem),
      prepared_(problem),
      given_values_(values),
      value_columns_(values ? values->cols() / problem.key_heads() : 0) {
  if (problem.lists()) return;
  room_before_.push_back(0);
  for (Index set = 0; set < problem.set_count(); ++set)
    room_before_.push_back(room_before_.back() +
                           whole_groups<Real>(problem.first_key(set + 1) - problem.first_key(set)));
  room(keys_, prepared_.copies() * room_before_.back() * problem.prepared_columns());
  room(values_, problem.key_heads() * room_before_.back() * value_width());
  const Index copies = prepared_.copies(), parts = copies + (values ? problem.key_heads() : 0);
  for_each_task(problem.set_count() * parts, problem.worth_threads(), [&](Index task) {
    const Index set = task / parts, part = task % parts;
    if (part < copies)
      pack(set, part);
    else
      pack_values(set, part - copies);
  });
}

template <typename Real>
void PackedKeys<Real>::pack(Index set, Index copy) {
  const Index head = prepared_.copies() == problem_.heads() ? copy : copy * (problem_.heads() / problem_.key_heads());
  RowSource<Real> rows = prepared_.of(head);
  rows.first = problem_.first_key(set);
  const std::size_t place = static_cast<std::size_t>(set);
  pack_columns(rows, problem_.first_key(set + 1) - problem_.first_key(set),
               keys_.data() + (copy * room_before_.back() + room_before_[place]) * rows.columns);
}

template <typename Real>
RowSource<Real> PackedKeys<Real>::values_of(Index key_head) const {
  return {given_values_->data() + key_head * value_columns_, given_values_->outerStride(), value_columns_};
}

template <typename Real>
void PackedKeys<Real>::pack_values(Index set, Index key_head) {
  RowSource<Real> rows = values_of(key_head);
  rows.first = problem_.first_key(set);
  const Index count = problem_.first_key(set + 1) - problem_.first_key(set);
  Real* place =
      values_.data() + (key_head * room_before_.back() + room_before_[static_cast<std::size_t>(set)]) * value_width();
  if (value_columns_ >= kWide)
    pack_rows(rows, count, place);
  else
    pack_columns(rows, count, place);
}

template <typename Real>
RightOperand<Real> PackedKeys<Real>::keys(const TileRange& range, Index set) const {
  const Index columns = problem_.prepared_columns();
  if (range.key_list) {
    RowSource<Real> rows = prepared_.of(range.head);
    rows.list = range.key_list;
    Real* gathered = room(WalkMemory<Real>::mine().keys, column_room<Real>(range.key_count, columns));
    pack_columns(rows, range.key_count, gathered);
    return columns_operand(gathered, columns);
  }
  const Index before = prepared_.copy_of(range.head) * room_before_.back() +
                       room_before_[static_cast<std::size_t>(set)] + range.key_position(0);
  return columns_operand(keys_.data() + before * columns, columns);
}

template <typename Real>
RightOperand<Real> PackedKeys<Real>::values(const TileRange& range, Index set) const {
  if (!given_values_) return {nullptr, 0, 0};
  const Index columns = value_columns_, width = value_width(), key_head = problem_.key_head(range.head);
  if (range.key_list) {
    RowSource<Real> rows = values_of(key_head);
    rows.list = range.key_list;
    Real* gathered = room(WalkMemory<Real>::mine().values, whole_groups<Real>(range.key_count) * width);
    if (columns < kWide) {
      pack_columns(rows, range.key_count, gathered);
      return columns_operand(gathered, columns);
    }
    pack_rows(rows, range.key_count, gathered);
    return rows_operand(gathered, columns);
  }
  const Real* of_set =
      values_.data() + (key_head * room_before_.back() + room_before_[static_cast<std::size_t>(set)]) * width;
  const Real* from = of_set + range.key_position(0) * width;
  return columns < kWide ? columns_operand(from, columns) : rows_operand(from, columns);
}

template <typename Real>
QueryRows<Real>::QueryRows(const Problem<Real>& problem, const RowBlock& block)
    : first_(block.first), columns_(problem.prepared_columns()) {
  rows_ = room(WalkMemory<Real>::mine().queries, block.count * columns_);
  prepare_queries(problem, block.head, block.first, block.count, rows_);
}

#define FOVEA_WALK(Real)             \
  template Real* tile_memory(Index); \
  template class PackedKeys<Real>;   \
  template class QueryRows<Real>;
FOVEA_WALK(float)
FOVEA_WALK(double)

}  // namespace fovea
