#pragma once
/// The window of one point as a tile of listed keys, for modifiers that the planes' kernels do not know. Internal to
/// core/attention.

#include <vector>

#include "fovea/core/attention/engine/scorer.hpp"
#include "fovea/core/attention/grid/grid_kernels.hpp"
#include "fovea/core/attention/grid/grid_plan.hpp"

namespace fovea {

template <typename Real>
class GridPairs {
 public:
  /// keep: backward() will be called.
  GridPairs(const GridPlan<Real>& plan, const GridTask& task, Index head, bool keep);

  /// From products to scores behind all modifiers, for `count` points of row t from column `first` on, in place.
  void modify(Index t, Index first, Index count, GridPlanes<Real> scores);
  /// From products to weights, and from dL/dw to dL/d(product); in place. owned: which of the points add to theta.
  void weigh(Index t, Index first, Index count, const KeySpan& owned, const Real* maximum, const Real* inverse,
             GridPlanes<Real> scores, GridPlanes<Real> gradients, ThetaGradients<Real>& theta);

 private:
  bool gather(Index t, Index column, Index x, GridPlanes<Real> scores);
  void scatter(const std::vector<Real>& row, Index x, GridPlanes<Real> planes) const;

  const GridPlan<Real>& plan_;
  const GridTask& task_;
  Scorer<Real> scorer_;
  ThetaGradients<Real> unwanted_;
  TileRange range_;
  std::vector<Index> keys_, entries_;  ///< of the point's window, ascending
  std::vector<Real> scores_, gradients_;
};

}  // namespace fovea
