#pragma once
/// Rows copied into the layouts that the kernels read.
///
/// As columns: groups of kGroup rows, within a group column after column; entry (row j, column c) stands at
/// [(j / kGroup) * kGroup * columns + c * kGroup + j % kGroup]. As rows: one row after the other, each filled up with
/// zeros to whole registers. Missing rows of the last group are 0.

#include <cstring>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/kernels/blocks.hpp"

namespace fovea {

/// Below this many columns the kernels run along the rows (tokens) instead of the columns.
inline constexpr Index kWide = 8;

/// The rows of a tile: consecutive, or listed.
template <typename Real>
struct RowSource {
  const Real* data;
  Index stride;  ///< from one row to the next
  Index columns;
  Index first = 0;
  const Index* list = nullptr;
  const Real* row(Index j) const { return data + (list ? list[j] : first + j) * stride; }
};

/// Asks for a row that is needed soon. Rows of one head stand far apart, where the processor's own foresight fails.
template <typename Real>
inline void expect_row(const Real* row, Index columns) {
  for (Index c = 0; c < columns; c += kLanes<Real>) __builtin_prefetch(row + c);
}
inline constexpr Index kRowsAhead = 8;
template <typename Real>
__attribute__((always_inline)) inline void expect_rows(const RowSource<Real>& rows, Index count) {
  for (Index j = 0; j < count; ++j)
    for (Index c = 0; c < rows.columns; c += kLanes<Real>) __builtin_prefetch(rows.row(j) + c, 0, 2);
}

/// A few numbers: most rows are too short for the C library's copy to pay.
template <typename Real>
inline void copy_row(const Real* from, Index count, Real* to) {
  constexpr Index kStep = 16 / static_cast<Index>(sizeof(Real));
  Index c = 0;
  for (; c + kStep <= count; c += kStep) std::memcpy(to + c, from + c, 16);
  for (; c < count; ++c) to[c] = from[c];
}

template <typename Real>
void pack_columns(const RowSource<Real>& rows, Index count, Real* packed);
template <typename Real>
void pack_rows(const RowSource<Real>& rows, Index count, Real* packed);
/// Back from columns of one group: entry (row j, column c) at to[j * stride + c].
template <typename Real>
void unpack_columns(const Real* packed, Index count, Index columns, Real* to, Index stride);

/// Numbers that count rows of that many columns take in either layout.
template <typename Real>
Index column_room(Index count, Index columns) {
  return whole_groups<Real>(count) * columns;
}
template <typename Real>
Index row_room(Index count, Index columns) {
  return count * whole_lanes<Real>(columns);
}

/// B(c, j) for keys packed as columns.
template <typename Real>
RightOperand<Real> columns_operand(const Real* packed, Index columns) {
  return {packed, kGroup<Real>, kGroup<Real> * columns};
}
/// B(j, c) for keys packed as rows.
template <typename Real>
RightOperand<Real> rows_operand(const Real* packed, Index columns) {
  return {packed, whole_lanes<Real>(columns), kGroup<Real>};
}

}  // namespace fovea
