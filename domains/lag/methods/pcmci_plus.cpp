#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/lag/methods/finders.hpp"
#include "fovea/domains/lag/methods/link_graph.hpp"
#include "fovea/domains/lag/methods/pcmci.hpp"

namespace fovea::lag::methods {

namespace {

constexpr double kGraphAlpha = 0.01;         // Runge 2020: of every test
constexpr std::size_t kMostNeighbours = 12;  // whose subsets are all tried when colliders are looked for

/// Walks the subsets of `size` of them, in lexicographic order, until `visit` says no.
template <typename Visit>
void for_each_subset(std::span<const LaggedNode> nodes, std::size_t size, Visit visit) {
  if (size > nodes.size()) return;
  std::vector<std::size_t> chosen(size);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::vector<LaggedNode> subset(size);
  for (;;) {
    for (std::size_t k = 0; k < size; ++k) subset[k] = nodes[chosen[k]];
    if (!visit(subset)) return;
    std::size_t k = size;
    while (k > 0 && chosen[k - 1] == nodes.size() - size + k - 1) --k;
    if (k == 0) return;
    ++chosen[k - 1];
    for (; k < size; ++k) chosen[k] = chosen[k - 1] + 1;
  }
}

/// What the tests of one link said together.
struct LinkEvidence {
  CorrelationTest test{.p_value = -1};  ///< that with the largest p-value, of equal ones the last
  double weakest = std::numeric_limits<double>::infinity();
  bool independent = false;
  void add(const CorrelationTest& one, double alpha) {
    weakest = std::min(weakest, std::abs(one.correlation));
    if (one.p_value >= test.p_value) test = one;
    independent = one.p_value > alpha;
  }
};

/// The second phase of PCMCI+: links at lag 0, and lagged ones that were selected, are tested given 0, 1, 2, ...
/// neighbours at lag 0 and the lagged parents of both ends.
class Skeleton {
 public:
  Skeleton(const LaggedTests& tests, const LagSettings& settings, const std::vector<LaggedConditions>& conditions)
      : tests_(tests), conditions_(conditions), graph_(tests.gram().series(), settings.lags.back()) {
    for (Index j = 0; j < graph_.series(); ++j) {
      for (const LaggedNode& parent : parents_of(j)) graph_.set(parent, j, Mark::forward);
      for (Index i = 0; i < graph_.series(); ++i)
        if (i != j) graph_.set({i, 0}, j, Mark::undirected);
    }
    for (Index i = 0; i < graph_.series(); ++i)
      for (Index j = 0; j < graph_.series(); ++j)
        for (Index lag = 0; lag <= settings.lags.back(); ++lag)
          if (graph_({i, lag}, j) != Mark::none) links_.push_back({{i, lag}, j, {}});
  }

  void find() {
    for (std::size_t size = 0; round(size); ++size) {
    }
  }

  const LinkGraph& graph() const { return graph_; }
  CorrelationTest test(const LaggedNode& cause, Index effect, std::span<const LaggedNode> neighbours) const {
    return tests_.test(cause, {effect, 0},
                       momentary_conditions(cause, neighbours, parents_of(effect), parents_of(cause.series)));
  }
  /// Of the link's tests that with the largest p-value; nullptr where it was not tested in this phase. At lag 0 those
  /// of both directions count.
  const CorrelationTest* evidence(const LaggedNode& cause, Index effect) const {
    const CorrelationTest* found = own_evidence(cause, effect);
    if (cause.lag > 0) return found;
    const CorrelationTest* other = own_evidence({effect, 0}, cause.series);
    return other->p_value > found->p_value || (other->p_value == found->p_value && effect < cause.series) ? other
                                                                                                          : found;
  }

 private:
  struct TestedLink {
    LaggedNode cause;
    Index effect;
    LinkEvidence evidence;
  };

  std::span<const LaggedNode> parents_of(Index j) const { return conditions_[j].parents; }
  const CorrelationTest* own_evidence(const LaggedNode& cause, Index effect) const {
    const auto link = std::find_if(links_.begin(), links_.end(),
                                   [&](const TestedLink& l) { return l.cause == cause && l.effect == effect; });
    return link == links_.end() ? nullptr : &link->evidence.test;
  }

  /// Neighbours at lag 0, by the weakest correlation that their links have shown: the strongest first.
  std::vector<LaggedNode> ranked_neighbours(Index j) const {
    std::vector<std::pair<double, Index>> ranked;
    for (const TestedLink& link : links_)  // by cause, so that equal ones stay in order
      if (link.effect == j && link.cause.lag == 0 && graph_(link.cause, j) != Mark::none)
        ranked.emplace_back(link.evidence.weakest, link.cause.series);
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<LaggedNode> nodes;
    for (const auto& [strength, series] : ranked) nodes.push_back({series, 0});
    return nodes;
  }

  LinkEvidence try_subsets(const TestedLink& link, std::vector<LaggedNode> neighbours, std::size_t size) const {
    LinkEvidence evidence;
    std::erase(neighbours, link.cause);
    for_each_subset(neighbours, size, [&](std::span<const LaggedNode> subset) {
      evidence.add(test(link.cause, link.effect, subset), kGraphAlpha);
      return !evidence.independent;
    });
    return evidence;
  }

  /// False when no link has that many neighbours any more. What is tested is known before the round and what it
  /// removes after it, but that at lag 0 the second direction is left alone where the first has removed the link.
  bool round(std::size_t size) {
    std::vector<std::vector<LaggedNode>> neighbours;
    for (Index j = 0; j < graph_.series(); ++j) neighbours.push_back(ranked_neighbours(j));
    const auto neighbours_of = [&](const TestedLink& link) -> const std::vector<LaggedNode>& {
      return neighbours[link.effect];
    };
    std::vector<std::size_t> open;
    for (std::size_t k = 0; k < links_.size(); ++k) {
      const auto& near = neighbours_of(links_[k]);
      const std::size_t itself = std::count(near.begin(), near.end(), links_[k].cause);
      if (graph_(links_[k].cause, links_[k].effect) != Mark::none && near.size() - itself >= size) open.push_back(k);
    }
    std::vector<LinkEvidence> found(open.size());
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t k = 0; k < open.size(); ++k)
      found[k] = try_subsets(links_[open[k]], neighbours_of(links_[open[k]]), size);
    for (std::size_t k = 0; k < open.size(); ++k) take(links_[open[k]], found[k]);
    return !open.empty();
  }

  void take(TestedLink& link, const LinkEvidence& found) {
    if (graph_(link.cause, link.effect) == Mark::none) return;
    link.evidence.weakest = std::min(link.evidence.weakest, found.weakest);
    if (found.test.p_value >= link.evidence.test.p_value) link.evidence.test = found.test;
    if (!found.independent) return;
    graph_.set(link.cause, link.effect, Mark::none);
    if (link.cause.lag == 0) graph_.set({link.effect, 0}, link.cause.series, Mark::none);
  }

  const LaggedTests& tests_;
  const std::vector<LaggedConditions>& conditions_;
  LinkGraph graph_;
  std::vector<TestedLink> links_;  ///< by cause, effect, lag
};

/// What the third phase decides: i -> k <- j, or cannot.
struct ColliderSearch {
  std::vector<Triple> colliders, ambiguous;
  bool shortened = false;
};

/// All subsets of some neighbours, each once.
std::vector<std::vector<LaggedNode>> subsets_of(std::vector<LaggedNode> nodes, const LaggedNode& without,
                                                ColliderSearch& search) {
  std::erase(nodes, without);
  if (nodes.size() > kMostNeighbours) {
    nodes.resize(kMostNeighbours);
    search.shortened = true;
  }
  std::vector<std::vector<LaggedNode>> subsets;
  for (std::size_t size = 0; !nodes.empty() && size <= nodes.size(); ++size)
    for_each_subset(nodes, size, [&](const std::vector<LaggedNode>& subset) {
      subsets.push_back(subset);
      return true;
    });
  return subsets;
}

/// The majority rule (Ramsey et al. 2006 as in Runge 2020): of all sets of neighbours that separate i and j, does the
/// middle one belong to fewer than half?
void decide(const Skeleton& skeleton, const Triple& triple, ColliderSearch& search) {
  const auto neighbours = [&](Index j) {
    std::vector<LaggedNode> nodes;
    for (const Index i : skeleton.graph().neighbours(j)) nodes.push_back({i, 0});
    return nodes;
  };
  auto sets = subsets_of(neighbours(triple.end), triple.node, search);
  if (triple.node.lag == 0)
    for (auto& set : subsets_of(neighbours(triple.node.series), {triple.end, 0}, search))
      if (std::find(sets.begin(), sets.end(), set) == sets.end()) sets.push_back(std::move(set));
  int separating = 0, with_middle = 0;
  for (const auto& set : sets) {
    if (skeleton.test(triple.node, triple.end, set).p_value <= kGraphAlpha) continue;
    ++separating;
    with_middle += std::find(set.begin(), set.end(), LaggedNode{triple.middle, 0}) != set.end() ? 1 : 0;
  }
  if (separating == 0 || 2 * with_middle == separating)
    search.ambiguous.push_back(triple);
  else if (2 * with_middle < separating)
    search.colliders.push_back(triple);
}

}  // namespace

Findings find_by_pcmci_plus(const datasets::series::SeriesTable& table, const LagSettings& settings, const Random&) {
  Findings findings{links_asked_for(table, settings), {}};
  const Filled filled(table, 2 * settings.lags.back(), findings);
  const LaggedTests tests(filled.table(), settings);
  const std::vector<LaggedConditions> conditions = select_all_conditions(tests, settings.lags, kGraphAlpha);
  Skeleton skeleton(tests, settings, conditions);
  skeleton.find();
  ColliderSearch search;
  for (const Triple& triple : skeleton.graph().unshielded_triples(false)) decide(skeleton, triple, search);
  LinkGraph graph = skeleton.graph();
  direct_colliders(graph, search.colliders);
  direct_by_rules(graph, search.ambiguous);

  for (Link& link : findings.links) {
    const auto lag = std::lower_bound(settings.lags.begin(), settings.lags.end(), link.lag) - settings.lags.begin();
    const std::size_t place = link.cause * settings.lags.size() + lag;
    const CorrelationTest* test = skeleton.evidence({link.cause, link.lag}, link.effect);
    if (test == nullptr) test = &conditions[link.effect].tests[place];
    enter(*test, link);
  }
  count_by_false_discovery(findings.links, settings.level);
  for (Link& link : findings.links) {
    const Mark mark = graph({link.cause, link.lag}, link.effect);
    link.counts = mark != Mark::none;
    link.directed = link.lag > 0 || mark == Mark::forward || mark == Mark::backward;
    if (mark != Mark::backward) continue;
    const bool asked_for =
        settings.targets.empty() || std::binary_search(settings.targets.begin(), settings.targets.end(), link.cause);
    link.counts = asked_for;  // else: it leads away from the target
    if (asked_for) std::swap(link.cause, link.effect);
  }
  std::sort(findings.links.begin(), findings.links.end(), [](const Link& a, const Link& b) {
    return std::tuple(a.effect, a.cause, a.lag) < std::tuple(b.effect, b.cause, b.lag);
  });
  if (search.shortened)
    findings.notes.push_back(concat("A series has more than ", kMostNeighbours,
                                    " neighbours at lag 0: the direction rule used subsets of the first ",
                                    kMostNeighbours, " only."));
  return findings;
}

}  // namespace fovea::lag::methods
