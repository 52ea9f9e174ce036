#pragma once
/// The loops over a row of pixels, each compiled for several instruction sets as the engine's are
/// (core/kernels/kernels.hpp): every pixel is computed by itself, so its bits depend neither on the pixels beside it
/// nor on how many there are; AVX2 and AVX-512 give the same. Rows hold whole registers (whole_groups<float>), whose
/// last entries may be overwritten, but those of x, a and b that end with their last pixel. stride: from one row of a
/// matrix to the next.

#include <array>
#include <cstdint>

#include "fovea/core/kernels/kernels.hpp"

namespace fovea::fusion::maps {

/// A function of straight pieces: y = start_k + slope_k (x - base_k), k the number of thresholds that are at most x.
/// At most 127 thresholds, ascending, infinite behind the last one; NaN lies before the first.
struct PieceTable {
  static constexpr Index kMost = 128;
  alignas(64) float thresholds[kMost];
  alignas(64) float base[kMost], slope[kMost], start[kMost];
  // The same thresholds as a search looks at them: every 16th, then three of each 16, three of each 4.
  alignas(64) float sixteenths[16];
  alignas(64) float fourths[3][16];
  alignas(64) float ones[3][32];
  void arrange();  ///< fills the last three from the thresholds
};

/// What both sensors say of a row of pixels, C rows each.
struct Sayings {
  const float* alone[2];              ///< answers before a sensor has seen the other
  const float* informed[2];           ///< behind that
  std::array<const float*, 2> valid;  ///< 1 where the sensor is there, else 0
  float sharpness = 1;                ///< b of the arbiter
};

struct MapKernels {
  /// y = 0 or 1
  void (*flags)(const std::uint8_t* x, Index count, float* y);
  /// y = GELU(x), off by at most 1e-6: a polynomial in x^2 in place of the exponential, in half of the time
  void (*gelu)(const float* x, Index count, float* y);
  /// y = GELU(a + b)
  void (*gelu_of_sum)(const float* a, const float* b, Index count, float* y);
  /// y = a + b
  void (*add)(const float* a, const float* b, Index count, float* y);
  /// y = x / divisor where valid is not 0, else 0
  void (*scaled)(const float* x, const float* valid, float divisor, Index count, float* y);
  /// y = (a - b) / max(a + b, floor) where valid is not 0, else 0; without floor (0) a - b
  void (*difference)(const float* a, const float* b, const float* valid, float floor, Index count, float* y);
  /// y = sums / max(counts, 1)
  void (*quotient)(const float* sums, const float* counts, Index count, float* y);
  /// y = the function at x; x and y may be the same.
  void (*pieces)(const PieceTable& table, const float* x, Index count, float* y);
  /// The arbiter (model/arbiter.hpp): trust (2 rows) and the mixed answers, C rows. work: C rows.
  void (*arbitrate)(const Sayings& said, Index classes, Index count, Index stride, float* work, float* trust,
                    float* mixed);
  /// Each column becomes softmax(inverse_temperature x).
  void (*softmax)(float* x, Index classes, Index count, Index stride, float inverse_temperature);
  /// x with 12 bits behind the leading one, ties to even; NaN stays. Nothing behind the last is touched.
  void (*round)(float* x, Index count);
  /// Of members' probabilities (C rows a member): their mean, which of its classes is the likeliest (the first of
  /// several), the deviation of that one's probability between members, and the entropy of the mean, nats.
  void (*together)(const float* members, Index number, Index classes, Index count, Index stride, float* mean,
                   float* likeliest, float* spread, float* entropy);
};

const MapKernels& map_kernels();                        ///< of the chosen instruction set
const MapKernels* map_kernels_for(InstructionSet set);  ///< nullptr where the machine or the build lacks it

const MapKernels* map_baseline_kernels();
const MapKernels* map_avx2_kernels();
const MapKernels* map_avx512_kernels();

}  // namespace fovea::fusion::maps
