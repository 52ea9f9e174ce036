#pragma once
/// What is written down of a network that changes while opinions do.

#include <span>
#include <vector>

#include "fovea/core/data/archive.hpp"
#include "fovea/core/data/results.hpp"
#include "fovea/domains/opinion/simulate/crowd.hpp"
#include "fovea/domains/opinion/simulate/settings.hpp"

namespace fovea::opinion::simulate {

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

}  // namespace fovea::opinion::simulate
