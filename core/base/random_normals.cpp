/// Random::normal for many entities at a time: the same operations in the same order, side by side, so the same bits.
/// A block of numbers goes through each stage as a loop without branches, which the compiler turns into vectors; every
/// stage is compiled for several instruction sets, of which none may change a bit (nothing is contracted).

#include <bit>
#include <cmath>
#include <cstdint>

#include "fovea/core/base/instruction_set.hpp"
#include "fovea/core/base/random_math.hpp"

#if defined(__GNUC__)
#define FOVEA_INLINED __attribute__((always_inline)) inline
#else
#define FOVEA_INLINED inline
#endif

namespace fovea {

namespace {

constexpr std::size_t kBlock = 64;
constexpr std::uint64_t kLow32 = 0xffffffffu;

/// A whole number below 2^53 as a double, exactly, in operations that every instruction set has in vectors.
FOVEA_INLINED double exact_double(std::uint64_t whole) {
  const double high = std::bit_cast<double>((whole >> 32) | 0x4330000000000000u) - 0x1p52;
  const double low = std::bit_cast<double>((whole & kLow32) | 0x4330000000000000u) - 0x1p52;
  return high * 0x1p32 + low;
}

/// Philox4x32-10 of the counters (first + i, step): two words of 64 bits for each.
FOVEA_INLINED void philox_block(std::uint64_t key, std::uint64_t first, std::uint64_t step, std::uint64_t* one,
                                std::uint64_t* two) {
  for (std::size_t i = 0; i < kBlock; ++i) {
    const std::uint64_t entity = first + i;
    std::uint64_t a = entity & kLow32, b = entity >> 32, c = step & kLow32, d = step >> 32;
    std::uint64_t key_low = key & kLow32, key_high = key >> 32;
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t product_a = a * 0xD2511F53u, product_c = c * 0xCD9E8D57u;
      a = ((product_c >> 32) ^ b ^ key_low) & kLow32;
      c = ((product_a >> 32) ^ d ^ key_high) & kLow32;
      b = product_c & kLow32;
      d = product_a & kLow32;
      key_low = (key_low + 0x9E3779B9u) & kLow32;
      key_high = (key_high + 0xBB67AE85u) & kLow32;
    }
    one[i] = a | (b << 32);
    two[i] = c | (d << 32);
  }
}

/// log_of_unit of ((bits >> 11) + 1) / 2^53.
FOVEA_INLINED double log_of_bits(std::uint64_t bits) {
  constexpr double kLog2High = 0x1.62e42feep-1, kLog2Low = 0x1.a39ef35793c76p-33, kRootHalf = 0.70710678118654752;
  const double u = exact_double((bits >> 11) + 1) * 0x1p-53;
  const std::uint64_t raw = std::bit_cast<std::uint64_t>(u);
  double mantissa = std::bit_cast<double>((raw & 0x000fffffffffffffu) | 0x3fe0000000000000u);  // [1/2, 1)
  double exponent = std::bit_cast<double>((raw >> 52) | 0x4330000000000000u) - (0x1p52 + 1022);
  const bool below = mantissa < kRootHalf;
  mantissa = below ? 2 * mantissa : mantissa;
  exponent = below ? exponent - 1 : exponent;
  const double s = (mantissa - 1) / (mantissa + 1), square = s * s;
  double sum = 0;
#pragma GCC unroll 12
  for (int k = 11; k >= 0; --k) sum = sum * square + 1.0 / (2 * k + 1);
  return exponent * kLog2High + (exponent * kLog2Low + 2 * s * sum);
}

/// cosine_of_turn of (bits >> 11) / 2^53.
FOVEA_INLINED double cosine_of_bits(std::uint64_t bits) {
  const double u = exact_double(bits >> 11) * 0x1p-53;
  const double shifted = 4 * u + 0.5;
  const double rounded = (shifted + 0x1p52) - 0x1p52;
  const double quarter = rounded > shifted ? rounded - 1 : rounded;  // the whole part
  const double angle = 6.283185307179586 * (u - quarter * 0.25), square = angle * angle;
  const bool odd = quarter == 1 || quarter == 3;
  double sum = 1;
#pragma GCC unroll 8
  for (int k = 16; k >= 2; k -= 2) {
    const double divisor = odd ? (k + 1) * k : k * (k - 1);
    sum = 1 - sum * square / divisor;
  }
  const double value = odd ? angle * sum : sum;
  return quarter == 1 || quarter == 2 ? -value : value;
}

FOVEA_INLINED void normals_of_block(std::uint64_t key, std::uint64_t first, std::uint64_t step, double* out) {
  alignas(64) std::uint64_t one[kBlock], two[kBlock];
  alignas(64) double logs[kBlock], turns[kBlock];
  philox_block(key, first, step, one, two);
  for (std::size_t i = 0; i < kBlock; ++i) logs[i] = log_of_bits(one[i]);
  for (std::size_t i = 0; i < kBlock; ++i) turns[i] = cosine_of_bits(two[i]);
  for (std::size_t i = 0; i < kBlock; ++i) out[i] = std::sqrt(-2 * logs[i]) * turns[i];
}

FOVEA_INLINED void normals_of(std::uint64_t key, std::uint64_t first, std::uint64_t step, double* out,
                              std::size_t count) {
  std::size_t done = 0;
  for (; done + kBlock <= count; done += kBlock) normals_of_block(key, first + done, step, out + done);
  if (done == count) return;
  double rest[kBlock];
  normals_of_block(key, first + done, step, rest);
  for (std::size_t i = 0; done + i < count; ++i) out[done + i] = rest[i];
}

using FillNormals = void (*)(std::uint64_t, std::uint64_t, std::uint64_t, double*, std::size_t);

void normals_baseline(std::uint64_t key, std::uint64_t first, std::uint64_t step, double* out, std::size_t count) {
  normals_of(key, first, step, out, count);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void normals_avx2(std::uint64_t key, std::uint64_t first, std::uint64_t step,
                                                  double* out, std::size_t count) {
  normals_of(key, first, step, out, count);
}

__attribute__((target("avx512f,avx512dq"))) void normals_avx512(std::uint64_t key, std::uint64_t first,
                                                                std::uint64_t step, double* out, std::size_t count) {
  normals_of(key, first, step, out, count);
}
#endif

FillNormals best_fill() {
#if defined(__x86_64__)
  if (instruction_set() == InstructionSet::avx512 && __builtin_cpu_supports("avx512dq")) return normals_avx512;
  if (instruction_set() != InstructionSet::portable) return normals_avx2;
#endif
  return normals_baseline;
}

}  // namespace

void fill_normals(std::uint64_t key, std::uint64_t first, std::uint64_t step, double* out, std::size_t count) {
  best_fill()(key, first, step, out, count);
}

}  // namespace fovea
