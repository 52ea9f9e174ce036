#pragma once
/// Activity-driven opinions with homophily (Baumann, Lorenz-Spreen, Sokolov, Starnini 2020, eqs. 1 to 4): radicals out
/// of those who talk much to their like.
///
///   dx_i = dt (1 - s_i) (-x_i + K sum_j A_ij tanh(alpha x_j)),   A_ij = 1 where i hears j in this step, else 0
///
/// In each step agent i is active with the probability a_i. Then it contacts m different others, each drawn with
/// p_ij ~ max(|x_i - x_j|, floor)^-beta among those not yet drawn (see Contacts). Who is contacted hears i; with the
/// probability r (reciprocity) i hears it back. One who is heard for two reasons is heard once. This is the direction
/// of Seldon (2024), the authors' equations being silent on how a contact is listened to. Euler's method: first order
/// in dt. s is ours: 1 makes a bot, an agent that talks and never moves.

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/domains/opinion/dynamics/partners.hpp"

namespace fovea::opinion::dynamics {

struct ActivityRule {
  Index contacts = 10;             ///< m >= 1
  Homophily homophily{1.0, 1e-6};  ///< beta >= 0 and the floor of the distance
  double reciprocity = 0.5;        ///< r in [0, 1]
  double coupling = 3;             ///< K, finite
  double steepness = 3;            ///< alpha, finite
  double time_step = 0.05;         ///< dt in (0, 1]
};

/// Activities with the density ~ a^-exponent on [least, 1] (Perra, Goncalves, Pastor-Satorras, Vespignani 2012), agent
/// i from number i of `random`. exponent finite, least in (0, 1]. Mean: (1 - g)(1 - e^(2-g)) / ((2 - g)(1 - e^(1-g))).
std::vector<double> power_law_activities(Index agents, double exponent, double least, const Random& random);

/// Who hears whom in a step, as compressed rows: agent i hears speakers[offsets[i] .. offsets[i + 1]), ascending.
struct Hearing {
  std::vector<Index> offsets;
  std::vector<std::uint32_t> speakers;
};

/// A crowd that keeps its memory from step to step. Bits do not depend on the number of threads.
class ActivityDriven {
 public:
  /// activities a_i in [0, 1], one for each agent; stubbornness s_i in [0, 1], one for each or none: all 0.
  /// Throws ArgumentError for sizes and numbers that do not fit.
  ActivityDriven(const ActivityRule& rule, std::vector<double> activities, std::vector<double> stubbornness,
                 const Random& random);

  /// One step in place. O(N log N) for the order, and O(log N log(range / floor)) for each active agent.
  void step(std::span<double> opinions, std::int64_t step_number);
  /// The network that this step has at these opinions.
  const Hearing& meet(std::span<const double> opinions, std::int64_t step_number);

  const ActivityRule& rule() const { return rule_; }
  const std::vector<double>& activities() const { return activities_; }
  void set_rule(const ActivityRule& rule);

 private:
  void talk(Index first, Index end, std::uint64_t step, std::vector<std::uint64_t>& heard) const;

  ActivityRule rule_;
  std::vector<double> activities_, stubbornness_;
  Random activation_, contacting_, reciprocation_;
  Contacts contacts_;
  std::vector<std::vector<std::uint64_t>> heard_;  ///< of each part of the agents: listener << 32 | speaker
  std::vector<double> influence_;                  ///< tanh(alpha x_j)
  Hearing hearing_;
};

}  // namespace fovea::opinion::dynamics
