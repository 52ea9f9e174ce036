#pragma once
/// What is followed of a crowd in motion besides measures: who holds which opinion, a network that changes, and the
/// model's own laws.

#include <span>
#include <vector>

#include "fovea/core/data/archive.hpp"
#include "fovea/core/data/results.hpp"
#include "fovea/domains/opinion/simulate/crowd.hpp"
#include "fovea/domains/opinion/simulate/settings.hpp"

namespace fovea::opinion::simulate {

/// The share of the agents that hold each of the opinions of the start and of events, and on a network the share of
/// active edges, whose ends hold different ones (Vazquez & Eguiluz 2008), at every recorded state. Nothing for models
/// that form means, and where these are more than eight.
class HeldOpinions {
 public:
  explicit HeldOpinions(const Crowd& crowd);
  /// opinions: of those who count, N x 1; graph: theirs, nullptr for none.
  void record(const Matrix<double>& opinions, const society::Graph* graph);
  /// Appends the last state again until there are `states`.
  void fill(std::size_t states);
  /// opinion_share(step, held_opinion) and active_edges(step).
  void write(Results& results) const;
  void visit(Archive archive);

 private:
  std::vector<double> opinions_;         ///< ascending; empty: nothing is recorded
  std::vector<double> shares_, active_;  ///< states x opinions; states, NaN without edges
};

class NetworkRecord {
 public:
  NetworkRecord(std::size_t states, std::size_t networks);

  /// A recorded state. graph: of those who count, undirected; camp: the camp of each of them, empty where it is not
  /// known.
  void record(const society::Graph& graph, std::span<const Index> camp, const Crowd& crowd);
  /// Appends the last state, and the network as it is, until there are as many as there will be.
  void fill(const Crowd& crowd);

  /// edges_between_camps, network_parts, largest_part_share and edges_moved (step); network_source and network_target
  /// (network_step, network_edge), the edges at some of the states. grid: the steps of the states.
  void write(std::span<const std::int64_t> grid, Results& results) const;
  void visit(Archive archive);

 private:
  std::size_t state_of(std::size_t network) const;  ///< at which the network is kept
  void keep(const Crowd& crowd);

  std::size_t states_, networks_;
  std::vector<double> between_, parts_, largest_, moved_;  ///< of each state so far
  std::vector<double> sources_, targets_, counts_;         ///< edges of the networks kept, and their numbers
};

/// Checks of this run: the edges of all agents at the end are as many as at the start, with those that events made and
/// without those that they cut, none twice and none to oneself; directed: each agent hears as many as at the start,
/// where events made and cut none.
void check_network(const society::Graph& start, const Crowd& crowd, Results& results);

/// What a model's own laws say of this run, and whether the run kept them.
/// Followed at every recorded state, where the law holds for the model, its agents and its network:
///
///   hull    means with weights >= 0 that sum to 1 leave no interval that held all opinions and anchors: DeGroot,
///           Friedkin-Johnsen, Hegselmann-Krause, attention, pairs; relaxing models with K = 1; without noise
///   mean    two who meet move by the same amount: the mean opinion is kept; without stubborn agents
///   energy  sum over pairs of min(d^2, eps^2) never rises under Hegselmann-Krause with one eps, nobody stubborn
///           (Bhattacharyya, Braverman, Chazelle & Nguyen 2013)
///
/// None is followed through shocks or repelling weights. Events end one law and begin it anew: each holds between them.
class Invariants {
 public:
  /// opinions: those of the start.
  Invariants(const dynamics::Dynamics& dynamics, const society::Graph* graph, const Matrix<double>& opinions,
             const SimulateSettings& settings);
  /// From now on a crowd of other agents; its opinions are where the laws begin.
  void begin(const dynamics::Dynamics& dynamics, const society::Graph* graph, const Matrix<double>& opinions);
  /// The same, taken up where it was: visit() brings the rest back.
  void follow(const dynamics::Dynamics& dynamics, const society::Graph* graph);
  void record(const Matrix<double>& opinions);
  void write(Results& results) const;  ///< a check for each law
  void visit(Archive archive);

 private:
  const Ranks* ranks_ = &alone();
  bool shocked_ = false;
  bool hull_ = false, mean_ = false, energy_ = false;
  double confidence_ = 0;
  std::vector<double> low_, high_;  ///< of each component
  /// Of the states so far: how far outside, the first mean, the largest drift, the first energy, the last, its largest
  /// rise; the widest range and the largest first energy; which laws held at any time, and how often they began.
  std::vector<double> seen_;
};

/// Sum over pairs of min((x_i - x_j)^2, eps^2), in O(N log N). opinions: one column.
double clipped_energy(const Matrix<double>& opinions, double confidence);

}  // namespace fovea::opinion::simulate
