#pragma once
/// Products of float matrices on a processor's bf16 tiles: each number is split into 2 or 3 numbers of 16 bits, and the
/// products that matter are summed in float.
///
///   x = x_1 + x_2 (+ x_3) + r,   x_1 = bf16(x), x_2 = bf16(x - x_1), x_3 = bf16(x - x_1 - x_2)   (nearest, ties to
///   even) 2 parts: a b ~ a_1 b_1 + a_1 b_2 + a_2 b_1               (3 products) 3 parts: a b ~ ... + a_2 b_2 + a_1 b_3
///   + a_3 b_1         (6 products)
///
/// (the idea: Henry, Tang, Heinecke 2019, "Leveraging the bfloat16 artificial intelligence datatype for
/// higher-precision computations"). bf16 has 8 bits and a sign, so |x_2| <= 2^-8 |x|, |x_3| <= 2^-17 |x|; |r| <= 2^-17
/// |x| after 2 parts and <= 2^-26 |x| after 3 (a normal float of 24 bits: r = 0). What is left out of a product is then
/// at most
///   2 parts: a_2 b_2 (2^-16) + a r_b + r_a b (2 x 2^-17) + r_a r_b   <= (2^-15 + 2^-34) |a b|
///   3 parts: a_2 b_3 + a_3 b_2 (2 x 2^-25) + a_3 b_3 (2^-34)         <= (2^-24 + 2^-34) |a b|
/// and the sums in float add the usual rounding, at most n 2^-24 sum |a b| for n additions one after the other. Below
/// 2^-126 everything is 0, as the tiles take it; so a number below 2^-110 loses places.

#include <cstdint>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

using Bf16 = std::uint16_t;

/// A tile: 16 rows of 32 terms (left), or 16 pairs of terms of 16 columns (right).
inline constexpr Index kTileEdge = 16, kTileTerms = 32, kTileSize = 512;

/// Who multiplies tiles. emulated does in plain C++ what the manual says of TDPBF16PS; avx512_bf16 has VDPBF16PS, which
/// adds one pair after the other, so its last places differ; amx has TDPBF16PS itself.
enum class TileUnit { emulated, avx512_bf16, amx };

/// Tiles of 16 rows (columns on the right), `edge` apart, and of 32 terms, `step` apart, the parts side by side.
struct Tiles {
  const Bf16* data;
  Index edge, step;
};

constexpr Index whole_tiles(Index count, Index of) { return (count + of - 1) / of; }

/// parts: 2 or 3. Missing rows, columns and terms are filled with 0.
struct SplitKernels {
  /// A(i, k) = from[i * row + k] as left tiles: all terms of 16 rows, then of the next.
  void (*pack_left)(int parts, Index rows, Index terms, const float* from, Index row, Bf16* tiles);
  /// The same for numbers from 0 to 1; a NaN may become anything.
  void (*pack_weights)(int parts, Index rows, Index terms, const float* from, Index row, Bf16* tiles);
  /// B(k, j) = from[j * row + k] as right tiles: all terms of 16 columns, then of the next; columns to a multiple
  /// of 32.
  void (*pack_columns)(int parts, Index columns, Index terms, const float* from, Index row, Bf16* tiles);
  /// B(k, j) = from[k * row + j] as right tiles: all columns of 32 terms, then of the next.
  void (*pack_rows)(int parts, Index columns, Index terms, const float* from, Index row, Bf16* tiles);
  /// C(i, j) = (add ? C(i, j) : 0) + sum_k A(i, k) B(k, j) on whole tiles of C: rows and columns are rounded up. Every
  /// entry is the same chain of sums whatever stands beside it.
  void (*product)(int parts, Index rows, Index columns, Index terms, Tiles a, Tiles b, bool add, float* c, Index c_row);
  /// C(i, j) = factor C(i, j) on whole vectors of each row; false if some result is not finite.
  bool (*scale)(Index rows, Index columns, float factor, float* c, Index c_row);
};

/// nullptr where the machine or the build does not have it.
const SplitKernels* split_kernels_for(TileUnit unit);

/// The best unit this machine has: amx, avx512_bf16, emulated (slow: a stand-in that gives the result).
TileUnit best_tile_unit();

inline Tiles left_tiles(const Bf16* data, int parts, Index terms) {
  return {data, whole_tiles(terms, kTileTerms) * parts * kTileSize, parts * kTileSize};
}
inline Tiles column_tiles(const Bf16* data, int parts, Index terms) { return left_tiles(data, parts, terms); }
inline Tiles row_tiles(const Bf16* data, int parts, Index columns) {
  return {data, parts * kTileSize, whole_tiles(columns, kTileEdge) * parts * kTileSize};
}

/// Numbers of 16 bits that the packed matrices take.
inline Index left_room(int parts, Index rows, Index terms) {
  return whole_tiles(rows, kTileEdge) * whole_tiles(terms, kTileTerms) * parts * kTileSize;
}
inline Index column_tile_room(int parts, Index columns, Index terms) {
  return left_room(parts, whole_tiles(columns, kTileTerms) * kTileTerms, terms);
}
inline Index row_tile_room(int parts, Index columns, Index terms) { return left_room(parts, columns, terms); }

/// One for each file of a unit; for split_bf16.cpp only.
const SplitKernels* emulated_split_kernels();
const SplitKernels* avx512_split_kernels();
const SplitKernels* amx_split_kernels();
bool machine_has_amx();

}  // namespace fovea
