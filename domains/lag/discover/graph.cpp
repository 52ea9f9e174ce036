/// The graph of links: an arrow for each pair of series, with all lags of the pair.

#include <algorithm>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/lag/discover/arrays.hpp"
#include "fovea/domains/lag/methods/node_circle.hpp"
#include "fovea/domains/lag/series/input.hpp"

namespace fovea::lag::discover {

namespace {

constexpr Index kMostNodes = 40;          // whose names fit
constexpr std::size_t kMostArrows = 120;  // whose lags fit
constexpr std::size_t kFewArrows = 12;    // with up to three lags each; where there are more, one lag
constexpr std::size_t kLagsOfAnArrow = 3;

struct Arrow {
  methods::Link surest;
  std::vector<Index> lags;  ///< by q
};

/// By pair; a link without direction is an arrow either way.
std::map<std::pair<Index, Index>, Arrow> arrows_of(const std::vector<methods::Link>& counting) {
  std::map<std::pair<Index, Index>, Arrow> arrows;
  const auto enter = [&](Index cause, Index effect, const methods::Link& link) {
    Arrow& arrow = arrows.try_emplace({cause, effect}, Arrow{link, {}}).first->second;
    arrow.lags.push_back(link.lag);
  };
  for (const methods::Link& link : counting) {
    if (link.self()) continue;
    enter(link.cause, link.effect, link);
    if (!link.directed) enter(link.effect, link.cause, link);
  }
  return arrows;
}

/// "2", "1, 4", "1, 4+", "0\u2194", "2?": the most significant lags in ascending order.
std::string label_of(const datasets::series::SeriesTable& table, const Arrow& arrow, std::size_t most) {
  std::vector<Index> lags = arrow.lags;
  if (lags.size() > most) lags.resize(most);
  std::sort(lags.begin(), lags.end());
  std::string text;
  for (const Index lag : lags)
    text += concat(text.empty() ? "" : ", ", series::lag_time(table, lag),
                   lag == 0 && !arrow.surest.directed ? "\u2194" : "");
  return concat(text, arrow.surest.promised ? "" : kNotPromised, arrow.lags.size() > lags.size() ? "+" : "");
}

void add_graph_figure(const std::string& unit, Results& results) {
  results.figure({.kind = "network",
                  .name = "graph",
                  .title = "Graph of the significant links",
                  .caption = "Arrows point from cause to effect. The numbers are the lags in " + unit +
                             " (+ means further ones, ? that the most significant one is not promised); the width is "
                             "the strength of the most significant one. A "
                             "link within a step (\u2194) has no direction and is drawn both ways. Own pasts are "
                             "omitted.",
                  .variables = {"links_from"},
                  .x = "series",
                  .position_x = "series_x",
                  .position_y = "series_y",
                  .edge_source = "edge_cause",
                  .edge_target = "edge_effect",
                  .labels = "edge_lags",
                  .directed = true,
                  .edge_weight = "edge_strength"});
}

}  // namespace

void add_graph(const Discovery& discovery, const std::vector<methods::Link>& counting, Results& results) {
  const std::map<std::pair<Index, Index>, Arrow> arrows = arrows_of(counting);
  if (arrows.empty() || arrows.size() > kMostArrows || discovery.table.series() > kMostNodes) return;
  struct Edge : methods::Link {
    std::string lags;
  };
  std::vector<Edge> edges;
  for (const auto& [pair, arrow] : arrows) {
    edges.push_back({arrow.surest, label_of(discovery.table, arrow, arrows.size() > kFewArrows ? 1 : kLagsOfAnArrow)});
    edges.back().cause = pair.first, edges.back().effect = pair.second;
  }
  methods::write_node_circle(discovery.table.names, {edges.begin(), edges.end()}, results);
  const auto number = [](const Edge&, std::size_t place) { return place + 1; };
  methods::add_ends(rows("edge", edges, number, "arrow of the graph").prefix("edge_"))
      .text("lags", &Edge::lags, "lags in " + series::lag_unit(discovery.table))
      .number("strength", &Edge::strength, "strength")
      .write(results);
  add_graph_figure(series::lag_unit(discovery.table), results);
}

}  // namespace fovea::lag::discover
