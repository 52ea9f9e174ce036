#pragma once
/// The inner loops of attention in windows of a grid, each compiled for several instruction sets like the engine's
/// (kernels.hpp), with the same promise: AVX2 and AVX-512 give the same bits. Internal to core/attention.
///
/// A strip of a grid row stands as planes: column c of the strip's point x is planes[c * plane + x]. Points lie side by
/// side in a register, and every sum of a point is one chain in a fixed order, so a point has the same bits wherever it
/// stands. Planes have room for whole registers (kPlaneSlack numbers more than points).

#include "fovea/core/kernels/kernels.hpp"

namespace fovea {

inline constexpr Index kPlaneSlack = 16;

/// From the numbers x of a first set of planes to those at x + n * step of a second, n = 0 .. offsets - 1: one row of
/// the window.
struct GridRow {
  Index count;    ///< points, rounded up to whole registers by the kernels
  Index offsets;  ///< keys in the row
  Index step;     ///< from one key to the next
};

template <typename Real>
struct GridPlanes {
  Real* data;
  Index plane;  ///< from one plane to the next
};

template <typename Real>
struct GridKernels {
  /// Rows `stride` apart, `columns` long, to planes, and back with a factor. Nothing behind a row is touched.
  void (*to_planes)(const Real* rows, Index stride, Index count, Index columns, GridPlanes<Real> planes);
  void (*from_planes)(GridPlanes<const Real> planes, Index count, Index columns, Real factor, Real* rows, Index stride);
  /// products(n, x) = sum_c a(c, x) b(c, x + n step)
  void (*products)(const GridRow& row, Index columns, GridPlanes<const Real> a, GridPlanes<const Real> b,
                   GridPlanes<Real> products);
  /// scores(n, x) = factor times the same, kept finite, plus bias[n] (nullptr: none); -inf where keep(x + n step) is 0.
  void (*scores)(const GridRow& row, Index columns, GridPlanes<const Real> a, GridPlanes<const Real> b, Real factor,
                 const Real* bias, const Real* keep, GridPlanes<Real> scores);
  /// sums(c, x) += sum_n weights(n, x) b(c, x + n step); fresh: = in place of +=
  void (*add_weighted)(const GridRow& row, Index columns, GridPlanes<const Real> weights, GridPlanes<const Real> b,
                       bool fresh, GridPlanes<Real> sums);
  /// s(n, x) becomes exp(s(n, x) - maximum(x)), n = 0 .. terms - 1, and sums(x) their sum; 0 where all are -inf.
  void (*softmax)(Index count, Index terms, GridPlanes<Real> s, Real* maximum, Real* sums);
  /// x(n, x) /= divisors(x)
  void (*divide)(Index count, Index terms, GridPlanes<Real> x, const Real* divisors);
  /// s(n, x) becomes w = exp(s(n, x) - maximum(x)) inverse(x), and g(n, x) = dL/dw becomes dL/ds = w (g - sum w g).
  void (*weigh)(Index count, Index terms, const Real* maximum, const Real* inverse, GridPlanes<Real> s,
                GridPlanes<Real> g);
  /// sums[n] += sum_x planes(n, x), over `count` points exactly
  void (*add_sums)(Index count, Index terms, GridPlanes<const Real> planes, Real* sums);
};

/// The kernels of the best instruction set this machine has.
template <typename Real>
const GridKernels<Real>& grid_kernels();

/// The kernels of one instruction set; nullptr where the machine or the build does not have it.
template <typename Real>
const GridKernels<Real>* grid_kernels_for(InstructionSet set);

// The tables, each from its own file; avx2 and avx512 are nullptr where the build does not have them.
template <typename Real>
const GridKernels<Real>* grid_baseline_kernels();
template <typename Real>
const GridKernels<Real>* grid_avx2_kernels();
template <typename Real>
const GridKernels<Real>* grid_avx512_kernels();

}  // namespace fovea
