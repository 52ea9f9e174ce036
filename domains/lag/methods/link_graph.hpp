#pragma once
/// A graph in time whose links at lag 0 get their directions by rules: what PCMCI+ works on (Runge 2020).

#include <span>
#include <tuple>
#include <vector>

#include "fovea/domains/lag/methods/peer_links.hpp"

namespace fovea::lag::methods {

enum class Mark : signed char {
  none,
  undirected,  ///< o-o, at lag 0
  forward,     ///< cause --> effect
  backward,    ///< at lag 0: the other way round
  conflict,    ///< x-x, at lag 0: rules disagree
};

/// node -- middle -- end, with node at its lag, the others at t.
struct Triple {
  LaggedNode node;
  Index middle = 0, end = 0;
  bool operator==(const Triple&) const = default;
};

class LinkGraph {
 public:
  LinkGraph(Index series, Index last_lag);

  Index series() const { return series_; }
  Mark operator()(const LaggedNode& cause, Index effect) const { return marks_[place(cause, effect)]; }
  Mark at_once(Index a, Index b) const { return (*this)({a, 0}, b); }
  void set(const LaggedNode& cause, Index effect, Mark mark) { marks_[place(cause, effect)] = mark; }
  void direct(Index from, Index to);                ///< at lag 0
  void set_both(Index a, Index b, Mark mark);       ///< at lag 0, a symmetric mark
  std::vector<Index> neighbours(Index j) const;     ///< linked with j at lag 0, ascending
  std::vector<LaggedNode> adjacent(Index j) const;  ///< linked with j, without conflicts, by series, lag

  /// Triples i --> k o-o j or i o-o k o-o j where i and j are not linked (the first phase's), or i --> k only.
  std::vector<Triple> unshielded_triples(bool arrow_into_middle) const;

 private:
  std::size_t place(const LaggedNode& cause, Index effect) const {
    return ((effect * series_ + cause.series) * (last_lag_ + 1) + cause.lag);
  }
  Index series_, last_lag_;
  std::vector<Mark> marks_;
};

/// i -> k <- j for each collider, in order; where two disagree on a link it becomes a conflict.
void direct_colliders(LinkGraph& graph, std::span<const Triple> colliders);

/// Meek's (1995) first three rules until none applies, without the ambiguous triples; conflicts as above.
void direct_by_rules(LinkGraph& graph, std::span<const Triple> ambiguous);

}  // namespace fovea::lag::methods
