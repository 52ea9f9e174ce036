#pragma once
/// Some rows of a matrix, stored one column after the other, as the kernels read them.

#include <vector>

#include "fovea/core/attention/tile.hpp"

namespace fovea {

/// The entries of one row.
template <typename Real>
const Real* row_of(const MatrixView<Real>& rows, Index i) {
  return rows.data() + i * rows.outerStride();
}

/// The keys (or values) of a tile: column(c)[j] is entry c of the tile's key j. A single contiguous column is used
/// where it is; everything else is copied into `storage`, which must outlive the panel.
template <typename Real>
class Panel {
 public:
  Panel(const MatrixView<Real>& rows, const TileRange& tile, std::vector<Real>& storage)
      : stride_(tile.key_count + kPadding), columns_(rows.cols()) {
    if (rows.cols() == 1 && rows.outerStride() == 1 && !tile.key_list) {
      data_ = rows.data() + tile.first_key;
      return;
    }
    storage.resize(static_cast<std::size_t>(stride_ * columns_));
    for (Index j = 0; j < tile.key_count; ++j) {
      const Real* row = row_of<Real>(rows, tile.key(j));
      for (Index c = 0; c < columns_; ++c) storage[static_cast<std::size_t>(c * stride_ + j)] = row[c];
    }
    data_ = storage.data();
  }

  const Real* data() const { return data_; }
  const Real* column(Index c) const { return data_ + c * stride_; }
  Index stride() const { return stride_; }
  Index columns() const { return columns_; }

 private:
  // Columns a power of two apart would compete for the same lines of the cache.
  static constexpr Index kPadding = 64 / static_cast<Index>(sizeof(Real));

  const Real* data_;
  Index stride_;
  Index columns_;
};

/// Adds a panel of sums to the rows of the tile's keys.
template <typename Real>
void add_panel(const std::vector<Real>& sums, const TileRange& tile, Eigen::Ref<Matrix<Real>> rows) {
  for (Index j = 0; j < tile.key_count; ++j)
    for (Index c = 0; c < rows.cols(); ++c)
      rows(tile.key(j), c) += sums[static_cast<std::size_t>(c * tile.key_count + j)];
}

}  // namespace fovea
