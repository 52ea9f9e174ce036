#include "fovea/domains/lag/door/graph_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
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

/// An attribute of an edge: an array of the links.
struct Attribute {
  std::string_view name, array;
  const char* type;             ///< of GraphML
  std::string_view usual = {};  ///< a value that is left out
};
constexpr std::array kAttributes{
    Attribute{"lag", "link_time", "double"},
    Attribute{"lag_steps", "link_lag", "int"},
    Attribute{"lag_unit", "", "string"},  // one of the whole graph
    Attribute{"strength", "link_strength", "double"},
    Attribute{"p", "link_p", "double"},
    Attribute{"q", "link_q", "double"},
    Attribute{"log10_p", "link_log10_p", "double"},
    Attribute{"log10_q", "link_log10_q", "double"},
    Attribute{"effect_size", "link_effect_size", "double"},
    Attribute{"effect_unit", "link_unit", "string"},
    Attribute{"kind", "link_answer", "string", "steady"},
    Attribute{"with", "link_with", "string"},
    Attribute{"with_lag_steps", "link_with_lag", "int"},
    Attribute{"test", "link_test", "string"},
    Attribute{"promised", "link_promised", "boolean"},
};

/// Of each link the cells of the attributes, in their order; empty: left out.
std::vector<std::vector<std::string>> edge_cells(const LinkGraphFile& graph) {
  const Columns columns = discover::link_columns(graph.links);
  std::vector<std::vector<std::string>> edges(graph.links.size());
  for (const Attribute& attribute : kAttributes) {
    const auto column = std::find_if(columns.list().begin(), columns.list().end(),
                                     [&](const Column& one) { return one.array.name == attribute.array; });
    for (std::size_t i = 0; i < edges.size(); ++i) {
      edges[i].push_back(column == columns.list().end() ? graph.lag_unit : columns.cell(*column, i));
      if (attribute.type == std::string_view("boolean")) edges[i].back() = edges[i].back() == "1" ? "true" : "false";
      if (edges[i].back() == attribute.usual) edges[i].back().clear();
    }
  }
  return edges;
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
  for (const Attribute& one : kAttributes) file.edge_attributes.push_back({std::string(one.name), one.type});
  for (const GraphNode& node : graph.nodes) file.nodes.push_back({node.name, node.unit});
  const std::map<std::string, std::size_t> places = places_of_nodes(graph);
  std::vector<std::vector<std::string>> cells = edge_cells(graph);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const LinkRow& link = graph.links[i];
    file.edges.push_back({places.at(link.cause), places.at(link.effect), link.directed, std::move(cells[i])});
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
  const std::vector<std::vector<std::string>> cells = edge_cells(graph);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const LinkRow& link = graph.links[i];
    text += concat("  n", places.at(link.cause), " -> n", places.at(link.effect),
                   " [label=", quoted(exact_text(link.time) + ' ' + graph.lag_unit), link.directed ? "" : ", dir=none");
    for (std::size_t k = 0; k < kAttributes.size(); ++k) {
      const bool is_text = kAttributes[k].type == std::string_view("string");
      if (!cells[i][k].empty())
        text += concat(", ", kAttributes[k].name, '=', is_text ? quoted(cells[i][k]) : cells[i][k]);
    }
    text += "];\n";
  }
  return text + "}\n";
}

LinkGraphFile graph_of(const Dataset& data) {
  LinkGraphFile graph;
  for (const std::string& name : words(data, "cause")) graph.nodes.push_back({name, series::unit_in_name(name)});
  const Variable& step = data.at("lag_step");
  graph.lag_unit = step.units == "1" ? "steps" : step.units;
  for (LinkRow& row : counting_rows(data)) {
    if (row.self()) continue;
    row.time = static_cast<double>(row.lag) * (step.units == "1" ? 1 : step.reals().front());
    graph.links.push_back(std::move(row));
  }
  return graph;
}

void export_graph(const Dataset& data, const std::string& path) {
  const LinkGraphFile graph = graph_of(data);
  write_file(path, graph_format_of(path) == GraphFormat::graphml ? graphml_of(graph) : dot_of(graph));
}

}  // namespace fovea::lag::door
