#include "fovea/domains/lag/methods/link_graph.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace fovea::lag::methods {

namespace {

/// Directions that were given, so that contradictions are seen.
class Directions {
 public:
  explicit Directions(LinkGraph& graph) : graph_(graph) {}

  void give(Index from, Index to) {
    const bool backward = given_.contains({to, from});
    if (!backward && given_.emplace(from, to).second) graph_.direct(from, to);
    if (backward) graph_.set_both(from, to, Mark::conflict);
  }

 private:
  LinkGraph& graph_;
  std::set<std::pair<Index, Index>> given_;
};

bool among(std::span<const Triple> triples, const Triple& triple) {
  return std::find(triples.begin(), triples.end(), triple) != triples.end();
}

/// i --> k o-o j, i and j not linked: k --> j, or k would be a collider.
bool apply_rule_1(const LinkGraph& graph, std::span<const Triple> ambiguous, Directions& directions) {
  bool any = false;
  for (const Triple& triple : graph.unshielded_triples(true)) {
    if (among(ambiguous, triple)) continue;
    any = true;
    directions.give(triple.middle, triple.end);
  }
  return any;
}

std::vector<Index> without_conflicts(const LinkGraph& graph, Index j) {
  std::vector<Index> neighbours = graph.neighbours(j);
  std::erase_if(neighbours, [&](Index k) { return graph.at_once(k, j) == Mark::conflict; });
  return neighbours;
}

/// i --> k --> j, i o-o j: i --> j, or there would be a circle.
bool apply_rule_2(const LinkGraph& graph, std::span<const Triple> ambiguous, Directions& directions) {
  std::vector<Triple> found;
  for (Index j = 0; j < graph.series(); ++j)
    for (const Index k : without_conflicts(graph, j))
      for (const Index i : without_conflicts(graph, k))
        if (i != j && graph.at_once(k, j) == Mark::forward && graph.at_once(i, k) == Mark::forward &&
            graph.at_once(i, j) == Mark::undirected && !among(ambiguous, {{i, 0}, k, j}))
          found.push_back({{i, 0}, k, j});
  for (const Triple& triple : found) directions.give(triple.node.series, triple.end);
  return !found.empty();
}

/// i o-o k --> j and i o-o l --> j, i o-o j, k and l not linked: i --> j, or k or l would be a collider at i.
bool apply_rule_3(const LinkGraph& graph, std::span<const Triple> ambiguous, Directions& directions) {
  std::vector<std::pair<Index, Index>> found;
  for (Index j = 0; j < graph.series(); ++j) {
    const std::vector<Index> near = without_conflicts(graph, j);
    const auto reaches = [&](Index i, Index k) {
      return k != i && graph.at_once(k, j) == Mark::forward && graph.at_once(k, i) == Mark::undirected &&
             !among(ambiguous, {{i, 0}, k, j});
    };
    for (const Index i : near)
      for (const Index k : near)
        for (const Index l : near)
          if (graph.at_once(j, i) == Mark::undirected && k != l && reaches(i, k) && reaches(i, l) &&
              graph.at_once(k, l) == Mark::none)
            found.emplace_back(i, j);
  }
  for (const auto& [from, to] : found) directions.give(from, to);
  return !found.empty();
}

}  // namespace

LinkGraph::LinkGraph(Index series, Index last_lag)
    : series_(series), last_lag_(last_lag), marks_(series * series * (last_lag + 1), Mark::none) {}

void LinkGraph::direct(Index from, Index to) {
  set({from, 0}, to, Mark::forward);
  set({to, 0}, from, Mark::backward);
}

void LinkGraph::set_both(Index a, Index b, Mark mark) {
  set({a, 0}, b, mark);
  set({b, 0}, a, mark);
}

std::vector<Index> LinkGraph::neighbours(Index j) const {
  std::vector<Index> found;
  for (Index i = 0; i < series_; ++i)
    if (at_once(i, j) != Mark::none) found.push_back(i);
  return found;
}

std::vector<LaggedNode> LinkGraph::adjacent(Index j) const {
  std::vector<LaggedNode> found;
  for (Index i = 0; i < series_; ++i)
    for (Index lag = 0; lag <= last_lag_; ++lag) {
      const Mark mark = (*this)({i, lag}, j);
      if (mark != Mark::none && mark != Mark::conflict) found.push_back({i, lag});
    }
  return found;
}

std::vector<Triple> LinkGraph::unshielded_triples(bool arrow_into_middle) const {
  std::vector<std::vector<LaggedNode>> adjacent_to;
  for (Index k = 0; k < series_; ++k) adjacent_to.push_back(adjacent(k));
  std::vector<Triple> triples;
  for (Index j = 0; j < series_; ++j)
    for (Index k = 0; k < series_; ++k) {
      if (at_once(k, j) != Mark::undirected) continue;
      for (const LaggedNode& node : adjacent_to[k]) {
        const Mark mark = (*this)(node, k);
        const bool leads = mark == Mark::forward || (mark == Mark::undirected && !arrow_into_middle);
        if (leads && !(node == LaggedNode{j, 0}) && (*this)(node, j) == Mark::none) triples.push_back({node, k, j});
      }
    }
  return triples;
}

void direct_colliders(LinkGraph& graph, std::span<const Triple> colliders) {
  Directions directions(graph);
  for (const Triple& triple : colliders) {
    directions.give(triple.end, triple.middle);
    if (triple.node.lag == 0) directions.give(triple.node.series, triple.middle);
  }
}

void direct_by_rules(LinkGraph& graph, std::span<const Triple> ambiguous) {
  Directions directions(graph);
  for (bool any = true; any;) {
    const bool first = apply_rule_1(graph, ambiguous, directions);
    const bool second = apply_rule_2(graph, ambiguous, directions);
    const bool third = apply_rule_3(graph, ambiguous, directions);
    any = first || second || third;
  }
}

}  // namespace fovea::lag::methods
