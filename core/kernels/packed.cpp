#include "fovea/core/kernels/packed.hpp"

#include <algorithm>
#include <cstring>

namespace fovea {
namespace {

/// A square of numbers that fits into a few registers: to(c, j) = rows[j][c], `apart` from c to c + 1.
inline void turn(const float* const* rows, Index column, float* to, Index apart) {
  typedef float Four __attribute__((vector_size(16)));
  const auto row = [&](int j) {
    Four r;
    std::memcpy(&r, rows[j] + column, sizeof r);
    return r;
  };
  const Four r[4] = {row(0), row(1), row(2), row(3)};
  const Four a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5), b = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
  const Four c = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7), d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
  const Four turned[4] = {__builtin_shufflevector(a, b, 0, 1, 4, 5), __builtin_shufflevector(a, b, 2, 3, 6, 7),
                          __builtin_shufflevector(c, d, 0, 1, 4, 5), __builtin_shufflevector(c, d, 2, 3, 6, 7)};
#pragma GCC unroll 4  // or g++ keeps the square in memory
  for (int k = 0; k < 4; ++k) std::memcpy(to + k * apart, &turned[k], sizeof turned[k]);
}

inline void turn(const double* const* rows, Index column, double* to, Index apart) {
  for (int j = 0; j < 4; ++j)
    for (int k = 0; k < 4; ++k) to[k * apart + j] = rows[j][column + k];
}

/// One group of rows; missing ones are 0.
template <typename Real>
void pack_group(const RowSource<Real>& rows, Index first, Index count, Real* packed) {
  Index j = 0;
  for (; j + 4 <= count; j += 4) {
    const Real* four[4];
    for (int k = 0; k < 4; ++k) four[k] = rows.row(first + j + k);
    for (Index k = j + kRowsAhead; k < std::min(j + kRowsAhead + 4, count); ++k)
      expect_row(rows.row(first + k), rows.columns);
    Index c = 0;
    for (; c + 4 <= rows.columns; c += 4) turn(four, c, packed + c * kGroup<Real> + j, kGroup<Real>);
    for (; c < rows.columns; ++c)
      for (int k = 0; k < 4; ++k) packed[c * kGroup<Real> + j + k] = four[k][c];
  }
  for (; j < count; ++j) {
    const Real* row = rows.row(first + j);
    for (Index c = 0; c < rows.columns; ++c) packed[c * kGroup<Real> + j] = row[c];
  }
  if (count == kGroup<Real>) return;
  for (Index c = 0; c < rows.columns; ++c)
    std::fill(packed + c * kGroup<Real> + count, packed + (c + 1) * kGroup<Real>, Real(0));
}

}  // namespace

template <typename Real>
void pack_columns(const RowSource<Real>& rows, Index count, Real* packed) {
  for (Index first = 0; first < count; first += kGroup<Real>, packed += kGroup<Real> * rows.columns)
    pack_group(rows, first, std::min(kGroup<Real>, count - first), packed);
}

template <typename Real>
void unpack_columns(const Real* packed, Index count, Index columns, Real* to, Index stride) {
  Index c = 0;
  for (; c + 4 <= columns; c += 4) {
    const Real* four[4];
    for (int k = 0; k < 4; ++k) four[k] = packed + (c + k) * kGroup<Real>;
    Index j = 0;
    for (; j + 4 <= count; j += 4) turn(four, j, to + j * stride + c, stride);
    for (; j < count; ++j)
      for (int k = 0; k < 4; ++k) to[j * stride + c + k] = four[k][j];
  }
  for (; c < columns; ++c)
    for (Index j = 0; j < count; ++j) to[j * stride + c] = packed[c * kGroup<Real> + j];
}

template <typename Real>
void pack_rows(const RowSource<Real>& rows, Index count, Real* packed) {
  const Index width = whole_lanes<Real>(rows.columns);
  for (Index j = 0; j < count; ++j, packed += width) {
    if (j + kRowsAhead < count) expect_row(rows.row(j + kRowsAhead), rows.columns);
    copy_row(rows.row(j), rows.columns, packed);
    std::fill(packed + rows.columns, packed + width, Real(0));
  }
}

#define FOVEA_PACK(Real)                                            \
  template void pack_columns(const RowSource<Real>&, Index, Real*); \
  template void pack_rows(const RowSource<Real>&, Index, Real*);    \
  template void unpack_columns(const Real*, Index, Index, Real*, Index);
FOVEA_PACK(float)
FOVEA_PACK(double)

}  // namespace fovea
