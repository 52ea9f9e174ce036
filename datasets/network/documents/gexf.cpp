/// GEXF: <gexf><graph defaultedgetype=""><attributes class="node"><attribute id="" title=""/></attributes>
/// <nodes><node id="" label=""><attvalues><attvalue for="" value=""/></attvalues></node></nodes>
/// <edges><edge source="" target="" weight="" type=""/></edges></graph></gexf>.

#include <unordered_map>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/network/documents/parts.hpp"
#include "fovea/datasets/network/documents/xml.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::network {

namespace {

struct Attribute {
  std::string title, fallback;
};

class GexfReader {
 public:
  GexfReader(const std::string& path, const std::string& bytes)
      : path_(path), file_(path, bytes), nodes_(path, document_) {}

  GraphDocument read() {
    const pugi::xml_node graph = file_.graph();
    if (const pugi::xml_attribute type = graph.attribute("defaultedgetype")) type_ = type.value();
    if (std::string_view(graph.attribute("mode").value()) == "dynamic")
      document_.notes.emplace_back(
          "is a dynamic graph; its times are not read: all its nodes and edges are there throughout, and of several "
          "values of an attribute the last counts.");
    for (const pugi::xml_node part : graph.children())
      if (local_name(part) == "attributes" && std::string_view(part.attribute("class").value()) != "edge")
        for (const pugi::xml_node attribute : part.children())
          if (local_name(attribute) == "attribute") read_attribute(attribute);
    for (const pugi::xml_node part : graph.children())
      if (local_name(part) == "nodes")
        for (const pugi::xml_node node : part.children())
          if (local_name(node) == "node") read_node(node);
    for (const pugi::xml_node part : graph.children())
      if (local_name(part) == "edges")
        for (const pugi::xml_node edge : part.children())
          if (local_name(edge) == "edge") read_edge(edge);
    document_.kind = "a GEXF document";
    return std::move(document_);
  }

 private:
  void read_attribute(pugi::xml_node element) {
    const std::string id(file_.required(element, "id"));
    Attribute attribute{element.attribute("title") ? element.attribute("title").value() : id, ""};
    for (const pugi::xml_node child : element.children())
      if (local_name(child) == "default") attribute.fallback = text_of(child);
    if (!attribute.fallback.empty()) defaults_.push_back(id);
    attributes_[id] = std::move(attribute);
  }

  void read_node(pugi::xml_node element) {
    DocumentNode& node = nodes_.add(file_.required(element, "id"), file_.line(element));
    node.label = text::trimmed(element.attribute("label").value());
    for (const std::string& id : defaults_) nodes_.set(node, attributes_.at(id).title, attributes_.at(id).fallback);
    for (const pugi::xml_node child : element.children()) {
      if (local_name(child) == "nodes")
        file_.refuse(child, "nodes are nested in a node; flatten the graph and write it again.");
      if (local_name(child) != "attvalues") continue;
      for (const pugi::xml_node value : child.children())
        if (local_name(value) == "attvalue") set_value(node, value);
    }
  }

  void set_value(DocumentNode& node, pugi::xml_node element) {
    const char* name = element.attribute("for") ? "for" : "id";  // "id" in version 1.1
    const auto found = attributes_.find(std::string(file_.required(element, name)));
    if (found == attributes_.end())
      file_.refuse(element, concat("the attribute '", text::shown_text(element.attribute(name).value()),
                                   "' is declared nowhere; add it to <attributes>."));
    nodes_.set(node, found->second.title, element.attribute("value").value());
  }

  void read_edge(pugi::xml_node element) {
    DocumentEdge edge = edge_between(file_, nodes_, element);
    const pugi::xml_attribute type = element.attribute("type");
    edge.directed = (type ? std::string_view(type.value()) : type_) == "directed";  // mutual: both ways
    if (const pugi::xml_attribute weight = element.attribute("weight"))
      edge.weight = document_number(path_, edge.line, text::trimmed(weight.value()), "the weight");
    if (const pugi::xml_attribute kind = element.attribute("kind"))
      set_edge(path_, document_, edge, "relation", text::trimmed(kind.value()));
    document_.edges.push_back(edge);
  }

  std::string path_;
  GraphDocument document_;
  XmlFile file_;
  DocumentNodes nodes_;
  std::unordered_map<std::string, Attribute> attributes_;
  std::vector<std::string> defaults_;
  std::string_view type_ = "undirected";
};

}  // namespace

GraphDocument read_gexf(const std::string& path, const std::string& bytes) { return GexfReader(path, bytes).read(); }

}  // namespace fovea::datasets::network
