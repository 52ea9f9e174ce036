#pragma once
/// Contacts drawn by nearness, several at a time, among agents that stand still meanwhile.

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/domains/opinion/dynamics/partners.hpp"

namespace fovea::opinion::dynamics {

/// Draws m different contacts of an agent, one after the other, each among those not yet drawn with the probability
///   p(j | i) ~ max(|x_i - x_j|, floor)^-beta
/// (successive sampling; reservoirs with exponential keys, Efraimidis and Spirakis 2006, have the same law).
///
/// With all agents in order on the line, the others lie around i in shells: within the floor, then between floor
/// q^(k-1) and floor q^k. Binary searches count a shell; those drawn before are left out of it. A shell is chosen by
/// (agents left in it) x (weight at its inner edge), an agent in it evenly, and it is taken with the probability (its
/// weight) / (weight at the inner edge) >= q^-beta >= 1/4; else all is drawn again. In such a round each agent's
/// probability is proportional to its weight, so that the one taken is distributed exactly so (von Neumann 1951). Costs
/// O(log N) a shell and O(shells + m) a contact, in place of N weights.
class Contacts {
 public:
  /// Puts the agents in order: O(N log N). Opinions (N >= 2) finite, else ArgumentError.
  void arrange(std::span<const double> opinions, const Homophily& homophily);
  /// Appends `count` different contacts of `agent` (all others, where there are not more). The draws are the blocks
  /// (agent + 2^40 draw, step) of `random`. May be called by many threads.
  void draw(Index agent, Index count, const Random& random, std::uint64_t step, std::vector<Index>& contacts) const;

 private:
  struct Shells;
  void find_shells(std::size_t rank, Shells& shells) const;
  bool accepts(double distance, std::size_t shell, double coin) const;

  Homophily homophily_;
  std::vector<double> sorted_;         ///< opinions, ascending
  std::vector<std::uint32_t> agents_;  ///< whose opinion that is
  std::vector<std::uint32_t> ranks_;   ///< the place of each agent in it
  std::vector<double> radii_;          ///< outer radius of each shell
  std::vector<double> fall_;           ///< fall_[k] = q^(-beta k)
};

}  // namespace fovea::opinion::dynamics
