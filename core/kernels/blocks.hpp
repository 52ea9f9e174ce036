#pragma once
/// The kernels that do nearly all of the engine's arithmetic: blocks of rows against packed keys or values.
///
/// A packed matrix ("groups", see packed.hpp) has kGroup columns side by side, one group after the other; rows of
/// every operand are long enough for whole vectors, whose last entries may be overwritten. Every entry of a result is
/// one chain of fused multiply-adds in ascending order of the terms, or a sum over a fixed number of lanes: it depends
/// neither on the width of the registers nor on the rows beside it, so AVX-512 and AVX2 give the same bits. The
/// portable variant rounds products before it adds.

#include <cstring>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// Columns of a group: two of the widest registers.
template <typename Real>
inline constexpr Index kGroup = 128 / static_cast<Index>(sizeof(Real));

/// Entries of the widest register: sums run over this many lanes, and rows are filled up to a multiple of it.
template <typename Real>
inline constexpr Index kLanes = 64 / static_cast<Index>(sizeof(Real));

template <typename Real>
constexpr Index whole_groups(Index count) {
  return (count + kGroup<Real> - 1) / kGroup<Real> * kGroup<Real>;
}
template <typename Real>
constexpr Index whole_lanes(Index count) {
  return (count + kLanes<Real> - 1) / kLanes<Real> * kLanes<Real>;
}

/// Columns of values whose sums find room in registers beside exp.
inline constexpr Index kFewColumns = 3;

/// Terms of points whose distances find room in registers likewise, and rows of them at a time.
inline constexpr Index kFewTerms = 3, kRowsOfDistances = 8;

/// A(i, k) = data[i * row + k * step]
template <typename Real>
struct LeftOperand {
  const Real* data;
  Index row, step;
};

/// B(k, j) = data[(j / kGroup) * group + k * row + j % kGroup]
template <typename Real>
struct RightOperand {
  const Real* data;
  Index row, group;
};

template <typename Real>
struct BlockKernels {
  /// C(i, j) = factor_i C(i, j) + sum_k A(i, k) B(k, j), rows x columns x terms. c_row: from one row of C to the next.
  /// factor: nullptr for all 1.
  void (*add_product)(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b,
                      const Real* factor, Real* c, Index c_row);
  /// C(i, j) = factor sum_k A(i, k) B(k, j), an overflow kept finite
  void (*scores)(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b, Real factor,
                 Real* c, Index c_row);
  /// C(i, j) = factor sum_k (A(i, k) - B(k, j))^2, an overflow kept finite; |factor| <= 1
  void (*distances)(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b, Real factor,
                    Real* c, Index c_row);
  /// C(i, j) = sum_k w_k tanh(A(i, k) + B(k, j))
  void (*tanh_sums)(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b, const Real* w,
                    Real* c, Index c_row);
  /// From g = dL/dC of tanh_sums: a_gradient(i, k) +=, b_gradient(k, j) += (k b_row apart), w_gradient(k) +=.
  void (*tanh_sums_backward)(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b,
                             const Real* w, const Real* g, Index g_row, Real* a_gradient, Index a_row, Real* b_gradient,
                             Index b_row, Real* w_gradient);
  /// C(i, c) = factor_i C(i, c) + sum_j A(i, j) B(c, j) over lanes; columns: those of C, terms: j. factor: nullptr for
  /// all 1.
  void (*add_dots)(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b,
                   const Real* factor, Real* c, Index c_row);
  /// One step of the softmax with a running maximum, for each row: s_j becomes exp(s_j - m), m = max(maximum, max s_j);
  /// kept = exp(maximum - m), sums = kept sums + lanes of s; maximum = m. lanes: kLanes<Real> numbers a row.
  /// A row of masked scores becomes 0 and changes nothing.
  void (*softmax)(Index rows, Index count, Real* s, Index s_row, Real* maximum, Real* lanes, Real* kept);
  /// The same together with the weighted sums of 1 to kFewColumns columns of values: lanes: (1 + columns) kLanes
  /// numbers a row, those of the sum and of each column, all multiplied by kept before the tile is added. s is used up.
  void (*softmax_dots)(Index rows, Index columns, Index count, Real* s, Index s_row, RightOperand<Real> values,
                       Real* maximum, Real* lanes);
  /// s_j = exp(s_j - maximum_i) inverse_i, for each row; 0 where inverse_i is 0
  void (*weights)(Index rows, Index count, Real* s, Index s_row, const Real* maximum, const Real* inverse);
  /// g_j = a_j (g_j - mean_i), for each row
  void (*centred)(Index rows, Index count, Real* g, const Real* a, Index row, const Real* mean);
  /// y_j = x_j / divisor + 0
  void (*divide)(const Real* x, Index count, Real divisor, Real* y);
  /// The softmax of whole columns, s(j, i) of `count` keys j and query i: s(j, i) becomes exp(s(j, i) - maximum_i), and
  /// sums_i their sum, with the bits of softmax() and sum_of_lanes(). All 0 where all of a column is masked.
  void (*softmax_columns)(Index columns, Index count, Real* s, Index s_row, Real* maximum, Real* sums);
  /// x(c, i) = x(c, i) / divisor_i + 0, for `count` rows c
  void (*divide_columns)(Index columns, Index count, Real* x, Index x_row, const Real* divisors);
  /// C(i, j) = row_j + sum_k A(i, k) B(k, j): the chains start from the row, which holds whole registers
  void (*product_from_row)(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b,
                           const Real* row, Real* c, Index c_row);
  /// C(i, j) = column_i + sum_k A(i, k) B(k, j)
  void (*product_from_column)(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b,
                              const Real* column, Real* c, Index c_row);
  /// For points of 1 to kFewTerms terms and scores s = -D / 2: sums of exp(s) itself, as in softmax_dots(); no weight
  /// is told from 2^-124. False, and nothing is added, where a point b is not finite. The last group is filled up, its
  /// values too. d: room for kRowsOfDistances rows. nullptr in double precision.
  bool (*distance_dots)(Index rows, Index columns, Index terms, Index count, LeftOperand<Real> a, RightOperand<Real> b,
                        RightOperand<Real> values, Real* d, Index d_row, Real* lanes);
};

/// The sum of kLanes numbers, in a fixed tree.
template <typename Real>
Real sum_of_lanes(const Real* lanes) {
  typedef Real Quarter __attribute__((vector_size(16)));
  Quarter quarters[4];
  std::memcpy(quarters, lanes, sizeof quarters);
  const Quarter sums = (quarters[0] + quarters[2]) + (quarters[1] + quarters[3]);
  if constexpr (sizeof(Real) == 4)
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
  else
    return sums[0] + sums[1];
}

}  // namespace fovea
