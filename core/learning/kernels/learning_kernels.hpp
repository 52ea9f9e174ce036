#pragma once
/// The inner loops of operations and optimisers, each compiled for several instruction sets like the engine's
/// (attention/kernels/kernels.hpp), with the same promise: AVX2 and AVX-512 give the same bits.
///
/// Matrices are row-major without gaps. `add`: the result is added to what stands at its place, which otherwise is
/// overwritten. Results may stand where inputs of the same shape stand.

#include <cstdint>

#include "fovea/core/kernels/kernels.hpp"

namespace fovea::learning {

/// The numbers of one step of AdamW (Loshchilov & Hutter 2019).
template <typename Real>
struct AdamwStep {
  Real beta1, beta2, rest1, rest2;  ///< rest: 1 - beta
  Real kept;                        ///< 1 - rate decay
  Real rate;                        ///< divided by 1 - beta1^t
  Real root;                        ///< 1 / sqrt(1 - beta2^t)
  Real epsilon;
};

/// The events of one class of one set, and the set's queries, both in the order of time.
template <typename Real>
struct ClassGroup {
  const Real* values;
  const double* times;
  Index events;
  const double* query_times;
  Index queries;
};
/// What pools them (class_pooling.hpp): `count` lanes, of which the first `heads` give means and the others masses.
template <typename Real>
struct ClassLanes {
  const Real *sharpness, *rates;  ///< rate: ln 2 / half-life; of a power law 1 / scale
  const Real* exponents;          ///< of a power law only
  Index heads, count;
  Index squares = 0;  ///< so many heads, the last of them, give means of the squares of the values; without slopes
};
/// Where the results go: row q at q * stride. by_...: their slopes, nullptr where nobody wants any; time stands for the
/// logarithm of the half-life or scale, exponent for its logarithm.
template <typename Real>
struct ClassResults {
  Real* y;
  Index stride;
  Real *by_sharpness, *by_time, *by_exponent;
  Real* shares;  ///< events x lanes: each event's share of the weights when it came; may be nullptr
};

template <typename Real>
struct LearningKernels {
  // Entry by entry.

  /// y = f(x) and, unless slopes is nullptr, slopes = f'(x). NaN stays NaN.
  using Pointwise = void (*)(const Real* x, Index count, Real* y, Real* slopes);
  Pointwise exp, gelu, log, relu, sigmoid, softplus, tanh;
  /// y = a + factor b
  void (*combine)(const Real* a, const Real* b, Real factor, Index count, Real* y);
  /// y = factor x + shift
  void (*scale)(const Real* x, Real factor, Real shift, Index count, Real* y);
  /// y [+]= factor x
  void (*add_scaled)(const Real* x, Real factor, Index count, bool add, Real* y);
  /// y [+]= a b
  void (*multiply)(const Real* a, const Real* b, Index count, bool add, Real* y);
  /// Entry e = before + k, k < count, is kept, and multiplied by `factor`, unless its 16 random bits are below
  /// `threshold`: y = mask x, each of them with an entry for each k; before is a multiple of 64. The bits
  /// are those of Philox4x32-10 under `key`: of each 64 entries, r = e mod 64, they stand in block 8 (e / 64) + (r mod
  /// 32) / 4, 16-bit word 4 (r / 32) + r mod 4. mask: nullptr where it is not wanted.
  void (*dropout)(const Real* x, Index before, Index count, std::uint64_t key, std::uint32_t threshold, Real factor,
                  Real* mask, Real* y);

  // Row by row: rows x columns.

  /// y_ij = x_ij + row_j
  void (*add_row)(const Real* x, const Real* row, Index rows, Index columns, Real* y);
  /// y_ij [+]= x_ij row_j
  void (*multiply_row)(const Real* x, const Real* row, Index rows, Index columns, bool add, Real* y);
  /// y_ij [+]= x_ij column_i
  void (*multiply_column)(const Real* x, const Real* column, Index rows, Index columns, bool add, Real* y);
  /// sums_j += sum_i x_ij, in the order of the rows
  void (*add_column_sums)(const Real* x, Index rows, Index columns, Real* sums);
  /// sums_j += sum_i a_ij b_ij, in the order of the rows
  void (*add_column_dots)(const Real* a, const Real* b, Index rows, Index columns, Real* sums);
  /// sums_i [+]= sum_j a_ij b_ij, over lanes
  void (*row_dots)(const Real* a, const Real* b, Index rows, Index columns, bool add, Real* sums);

  /// What a norm keeps for its backward pass, a number a row; means: nullptr where it does not centre.
  struct NormRows {
    Real* means;
    Real* inverses;  ///< 1 / standard deviation, or 1 / root mean square
  };
  /// Where its gradients go: nullptr where nobody wants them; gain and shift are added to.
  struct NormGradients {
    Real* x;
    bool add;  ///< to x
    Real* gain;
    Real* shift;
  };
  /// y_i = gain (x_i - mean_i) inverse_i [+ shift]; without means nothing is taken off and nothing is added.
  void (*norm)(const Real* x, Index rows, Index columns, const Real* gain, const Real* shift, Real epsilon, Real* y,
               NormRows kept);
  /// From g = dL/dy.
  void (*norm_backward)(const Real* x, const Real* g, Index rows, Index columns, const Real* gain, NormRows kept,
                        NormGradients to);
  /// The pairs (c, c + pairs) of each head are turned by the angle of (row, c): y = (a cos - b sin, a sin + b cos).
  /// cosines, sines: rows x pairs; the columns are heads * 2 * pairs.
  void (*rotate)(const Real* x, const Real* cosines, const Real* sines, Index rows, Index heads, Index pairs,
                 bool backwards, bool add, Real* y);
  /// cos and sin of positions_i frequencies_c, in turns below 2^50: rows x columns each
  void (*turns)(const double* positions, Index rows, const double* frequencies, Index columns, Real* cosines,
                Real* sines);

  /// Means and masses with exponential decay: O((events + queries) lanes).
  void (*pool_decaying)(const ClassGroup<Real>& group, const ClassLanes<Real>& lanes, const ClassResults<Real>& to);
  /// Means with power-law decay, of the heads alone, without shares: O(events queries heads).
  void (*pool_power_law)(const ClassGroup<Real>& group, const ClassLanes<Real>& lanes, const ClassResults<Real>& to);

  // Of an optimiser.

  /// m = beta1 m + rest1 g, v = beta2 v + rest2 g^2, x = kept x - rate m / (root sqrt(v) + epsilon)
  void (*adamw)(Real* x, const Real* g, Real* m, Real* v, Index count, const AdamwStep<Real>& step);
  /// sum_j x_j^2 in double, over lanes
  double (*squared_norm)(const Real* x, Index count);
};

/// Those of the best instruction set this machine has.
template <typename Real>
const LearningKernels<Real>& learning_kernels();

/// Those of one instruction set; nullptr where the machine or the build does not have it.
template <typename Real>
const LearningKernels<Real>* learning_kernels_for(InstructionSet set);

}  // namespace fovea::learning
