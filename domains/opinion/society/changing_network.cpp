#include "fovea/domains/opinion/society/changing_network.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "fovea/core/base/error.hpp"

namespace fovea::opinion::society {

namespace {

std::size_t slot(Index place) { return place; }

}  // namespace

ChangingNetwork::ChangingNetwork(const Graph& graph, bool multiple)
    : directed_(graph.directed),
      multiple_(multiple),
      edges_(graph.edges),
      weights_(graph.weights),
      own_(graph.own),
      rows_(slot(graph.nodes)) {
  require(edges_.size() <= std::numeric_limits<std::uint32_t>::max(), "ChangingNetwork: there are ", edges_.size(),
          " edges, but must be at most 2^32 - 1.");
  require(weights_.empty() || weights_.size() == edges_.size(), "ChangingNetwork: there are ", edges_.size(),
          " edges but ", weights_.size(), " weights; each edge needs one.");
  fill_rows();
}

/// Row by row in one go: inserting edge after edge would be quadratic in the degree.
void ChangingNetwork::fill_rows() {
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> ties(rows_.size());
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    auto& [a, b] = edges_[e];
    require_node(a);
    require_node(b);
    require(a != b, "ChangingNetwork: edge ", e, " leads from ", a, " to itself.");
    if (!directed_ && a > b) std::swap(a, b);
    ties[slot(b)].emplace_back(a, e);
    if (!directed_) ties[slot(a)].emplace_back(b, e);
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::sort(ties[i].begin(), ties[i].end());
    rows_[i] = {};
    for (const auto& [node, edge] : ties[i]) {
      require(multiple_ || rows_[i].nodes.empty() || rows_[i].nodes.back() != node,
              "ChangingNetwork: the edge between ", node, " and ", i, " is given twice.");
      rows_[i].nodes.push_back(node);
      rows_[i].edges.push_back(edge);
    }
  }
}

void ChangingNetwork::require_node(Index node) const {
  require(node >= 0 && node < nodes(), "ChangingNetwork: there is no node ", node, "; the nodes are 0 to ", nodes() - 1,
          ".");
}

void ChangingNetwork::require_edge(Index number) const {
  require(number >= 0 && number < edge_count(), "ChangingNetwork: there is no edge ", number, "; there are ",
          edge_count(), " edges.");
}

void ChangingNetwork::require_new(Index speaker, Index listener) const {
  require(speaker != listener, "ChangingNetwork: node ", speaker, " cannot have an edge to itself.");
  require(multiple_ || !joined(speaker, listener), "ChangingNetwork: ", speaker, " and ", listener,
          " have an edge already.");
}

/// Where this edge to the neighbour stands in the node's row, or would stand: by neighbour, then by number.
Index ChangingNetwork::place_of(Index node, Index neighbour, Index edge) const {
  const Row& ties = row(node);
  const auto first = std::lower_bound(ties.nodes.begin(), ties.nodes.end(), static_cast<std::uint32_t>(neighbour));
  Index place = first - ties.nodes.begin();
  while (place < std::ssize(ties.nodes) && ties.nodes[slot(place)] == static_cast<std::uint32_t>(neighbour) &&
         ties.edges[slot(place)] < static_cast<std::uint32_t>(edge))
    ++place;
  return place;
}

Index ChangingNetwork::edge_between(Index speaker, Index listener) const {
  const Row& ties = row(listener);
  const std::size_t place = slot(place_of(listener, speaker));
  const bool found = place < ties.nodes.size() && ties.nodes[place] == static_cast<std::uint32_t>(speaker);
  return found ? static_cast<Index>(ties.edges[place]) : Index{-1};
}

void ChangingNetwork::enter(Index node, Index neighbour, Index edge) {
  Row& ties = rows_[slot(node)];
  const Index place = place_of(node, neighbour, edge);
  ties.nodes.insert(ties.nodes.begin() + place, static_cast<std::uint32_t>(neighbour));
  ties.edges.insert(ties.edges.begin() + place, static_cast<std::uint32_t>(edge));
}

void ChangingNetwork::leave(Index node, Index neighbour, Index edge) {
  Row& ties = rows_[slot(node)];
  const Index place = place_of(node, neighbour, edge);
  ties.nodes.erase(ties.nodes.begin() + place);
  ties.edges.erase(ties.edges.begin() + place);
}

void ChangingNetwork::join(Index number) {
  const auto [a, b] = edge(number);
  enter(b, a, number);
  if (!directed_) enter(a, b, number);
}

void ChangingNetwork::part(Index number) {
  const auto [a, b] = edge(number);
  leave(b, a, number);
  if (!directed_) leave(a, b, number);
}

Index ChangingNetwork::add_edge(Index speaker, Index listener, double weight) {
  require_node(speaker);
  require_node(listener);
  require_new(speaker, listener);
  if (weights_.empty() && weight != 1) weights_.assign(edges_.size(), 1.0);
  if (!directed_ && speaker > listener) std::swap(speaker, listener);
  edges_.push_back({speaker, listener});
  if (!weights_.empty()) weights_.push_back(weight);
  join(edge_count() - 1);
  ++version_;
  return edge_count() - 1;
}

void ChangingNetwork::remove_edge(Index number) {
  require_edge(number);
  const Index last = edge_count() - 1;
  part(number);
  if (number != last) {
    part(last);
    edges_[slot(number)] = edges_[slot(last)];
    if (!weights_.empty()) weights_[slot(number)] = weights_[slot(last)];
  }
  edges_.pop_back();
  if (!weights_.empty()) weights_.pop_back();
  if (number != last) join(number);
  ++version_;
}

void ChangingNetwork::move_edge(Index number, Index keeps, Index to) {
  require_edge(number);
  require_node(to);
  const auto [a, b] = edge(number);
  require(b == keeps || (!directed_ && a == keeps), "ChangingNetwork: node ", keeps, " is no ",
          directed_ ? "listener" : "end", " of the edge ", a, " - ", b, ".");
  require_new(to, keeps);
  part(number);
  edges_[slot(number)] = directed_ || to < keeps ? Edge{to, keeps} : Edge{keeps, to};
  join(number);
  ++moved_;
  ++version_;
}

Graph ChangingNetwork::graph() const {
  Graph graph;
  graph.nodes = nodes();
  graph.directed = directed_;
  graph.own = own_;
  // Rows ascend by their listener, so each speaker's edges come in order.
  std::vector<std::size_t> next(rows_.size() + 1, 0);
  for (const Edge& edge : edges_) ++next[slot(edge[0]) + 1];
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<std::uint32_t> order(next.back());
  for (Index listener = 0; listener < nodes(); ++listener)
    for (const std::uint32_t e : row(listener).edges) {
      const auto [a, b] = edges_[e];
      // Undirected: once, from its higher node.
      if (b == listener) order[next[slot(a)]++] = e;
    }
  for (const std::uint32_t e : order) {
    const Edge& edge = edges_[e];
    const double weight = this->weight(e);
    if (!graph.edges.empty() && graph.edges.back() == edge) {
      graph.weights.back() += weight;
      continue;
    }
    graph.edges.push_back(edge);
    graph.weights.push_back(weight);
  }
  const bool plain = std::all_of(graph.weights.begin(), graph.weights.end(), [](double weight) { return weight == 1; });
  if (!weighted() && (plain || !multiple_)) graph.weights.clear();
  return graph;
}

void ChangingNetwork::visit(Archive archive) {
  std::vector<double> speakers, listeners;
  for (const Edge& edge : edges_) {
    speakers.push_back(static_cast<double>(edge[0]));
    listeners.push_back(static_cast<double>(edge[1]));
  }
  archive.expect("nodes", concat(nodes(), " nodes"));
  archive("speakers", speakers);
  archive("listeners", listeners);
  archive("weights", weights_);
  archive("moved", moved_);
  if (!archive.restores()) return;
  edges_.clear();
  for (std::size_t e = 0; e < speakers.size(); ++e)
    edges_.push_back({static_cast<Index>(speakers[e]), static_cast<Index>(listeners[e])});
  fill_rows();
  ++version_;
}

}  // namespace fovea::opinion::society
