#include "fovea/domains/lag/door/graph_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/lab/arguments.hpp"
#include "fovea/core/report/graphml.hpp"
#include "fovea/domains/lag/series/input.hpp"

namespace fovea::lag::door {

namespace {

/// JSON quotes the quote, the backslash and a line's end as DOT does; other control letters become blanks first.
std::string quoted(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char letter) { return letter >= 0 && letter < ' ' && letter != '\n'; }, ' ');
  return json(text).text;
}

/// One attribute of an edge: a number, or a text.
struct Attribute {
  const char* name;
  const char* type;
  std::string value;  ///< empty: left out
  bool is_text = false;
};

std::string number(double value) { return std::isfinite(value) ? exact_text(value) : ""; }

std::vector<Attribute> attributes_of(const LinkGraphFile& graph, const LinkRow& link) {
  return {{"lag", "double", number(static_cast<double>(link.lag) * graph.step)},
          {"lag_steps", "int", std::to_string(link.lag)},
          {"lag_unit", "string", graph.lag_unit, true},
          {"strength", "double", number(link.strength)},
          {"p", "double", number(link.p)},
          {"q", "double", number(link.q)},
          {"log10_p", "double", number(link.log10_p)},
          {"log10_q", "double", number(link.log10_q)},
          {"effect_size", "double", number(link.does.size)},
          {"effect_unit", "string", link.does.unit, true},
          {"kind", "string", link.kind == "steady" ? "" : link.kind, true},
          {"with", "string", link.with, true},
          {"with_lag_steps", "int", link.with.empty() ? "" : std::to_string(link.with_lag)},
          {"test", "string", link.test, true}};
}

std::map<std::string, std::size_t> places_of_nodes(const LinkGraphFile& graph) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) places.emplace(graph.nodes[i].name, i);
  return places;
}

}  // namespace

GraphFormat graph_format_of(const std::string& path) {
  const std::filesystem::path file(path);
  const std::string ending = file.extension().string();
  if (ending != ".graphml" && ending != ".dot" && ending != ".gv")
    throw UsageError(concat("--export ", path, ": the name must end in .graphml or .dot."));
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (!std::filesystem::is_directory(folder))
    throw UsageError(concat("--export ", path, ": there is no folder ", folder.string(), "; create it first."));
  if (::access(folder.c_str(), W_OK) != 0)
    throw UsageError(
        concat("--export ", path, ": the folder ", folder.string(), " cannot be written to; name another."));
  if (std::filesystem::is_directory(file))
    throw UsageError(concat("--export ", path, ": this is a folder; name a file."));
  return ending == ".graphml" ? GraphFormat::graphml : GraphFormat::dot;
}

std::string graphml_of(const LinkGraphFile& graph) {
  Graphml file{"links", true, {{"label", "string"}, {"unit", "string"}}, {}, {}, {}};
  for (const Attribute& one : attributes_of(graph, {})) file.edge_attributes.push_back({one.name, one.type});
  for (const GraphNode& node : graph.nodes) file.nodes.push_back({node.name, node.unit});
  const std::map<std::string, std::size_t> places = places_of_nodes(graph);
  for (const LinkRow& link : graph.links) {
    GraphmlEdge edge{places.at(link.cause), places.at(link.effect), link.directed, {}};
    for (const Attribute& one : attributes_of(graph, link)) edge.values.push_back(one.value);
    file.edges.push_back(std::move(edge));
  }
  return graphml_text(file);
}

std::string dot_of(const LinkGraphFile& graph) {
  std::string text = "digraph links {\n";
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    text += concat("  n", i, " [label=", quoted(graph.nodes[i].name));
    if (!graph.nodes[i].unit.empty()) text += ", unit=" + quoted(graph.nodes[i].unit);
    text += "];\n";
  }
  const std::map<std::string, std::size_t> places = places_of_nodes(graph);
  for (const LinkRow& link : graph.links) {
    const std::string lag = exact_text(static_cast<double>(link.lag) * graph.step) + ' ' + graph.lag_unit;
    text += concat("  n", places.at(link.cause), " -> n", places.at(link.effect), " [label=", quoted(lag),
                   link.directed ? "" : ", dir=none");
    for (const Attribute& one : attributes_of(graph, link))
      if (!one.value.empty()) text += concat(", ", one.name, '=', one.is_text ? quoted(one.value) : one.value);
    text += "];\n";
  }
  return text + "}\n";
}

LinkGraphFile graph_of(const Dataset& data) {
  LinkGraphFile graph;
  for (const std::string& name : words(data, "cause")) graph.nodes.push_back({name, series::unit_in_name(name)});
  for (const LinkRow& row : counting_rows(data))
    if (!row.self()) graph.links.push_back(row);
  const Variable& step = data.at("lag_step");
  graph.lag_unit = step.units == "1" ? "steps" : step.units;
  graph.step = step.units == "1" ? 1 : step.reals().front();
  return graph;
}

void export_graph(const Dataset& data, const std::string& path) {
  const LinkGraphFile graph = graph_of(data);
  write_file(path, graph_format_of(path) == GraphFormat::graphml ? graphml_of(graph) : dot_of(graph));
}

}  // namespace fovea::lag::door
