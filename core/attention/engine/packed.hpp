#pragma once
/// Rows copied into the layouts that the kernels read. Internal to core/attention.
///
/// As columns: groups of kGroup rows, within a group column after column; entry (row j, column c) stands at
/// [(j / kGroup) * kGroup * columns + c * kGroup + j % kGroup]. As rows: one row after the other, each filled up with
/// zeros to whole registers. Missing rows of the last group are 0.

#include <algorithm>

#include "fovea/core/attention/kernels/blocks.hpp"
#include "fovea/core/attention/tile.hpp"

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

template <typename Real>
void pack_columns(const RowSource<Real>& rows, Index count, Real* packed) {
  const Index group = kGroup<Real> * rows.columns;
  for (Index first = 0; first < count; first += kGroup<Real>, packed += group) {
    const Index here = std::min(kGroup<Real>, count - first);
    for (Index j = 0; j < here; ++j) {
      const Real* row = rows.row(first + j);
      for (Index c = 0; c < rows.columns; ++c) packed[c * kGroup<Real> + j] = row[c];
    }
    for (Index c = 0; c < rows.columns; ++c)
      for (Index j = here; j < kGroup<Real>; ++j) packed[c * kGroup<Real> + j] = 0;
  }
}

template <typename Real>
void pack_rows(const RowSource<Real>& rows, Index count, Real* packed) {
  const Index width = whole_lanes<Real>(rows.columns);
  for (Index j = 0; j < count; ++j, packed += width) {
    const Real* row = rows.row(j);
    for (Index c = 0; c < rows.columns; ++c) packed[c] = row[c];
    for (Index c = rows.columns; c < width; ++c) packed[c] = 0;
  }
}

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
