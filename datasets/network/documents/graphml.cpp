/// GraphML: <graphml><key/>...<graph edgedefault=""><node id=""><data key=""/></node><edge source=""
/// target=""/></graph>.

#include <unordered_map>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/network/documents/parts.hpp"
#include "fovea/datasets/network/documents/xml.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::network {

namespace {

/// What the <data> of a key means.
struct Key {
  std::string name;
  std::string fallback;  ///< of elements without such data
  bool of_nodes = false, of_edges = false;
  bool drawing = false;  ///< yEd: the label is inside
};

class GraphmlReader {
 public:
  GraphmlReader(const std::string& path, const std::string& bytes)
      : path_(path), file_(path, bytes), nodes_(path, document_) {}

  GraphDocument read() {
    for (const pugi::xml_node child : file_.root().children())
      if (local_name(child) == "key") read_key(child);
    const pugi::xml_node graph = file_.graph();
    directed_ = std::string_view(graph.attribute("edgedefault").value()) == "directed";
    for (const pugi::xml_node child : graph.children())
      if (local_name(child) == "node") read_node(child);
    for (const pugi::xml_node child : graph.children()) {
      if (local_name(child) == "edge") read_edge(child);
      if (local_name(child) == "hyperedge")
        file_.refuse(child, "is an edge of more than two ends; only edges of two are read.");
    }
    document_.kind = "a GraphML document";
    return std::move(document_);
  }

 private:
  void read_key(pugi::xml_node node) {
    Key key;
    const std::string id(file_.required(node, "id"));
    const std::string_view of = node.attribute("for").value();
    key.of_nodes = of == "node" || of == "all" || of.empty();
    key.of_edges = of == "edge" || of == "all" || of.empty();
    key.name = node.attribute("attr.name") ? node.attribute("attr.name").value() : id;
    key.drawing = std::string_view(node.attribute("yfiles.type").value()) == "nodegraphics";
    for (const pugi::xml_node child : node.children())
      if (local_name(child) == "default") key.fallback = text_of(child);
    keys_[id] = key;
    if (key.of_nodes && !key.fallback.empty()) defaults_.push_back(id);
  }

  const Key& key_of(pugi::xml_node data) const {
    const auto found = keys_.find(std::string(file_.required(data, "key")));
    if (found == keys_.end())
      file_.refuse(data, concat("the key '", text::shown_text(data.attribute("key").value()),
                                "' is declared nowhere; add its <key>."));
    return found->second;
  }

  void set(DocumentNode& node, const Key& key, const std::string& value) {
    if (key.name == "label" || key.name == "name" || key.name == "Label") {
      if (node.label.empty() || key.name == "name") node.label = value;
    } else {
      nodes_.set(node, key.name, value);
    }
  }

  /// The first <y:NodeLabel> of yEd's drawing of a node: <y:ShapeNode><y:NodeLabel>.
  static std::string drawn_label(pugi::xml_node data) {
    for (const pugi::xml_node shape : data.children())
      for (const pugi::xml_node part : shape.children())
        if (local_name(part) == "NodeLabel") return text_of(part);
    return "";
  }

  void read_node(pugi::xml_node element) {
    DocumentNode& node = nodes_.add(file_.required(element, "id"), file_.line(element));
    for (const std::string& id : defaults_) set(node, keys_.at(id), keys_.at(id).fallback);
    for (const pugi::xml_node child : element.children()) {
      if (local_name(child) == "graph")
        file_.refuse(child, "a graph is nested in a node; flatten the graph and write it again.");
      if (local_name(child) != "data") continue;
      const Key& key = key_of(child);
      if (key.drawing) {
        if (node.label.empty()) node.label = drawn_label(child);
      } else if (key.of_nodes) {
        set(node, key, text_of(child));
      }
    }
  }

  void read_edge(pugi::xml_node element) {
    DocumentEdge edge = edge_between(file_, nodes_, element);
    const std::string_view directed = element.attribute("directed").value();
    edge.directed = directed.empty() ? directed_ : directed == "true" || directed == "1";
    for (const pugi::xml_node child : element.children()) {
      if (local_name(child) != "data") continue;
      const Key& key = key_of(child);
      if (key.of_edges && !key.name.empty()) set_edge(path_, document_, edge, key.name, text_of(child));
    }
    document_.edges.push_back(edge);
  }

  std::string path_;
  GraphDocument document_;
  XmlFile file_;
  DocumentNodes nodes_;
  std::unordered_map<std::string, Key> keys_;
  std::vector<std::string> defaults_;
  bool directed_ = false;
};

}  // namespace

GraphDocument read_graphml(const std::string& path, const std::string& bytes) {
  return GraphmlReader(path, bytes).read();
}

}  // namespace fovea::datasets::network
