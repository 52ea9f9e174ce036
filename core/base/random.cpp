#include "fovea/core/base/random.hpp"

#include <Random123/philox.h>

#include <atomic>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/machine/drawn.hpp"
#include "fovea/core/base/random_math.hpp"

namespace fovea {

namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr double kUlp = 0x1p-53;

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection that spreads every bit over all bits.
std::uint64_t mix(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

/// FNV-1a (Fowler, Noll, Vo 1991), 64 bits.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
  return hash;
}

struct Block {
  std::uint64_t first, second;
};

std::uint32_t low_word(std::uint64_t bits) { return static_cast<std::uint32_t>(bits); }
std::uint32_t high_word(std::uint64_t bits) { return static_cast<std::uint32_t>(bits >> 32); }

Block philox(std::uint64_t key, std::uint64_t entity, std::uint64_t step) {
  const r123::Philox4x32::ctr_type counter{{low_word(entity), high_word(entity), low_word(step), high_word(step)}};
  const r123::Philox4x32::key_type words{{low_word(key), high_word(key)}};
  const r123::Philox4x32::ctr_type out = r123::Philox4x32()(counter, words);
  return {out[0] | (std::uint64_t{out[1]} << 32), out[2] | (std::uint64_t{out[3]} << 32)};
}

std::atomic<bool>& drawn_place(std::uint64_t seed) {
  static std::array<std::atomic<bool>, 256> places{};
  return places[seed % places.size()];
}

/// Read before it is written, so that threads that draw do not take the place from each other.
void mark_drawn(std::uint64_t seed) {
  std::atomic<bool>& place = drawn_place(seed);
  if (!place.load(std::memory_order_relaxed)) place.store(true, std::memory_order_relaxed);
}

// Stream 0 leaves the seed as the key, so that the root stream is plain Philox and can be compared with known answers.
// Every draw asks for a key.
std::uint64_t key_of(std::uint64_t seed, std::uint64_t stream) {
  mark_drawn(seed);
  return stream == 0 ? seed : mix(mix(seed) ^ stream);
}

/// sum x^k / (2 k + 1), k = 0 ... 11, by Horner's rule.
double inverse_odd_series(double x) {
  double sum = 0;
  for (int k = 11; k >= 0; --k) sum = sum * x + 1.0 / (2 * k + 1);
  return sum;
}

/// Taylor series on [-pi/4, pi/4]; the first term left out is below 1e-17.
double cosine(double angle) {
  const double square = angle * angle;
  double sum = 1;
  for (int k = 16; k >= 2; k -= 2) sum = 1 - sum * square / (k * (k - 1));
  return sum;
}

double sine(double angle) {
  const double square = angle * angle;
  double sum = 1;
  for (int k = 17; k >= 3; k -= 2) sum = 1 - sum * square / (k * (k - 1));
  return angle * sum;
}

}  // namespace

double log_of_unit(double u) {
  constexpr double kLog2High = 0x1.62e42feep-1;  // 21 trailing zero bits: exponent * kLog2High is exact
  constexpr double kLog2Low = 0x1.a39ef35793c76p-33;
  constexpr double kRootHalf = 0.70710678118654752;
  int exponent = 0;
  double mantissa = std::frexp(u, &exponent);
  if (mantissa < kRootHalf) {
    mantissa *= 2;
    --exponent;
  }
  // log m = 2 artanh s with s = (m - 1) / (m + 1), |s| < 0.172
  const double s = (mantissa - 1) / (mantissa + 1);
  const double log_mantissa = 2 * s * inverse_odd_series(s * s);
  return exponent * kLog2High + (exponent * kLog2Low + log_mantissa);
}

double cosine_of_turn(double u) {
  constexpr double kTwoPi = 6.283185307179586;
  // The nearest quarter turn is taken off exactly: 4 u and quarter / 4 have no rounding.
  const int quarter = static_cast<int>(4 * u + 0.5);
  const double angle = kTwoPi * (u - quarter * 0.25);
  switch (quarter % 4) {
    case 0:
      return cosine(angle);
    case 1:
      return -sine(angle);
    case 2:
      return -cosine(angle);
    default:
      return sine(angle);
  }
}

bool drawn_from(std::uint64_t seed) { return drawn_place(seed).load(std::memory_order_relaxed); }

Random Random::stream(std::string_view purpose) const {
  const std::uint64_t next = mix(mix(stream_) ^ hash_of(purpose));
  return Random(seed_, next == 0 ? 1 : next);
}

std::uint64_t Random::bits(std::uint64_t entity, std::uint64_t step) const {
  return philox(key_of(seed_, stream_), entity, step).first;
}

std::array<std::uint64_t, 2> Random::block(std::uint64_t entity, std::uint64_t step) const {
  const Block both = philox(key_of(seed_, stream_), entity, step);
  return {both.first, both.second};
}

double Random::uniform(std::uint64_t entity, std::uint64_t step) const {
  return static_cast<double>(bits(entity, step) >> 11) * kUlp;
}

double Random::normal(std::uint64_t entity, std::uint64_t step) const {
  const Block block = philox(key_of(seed_, stream_), entity, step);
  const double radius_uniform = static_cast<double>((block.first >> 11) + 1) * kUlp;  // (0, 1]: its log is finite
  const double turn = static_cast<double>(block.second >> 11) * kUlp;
  return std::sqrt(-2 * log_of_unit(radius_uniform)) * cosine_of_turn(turn);
}

void Random::normals(std::uint64_t first_entity, std::uint64_t step, std::span<double> out) const {
  fill_normals(key_of(seed_, stream_), first_entity, step, out.data(), out.size());
}

std::uint64_t Random::below(std::uint64_t count, std::uint64_t entity, std::uint64_t step) const {
  require(count >= 1, "Random::below: count is 0, but there must be at least 1 number to choose from.");
  const std::uint64_t rejected = (0 - count) % count;
  // A rejected draw is repeated under another key, since (entity, step) uses up the whole counter.
  std::uint64_t key = key_of(seed_, stream_);
  for (;;) {
    const Wide product = Wide{philox(key, entity, step).first} * count;
    if (static_cast<std::uint64_t>(product) >= rejected) return static_cast<std::uint64_t>(product >> 64);
    key = mix(key);
  }
}

}  // namespace fovea
