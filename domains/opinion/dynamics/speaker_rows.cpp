#include "fovea/domains/opinion/dynamics/speaker_rows.hpp"

namespace fovea::opinion::dynamics {

/// Edges sorted by (lower, higher) node give rows in ascending order without sorting.
SpeakerRows speaker_rows(const society::Graph& graph, double self_weight) {
  SpeakerRows rows;
  const std::size_t n = graph.nodes;
  rows.offsets.assign(n + 1, 0);
  for (const society::Edge& edge : graph.edges) {
    if (!graph.directed) ++rows.offsets[edge[0] + 1];
    ++rows.offsets[edge[1] + 1];
  }
  for (std::size_t i = 0; i < n; ++i) rows.offsets[i + 1] += rows.offsets[i] + 1;
  rows.speakers.resize(rows.offsets[n]);
  if (!graph.weights.empty() || !graph.own.empty() || self_weight != 1) rows.weights.assign(rows.speakers.size(), 1.0);
  std::vector<Index> next(rows.offsets.begin(), rows.offsets.end() - 1);
  const auto put = [&](Index listener, Index speaker, double weight) {
    const std::size_t place = next[listener]++;
    rows.speakers[place] = static_cast<std::uint32_t>(speaker);
    if (!rows.weights.empty()) rows.weights[place] = weight;
  };
  for (Index i = 0; i < graph.nodes; ++i) put(i, i, graph.own.empty() ? self_weight : graph.own[i]);
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    if (!graph.directed) put(graph.edges[e][0], graph.edges[e][1], graph.weight(e));
    put(graph.edges[e][1], graph.edges[e][0], graph.weight(e));
  }
  return rows;
}

}  // namespace fovea::opinion::dynamics
