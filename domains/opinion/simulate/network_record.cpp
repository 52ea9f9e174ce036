#include "fovea/domains/opinion/simulate/records.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"

namespace fovea::opinion::simulate {

namespace {

void repeat(std::vector<double>& values, std::size_t wanted) {
  if (!values.empty()) values.resize(std::max(wanted, values.size()), values.back());
}

/// How many each agent hears; undirected: its neighbours.
std::vector<Index> heard_by_each(const society::Graph& graph) {
  if (!graph.directed) return society::degrees(graph);
  std::vector<Index> heard(graph.nodes, 0);
  for (const society::Edge& edge : graph.edges) ++heard[edge[1]];
  return heard;
}

/// Of the edges, those that join different camps.
double share_between(const society::Graph& graph, std::span<const Index> camp) {
  if (graph.edges.empty() || camp.empty()) return kNan;
  const auto crosses = [&](const society::Edge& edge) { return camp[edge[0]] != camp[edge[1]]; };
  return static_cast<double>(std::count_if(graph.edges.begin(), graph.edges.end(), crosses)) /
         static_cast<double>(graph.edges.size());
}

}  // namespace

NetworkRecord::NetworkRecord(std::size_t states, std::size_t networks)
    : states_(states), networks_(std::min(states, networks)) {}

std::size_t NetworkRecord::state_of(std::size_t network) const {
  return networks_ > 1 ? network * (states_ - 1) / (networks_ - 1) : states_ - 1;
}

void NetworkRecord::record(const society::Graph& graph, std::span<const Index> camp, const Crowd& crowd) {
  const std::size_t state = between_.size();
  between_.push_back(share_between(graph, camp));
  const std::vector<Index> part = society::connected_parts(graph);
  std::vector<double> sizes(
      part.empty() ? 0 : static_cast<std::size_t>(*std::max_element(part.begin(), part.end())) + 1, 0.0);
  for (const Index p : part) sizes[p] += 1;
  parts_.push_back(static_cast<double>(sizes.size()));
  largest_.push_back(*std::max_element(sizes.begin(), sizes.end()) / static_cast<double>(part.size()));
  moved_.push_back(static_cast<double>(crowd.edge_counts().moved));
  if (counts_.size() < networks_ && state_of(counts_.size()) == state) keep(crowd);
}

void NetworkRecord::keep(const Crowd& crowd) {
  const society::Graph network = crowd.network_of_those_there();
  for (const society::Edge& edge : network.edges) {
    sources_.push_back(static_cast<double>(edge[0]));
    targets_.push_back(static_cast<double>(edge[1]));
  }
  counts_.push_back(static_cast<double>(network.edges.size()));
}

void NetworkRecord::fill(const Crowd& crowd) {
  for (std::vector<double>* values : {&between_, &parts_, &largest_, &moved_}) repeat(*values, states_);
  while (counts_.size() < networks_) keep(crowd);
}

void NetworkRecord::write(std::span<const std::int64_t> grid, Results& results) const {
  if (between_.empty()) return;
  if (std::none_of(between_.begin(), between_.end(), [](double share) { return std::isnan(share); }))
    results.add("edges_between_camps", {"step"}, between_, "1",
                "share of the edges that join agents of different camps");
  results.add("network_parts", {"step"}, parts_, "1", "parts of the network without an edge between them");
  results.add("largest_part_share", {"step"}, largest_, "1", "share of the agents in the largest part of the network");
  results.add("edges_moved", {"step"}, moved_, "1", "edges moved since the start");
  results.scalar("final_edges_between_camps", between_.back(), "1",
                 "final edges between camps: share of the edges that join agents of different camps");
  results.scalar("final_network_parts", parts_.back(), "1", "final parts of the network without an edge between them");
  results.scalar("final_largest_part_share", largest_.back(), "1", "final share of the agents in the largest part");
  results.scalar("final_edges_moved", moved_.back(), "1", "edges moved since the start");
  const double most = counts_.empty() ? 0 : *std::max_element(counts_.begin(), counts_.end());
  if (most == 0) return;
  const auto width = static_cast<std::size_t>(most);
  std::vector<std::int64_t> steps, source, target;
  std::size_t next = 0;
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    steps.push_back(grid[state_of(k)]);
    const auto count = static_cast<std::size_t>(counts_[k]);
    for (std::size_t e = 0; e < width; ++e) {
      source.push_back(e < count ? static_cast<std::int64_t>(sources_[next + e]) : -1);
      target.push_back(e < count ? static_cast<std::int64_t>(targets_[next + e]) : -1);
    }
    next += count;
  }
  results.coordinate("network_step", steps, "step", "step whose network is kept");
  results.data.dimension("network_edge", width);
  results.add("network_source", {"network_step", "network_edge"}, source, "1",
              "agent at one end of the edge (directed: who is heard); -1: there are fewer edges");
  results.add("network_target", {"network_step", "network_edge"}, target, "1",
              "agent at the other end of the edge; -1: there are fewer edges");
}

void NetworkRecord::visit(Archive archive) {
  archive("between", between_);
  archive("parts", parts_);
  archive("largest", largest_);
  archive("moved", moved_);
  archive("sources", sources_);
  archive("targets", targets_);
  archive("counts", counts_);
}

void check_network(const society::Graph& start, const Crowd& crowd, Results& results) {
  const society::Graph end = crowd.network_of_all();
  const Crowd::EdgeCounts counts = crowd.edge_counts();
  std::vector<society::Edge> edges = end.edges;
  double loops = 0;
  for (society::Edge& edge : edges) {
    loops += edge[0] == edge[1] ? 1 : 0;
    if (!end.directed && edge[0] > edge[1]) std::swap(edge[0], edge[1]);
  }
  std::sort(edges.begin(), edges.end());
  const auto again = edges.end() - std::unique(edges.begin(), edges.end());
  const auto predicted = static_cast<double>(std::ssize(start.edges) + counts.made - counts.cut);
  results.check({"edges_kept",
                 concat("edges of the network at the end: an edge that is moved is neither made nor lost",
                        crowd.events().empty() ? "" : "; those of the start and of events, also of who is not there"),
                 "Holme & Newman 2006", predicted, static_cast<double>(edges.size()), absolute(0)});
  if (!crowd.dynamics().settings().rewiring.multiple)
    results.check({"network_simple", "edges at the end that lead to oneself or are there twice",
                   "no self-loops, no multiple edges", 0, loops + static_cast<double>(again), absolute(0)});
  if (!end.directed || counts.made + counts.cut > 0) return;
  const std::vector<Index> before = heard_by_each(start), after = heard_by_each(end);
  double change = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    change = std::max(change, std::abs(static_cast<double>(after[i] - before[i])));
  results.check({"follows_kept",
                 "largest change of the number of others that an agent hears: who unfollows one follows "
                 "another",
                 "Sasahara et al. 2021", 0, change, absolute(0)});
}

}  // namespace fovea::opinion::simulate
