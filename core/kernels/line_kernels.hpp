#pragma once
/// The inner loops of attention on the line (core/attention/fast), each compiled for several instruction sets like the
/// engine's (kernels.hpp), with the same promise: AVX2 and AVX-512 give the same bits. Internal to core/attention.
///
/// Boxes of one width lie around the whole multiples of that width. In a box, t in [-1, 1] says where a point is; the
/// moments of a box are sum_j g_j t_j^k and sum_j g_j v_j t_j^k, and its field is a pair of polynomials in t.

#include <cstdint>

#include "fovea/core/kernels/kernels.hpp"

namespace fovea {

inline constexpr Index kLineTerms = 16;            ///< k = 0 .. 15
inline constexpr Index kBoxSize = 2 * kLineTerms;  ///< numbers of a box: two rows of terms
inline constexpr Index kBoxesTogether = 4;         ///< boxes whose fields are computed side by side

/// Boxes first .. first + count - 1; box k is around k * width.
struct BoxRow {
  double width;    ///< few bits, so that k * width is exact
  double inverse;  ///< 1 / width
  double first;
  Index count;
};

struct LineKernels {
  /// Adds the moments of `count` keys at y with the values v and the strengths g (nullptr: all 1) to those of their
  /// boxes, kBoxSize numbers a box. Values count from a reference of their box, the first that comes into it, so that
  /// where all think the same no rounding adds up. Every key must be in one of the boxes.
  void (*add_moments)(const BoxRow& boxes, const double* y, const double* v, const double* g, Index count,
                      double* moments, double* references);
  /// Adds to the fields of kBoxesTogether boxes: to the i-th the sum over offsets d = 0 .. offsets - 1 of matrix d
  /// (kLineTerms columns of kLineTerms numbers) times both rows of moments of box i + d.
  void (*translate)(const double* matrices, Index offsets, const double* moments, double* fields);
  /// Both polynomials of the field that each x is in. Points left of the first box count as in the first, and right of
  /// the last as in the last. `first` nullptr: the quotient second / first instead of the second. The places of those
  /// whose first sum is not above the least of their box are listed in `below`; returns how many they are.
  Index (*evaluate)(const BoxRow& boxes, const double* fields, const double* least, const double* x, Index count,
                    double* first, double* second, std::uint32_t* below);
  /// sums_r = sum_k c_k moments_rk of both rows
  void (*weigh_terms)(const double* coefficients, const double* moments, double* sums);
  /// Widens [low, high] to hold all x; returns whether all are finite, without which the bounds say nothing.
  bool (*range)(const double* x, Index count, double* low, double* high);
};

/// The kernels of instruction_set().
const LineKernels& line_kernels();

/// The kernels of one instruction set; nullptr where the machine or the build does not have it.
const LineKernels* line_kernels_for(InstructionSet set);

// The tables, each from its own file; avx2 and avx512 are nullptr where the build does not have them.
const LineKernels* line_baseline_kernels();
const LineKernels* line_avx2_kernels();
const LineKernels* line_avx512_kernels();

}  // namespace fovea
