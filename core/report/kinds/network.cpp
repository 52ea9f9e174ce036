#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fovea/core/base/words.hpp"
#include "fovea/core/report/figures/svg.hpp"
#include "fovea/core/report/figures/svg_arrows.hpp"
#include "fovea/core/report/figures/thinning.hpp"
#include "fovea/core/report/kinds/kind.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

constexpr std::size_t kMostArrows = 600, kMostEdgeLabels = 120, kMostNodeNames = 40;
constexpr Box kNetworkBox{40, 70, 536, 352};
constexpr double kFootLine = kFigureHeight - 16;

/// The true group of each node as a word; empty without groups.
std::vector<std::string> groups_of(const Figure& figure, const FigureData& arrays, const Selection& selection) {
  std::vector<std::string> words;
  if (figure.variables.size() < 2) return words;
  const Averaged& group = arrays.arrays.at(figure.variables[1]);
  for (const std::size_t position : group.along(figure.x, selection)) {
    words.push_back(group.words.empty() ? rounded_text(group.mean[position]) : group.words[position]);
  }
  return words;
}

void draw_group_legend(Svg& svg, const std::string& label, const std::set<std::string>& kinds,
                       const std::string& ringed) {
  if (kinds.empty() || kinds.size() > 6) return;
  double x = 40 + 7 * static_cast<double>(label.size()) + 20;
  svg.text({40, kFootLine}, label + ":", {12, "start", kQuiet});
  std::size_t shape = 0;
  for (const std::string& kind : kinds) {
    svg.marker({x, kFootLine - 4}, 5, shape++, kFaint, {});
    svg.text({x + 11, kFootLine}, clipped(kind, 30), {12, "start"});
    x += 36 + 6.5 * static_cast<double>(std::min<std::size_t>(kind.size(), 30));
  }
  if (ringed.empty()) return;
  svg.circle({x + 4, kFootLine - 4}, 6, "none", {kInk, 2, {}});
  svg.text({x + 16, kFootLine}, clipped(ringed, 30), {12, "start"});
}

/// Nodes whose value is a word have the colour of its class: the largest classes one each, all others a grey.
class NodeClasses {
 public:
  explicit NodeClasses(const std::vector<std::string>& words) {
    std::map<std::string, std::size_t> size;
    for (const std::string& word : words) ++size[word];
    unknown_ = size.erase("") > 0;
    for (const auto& [word, count] : size) classes_.push_back(word);
    std::stable_sort(classes_.begin(), classes_.end(),
                     [&](const auto& a, const auto& b) { return size.at(a) > size.at(b); });
    others_ = classes_.size() > kMostClasses;
    if (others_) classes_.resize(kMostClasses);
  }

  std::string color(const std::string& word) const {
    const auto found = std::find(classes_.begin(), classes_.end(), word);
    return found == classes_.end() ? hex(color_at(diverging_map(), std::nan("")))
                                   : std::string(line_color(found - classes_.begin()));
  }

  void draw_legend(Svg& svg, const std::string& label) const {
    double x = 40 + kLetterWidth * static_cast<double>(label.size()) + 24;
    svg.text({40, kFootLine}, label + ":", {12, "start", kQuiet});
    const auto sign = [&](const std::string& color, const std::string& text) {
      svg.marker({x, kFootLine - 4}, 5, 0, color, {});
      svg.text({x + 11, kFootLine}, clipped(text, 20), {12, "start"});
      x += 36 + kLetterWidth * static_cast<double>(std::min<std::size_t>(text.size(), 20));
    };
    for (const std::string& one : classes_) sign(color(one), one);
    if (others_ || unknown_) sign(color(""), others_ ? "others" : "not known");
  }

 private:
  static constexpr std::size_t kMostClasses = 7;
  std::vector<std::string> classes_;
  bool others_ = false, unknown_ = false;
};

std::vector<double> along(const FigureData& arrays, const std::string& name, const std::string& dimension,
                          const Selection& selection) {
  const Averaged& array = arrays.arrays.at(name);
  std::vector<double> values;
  for (const std::size_t position : array.along(dimension, selection)) {
    values.push_back(array.mean.empty() ? std::nan("") : array.mean[position]);
  }
  return values;
}

struct NetworkEdge {
  std::size_t source = 0, target = 0;
  std::size_t rank = 0;  ///< among those with the same ends
  double weight = 0;
  std::string label;
};

/// Word or number; nothing for NaN.
std::string edge_label(const Averaged& array, std::size_t position) {
  if (!array.words.empty()) return array.words[position];
  return std::isfinite(array.mean[position]) ? rounded_text(array.mean[position], 3) : "";
}

/// The edges between nodes that there are, those of weight NaN left out.
std::vector<NetworkEdge> edges_of(const Figure& figure, const FigureData& arrays, const Selection& selection,
                                  const std::vector<Point>& nodes) {
  std::vector<NetworkEdge> edges;
  if (figure.edge_source.empty() || figure.edge_target.empty()) return edges;
  const Averaged& ends = arrays.arrays.at(figure.edge_source);
  const std::string dimension = ends.dimensions.empty() ? "" : ends.dimensions.back();
  const std::vector<double>&sources = ends.mean, &targets = arrays.arrays.at(figure.edge_target).mean;
  std::vector<double> weights;
  if (!figure.edge_weight.empty()) weights = along(arrays, figure.edge_weight, dimension, selection);
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> drawn;
  const auto there = [&](std::size_t i) {
    return i < nodes.size() && std::isfinite(nodes[i].x) && std::isfinite(nodes[i].y);
  };
  for (std::size_t e = 0; e < std::min(sources.size(), targets.size()); ++e) {
    if (!(sources[e] >= 0 && targets[e] >= 0)) continue;
    NetworkEdge edge{static_cast<std::size_t>(sources[e]), static_cast<std::size_t>(targets[e]), 0, 0, {}};
    if (!weights.empty()) edge.weight = weights[std::min(e, weights.size() - 1)];
    if (!there(edge.source) || !there(edge.target) || std::isnan(edge.weight)) continue;
    if (!figure.labels.empty()) {
      const Averaged& labels = arrays.arrays.at(figure.labels);
      const std::vector<std::size_t> at = labels.along(dimension, selection);
      edge.label = edge_label(labels, at[std::min(e, at.size() - 1)]);
    }
    edge.rank = drawn[{edge.source, edge.target}]++;
    edges.push_back(edge);
  }
  return edges;
}

void draw_straight(Svg& svg, const std::vector<NetworkEdge>& edges, const std::vector<Point>& nodes) {
  std::vector<Point> ends;
  for (const NetworkEdge& edge : edges)
    ends.insert(ends.end(), {nodes[edge.source], nodes[edge.target], {std::nan(""), 0}});
  svg.path(ends, {kEdge, edges.size() > 2000 ? 0.3 : 0.9, {}});
}

/// Width and colour of the edges of a directed network.
struct EdgeStyle {
  double heaviest = 0;  ///< 0: no weights
  double width(double weight) const { return heaviest > 0 ? 1.2 + 3.8 * std::abs(weight) / heaviest : 1.4; }
  std::string_view color(double weight) const { return heaviest > 0 ? line_color(weight < 0 ? 1 : 0) : kQuiet; }
};

EdgeStyle edge_style(const Figure& figure, const FigureData& arrays) {
  EdgeStyle style;
  if (figure.edge_weight.empty()) return style;
  for (const double weight : arrays.arrays.at(figure.edge_weight).mean)
    if (std::isfinite(weight)) style.heaviest = std::max(style.heaviest, std::abs(weight));
  return style;
}

Point centre_of(const std::vector<Point>& nodes) {
  Point sum;
  double count = 0;
  for (const Point& node : nodes)
    if (std::isfinite(node.x) && std::isfinite(node.y)) sum.x += node.x, sum.y += node.y, count += 1;
  return {sum.x / std::max(count, 1.0), sum.y / std::max(count, 1.0)};
}

void draw_arrows(Svg& svg, const std::vector<NetworkEdge>& edges, const std::vector<Point>& nodes, double radius,
                 const EdgeStyle& style) {
  const Point centre = centre_of(nodes);
  std::vector<std::pair<Point, std::string>> labels;
  for (const NetworkEdge& edge : edges) {
    const Arrow arrow = arrow_between(nodes, edge.source, edge.target, edge.rank, radius, centre);
    const double width = style.width(edge.weight);
    svg.path(arrow.line, {style.color(edge.weight), width, {}});
    svg.area(arrow_head(arrow, width), style.color(edge.weight), 1);
    if (!edge.label.empty()) labels.emplace_back(arrow.label, clipped(edge.label, 14));
  }
  if (labels.size() > kMostEdgeLabels) return;
  for (const auto& [at, text] : labels) {  // above all lines
    const double half = kLetterWidth * static_cast<double>(text.size()) / 2 + 2;
    svg.rectangle({at.x - half, at.y - 8, 2 * half, 16}, kPanel);
    svg.text({at.x, at.y + 4.5}, text, {12.5, "middle", kInk, true});
  }
}

/// What width and colour of the arrows say, at the foot from `x` on.
void draw_weight_legend(Svg& svg, const Averaged& weights, const EdgeStyle& style, double x) {
  const double y = kFootLine - 4;
  const auto sample = [&](double weight, const std::string& text) {
    svg.line({x, y}, {x + 28, y}, {style.color(weight), style.width(weight), {}});
    svg.text({x + 34, kFootLine}, text, {12, "start", kQuiet, false, 0, weights.meaning});
    x += 50 + kLetterWidth * static_cast<double>(text.size());
  };
  const auto is = [&](auto wanted) { return std::any_of(weights.mean.begin(), weights.mean.end(), wanted); };
  const std::string heaviest = rounded_text(style.heaviest, 2);
  if (is([](double w) { return w >= 0; })) sample(style.heaviest, weights.label + " " + heaviest);
  if (is([](double w) { return w < 0; })) sample(-style.heaviest, weights.label + " \xE2\x88\x92" + heaviest);
}

/// The names of the nodes, on the side away from the middle; `looped`: beyond a loop.
void draw_node_names(Svg& svg, const Averaged& names, const std::vector<Point>& nodes, double radius,
                     const std::set<std::size_t>& looped) {
  const Point centre = centre_of(nodes);
  for (std::size_t i = 0; i < std::min(nodes.size(), names.words.size()); ++i) {
    if (!std::isfinite(nodes[i].x) || !std::isfinite(nodes[i].y)) continue;
    const double dx = nodes[i].x - centre.x, dy = nodes[i].y - centre.y, length = std::hypot(dx, dy);
    const double x = length > 0 ? dx / length : 0, y = length > 0 ? dy / length : 1;
    const double off = radius + 6 + (looped.contains(i) ? 40 : 0);
    const std::string_view anchor = std::abs(x) < 0.35 ? "middle" : x > 0 ? "start" : "end";
    svg.text({nodes[i].x + off * x, nodes[i].y + off * y + 4.5 + 6 * y}, clipped(names.words[i], 18),
             {13, anchor, kInk, true, 0, names.words[i]});
  }
}

/// The places of the nodes on the page. Names need room beside the outermost ones.
std::vector<Point> node_points(const std::vector<double>& x, const std::vector<double>& y, std::size_t count,
                               bool named) {
  const double across = named ? 0.22 : 0.04, down = named ? 0.14 : 0.04;
  const Frame frame(kNetworkBox, {padded({range_of(x), false}, across), "", {}},
                    {padded({range_of(y), false}, down), "", {}});
  std::vector<Point> nodes;
  for (std::size_t i = 0; i < count; ++i)
    nodes.push_back(frame.at(x[std::min(i, x.size() - 1)], y[std::min(i, y.size() - 1)]));
  return nodes;
}

/// Markers of one shape a group, with their values' colours, and rings.
void draw_nodes(Svg& svg, const Figure& figure, const FigureData& arrays, const Selection& selection,
                const std::vector<Point>& nodes, double radius, const ColorScale& colors) {
  const std::vector<double> values = along(arrays, figure.variables.front(), figure.x, selection);
  const Averaged& shown = arrays.arrays.at(figure.variables.front());
  const NodeClasses classes(shown.words);
  const std::vector<std::size_t> at = shown.along(figure.x, selection);
  const auto fill = [&](std::size_t i) {
    return shown.words.empty() ? hex(colors.color(values[i])) : classes.color(shown.words[at[i]]);
  };
  const std::vector<std::string> groups = groups_of(figure, arrays, selection);
  const std::set<std::string> kinds(groups.begin(), groups.end());
  const std::vector<double> ringed =
      figure.variables.size() > 2 ? along(arrays, figure.variables[2], figure.x, selection) : std::vector<double>{};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto shape =
        groups.empty() ? 0 : std::distance(kinds.begin(), kinds.find(groups[std::min(i, groups.size() - 1)]));
    if (!std::isfinite(nodes[i].x) || !std::isfinite(nodes[i].y)) continue;
    svg.marker(nodes[i], radius, shape, fill(i), {kInk, radius < 4 ? 0.3 : 1.0, {}});
    if (i < ringed.size() && ringed[i] > 0) svg.circle(nodes[i], radius + 4, "none", {kInk, 2, {}});
  }
  if (!shown.words.empty()) {
    classes.draw_legend(svg, shown.label);
  } else if (!groups.empty()) {
    draw_group_legend(svg, arrays.arrays.at(figure.variables[1]).label, kinds,
                      ringed.empty() ? "" : arrays.arrays.at(figure.variables[2]).label);
  }
}

std::string draw_network(const Dataset& data, const Figure& figure, const FigureData& all, const Selection& selection) {
  Svg svg(kFigureWidth, kFigureHeight, figure.title, figure.caption);
  FigureData arrays = all;
  const std::string note = limit_network(arrays, figure, kMostNodes, kMostEdges);
  draw_heading(svg, data, figure, arrays.sliders, selection);
  const Averaged& shown = arrays.arrays.at(figure.variables.front());
  const std::size_t count = shown.along(figure.x, selection).size();
  const Averaged names = coordinate_of(data, figure.x);
  const bool named = figure.directed && !names.words.empty() && count <= kMostNodeNames;
  const std::vector<Point> nodes = node_points(along(arrays, figure.position_x, figure.x, selection),
                                               along(arrays, figure.position_y, figure.x, selection), count, named);
  const double radius = std::clamp(55 / std::sqrt(static_cast<double>(nodes.size()) + 1), 1.5, 9.0);
  const std::vector<NetworkEdge> edges = edges_of(figure, arrays, selection, nodes);
  const bool arrows = figure.directed && edges.size() <= kMostArrows;
  if (!arrows) draw_straight(svg, edges, nodes);
  if (arrows) draw_arrows(svg, edges, nodes, radius, edge_style(figure, arrays));
  // The scale is that of all slider positions, so that pictures at different positions compare.
  const ColorScale colors = color_scale(shown.mean, {});
  draw_nodes(svg, figure, arrays, selection, nodes, radius, colors);
  std::set<std::size_t> looped;
  for (const NetworkEdge& edge : edges)
    if (edge.source == edge.target) looped.insert(edge.source);
  if (named) draw_node_names(svg, names, nodes, radius, looped);
  if (arrows && !figure.edge_weight.empty() && figure.variables.size() < 2)
    draw_weight_legend(svg, arrays.arrays.at(figure.edge_weight), edge_style(figure, arrays), 40);
  if (shown.words.empty()) draw_color_bar(svg, {40, 92, 536, 300}, colors, shown);
  svg.text({kFigureWidth - 20, kFootLine}, note, {12, "end", kQuiet});
  return svg.finish();
}

/// The first text variable that has one word for each node and nothing else, where the coordinate is of numbers: names
/// there come without asking.
std::string names_of(const Dataset& data, const std::string& dimension) {
  if (!coordinate_of(data, dimension).words.empty()) return {};
  for (const Variable& variable : data.variables()) {
    const bool words = std::holds_alternative<std::vector<std::string>>(variable.values);
    if (words && variable.dimensions == std::vector{dimension} && variable.name != dimension) return variable.name;
  }
  return {};
}

/// The dimension of the edges: the last one of their ends.
std::string edge_dimension(const Dataset& data, const Figure& figure) {
  if (figure.edge_source.empty() || data.at(figure.edge_source).dimensions.empty()) return {};
  return data.at(figure.edge_source).dimensions.back();
}

/// Whether replicas have edges of their own: then the first replica is shown alone.
bool has_own_edges(const Dataset& data, const Figure& figure) {
  return (!figure.edge_source.empty() && differs_between_replicas(data, figure.edge_source)) ||
         (!figure.edge_target.empty() && differs_between_replicas(data, figure.edge_target));
}

class Network : public FigureKind {
 public:
  std::string_view name() const override { return "network"; }
  std::string_view needs() const override { return "one variable over x, the nodes, with their positions and edges"; }
  std::string draw(const Dataset& data, const Figure& figure, const FigureData& arrays,
                   const Selection& selection) const override {
    return draw_network(data, figure, arrays, selection);
  }

  /// What nodes and edges are is taken from the first replica; what they are worth is averaged, unless each replica has
  /// edges of its own.
  FigureData arrays(const Dataset& data, const Figure& figure) const override {
    FigureData out = FigureKind::arrays(data, figure);
    const bool single = has_own_edges(data, figure);
    const auto take = [&](const std::string& name) {
      return single ? first_replica(data, name) : averaged(data, name);
    };
    const std::vector<std::string> axes{figure.x, figure.y, figure.hue};
    out.arrays[figure.variables.front()] = take(figure.variables.front());
    for (std::size_t i = 1; i < figure.variables.size(); ++i)
      out.arrays[figure.variables[i]] = squeezed(first_replica(data, figure.variables[i]), axes);
    for (const std::string& name : {figure.position_x, figure.position_y, figure.edge_source, figure.edge_target}) {
      if (name.empty()) continue;
      const std::vector<std::string>& own = data.at(name).dimensions;
      out.arrays[name] = squeezed(first_replica(data, name), {figure.x, own.empty() ? std::string() : own.back()});
    }
    if (!figure.edge_weight.empty()) out.arrays.try_emplace(figure.edge_weight, take(figure.edge_weight));
    out.sliders = sliders_of(out, {figure.x, figure.y, figure.hue, edge_dimension(data, figure)});
    if (const std::string names = names_of(data, figure.x); !names.empty()) {
      out.arrays[names] = first_replica(data, names);
      out.roles["names"] = names;
    }
    return out;
  }

  Room room(const Figure&) const override { return Room::whole_rather; }
  std::string limit(FigureData& arrays, const Figure& figure) const override {
    return limit_network(arrays, figure, kMostNodes, kMostEdges);
  }
  PageForm form(const Figure& figure, const Averaged& array) const override {
    PageForm form{.axes = axes_of({figure.y, figure.x}), .values = PageForm::Values::colours, .thins_axes = false};
    // Weights are thinned along sliders alone: each edge keeps its own.
    if (array.name == figure.edge_weight && !array.dimensions.empty()) form.axes = {array.dimensions.back()};
    for (const std::string& name :
         {figure.position_x, figure.position_y, figure.edge_source, figure.edge_target, figure.labels})
      form.fixed = form.fixed || (name == array.name && name != figure.variables.front());
    if (form.fixed) form.values = PageForm::Values::levels;
    return form;
  }
};

}  // namespace

const FigureKind& network_kind() {
  static const Network kind;
  return kind;
}

}  // namespace fovea
