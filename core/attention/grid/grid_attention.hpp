#pragma once
/// Attention in windows of a grid: no lists, O(N side^2) time and O(N) memory. Internal to core/attention.

#include "fovea/core/attention/grid/grid_plan.hpp"

namespace fovea {

/// Both do nothing and return false where the grid's own way does not apply. result: with room for everything, as
/// attend() makes it.
template <typename Real>
bool attend_grid(const Problem<Real>& problem, const MatrixView<Real>& values, AttentionResult<Real>& result);

template <typename Real>
bool attend_grid_backward(const Problem<Real>& problem, const MatrixView<Real>& values,
                          const AttentionResult<Real>& forward, const MatrixView<Real>& output_gradient,
                          const GradientPlaces<Real>& places, AttentionGradients<Real>& theta);

}  // namespace fovea
