/// JSON of networkx (node_link_data) and d3: {"directed": false, "nodes": [{"id": ...}], "links": [{"source": ...,
/// "target": ...}]}; also with "edges" for "links". Nodes without ids are numbered from 0, as d3 does.

#include <nlohmann/json.hpp>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/network/documents/parts.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::network {

namespace {

using AnyJson = nlohmann::ordered_json;

constexpr std::size_t kShown = 12;  // letters of what is wrong

std::string text_of_json(const AnyJson& value) {
  return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
}

class NodeLinkReader {
 public:
  explicit NodeLinkReader(const std::string& path) : path_(path), nodes_(path, document_) {}

  GraphDocument read(const AnyJson& json) {
    const auto list = [&](const char* name) {
      return json.is_object() && json.contains(name) && json[name].is_array();
    };
    const char* edges = list("links") ? "links" : "edges";
    if (!list("nodes") || !list(edges))
      refuse_line(
          path_, 0,
          "is JSON without lists 'nodes' and 'links' (or 'edges'); write it by networkx.node_link_data(), or as "
          "GraphML.");
    const auto directed = json.find("directed");
    directed_ = directed != json.end() && directed->is_boolean() && directed->get<bool>();
    document_.directions_unsaid = directed == json.end();
    for (const AnyJson& node : json["nodes"]) read_node(node);
    for (const AnyJson& edge : json[edges]) read_edge(edge);
    document_.kind = "a node-link document (JSON)";
    return std::move(document_);
  }

 private:
  void read_node(const AnyJson& json) {
    const bool named = !json.is_object() || json.contains("id");
    DocumentNode& node = nodes_.add(!json.is_object() ? text_of_json(json)
                                    : named           ? text_of_json(json["id"])
                                                      : std::to_string(document_.nodes.size()),
                                    0);
    if (!json.is_object()) return;
    for (const auto& [name, value] : json.items()) {
      if (name == "label" || name == "name")
        node.label = text::trimmed(text_of_json(value));
      else if (name != "id")
        nodes_.set(node, name, text_of_json(value));
    }
  }

  std::uint32_t end_of(const AnyJson& edge, const char* name) const {
    if (!edge.is_object() || !edge.contains(name))
      refuse_line(
          path_, 0,
          concat("the edge ", text::shown_text(edge.dump()), " has no '", name, "'; give it the id of a node."));
    const AnyJson& end = edge[name];  // d3 puts the node itself there once it has drawn it
    return nodes_.find(text_of_json(end.is_object() && end.contains("id") ? end["id"] : end), 0);
  }

  void read_edge(const AnyJson& json) {
    DocumentEdge edge{end_of(json, "source"), end_of(json, "target"), 1, directed_ || document_.directions_unsaid};
    for (const auto& [name, value] : json.items()) {
      const bool running = name == "key" && value.is_number();  // of networkx, for edges given again
      if (name != "source" && name != "target" && !running) set_edge(path_, document_, edge, name, text_of_json(value));
    }
    document_.edges.push_back(edge);
  }

  std::string path_;
  GraphDocument document_;
  DocumentNodes nodes_;
  bool directed_ = false;
};

}  // namespace

GraphDocument read_node_link(const std::string& path, const std::string& text) try {
  return NodeLinkReader(path).read(AnyJson::parse(text));
} catch (const AnyJson::parse_error& error) {
  refuse_line(path, line_of(text, error.byte),
              error.byte > text.size()
                  ? "is no well-formed JSON; was it cut? Write it again."
                  : concat("is no well-formed JSON from '", text::shown_text(text.substr(error.byte - 1, kShown)),
                           "' on (NaN of Python is none); write it again."));
}

}  // namespace fovea::datasets::network
