#include "fovea/datasets/network/documents/xml.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/network/documents/parts.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::network {

XmlFile::XmlFile(const std::string& path, const std::string& bytes) : path_(path), bytes_(bytes) {
  const pugi::xml_parse_result result =
      document_.load_buffer(bytes.data(), bytes.size(), pugi::parse_default | pugi::parse_ws_pcdata_single);
  exact_ = result.encoding == pugi::encoding_utf8;
  if (result && exact_ && !text::is_utf8(bytes))
    refuse_line(path, 0, "is not UTF-8; save it so, or give the encoding in its first line.");
  if (result) return;
  if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
  const std::size_t place = std::max<std::ptrdiff_t>(result.offset, 0);
  std::string what = result.description();
  if (!what.empty()) what[0] = static_cast<char>(what[0] | 0x20);
  refuse_line(path, line_of(bytes, std::min(place, bytes.size())),
              concat("is no well-formed XML (", what, "); was it cut? Write it again."));
}

std::size_t XmlFile::line(pugi::xml_node node) const {
  const std::ptrdiff_t place = node.offset_debug();
  if (!exact_ || place < 0 || place > std::ssize(bytes_)) return 0;
  const std::size_t to = place;
  if (to < counted_to_) counted_to_ = 0, counted_ = 1;
  const auto from = bytes_.begin();
  counted_ += std::count(from + static_cast<std::ptrdiff_t>(counted_to_), from + static_cast<std::ptrdiff_t>(to), '\n');
  counted_to_ = to;
  return counted_;
}

void XmlFile::refuse(pugi::xml_node node, const std::string& sentence) const {
  refuse_line(path_, line(node), sentence);
}

std::string_view XmlFile::required(pugi::xml_node node, const char* attribute) const {
  const pugi::xml_attribute found = node.attribute(attribute);
  if (!found)
    refuse(node, concat("<", text::shown_text(local_name(node)), "> has no attribute '", attribute, "'; give it."));
  return found.value();
}

pugi::xml_node XmlFile::graph() const {
  pugi::xml_node graph;
  for (const pugi::xml_node child : root().children()) {
    if (local_name(child) != "graph") continue;
    if (graph) refuse(child, "holds several graphs; keep one in the file.");
    graph = child;
  }
  if (!graph) refuse_line(path_, 0, "has no graph; was it cut? Write it again.");
  return graph;
}

DocumentEdge edge_between(const XmlFile& file, const DocumentNodes& nodes, pugi::xml_node element) {
  DocumentEdge edge;
  edge.line = file.line(element);
  edge.source = nodes.find(file.required(element, "source"), edge.line);
  edge.target = nodes.find(file.required(element, "target"), edge.line);
  return edge;
}

std::string_view local_name(pugi::xml_node node) {
  const std::string_view name = node.name();
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::string text_of(pugi::xml_node node) { return std::string(text::trimmed(node.text().get())); }

}  // namespace fovea::datasets::network
