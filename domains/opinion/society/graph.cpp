#include "fovea/domains/opinion/society/graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::opinion::society {

namespace {

std::size_t at(Index node) { return node; }

void check_edges(const Graph& graph) {
  require(graph.nodes >= 0 && graph.nodes <= std::numeric_limits<std::uint32_t>::max(), "Graph: there are ",
          graph.nodes, " nodes, but must be at most 2^32 - 1.");
  require(graph.weights.empty() || graph.weights.size() == graph.edges.size(), "Graph: there are ", graph.edges.size(),
          " edges but ", graph.weights.size(), " weights; each edge needs one.");
  for (const Edge& edge : graph.edges)
    require(edge[0] >= 0 && edge[1] >= 0 && edge[0] < graph.nodes && edge[1] < graph.nodes && edge[0] != edge[1],
            "Graph: edge ", edge[0], " - ", edge[1], " must join two different nodes in [0, ", graph.nodes, ").");
}

bool ascends(const datasets::network::Adjacency& rows) {
  for (std::size_t i = 0; i + 1 < rows.offsets.size(); ++i) {
    const auto row = rows.of(i);
    if (!std::is_sorted(row.begin(), row.end())) return false;
  }
  return true;
}

/// The same rows, ascending: whoever is seen from the first node on is put down in this order. O(nodes + edges).
datasets::network::Adjacency in_ascending_rows(const datasets::network::Adjacency& rows) {
  datasets::network::Adjacency sorted = rows;
  std::vector<std::size_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
  for (std::size_t i = 0; i + 1 < rows.offsets.size(); ++i)
    for (std::size_t k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
      const std::size_t place = next[rows.neighbours[k]]++;
      sorted.neighbours[place] = static_cast<std::uint32_t>(i);
      if (!rows.weights.empty()) sorted.weights[place] = rows.weights[k];
    }
  return sorted;
}

struct GroupSums {
  double total = 0;
  std::vector<double> inside, degree;
};

GroupSums group_sums(const Graph& graph, std::span<const Index> group) {
  require(static_cast<Index>(group.size()) == graph.nodes, "Graph: there are ", graph.nodes, " nodes but ",
          group.size(), " group numbers; each node needs one.");
  GroupSums sums;
  const Index groups = group.empty() ? 0 : *std::max_element(group.begin(), group.end()) + 1;
  sums.inside.assign(at(groups), 0);
  sums.degree.assign(at(groups), 0);
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto a = at(group[at(graph.edges[e][0])]), b = at(group[at(graph.edges[e][1])]);
    const double weight = graph.weight(e);
    sums.total += weight;
    sums.degree[a] += weight;
    sums.degree[b] += weight;
    if (a == b) sums.inside[a] += weight;
  }
  return sums;
}

}  // namespace

Graph undirected(const Graph& graph) {
  if (!graph.directed) return graph;
  std::vector<datasets::network::NetworkEdge> edges;
  for (std::size_t e = 0; e < graph.edges.size(); ++e)
    edges.push_back({static_cast<std::uint32_t>(graph.edges[e][0]), static_cast<std::uint32_t>(graph.edges[e][1]),
                     std::abs(graph.weight(e))});
  const datasets::network::Network ties = datasets::network::make_network(at(graph.nodes), std::move(edges));
  Graph plain;
  plain.nodes = graph.nodes;
  for (const datasets::network::NetworkEdge& edge : ties.edges) {
    plain.edges.push_back({static_cast<Index>(edge.source), static_cast<Index>(edge.target)});
    if (!graph.weights.empty()) plain.weights.push_back(edge.weight);
  }
  return plain;
}

datasets::network::Adjacency adjacency(const Graph& graph) {
  check_edges(graph);
  datasets::network::Adjacency rows;
  rows.offsets.assign(at(graph.nodes) + 1, 0);
  for (const Edge& edge : graph.edges) {
    if (!graph.directed) ++rows.offsets[at(edge[0]) + 1];
    ++rows.offsets[at(edge[1]) + 1];
  }
  for (std::size_t i = 1; i < rows.offsets.size(); ++i) rows.offsets[i] += rows.offsets[i - 1];
  rows.neighbours.resize(rows.offsets.back());
  if (!graph.weights.empty()) rows.weights.resize(rows.neighbours.size());
  std::vector<std::size_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
  // The ends first as the higher, then as the lower node: with edges ascending each row comes out ascending.
  for (const std::size_t lower : {1U, 0U}) {
    if (graph.directed && lower == 0) break;  // only the second end hears
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const std::size_t place = next[at(graph.edges[e][lower])]++;
      rows.neighbours[place] = static_cast<std::uint32_t>(graph.edges[e][1 - lower]);
      if (!graph.weights.empty()) rows.weights[place] = graph.weights[e];
    }
  }
  const bool ascend = ascends(rows);
  require(ascend || !graph.directed, "adjacency: the edges of a directed graph must ascend, by first and second node.");
  return ascend ? rows : in_ascending_rows(rows);
}

double modularity(const Graph& graph, std::span<const Index> group) {
  const GroupSums sums = group_sums(graph, group);
  if (sums.total == 0) return 0;
  double q = 0;
  for (std::size_t c = 0; c < sums.inside.size(); ++c) {
    const double share = sums.degree[c] / (2 * sums.total);
    q += sums.inside[c] / sums.total - share * share;
  }
  return q;
}

double assortativity(const Graph& graph, std::span<const Index> group) {
  const GroupSums sums = group_sums(graph, group);
  double trace = 0, expected = 0;
  for (std::size_t c = 0; c < sums.inside.size(); ++c) {
    const double share = sums.degree[c] / (2 * sums.total);
    trace += sums.inside[c] / sums.total;
    expected += share * share;
  }
  // Sums of the same weights in another order may differ by their rounding.
  return expected < 1 ? std::min(1.0, (trace - expected) / (1 - expected)) : kNan;
}

double ei_index(const Graph& graph, std::span<const Index> group) {
  const GroupSums sums = group_sums(graph, group);
  double inside = 0;
  for (const double weight : sums.inside) inside += weight;
  return sums.total > 0 ? std::clamp((sums.total - 2 * inside) / sums.total, -1.0, 1.0) : kNan;
}

double value_assortativity(const Graph& graph, std::span<const double> value) {
  require(static_cast<Index>(value.size()) == graph.nodes, "value_assortativity: there are ", graph.nodes,
          " nodes but ", value.size(), " values; each node needs one.");
  double total = 0, mean = 0;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const double weight = graph.weight(e);
    total += 2 * weight;
    mean += weight * (value[at(graph.edges[e][0])] + value[at(graph.edges[e][1])]);
  }
  mean /= total;
  double product = 0, squares = 0;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const double weight = graph.weight(e);
    const double a = value[at(graph.edges[e][0])] - mean, b = value[at(graph.edges[e][1])] - mean;
    product += 2 * weight * a * b;
    squares += weight * (a * a + b * b);
  }
  return squares > 0 ? product / squares : kNan;
}

std::vector<double> label_propagation(const Graph& graph, std::span<const double> start,
                                      std::span<const std::uint8_t> known, double tolerance, int max_rounds) {
  require(static_cast<Index>(start.size()) == graph.nodes && start.size() == known.size(),
          "label_propagation: ", graph.nodes, " nodes need as many start values and known flags, not ", start.size(),
          " and ", known.size(), ".");
  const datasets::network::Adjacency near = adjacency(graph);
  std::vector<double> value(start.begin(), start.end()), next = value;
  for (int round = 0; round < max_rounds; ++round) {
    double change = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (known[i] || near.offsets[i] == near.offsets[i + 1]) continue;
      double sum = 0, weight = 0;
      for (std::size_t k = near.offsets[i]; k < near.offsets[i + 1]; ++k) {
        sum += near.weight(k) * value[near.neighbours[k]];
        weight += near.weight(k);
      }
      next[i] = sum / weight;
      change = std::max(change, std::abs(next[i] - value[i]));
    }
    value.swap(next);
    if (change < tolerance) break;
  }
  return value;
}

std::vector<std::uint8_t> reachable(const Graph& graph, std::span<const std::uint8_t> known) {
  const datasets::network::Adjacency near = adjacency(graph);
  std::vector<std::uint8_t> reached(known.begin(), known.end());
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < reached.size(); ++i)
    if (reached[i]) front.push_back(i);
  while (!front.empty()) {
    const std::size_t i = front.back();
    front.pop_back();
    for (const std::uint32_t j : near.of(i)) {
      if (reached[j]) continue;
      reached[j] = 1;
      front.push_back(j);
    }
  }
  return reached;
}

std::vector<Index> connected_parts(const Graph& graph) {
  const datasets::network::Adjacency near = adjacency(graph);
  std::vector<Index> part(at(graph.nodes), -1);
  std::vector<std::size_t> front;
  Index parts = 0;
  for (Index first = 0; first < graph.nodes; ++first) {
    if (part[at(first)] >= 0) continue;
    part[at(first)] = parts;
    front.assign(1, at(first));
    while (!front.empty()) {
      const std::size_t i = front.back();
      front.pop_back();
      for (const std::uint32_t j : near.of(i)) {
        if (part[j] >= 0) continue;
        part[j] = parts;
        front.push_back(j);
      }
    }
    ++parts;
  }
  return part;
}

std::string parts_in_words(const Graph& graph) {
  std::map<Index, std::int64_t> size;
  for (const Index part : connected_parts(graph)) ++size[part];
  const auto single = std::count_if(size.begin(), size.end(), [](const auto& part) { return part.second == 1; });
  const auto several = std::ssize(size) - single;
  std::string text;
  if (several > 1) text = concat("It has ", several, " parts without an edge between them.");
  if (single > 0)
    text += concat(text.empty() ? "" : " ", counted(single, "node"), single == 1 ? " has" : " have", " no edge.");
  return text;
}

std::vector<Index> degrees(const Graph& graph) {
  std::vector<Index> degree(at(graph.nodes), 0);
  for (const Edge& edge : graph.edges)
    for (const Index node : edge) ++degree[at(node)];
  return degree;
}

Graph kept_part(const Graph& graph, std::span<const std::uint8_t> kept) {
  require(static_cast<Index>(kept.size()) == graph.nodes, "kept_part: there are ", graph.nodes, " nodes but ",
          kept.size(), " marks; each node needs one.");
  std::vector<Index> number(kept.size(), -1);
  Graph part;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i] != 0) number[i] = part.nodes++;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const Index a = number[at(graph.edges[e][0])], b = number[at(graph.edges[e][1])];
    if (a < 0 || b < 0) continue;
    part.edges.push_back({a, b});
    if (!graph.weights.empty()) part.weights.push_back(graph.weights[e]);
  }
  return part;
}

Matrix<double> kept_rows(const Matrix<double>& rows, std::span<const std::uint8_t> kept) {
  require(static_cast<Index>(kept.size()) == rows.rows(), "kept_rows: there are ", rows.rows(), " rows but ",
          kept.size(), " marks; each row needs one.");
  Matrix<double> some(std::count_if(kept.begin(), kept.end(), [](std::uint8_t mark) { return mark != 0; }),
                      rows.cols());
  Index next = 0;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i] != 0) some.row(next++) = rows.row(static_cast<Index>(i));
  return some;
}

NeighbourLists hearing_lists(const Graph& graph, double self_weight) {
  require(self_weight > 0 || (graph.directed && self_weight == 0), "hearing_lists: self_weight = ", self_weight,
          ", but must be > 0.");
  const datasets::network::Adjacency near = adjacency(graph);
  NeighbourLists lists;
  lists.offsets.push_back(0);
  for (Index i = 0; i < graph.nodes; ++i) {
    bool self_listed = false;
    const auto list_self = [&] {
      lists.keys.push_back(i);
      lists.bias.push_back(std::log(graph.own.empty() ? self_weight : graph.own[at(i)]));
      self_listed = true;
    };
    for (std::size_t k = near.offsets[at(i)]; k < near.offsets[at(i) + 1]; ++k) {
      const Index j = near.neighbours[k];
      if (!self_listed && j > i) list_self();
      lists.keys.push_back(j);
      lists.bias.push_back(std::log(near.weight(k)));
    }
    if (!self_listed) list_self();
    lists.offsets.push_back(static_cast<Index>(lists.keys.size()));
  }
  return lists;
}

}  // namespace fovea::opinion::society
