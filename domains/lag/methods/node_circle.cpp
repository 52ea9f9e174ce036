#include "fovea/domains/lag/methods/node_circle.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace fovea::lag::methods {

void write_node_circle(const std::vector<std::string>& names, const std::vector<Link>& links, Results& results) {
  std::vector<double> x, y;
  std::vector<std::int64_t> driven(names.size(), 0);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(names.size());
    x.push_back(std::sin(angle));
    y.push_back(std::cos(angle));
  }
  for (const Link& link : links) driven[link.cause] += link.counts ? 1 : 0;
  if (!results.data.has("series")) results.coordinate("series", names, "", "series");
  results.add("series_x", {"series"}, x, "1", "horizontal position in the figure");
  results.add("series_y", {"series"}, y, "1", "vertical position in the figure");
  results.add("links_from", {"series"}, driven, "1", "links to other series");
}

}  // namespace fovea::lag::methods
