#pragma once
/// Where series stand in the picture of a graph of links.

#include <string>
#include <vector>

#include "fovea/core/data/results.hpp"
#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::methods {

/// Over "series", whose coordinate are the names (written here if it is not there yet): series_x and series_y, a circle
/// with the first series at its top, in the order of the clock, and links_from, how many of the links that count leave
/// the series.
void write_node_circle(const std::vector<std::string>& names, const std::vector<Link>& links, Results& results);

/// The ends of arrows between these series, as columns of a table of links.
template <typename Table>
Table& add_ends(Table&& arrows) {
  return arrows.integer("cause", &Link::cause, "number of the cause among the series")
      .integer("effect", &Link::effect, "number of the effect among the series");
}

}  // namespace fovea::lag::methods
