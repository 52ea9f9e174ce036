#include "fovea/core/learning/products.hpp"

#include <algorithm>

#include "fovea/core/base/memory.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/kernels.hpp"
#include "fovea/core/kernels/packed.hpp"

namespace fovea::learning {

namespace {

constexpr Index kRowsAtOnce = 112;   // rows of A that stay in the first cache while columns of B pass; 14 divides it
constexpr Index kTermsAtOnce = 128;  // rows of B that do when A is turned
constexpr Index kWorthThreads = 1 << 21;  // multiply-adds below which waking a thread costs more than it brings

/// Where this thread packs the right operand of its current product.
template <typename Real>
AlignedVector<Real>& packing() {
  thread_local AlignedVector<Real> memory;
  return memory;
}

/// Rows [first, first + rows) of C += A B. Kernels write whole registers, so narrow results take a detour.
template <typename Real>
void add_rows(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b, Real* c) {
  const auto& blocks = kernels<Real>().blocks;
  const Index width = whole_lanes<Real>(columns);
  if (width == columns) return blocks.add_product(rows, columns, terms, a, b, nullptr, c, columns);
  thread_local AlignedVector<Real> wide;
  Real* const detour = room(wide, rows * width);
  for (Index i = 0; i < rows; ++i) std::copy_n(c + i * columns, columns, detour + i * width);
  blocks.add_product(rows, columns, terms, a, b, nullptr, detour, width);
  for (Index i = 0; i < rows; ++i) std::copy_n(detour + i * width, columns, c + i * columns);
}

/// C (rows x columns) = start + A B. start: C itself (`add`), or the same row for all, or 0.
template <typename Real>
struct Start {
  bool add = false;
  const Real* row = nullptr;
  void fill(Real* c, Index rows, Index columns) const {
    if (add) return;
    if (!row) std::fill_n(c, rows * columns, Real(0));
    if (row)
      for (Index i = 0; i < rows; ++i) std::copy_n(row, columns, c + i * columns);
  }
};

template <typename Real>
const Real* row_of_zeros(Index columns) {
  thread_local AlignedVector<Real> zero;
  if (std::ssize(zero) < columns) zeros(zero, columns);
  return zero.data();
}

template <typename Real>
void product(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b, Real* c,
             Start<Real> start, Index terms_at_once) {
  const Index parts = (rows + kRowsAtOnce - 1) / kRowsAtOnce;
  const auto each_part = [&](Index some_terms, const auto& compute) {
    for_each_task(parts, rows * columns * some_terms > kWorthThreads, [&](Index part) {
      const Index first = part * kRowsAtOnce;
      compute(std::min(kRowsAtOnce, rows - first), a.data + first * a.row, c + first * columns);
    });
  };
  if (!start.add && terms_at_once >= terms && whole_lanes<Real>(columns) == columns)
    return each_part(terms, [&](Index count, const Real* from, Real* mine) {
      kernels<Real>().blocks.product_from_row(count, columns, terms, {from, a.row, a.step}, b,
                                              start.row ? start.row : row_of_zeros<Real>(columns), mine, columns);
    });
  Index k = 0;
  do {  // those of A and B stay in the second cache while all of C passes
    const Index some = std::min(terms_at_once, terms - k);
    each_part(some, [&](Index count, const Real* from, Real* mine) {
      if (k == 0) start.fill(mine, count, columns);
      add_rows<Real>(count, columns, some, {from + k * a.step, a.row, a.step}, {b.data + k * b.row, b.row, b.group},
                     mine);
    });
    k += terms_at_once;
  } while (k < terms);
}

/// B(k, j) of a matrix as it lies in memory, copied only where its rows are not whole registers.
template <typename Real>
RightOperand<Real> as_rows(const Real* b, Index rows, Index columns) {
  if (whole_lanes<Real>(columns) == columns) return {b, columns, kGroup<Real>};
  Real* const packed = room(packing<Real>(), row_room<Real>(rows, columns));
  pack_rows<Real>({b, columns, columns}, rows, packed);
  return rows_operand(packed, columns);
}

}  // namespace

template <typename Real>
void multiply(const Real* a, const Real* b, Index n, Index k, Index m, Real* c, bool add) {
  product<Real>(n, m, k, {a, k, 1}, as_rows(b, k, m), c, {add}, k);
}

template <typename Real>
void multiply_from_row(const Real* a, const Real* b, const Real* row, Index n, Index k, Index m, Real* c) {
  product<Real>(n, m, k, {a, k, 1}, as_rows(b, k, m), c, {false, row}, k);
}

template <typename Real>
void multiply_transposed(const Real* a, const Real* b, Index n, Index m, Index k, Real* c, bool add) {
  Real* const packed = room(packing<Real>(), column_room<Real>(k, m));
  pack_columns<Real>({b, m, m}, k, packed);
  product<Real>(n, k, m, {a, m, 1}, columns_operand(packed, m), c, {add}, m);
}

template <typename Real>
void transposed_multiply(const Real* a, const Real* b, Index n, Index k, Index m, Real* c, bool add) {
  product<Real>(k, m, n, {a, 1, k}, as_rows(b, n, m), c, {add}, kTermsAtOnce);
}

#define FOVEA_PRODUCTS(Real)                                                                          \
  template void multiply(const Real*, const Real*, Index, Index, Index, Real*, bool);                 \
  template void multiply_from_row(const Real*, const Real*, const Real*, Index, Index, Index, Real*); \
  template void multiply_transposed(const Real*, const Real*, Index, Index, Index, Real*, bool);      \
  template void transposed_multiply(const Real*, const Real*, Index, Index, Index, Real*, bool);
FOVEA_PRODUCTS(float)
FOVEA_PRODUCTS(double)

}  // namespace fovea::learning
