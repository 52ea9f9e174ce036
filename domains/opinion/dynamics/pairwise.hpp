#pragma once
/// Agents that meet two at a time. Pair after pair is the definition: each meeting sees what the one before it left, so
/// a step is one sequence and the number of threads plays no part.
///
/// When i and j meet and differ by d = x_j - x_i, each that finds |d| < eps of its own moves towards the other:
///   x_i <- x_i + (1 - s_i) mu d   if |d| < eps_i,        x_j <- x_j - (1 - s_j) mu d   if |d| < eps_j
/// Deffuant, Neau, Amblard, Weisbuch (2000), with a strict "<"; eps of each agent: Weisbuch, Deffuant, Amblard, Nadal
/// (2002). With a rejection U, x_i <- x_i - (1 - s_i) mu d   if |d| > U, x_j likewise, within [-limit, limit] (Jager &
/// Amblard 2004): a latitude of acceptance, one of rejection and one between them without effect. s is ours: 0 is an
/// ordinary agent, 1 one that never moves. With several components |d| is Euclidean.

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/datasets/network/network.hpp"
#include "fovea/domains/opinion/dynamics/partners.hpp"
#include "fovea/domains/opinion/society/changing_network.hpp"

namespace fovea::opinion::dynamics {

/// What two agents do when they meet. The spans hold one number for each agent, or none; they must outlive their use.
struct PairRule {
  double confidence = 0.2;                                     ///< eps > 0
  double convergence = 0.5;                                    ///< mu in (0, 1/2]
  std::span<const double> confidences;                         ///< eps_i > 0; empty: all `confidence`
  std::span<const double> stubbornness;                        ///< s_i in [0, 1]; empty: all 0
  double rejection = std::numeric_limits<double>::infinity();  ///< U >= eps: they move apart where |d| > U
  double limit = std::numeric_limits<double>::infinity();      ///< opinions stay within [-limit, limit]
};

/// All throw ArgumentError where a number is out of its range, the spans do not have one entry for each agent (row of
/// `opinions`), or an edge or neighbour is no agent.

/// One step of Deffuant's model: as many meetings as agents, each of two different agents, all pairs alike. N >= 2.
/// Meeting k of a step takes the random block (k, step) of `random`; every pair's probability is right to 2^-40.
void meet_at_random(Matrix<double>& opinions, const PairRule& rule, const Random& random, std::int64_t step);

/// The same on a network: as many meetings as agents, each along an edge, all edges alike. Without edges nobody meets.
void meet_along_edges(Matrix<double>& opinions, std::span<const society::Edge> edges, const PairRule& rule,
                      const Random& random, std::int64_t step);

/// The same on a network that changes: in place of meeting number k along an edge instead(k, edge) is asked, which
/// gives true where the two do not talk; it may move the edge.
void meet_along_edges(Matrix<double>& opinions, const society::ChangingNetwork& network, const PairRule& rule,
                      const Random& random, std::int64_t step, const std::function<bool(Index, Index)>& instead);

/// Algorithmic bias (Sirbu, Pedreschi, Giannotti, Kertesz 2019): as many meetings as agents; the first agent is drawn
/// evenly, its partner with the probability
///   p(j | i) ~ max(|x_i - x_j|, floor)^-gamma,     then they do as above. gamma = 0 is Deffuant's model.
class AlgorithmicBias {
 public:
  /// The spans of the rule must outlive the object.
  AlgorithmicBias(const PairRule& rule, const Homophily& homophily, const Random& random);

  /// Everybody may meet everybody. With one component in O(log(range / floor)) a meeting, exactly (see Partners), else
  /// in O(N). N >= 2.
  void step(Matrix<double>& opinions, std::int64_t step_number);
  /// The partner is a neighbour, its probability times the weight of the edge; an agent that has none, or only edges of
  /// weight 0, meets nobody. O(degree) a meeting.
  void step(Matrix<double>& opinions, const datasets::network::Adjacency& network, std::int64_t step_number);

  void set_rule(const PairRule& rule);
  const PairRule& rule() const { return rule_; }

 private:
  PairRule rule_;
  Homophily homophily_;
  Random agents_, partners_;
  Partners tree_;
  std::vector<double> weights_;
};

}  // namespace fovea::opinion::dynamics
