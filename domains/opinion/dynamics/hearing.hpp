#pragma once
/// What each agent hears:  h_i = sum_j w_ij v_j,  w_ij from e_ij = W_ij g_j exp(score(x_i, x_j) / T_i) as rules.hpp
/// says. j runs over everybody, oneself included, or over oneself and one's neighbours on a network. Whoever
/// hears nobody (reach 0, nobody near) is left with its own value.

#include <memory>
#include <span>
#include <vector>

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/ranks/ranks.hpp"
#include "fovea/domains/opinion/dynamics/rules.hpp"
#include "fovea/domains/opinion/society/graph.hpp"

namespace fovea::opinion::dynamics {

class Dynamics;

/// Compressed rows: whom each agent of a network hears, itself included.
struct SpeakerRows {
  std::vector<Index> offsets;  ///< row i is [offsets[i], offsets[i + 1]), itself first
  std::vector<std::uint32_t> speakers;
  std::vector<double> weights;  ///< empty: all 1
};

/// self_weight: W_ii, where the graph has none of its own.
SpeakerRows speaker_rows(const society::Graph& graph, double self_weight);

/// Who is heard how loud.
struct HearingRule {
  Score score = Score::gaussian;  ///< not Score::chosen
  Normaliser normaliser = Normaliser::softmax;
  double temperature = 1;
  double confidence = 1;
  double sharpness = 1;
  double distance_floor = 1e-6;
  double self_weight = 1;                ///< W_ii on a network
  std::span<const double> temperatures;  ///< (N) T_i; empty: temperature for all
  std::span<const double> confidences;   ///< (N) eps_i; empty: confidence for all
  std::span<const double> reach;         ///< (N) g_j; empty: all 1
  const Ranks* ranks = &alone();         ///< who hold the crowd together: heard by the Gaussian on the line, or alike

  double temperature_of(Index i) const { return temperatures.empty() ? temperature : temperatures[i]; }
  double confidence_of(Index i) const { return confidences.empty() ? confidence : confidences[i]; }
  double reach_of(Index j) const { return reach.empty() ? 1.0 : reach[j]; }
};

/// How the agents of a crowd hear each other at its present controls; it points into them.
HearingRule hearing_rule_of(const Dynamics& crowd);

class HeardSums {
 public:
  virtual ~HeardSums() = default;
  /// opinions N x D, values N x V; heard becomes N x V. Bits do not depend on the number of threads. The spans of the
  /// rule may have changed since the last call only in what they hold.
  virtual void hear(const HearingRule& rule, const Matrix<double>& opinions, const Matrix<double>& values,
                    Matrix<double>& heard) = 0;
};

/// The fastest way that gives all digits: on the line boxes for the Gaussian and the dot product and prefix sums for
/// the top hat, O(N); compressed rows on a network, O(edges); else every pair by the engine. fast = false: every pair,
/// by the engine where it has the score. graph: nullptr for everybody.
std::unique_ptr<HeardSums> make_hearing(const HearingRule& rule, Index components, const society::Graph* graph,
                                        bool fast);

/// All pairs, or the rows of a network, by plain sums: every score and normaliser.
std::unique_ptr<HeardSums> direct_hearing(const HearingRule& rule, const society::Graph* graph);

/// By plain sums over these rows, who is listed twice twice: every score and normaliser. O(speakers).
void hear_rows(const HearingRule& rule, const SpeakerRows& rows, const Matrix<double>& opinions,
               const Matrix<double>& values, Matrix<double>& heard);

/// By attend(). Not for the top hat.
std::unique_ptr<HeardSums> engine_hearing(const HearingRule& rule, const society::Graph* graph);

/// The rule as the engine is told it, softmax over the same pairs. Throws ArgumentError for the top hat, whose edge has
/// no derivative.
AttentionSpec<double> attention_spec(const HearingRule& rule, const society::Graph* graph);

/// sum_k W_ik g_k over those whom i can hear: one number each on a network, one for all without.
std::vector<double> audible_reach(const HearingRule& rule, Index agents, const society::Graph* graph);

}  // namespace fovea::opinion::dynamics
