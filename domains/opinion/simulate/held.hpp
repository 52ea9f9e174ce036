#pragma once
/// Who holds which opinion, where opinions are taken over as they are: voters, majorities, Sznajd.

#include <vector>

#include "fovea/core/data/archive.hpp"
#include "fovea/core/data/results.hpp"
#include "fovea/domains/opinion/simulate/crowd.hpp"

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

}  // namespace fovea::opinion::simulate
