#include "fovea/domains/opinion/society/networks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"

namespace fovea::opinion::society {

namespace {

/// Visits each of `count` numbers with probability p, ascending, in O(p count): the gaps are geometric.
template <typename Visit>
void visit_with_probability(Index count, double p, const Random& random, const Visit& visit) {
  if (p <= 0) return;
  Index k = -1;
  const double log_missed = p < 1 ? std::log1p(-p) : 0;
  for (std::uint64_t draw = 0;; ++draw) {
    double skip = 0;
    if (p < 1) skip = std::floor(std::log1p(-random.uniform(draw)) / log_missed);
    if (skip >= static_cast<double>(count - k)) return;  // also where the sum would overflow
    k += 1 + static_cast<Index>(skip);
    if (k >= count) return;
    visit(k);
  }
}

/// Pairs inside nodes [first, first + size), each with probability p.
void add_pairs_within(Index first, Index size, double p, const Random& random, std::vector<Edge>& edges) {
  Index row = 1, row_start = 0;  // row v holds the pairs (0..v-1, v), numbered from v (v - 1) / 2
  visit_with_probability(size * (size - 1) / 2, p, random, [&](Index k) {
    while (k >= row_start + row) row_start += row++;
    edges.push_back({first + k - row_start, first + row});
  });
}

void add_pairs_between(Index first, Index size, Index other_first, Index other_size, double p, const Random& random,
                       std::vector<Edge>& edges) {
  visit_with_probability(size * other_size, p, random, [&](Index k) {
    edges.push_back({first + k / other_size, other_first + k % other_size});
  });
}

/// Lower node first, ascending: counting sorts by the higher, then by the lower node, O(nodes + edges).
std::vector<Edge> sorted(Index nodes, std::vector<Edge> edges) {
  for (Edge& edge : edges)
    if (edge[0] > edge[1]) std::swap(edge[0], edge[1]);
  std::vector<Edge> in_order(edges.size());
  for (const std::size_t end : {1U, 0U}) {
    std::vector<std::size_t> start(nodes + 1, 0);
    for (const Edge& edge : edges) ++start[edge[end] + 1];
    for (std::size_t node = 1; node < start.size(); ++node) start[node] += start[node - 1];
    for (const Edge& edge : edges) in_order[start[edge[end]]++] = edge;
    edges.swap(in_order);
  }
  return edges;
}

bool contains(const std::vector<Index>& list, Index node) {
  return std::find(list.begin(), list.end(), node) != list.end();
}

void replace(std::vector<Index>& list, Index old_node, Index new_node) {
  *std::find(list.begin(), list.end(), old_node) = new_node;
}

}  // namespace

std::vector<Edge> erdos_renyi(Index nodes, double mean_degree, const Random& random) {
  require(nodes >= 2, "erdos_renyi: nodes = ", nodes, ", but must be >= 2.");
  require(mean_degree >= 0 && mean_degree <= static_cast<double>(nodes - 1), "erdos_renyi: mean_degree = ", mean_degree,
          ", but must be in [0, nodes - 1] = [0, ", nodes - 1, "].");
  std::vector<Edge> edges;
  add_pairs_within(0, nodes, mean_degree / static_cast<double>(nodes - 1), random, edges);
  return sorted(nodes, std::move(edges));
}

std::vector<Edge> barabasi_albert(Index nodes, Index links, const Random& random) {
  require(links >= 1 && links < nodes, "barabasi_albert: links = ", links, ", but must be in [1, nodes - 1] = [1, ",
          nodes - 1, "].");
  std::vector<Edge> edges;
  require(nodes <= std::numeric_limits<std::uint32_t>::max(), "barabasi_albert: nodes = ", nodes,
          ", but must be below 2^32.");
  // Each node as often as its degree: an even draw from it is proportional to the degree.
  std::vector<std::uint32_t> ends;
  const std::size_t count = links * (links + 1) / 2 + (nodes - links - 1) * links;
  edges.reserve(count);
  ends.reserve(2 * count);
  const auto link = [&](Index a, Index b) {
    edges.push_back({a, b});
    ends.push_back(static_cast<std::uint32_t>(a));
    ends.push_back(static_cast<std::uint32_t>(b));
  };
  for (Index b = 1; b <= links; ++b)
    for (Index a = 0; a < b; ++a) link(a, b);
  std::vector<Index> chosen;
  for (Index node = links + 1; node < nodes; ++node) {
    chosen.clear();
    for (std::uint64_t draw = 0; static_cast<Index>(chosen.size()) < links; ++draw) {
      const Index target = ends[random.below(ends.size(), static_cast<std::uint64_t>(node), draw)];
      if (!contains(chosen, target)) chosen.push_back(target);
    }
    for (const Index target : chosen) link(target, node);
  }
  return sorted(nodes, std::move(edges));
}

std::vector<Edge> watts_strogatz(Index nodes, Index neighbours, double rewiring, const Random& random) {
  require(neighbours >= 2 && neighbours % 2 == 0 && neighbours < nodes, "watts_strogatz: neighbours = ", neighbours,
          ", but must be even and in [2, nodes - 1] = [2, ", nodes - 1, "].");
  require(rewiring >= 0 && rewiring <= 1, "watts_strogatz: rewiring = ", rewiring, ", but must be in [0, 1].");
  std::vector<std::vector<Index>> known(nodes);
  const auto of = [&](Index node) -> std::vector<Index>& { return known[node]; };
  for (Index node = 0; node < nodes; ++node)
    for (Index reach = 1; reach <= neighbours / 2; ++reach) {
      of(node).push_back((node + reach) % nodes);
      of((node + reach) % nodes).push_back(node);
    }
  for (Index reach = 1; reach <= neighbours / 2; ++reach)
    for (Index node = 0; node < nodes; ++node) {
      const auto counter = static_cast<std::uint64_t>(reach * nodes + node);
      const Index old_end = (node + reach) % nodes;
      if (random.uniform(counter) >= rewiring) continue;
      if (static_cast<Index>(of(node).size()) >= nodes - 1) continue;  // knows everybody already
      Index new_end = node;
      for (std::uint64_t draw = 1; new_end == node || contains(of(node), new_end); ++draw)
        new_end = static_cast<Index>(random.below(static_cast<std::uint64_t>(nodes), counter, draw));
      replace(of(node), old_end, new_end);
      std::erase(of(old_end), node);
      of(new_end).push_back(node);
    }
  std::vector<Edge> edges;
  for (Index node = 0; node < nodes; ++node)
    for (const Index other : of(node))
      if (node < other) edges.push_back({node, other});
  return sorted(nodes, std::move(edges));
}

std::vector<Edge> block_model(Index nodes, Index blocks, double within, double between, const Random& random) {
  require(blocks >= 1 && nodes >= 2 * blocks, "block_model: blocks = ", blocks,
          ", but must be in [1, nodes / 2] = [1, ", nodes / 2, "].");
  const double block_size = static_cast<double>(nodes) / static_cast<double>(blocks);
  const double others = static_cast<double>(nodes) - block_size;
  require(within >= 0 && within <= block_size - 1, "block_model: within = ", within,
          ", but must be in [0, block size - 1] = [0, ", block_size - 1, "].");
  require(between >= 0 && between <= others, "block_model: between = ", between,
          ", but must be in [0, nodes outside the block] = [0, ", others, "].");
  const auto first = [&](Index block) { return (block * nodes + blocks - 1) / blocks; };
  std::vector<Edge> edges;
  for (Index a = 0; a < blocks; ++a)
    for (Index b = a; b < blocks; ++b) {
      const Random stream = random.stream(concat("blocks ", a, " ", b));
      const Index size = first(a + 1) - first(a), other_size = first(b + 1) - first(b);
      if (a == b) add_pairs_within(first(a), size, within / (block_size - 1), stream, edges);
      if (a != b) add_pairs_between(first(a), size, first(b), other_size, between / others, stream, edges);
    }
  return sorted(nodes, std::move(edges));
}

std::vector<Index> block_of_nodes(Index nodes, Index blocks) {
  std::vector<Index> block(nodes);
  for (Index node = 0; node < nodes; ++node) block[node] = node * blocks / nodes;
  return block;
}

}  // namespace fovea::opinion::society
