#pragma once
/// The inner loops of the engine, each compiled for several instruction sets and one of which is used
/// (instruction_set.hpp).
///
/// AVX2 and AVX-512 give the same bits: elementwise loops have no choice, and sums run over a fixed number of lanes (64
/// bytes: 8 doubles or 16 floats) that are combined in a fixed tree, whatever the width of the machine's registers. The
/// portable set lacks the fused multiply-add, so its last places differ. Nothing here calls the C library, and the
/// compiler contracts nothing (-ffp-contract=off). `panel` is a matrix stored one column after the other: entry (c, j)
/// is panel[c * stride + j].

#include <span>

#include "fovea/core/base/instruction_set.hpp"
#include "fovea/core/kernels/blocks.hpp"

namespace fovea {

template <typename Real>
struct Kernels {
  /// y_j = exp(x_j - shift), see exponential.hpp; returns sum_j y_j. x and y may be the same. No
  /// x_j - shift may be above 709 (float: 88): a softmax needs none above 0.
  Real (*exponentials)(const Real* x, Index count, Real shift, Real* y);
  /// x_j = log(x_j) for normal, positive x_j.
  void (*logarithms)(Real* x, Index count);
  /// The largest x_j; -inf for none; NaN if one is NaN.
  Real (*maximum)(const Real* x, Index count);
  /// x_j = factor x_j, for factor >= 0, kept finite unless it is masked (-inf) already.
  void (*scale)(Real* x, Index count, Real factor);
  /// sum_j a_j b_j
  Real (*dot)(const Real* a, const Real* b, Index count);
  /// sum_j a_j s_j over the unmasked s_j
  Real (*unmasked_dot)(const Real* a, const Real* s, Index count);
  /// y_j += factor x_j
  void (*add_scaled)(Real* y, const Real* x, Real factor, Index count);
  /// y_j = factor sum_c x_c panel(c, j), an overflow kept finite
  void (*products)(const Real* x, const Real* panel, Index stride, Index dimension, Index count, Real factor, Real* y);
  /// y_j = factor sum_c (x_c - panel(c, j))^2, an overflow kept finite
  void (*squared_distances)(const Real* x, const Real* panel, Index stride, Index dimension, Index count, Real factor,
                            Real* y);
  /// sum_j g_j (k_j - x)
  Real (*difference_dot)(const Real* g, const Real* k, Real x, Index count);
  /// y_j += g_j (x - k_j)
  void (*add_differences)(Real* y, const Real* g, const Real* k, Real x, Index count);
  /// g_j = w_j (g_j - mean): from dL/dw to dL/ds of a softmax
  void (*softmax_gradient)(Real* g, const Real* w, Real mean, Index count);
  /// g_j = g_j / x_j where x_j > floor, else 0
  void (*divide_above)(Real* g, const Real* x, Real floor, Index count);
  /// s_j -= rate |time - t_j|
  void (*subtract_age)(Real* s, const Real* t, Real time, Real rate, Index count);
  /// sum_j g_j |time - t_j|
  Real (*age_dot)(const Real* g, const Real* t, Real time, Index count);

  BlockKernels<Real> blocks;
};

/// The kernels of instruction_set().
template <typename Real>
const Kernels<Real>& kernels();

/// The kernels of one instruction set; nullptr where the machine or the build does not have it.
template <typename Real>
const Kernels<Real>* kernels_for(InstructionSet set);

}  // namespace fovea
