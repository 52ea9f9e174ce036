#pragma once
/// Counter-based random numbers: a number is a pure function of (seed, stream, entity, step), so nothing depends on
/// threads, on the order of work or on a resume, and checkpoints hold no generator state.
/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011), from Random123; the distributions are written out here because
/// those of the standard library differ between implementations.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace fovea {

class Random {
 public:
  explicit Random(std::uint64_t seed) : Random(seed, 0) {}

  /// An independent stream for one purpose, such as "anchors" or "noise"; streams of streams are allowed.
  Random stream(std::string_view purpose) const;

  /// 64 random bits for one entity (agent, edge, row) at one step.
  std::uint64_t bits(std::uint64_t entity, std::uint64_t step = 0) const;
  /// 128 random bits; the first 64 are those of bits().
  std::array<std::uint64_t, 2> block(std::uint64_t entity, std::uint64_t step = 0) const;
  /// Uniform on [0, 1), 53 bits.
  double uniform(std::uint64_t entity, std::uint64_t step = 0) const;
  /// Standard normal (inverse-free Box-Muller, both uniforms from one counter).
  double normal(std::uint64_t entity, std::uint64_t step = 0) const;
  /// out[i] = normal(first_entity + i, step): the same bits, several times faster, for the noise of a whole crowd.
  void normals(std::uint64_t first_entity, std::uint64_t step, std::span<double> out) const;
  /// Uniform whole number in [0, count), without bias (Lemire 2019); count >= 1.
  std::uint64_t below(std::uint64_t count, std::uint64_t entity, std::uint64_t step = 0) const;

  std::uint64_t seed() const { return seed_; }

 private:
  Random(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}
  std::uint64_t seed_;
  std::uint64_t stream_;
};

}  // namespace fovea
