#include "fovea/core/report/graphml.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {

namespace {

/// Markup with U+FFFE and U+FFFF, which are no letters of XML, left out.
std::string xml(std::string text) {
  for (const char* none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
    for (std::size_t at = text.find(none); at != std::string::npos; at = text.find(none, at)) text.erase(at, 3);
  return escape_markup(text);
}

std::string keys(const std::vector<GraphmlAttribute>& attributes, char prefix, const char* of) {
  std::string text;
  for (std::size_t k = 0; k < attributes.size(); ++k)
    text += concat("  <key id=\"", prefix, k, "\" for=\"", of, "\" attr.name=\"", xml(attributes[k].name),
                   "\" attr.type=\"", attributes[k].type, "\"/>\n");
  return text;
}

std::string data_of(const std::vector<std::string>& values, char prefix) {
  std::string text;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!values[k].empty()) text += concat("<data key=\"", prefix, k, "\">", xml(values[k]), "</data>");
  return text;
}

/// Where in a result its network is.
struct Whereabouts {
  std::string nodes, source, target;  ///< dimension of the nodes, variables over the edges
  bool directed = false;
};

Whereabouts find_network(const Results& results, const std::string& file) {
  const Dataset& data = results.data;
  for (const Figure& figure : results.figures())
    if (figure.kind == "network" && data.has(figure.edge_source) && data.has(figure.edge_target))
      return {figure.x, figure.edge_source, figure.edge_target, figure.directed};
  for (const char* nodes : {"node", "agent"})
    if (data.has(nodes) && data.has("edge_source") && data.has("edge_target"))
      return {nodes, "edge_source", "edge_target", false};
  throw DataError(concat(file,
                         ": holds no network; runs of opinion.simulate, opinion.temperature, opinion.measure and "
                         "lag.discover on a network do, up to record.network nodes."));
}

const char* type_of(const Values& values) {
  if (std::holds_alternative<std::vector<std::string>>(values)) return "string";
  if (std::holds_alternative<std::vector<double>>(values) || std::holds_alternative<std::vector<float>>(values))
    return "double";
  return std::holds_alternative<std::vector<std::uint8_t>>(values) ? "int" : "long";
}

std::string text_at(const Values& values, std::size_t place) {
  return std::visit(
      [place](const auto& list) -> std::string {
        using Value = typename std::decay_t<decltype(list)>::value_type;
        if constexpr (std::is_same_v<Value, std::string>) return list[place];
        if constexpr (std::is_floating_point_v<Value>)
          return std::isfinite(list[place]) ? exact_text(static_cast<double>(list[place])) : "";
        if constexpr (std::is_integral_v<Value>) return std::to_string(list[place]);
      },
      values);
}

/// Variables over this dimension alone; those of `left_out` aside.
std::vector<const Variable*> variables_over(const Dataset& data, const std::string& dimension,
                                            const std::vector<std::string>& left_out) {
  std::vector<const Variable*> found;
  for (const Variable& variable : data.variables())
    if (variable.dimensions == std::vector{dimension} &&
        std::find(left_out.begin(), left_out.end(), variable.name) == left_out.end())
      found.push_back(&variable);
  return found;
}

std::vector<std::int64_t> ends_of(const Variable& variable) {
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&variable.values)) return *whole;
  std::vector<std::int64_t> ends;
  for (const double value : variable.reals())
    ends.push_back(std::isfinite(value) ? static_cast<std::int64_t>(value) : -1);
  return ends;
}

void add_nodes(const Dataset& data, const std::string& nodes, Graphml& graph) {
  const std::vector<const Variable*> variables = variables_over(data, nodes, {nodes});
  graph.node_attributes.push_back({"label", "string"});
  for (const Variable* variable : variables)
    graph.node_attributes.push_back({variable->name, type_of(variable->values)});
  for (std::size_t i = 0; i < data.size_of(nodes); ++i) {
    std::vector<std::string> values{data.has(nodes) ? text_at(data.at(nodes).values, i) : std::to_string(i)};
    for (const Variable* variable : variables) values.push_back(text_at(variable->values, i));
    graph.nodes.push_back(std::move(values));
  }
}

void add_edges(const Dataset& data, const Whereabouts& where, const std::string& edges, Graphml& graph) {
  const std::vector<const Variable*> variables = variables_over(data, edges, {edges, where.source, where.target});
  // "edge_weight" is called what other programs call it.
  for (const Variable* variable : variables)
    graph.edge_attributes.push_back(
        {variable->name == "edge_weight" ? "weight" : variable->name, type_of(variable->values)});
  const std::vector<std::int64_t> sources = ends_of(data.at(where.source)), targets = ends_of(data.at(where.target));
  for (std::size_t e = 0; e < sources.size(); ++e) {
    if (sources[e] < 0 || targets[e] < 0) continue;
    GraphmlEdge edge{static_cast<std::size_t>(sources[e]), static_cast<std::size_t>(targets[e]), graph.directed, {}};
    for (const Variable* variable : variables) edge.values.push_back(text_at(variable->values, e));
    graph.edges.push_back(std::move(edge));
  }
}

}  // namespace

std::string graphml_text(const Graphml& graph) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  text += keys(graph.node_attributes, 'v', "node") + keys(graph.edge_attributes, 'e', "edge");
  text +=
      concat("  <graph id=\"", xml(graph.id), "\" edgedefault=\"", graph.directed ? "directed" : "undirected", "\">\n");
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    text += concat("    <node id=\"n", i, "\">", data_of(graph.nodes[i], 'v'), "</node>\n");
  for (const GraphmlEdge& edge : graph.edges)
    text += concat("    <edge source=\"n", edge.source, "\" target=\"n", edge.target, "\"",
                   edge.directed == graph.directed ? ""
                   : edge.directed                 ? " directed=\"true\""
                                                   : " directed=\"false\"",
                   ">", data_of(edge.values, 'e'), "</edge>\n");
  return text + "  </graph>\n</graphml>\n";
}

std::string graphml_of(const Results& results, const std::string& file) {
  const Whereabouts where = find_network(results, file);
  const Dataset& data = results.data;
  const Variable& source = data.at(where.source);
  if (source.dimensions.size() != 1 || data.at(where.target).dimensions != source.dimensions)
    throw DataError(concat(file, ": its points have networks of their own; export one of them, RUN/points/HASH."));
  Graphml graph;
  graph.directed = where.directed || source.attributes.count("directed") > 0;
  add_nodes(data, where.nodes, graph);
  add_edges(data, where, source.dimensions.front(), graph);
  return graphml_text(graph);
}

}  // namespace fovea
