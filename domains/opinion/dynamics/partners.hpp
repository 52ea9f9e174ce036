#pragma once
/// Partners drawn by nearness among agents that move one at a time, and contacts, several at a time, among agents that
/// stand still meanwhile.

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::opinion::dynamics {

/// The weight of a partner at the distance d:  max(d, floor)^-exponent.
struct Homophily {
  double exponent = 1;           ///< gamma or beta >= 0; 0: all alike
  double distance_floor = 1e-5;  ///< smaller distances count as this one, > 0
  /// Divided by that of the floor: in [0, 1], so that nothing overflows.
  double relative_weight(double distance) const;
};

/// Throws ArgumentError where a number is out of its range.
void check_homophily(const Homophily& homophily);

/// Agents on a line that are drawn with p(j | i) ~ max(|x_i - x_j|, floor)^-exponent, j != i, and moved, each in
/// O(log(range / floor)).
///
/// The range is halved L times, until two leaves fit into the floor. Seen from an agent, the leaf it is in and its two
/// neighbours lie within the floor; what is further is covered by at most three boxes of each level, one or two of
/// their widths away. A box is chosen by (agents in it) x (weight at its nearest edge), an agent in it evenly, and it
/// is taken with the probability (its weight) / (weight at the nearest edge) >= 3^-exponent; else all is drawn again.
/// Each agent's probability in such a round is proportional to its weight, so that the one taken is distributed exactly
/// so (von Neumann 1951). After kRounds rounds in vain all weights are summed, which gives the same distribution.
class Partners {
 public:
  /// Starts from these positions (N >= 2, finite). Equal positions give an equal state, whatever was there before.
  /// L is at most 20: below 2^-20 of the range the floor makes near crowds be looked through one by one.
  /// Throws ArgumentError where exponent x log(range / floor) exceeds 700: the far would have weight 0.
  void start(std::span<const double> positions, const Homophily& homophily);
  /// A partner of `agent`; number `entity` of this step of `random`.
  Index draw(Index agent, const Random& random, std::uint64_t entity, std::uint64_t step) const;
  /// Into the range of the start.
  void move(Index agent, double position);

 private:
  struct Choices;
  Choices choices(std::size_t agent) const;
  std::size_t member(std::size_t node, std::size_t rank) const;
  bool is_near(std::size_t leaf, std::size_t node) const;
  Index drawn_from_leaf(std::size_t agent, std::size_t leaf, double inside) const;
  Index draw_plainly(std::size_t agent, double uniform) const;
  std::size_t leaf_at(double position) const;
  bool is_sparse() const;
  void empty(int levels);
  void join(std::size_t agent, std::size_t leaf);

  Homophily homophily_;
  int levels_ = 0;             ///< the leaves are 2^levels_ boxes
  bool near_is_floor_ = true;  ///< two leaves fit into the floor
  double lowest_ = 0, leaves_per_unit_ = 0;
  std::vector<double> box_weights_;  ///< [level][boxes away: 2 or 3]: weight at the nearest edge
  std::vector<double> positions_;
  std::vector<std::uint32_t> counts_;  ///< of box b at level l at (1 << l) + b: the parent of node n is n / 2
  std::vector<std::vector<std::uint32_t>> members_;  ///< of each leaf
  std::vector<std::uint32_t> leaf_, place_;          ///< of each agent, and its place in its leaf
};

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
