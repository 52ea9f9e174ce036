#include "fovea/domains/lag/methods/node_circle.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

#include "fovea/core/data/rows.hpp"

namespace fovea::lag::methods {

void write_node_circle(const std::vector<std::string>& names, const std::vector<Link>& links, Results& results) {
  struct Node {
    double x, y;
    std::int64_t driven = 0;
  };
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(names.size());
    nodes.push_back({std::sin(angle), std::cos(angle)});
  }
  for (const Link& link : links) nodes[link.cause].driven += link.counts ? 1 : 0;
  if (!results.data.has("series")) results.coordinate("series", names, "", "series");
  rows("series", nodes)
      .number("series_x", &Node::x, "horizontal position in the figure")
      .number("series_y", &Node::y, "vertical position in the figure")
      .integer("links_from", &Node::driven, "links to other series")
      .write(results);
}

}  // namespace fovea::lag::methods
