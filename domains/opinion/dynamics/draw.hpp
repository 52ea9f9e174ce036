#pragma once
/// Who is drawn when agents meet.

#include <cstdint>
#include <span>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::opinion::dynamics {

__extension__ typedef unsigned __int128 TwoWords;

/// A whole number in [0, count) from 64 random bits; each is right to count / 2^64.
inline Index scaled(std::uint64_t bits, Index count) {
  return static_cast<Index>((TwoWords{bits} * static_cast<std::uint64_t>(count)) >> 64);
}

/// The place of the one whose share of the weights (>= 0) covers `uniform`; weights.size() where all are 0.
inline std::size_t drawn_by_weight(std::span<const double> weights, double uniform) {
  double total = 0, sum = 0;
  for (const double weight : weights) total += weight;
  std::size_t last = weights.size();
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0) continue;
    last = k;
    if ((sum += weights[k]) > uniform * total) break;
  }
  return last;
}

/// The random numbers of one update: the first, second, ... of (update, step).
class Draws {
 public:
  Draws(const Random& random, Index update, std::int64_t step)
      : random_(random),
        update_(static_cast<std::uint64_t>(update)),
        place_(update_ * kMost),
        step_(static_cast<std::uint64_t>(step)) {}
  Index below(Index count) { return scaled(random_.bits(place_++, step_), count); }
  double uniform() { return random_.uniform(place_++, step_); }
  /// Another number for each of `agents`.
  double of_agent(const Random& random, Index agent, Index agents) const {
    return random.uniform(update_ * static_cast<std::uint64_t>(agents) + static_cast<std::uint64_t>(agent), step_);
  }

 private:
  static constexpr std::uint64_t kMost = 128;  // of an update: twice the largest panel
  const Random& random_;
  std::uint64_t update_, place_, step_;
};

}  // namespace fovea::opinion::dynamics
