#include "fovea/domains/opinion/society/graph.hpp"

#include <algorithm>
#include <numeric>

#include "fovea/core/base/error.hpp"

namespace fovea::opinion::society {

namespace {

std::size_t index_of(Index node) { return node; }

double own_weight(const Graph& graph, std::size_t node, double self_weight) {
  return graph.own.empty() ? self_weight : graph.own[node];
}

/// Strongly connected components (Tarjan 1972), with a stack of its own so that long chains are no trouble.
class Components {
 public:
  explicit Components(const datasets::network::Adjacency& hears)
      : hears_(hears),
        component(hears.offsets.size() - 1, -1),
        order_(component.size(), -1),
        lowest_(component.size(), 0),
        next_(hears.offsets.begin(), hears.offsets.end() - 1) {
    for (std::size_t node = 0; node < component.size(); ++node)
      if (order_[node] < 0) visit(node);
  }

 private:
  const datasets::network::Adjacency& hears_;

 public:
  std::vector<Index> component;
  Index count = 0;

 private:
  void enter(std::size_t node) {
    order_[node] = lowest_[node] = seen_++;
    path_.push_back(node);
    open_.push_back(node);
  }

  void visit(std::size_t first) {
    enter(first);
    while (!path_.empty()) {
      const std::size_t node = path_.back();
      if (next_[node] == hears_.offsets[node + 1]) {
        leave(node);
        continue;
      }
      const std::size_t other = hears_.neighbours[next_[node]++];
      if (order_[other] < 0)
        enter(other);
      else if (component[other] < 0)
        lowest_[node] = std::min(lowest_[node], order_[other]);
    }
  }

  void leave(std::size_t node) {
    path_.pop_back();
    if (!path_.empty()) lowest_[path_.back()] = std::min(lowest_[path_.back()], lowest_[node]);
    if (lowest_[node] != order_[node]) return;
    for (std::size_t member = open_.size(); member-- > 0;) {
      const std::size_t last = open_.back();
      open_.pop_back();
      component[last] = count;
      if (last == node) break;
    }
    ++count;
  }

  std::vector<Index> order_, lowest_;
  std::vector<std::size_t> next_, path_, open_;
  Index seen_ = 0;
};

/// By the distances from the first member: an edge within the class closes cycles whose lengths differ by this much.
Index period_of(const Graph& graph, const datasets::network::Adjacency& hears, const std::vector<Index>& members,
                double self_weight, std::vector<Index>& distance) {
  std::vector<std::size_t> front{index_of(members[0])};
  distance[front[0]] = 0;
  for (std::size_t k = 0; k < front.size(); ++k)
    for (const std::uint32_t other : hears.of(front[k])) {
      if (distance[other] >= 0) continue;
      distance[other] = distance[front[k]] + 1;
      front.push_back(other);
    }
  Index period = 0;
  for (const std::size_t node : front) {
    if (own_weight(graph, node, self_weight) > 0) return 1;
    for (const std::uint32_t other : hears.of(node))
      period = std::gcd(period, std::abs(distance[node] + 1 - distance[other]));
  }
  return std::max<Index>(period, 1);  // who hears nobody stays as it is
}

}  // namespace

std::vector<ClosedClass> closed_classes(const Graph& graph, double self_weight) {
  require(graph.directed, "closed_classes: the graph is undirected; each connected part is a class.");
  const datasets::network::Adjacency hears = adjacency(graph);
  const Components components(hears);
  std::vector<std::uint8_t> open(index_of(components.count), 0);
  for (std::size_t node = 0; node < index_of(graph.nodes); ++node)
    for (const std::uint32_t other : hears.of(node))
      if (components.component[node] != components.component[other]) open[index_of(components.component[node])] = 1;
  std::vector<Index> place(index_of(components.count), -1);
  std::vector<ClosedClass> classes;
  for (Index node = 0; node < graph.nodes; ++node) {
    const auto component = index_of(components.component[index_of(node)]);
    if (open[component] != 0) continue;
    if (place[component] < 0) {
      place[component] = static_cast<Index>(classes.size());
      classes.emplace_back();
    }
    classes[index_of(place[component])].members.push_back(node);
  }
  std::vector<Index> distance(index_of(graph.nodes), -1);
  for (ClosedClass& one : classes) one.period = period_of(graph, hears, one.members, self_weight, distance);
  return classes;
}

std::vector<double> left_eigenvector(const Graph& graph, std::span<const Index> members, double self_weight) {
  const auto n = static_cast<Index>(members.size());
  std::vector<Index> place(index_of(graph.nodes), -1);
  for (Index k = 0; k < n; ++k) place[index_of(members[index_of(k)])] = k;
  Matrix<double> rows = Matrix<double>::Zero(n, n);
  for (Index k = 0; k < n; ++k) rows(k, k) = own_weight(graph, index_of(members[index_of(k)]), self_weight);
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const Index speaker = place[index_of(graph.edges[e][0])], listener = place[index_of(graph.edges[e][1])];
    require(graph.weight(e) >= 0, "left_eigenvector: edge ", e, " has the weight ", graph.weight(e),
            ", but must be >= 0.");
    if (speaker >= 0 && listener >= 0) rows(listener, speaker) += graph.weight(e);
  }
  for (Index k = 0; k < n; ++k) {
    const double sum = rows.row(k).sum();
    if (sum > 0) rows.row(k) /= sum;
  }
  // The chain watched only while it is in the first k states; its rows still sum to 1.
  for (Index k = n - 1; k > 0; --k) {
    const double away = rows.row(k).head(k).sum();
    rows.col(k).head(k) /= away;
    rows.topLeftCorner(k, k).noalias() += rows.col(k).head(k) * rows.row(k).head(k);
  }
  std::vector<double> shares(members.size(), 1.0);
  double total = 1;
  for (Index k = 1; k < n; ++k) {
    double share = 0;
    for (Index j = 0; j < k; ++j) share += shares[index_of(j)] * rows(j, k);
    shares[index_of(k)] = share;
    total += share;
  }
  for (double& share : shares) share /= total;
  return shares;
}

}  // namespace fovea::opinion::society
