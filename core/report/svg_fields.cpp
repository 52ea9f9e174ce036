/// Figures over two axes: heat maps, networks and tables.

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/report/svg.hpp"
#include "fovea/core/report/text.hpp"
#include "fovea/core/report/thinning.hpp"

namespace fovea {
namespace {

constexpr double kFieldBottom = 400;     ///< of a heat map
constexpr double kNamesRoom = 22;        ///< below it, where slanted names stand instead of numbers
constexpr std::size_t kMostCells = 600;  ///< along one side of a heat map
constexpr std::size_t kMostTableRows = 40;

/// The step of evenly rising values; 0 if they are not even.
double even_step(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double step = (values.back() - values.front()) / static_cast<double>(values.size() - 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = values[i] - values.front() - step * static_cast<double>(i);
    if (!(std::abs(off) < 1e-5 * step * static_cast<double>(values.size()))) return 0;
  }
  return step;
}

/// Cells of equal size: a numeric axis where the coordinate or its logarithm is even, else its values as names.
Axis cell_axis(const Dataset& data, const std::string& dimension) {
  const Averaged coordinate = coordinate_of(data, dimension);
  const double cells = static_cast<double>(coordinate.size());
  Axis axis = axis_of({{-0.5, cells - 0.5}, false}, coordinate);
  if (!coordinate.words.empty()) return axis;
  const std::vector<double>& values = coordinate.mean;
  std::vector<double> logarithms;
  for (const double value : values) logarithms.push_back(std::log(value));
  if (const double half = even_step(values) / 2; half > 0) {
    axis.scale.range = {values.front() - half, values.back() + half};
  } else if (const double factor = std::exp(even_step(logarithms) / 2); factor > 1) {
    axis.scale = {{values.front() / factor, values.back() * factor}, true};
  } else {
    for (const double value : values) axis.names.push_back(number_text(value, 3));
  }
  return axis;
}

std::size_t step_for(std::size_t size, std::size_t most) { return std::max<std::size_t>(1, (size + most - 1) / most); }

/// The true group of each node as a word; empty without groups.
std::vector<std::string> groups_of(const Figure& figure, const FigureData& arrays, const Selection& selection) {
  std::vector<std::string> words;
  if (figure.variables.size() < 2) return words;
  const Averaged& group = arrays.arrays.at(figure.variables[1]);
  for (const std::size_t position : group.along(figure.x, selection)) {
    words.push_back(group.words.empty() ? number_text(group.mean[position]) : group.words[position]);
  }
  return words;
}

constexpr std::string_view kInk = "#1c2430";

void draw_group_legend(Svg& svg, const std::string& label, const std::set<std::string>& kinds,
                       const std::string& ringed) {
  if (kinds.empty() || kinds.size() > 6) return;
  double x = 40 + 7 * static_cast<double>(label.size()) + 20;
  svg.text({40, kFigureHeight - 16}, label + ":", {12, "start", kQuiet});
  std::size_t shape = 0;
  for (const std::string& kind : kinds) {
    svg.marker({x, kFigureHeight - 20}, 5, shape++, "#e3e7ec", {});
    svg.text({x + 11, kFigureHeight - 16}, clipped(kind, 30), {12, "start"});
    x += 36 + 6.5 * static_cast<double>(std::min<std::size_t>(kind.size(), 30));
  }
  if (ringed.empty()) return;
  svg.circle({x + 4, kFigureHeight - 20}, 6, "none", {kInk, 2, {}});
  svg.text({x + 16, kFigureHeight - 16}, clipped(ringed, 30), {12, "start"});
}

std::vector<double> along(const FigureData& arrays, const std::string& name, const std::string& dimension,
                          const Selection& selection) {
  const Averaged& array = arrays.arrays.at(name);
  std::vector<double> values;
  for (const std::size_t position : array.along(dimension, selection)) {
    values.push_back(array.mean.empty() ? std::nan("") : array.mean[position]);
  }
  return values;
}

void draw_edges(Svg& svg, const Figure& figure, const FigureData& arrays, const std::vector<Point>& nodes) {
  if (figure.edge_source.empty() || figure.edge_target.empty()) return;
  const std::vector<double>& sources = arrays.arrays.at(figure.edge_source).mean;
  const std::vector<double>& targets = arrays.arrays.at(figure.edge_target).mean;
  std::vector<Point> ends;
  for (std::size_t e = 0; e < sources.size(); ++e) {
    const auto from = static_cast<std::size_t>(sources[e]), to = static_cast<std::size_t>(targets[e]);
    if (from >= nodes.size() || to >= nodes.size()) continue;
    ends.insert(ends.end(), {nodes[from], nodes[to], {std::nan(""), 0}});
  }
  svg.path(ends, {"#c3cad3", sources.size() > 2000 ? 0.3 : 0.9, {}});
}

std::string cell_text(const Averaged& column, std::size_t position) {
  if (!column.words.empty()) return column.words[position];
  return column.error.empty() ? number_text(column.mean[position], 5)
                              : number_with_error(column.mean[position], column.error[position]);
}

}  // namespace

std::string draw_heatmap(const Dataset& data, const Figure& figure, const FigureData& arrays,
                         const Selection& selection) {
  Svg svg(kFigureWidth, kFigureHeight, figure.title, figure.caption);
  const double top = draw_heading(svg, data, figure, arrays.sliders, selection) + 16;
  Averaged array = reordered(arrays.arrays.at(figure.variables.front()), {figure.y, figure.x});
  array = thinned(array, figure.y, step_for(array.size_of(figure.y), kMostCells), true);
  array = thinned(array, figure.x, step_for(array.size_of(figure.x), kMostCells), true);
  const std::size_t rows = array.size_of(figure.y), columns = array.size_of(figure.x);
  Selection at = selection;
  at[figure.x] = at[figure.y] = 0;
  const auto start = array.mean.begin() + static_cast<std::ptrdiff_t>(array.position(at));
  const std::vector<double> values(start, start + static_cast<std::ptrdiff_t>(rows * columns));
  const ColorScale colors = color_scale(values, array.mean);
  std::vector<Color> pixels;
  for (std::size_t row = rows; row-- > 0;) {  // the first row of the data is the lowest of the picture
    for (std::size_t i = 0; i < columns; ++i) pixels.push_back(colors.color(values[row * columns + i]));
  }
  const Axis across = cell_axis(data, figure.x);
  const double bottom = across.names.empty() ? kFieldBottom : kFieldBottom - kNamesRoom;
  const double height = bottom - top, width = rows == columns ? height : 500;
  const Box box{(kFigureWidth - width - 36) / 2, top, width, height};  // a little more room right, for the colour bar
  svg.image(box, png_image(pixels, columns));
  Frame(box, across, cell_axis(data, figure.y)).draw(svg, false);
  draw_color_bar(svg, box, colors, array);
  return svg.finish();
}

std::string draw_network(const Dataset& data, const Figure& figure, const FigureData& all, const Selection& selection) {
  Svg svg(kFigureWidth, kFigureHeight, figure.title, figure.caption);
  FigureData arrays = all;
  const std::string note = limit_network(arrays, figure, kMostNodes, kMostEdges);
  draw_heading(svg, data, figure, arrays.sliders, selection);
  const std::vector<double> x = along(arrays, figure.position_x, figure.x, selection);
  const std::vector<double> y = along(arrays, figure.position_y, figure.x, selection);
  const std::vector<double> values = along(arrays, figure.variables.front(), figure.x, selection);
  const Frame frame({40, 70, 536, 352}, {padded({range_of(x), false}, 0.04), "", {}},
                    {padded({range_of(y), false}, 0.04), "", {}});
  std::vector<Point> nodes;
  for (std::size_t i = 0; i < values.size(); ++i)
    nodes.push_back(frame.at(x[std::min(i, x.size() - 1)], y[std::min(i, y.size() - 1)]));
  draw_edges(svg, figure, arrays, nodes);
  // The scale is that of all slider positions, so that pictures at different positions compare.
  ColorScale colors = color_scale(arrays.arrays.at(figure.variables.front()).mean, {});
  const std::vector<std::string> groups = groups_of(figure, arrays, selection);
  const std::set<std::string> kinds(groups.begin(), groups.end());
  const std::vector<double> ringed =
      figure.variables.size() > 2 ? along(arrays, figure.variables[2], figure.x, selection) : std::vector<double>{};
  const double radius = std::clamp(55 / std::sqrt(static_cast<double>(nodes.size()) + 1), 1.5, 9.0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto shape =
        groups.empty() ? 0 : std::distance(kinds.begin(), kinds.find(groups[std::min(i, groups.size() - 1)]));
    if (!std::isfinite(nodes[i].x) || !std::isfinite(nodes[i].y)) continue;
    svg.marker(nodes[i], radius, static_cast<std::size_t>(shape), hex(colors.color(values[i])),
               {kInk, radius < 4 ? 0.3 : 1.0, {}});
    if (i < ringed.size() && ringed[i] > 0) svg.circle(nodes[i], radius + 4, "none", {kInk, 2, {}});
  }
  if (!groups.empty()) {
    draw_group_legend(svg, arrays.arrays.at(figure.variables[1]).label, kinds,
                      ringed.empty() ? "" : arrays.arrays.at(figure.variables[2]).label);
  }
  const Averaged& shown = arrays.arrays.at(figure.variables.front());
  draw_color_bar(svg, {40, 92, 536, 300}, colors, shown);
  svg.text({kFigureWidth - 20, kFigureHeight - 16}, note, {12, "end", kQuiet});
  return svg.finish();
}

std::string draw_table(const Dataset& data, const Figure& figure, const FigureData& arrays,
                       const Selection& selection) {
  const Averaged rows = coordinate_of(data, figure.x);
  const std::size_t count = std::min(rows.size(), kMostTableRows);
  const double row_height = 24, top = 92;
  const double column_width = (kFigureWidth - 40) / static_cast<double>(figure.variables.size() + 1);
  const double height = top + row_height * static_cast<double>(count) + (count < rows.size() ? 44 : 20);
  Svg svg(kFigureWidth, height, figure.title, figure.caption);
  draw_heading(svg, data, figure, arrays.sliders, selection);
  const auto place = [&](std::size_t column) { return 20 + column_width * static_cast<double>(column); };
  const auto letters = static_cast<std::size_t>(std::max(4.0, column_width / 8));
  svg.text({place(0), top - 12}, clipped(axis_label(rows.label, rows.units), letters), {12, "start", "#1c2430", true});
  for (std::size_t c = 0; c < figure.variables.size(); ++c) {
    const Averaged& column = arrays.arrays.at(figure.variables[c]);
    svg.text({place(c + 1), top - 12}, clipped(axis_label(column.label, column.units), letters),
             {12, "start", "#1c2430", true});
  }
  svg.line({20, top - 4}, {kFigureWidth - 20, top - 4}, {kQuiet, 1, {}});
  for (std::size_t r = 0; r < count; ++r) {
    const double y = top + 14 + row_height * static_cast<double>(r);
    Selection at = selection;
    at[figure.x] = r;
    svg.text({place(0), y}, clipped(cell_text(rows, r), letters), {12, "start"});
    for (std::size_t c = 0; c < figure.variables.size(); ++c) {
      const Averaged& column = arrays.arrays.at(figure.variables[c]);
      svg.text({place(c + 1), y}, clipped(cell_text(column, column.position(at)), letters + 4), {12, "start"});
    }
  }
  if (count < rows.size())
    svg.text({20, height - 14}, "The first " + std::to_string(count) + " of " + std::to_string(rows.size()) + " rows.",
             {12, "start", kQuiet});
  return svg.finish();
}

}  // namespace fovea
