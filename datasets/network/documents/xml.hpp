#pragma once
/// XML documents of graphs, by pugixml, which expands no entities and opens no other files. Internal to
/// datasets/network/documents.

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "fovea/datasets/network/documents/parts.hpp"

namespace fovea::datasets::network {

/// A parsed file that knows its lines.
class XmlFile {
 public:
  /// Throws DataError "FILE:line N: ..." where it is not well formed.
  XmlFile(const std::string& path, const std::string& bytes);

  pugi::xml_node root() const { return document_.document_element(); }
  std::size_t line(pugi::xml_node node) const;
  [[noreturn]] void refuse(pugi::xml_node node, const std::string& sentence) const;
  /// An attribute that has to be there.
  std::string_view required(pugi::xml_node node, const char* attribute) const;
  /// The one child <graph> of the root.
  pugi::xml_node graph() const;

 private:
  std::string path_;
  const std::string& bytes_;
  pugi::xml_document document_;
  bool exact_ = true;  // places in the parsed text are those in the file
  // Lines are counted on from the last place asked for: elements are visited in their order.
  mutable std::size_t counted_to_ = 0, counted_ = 1;
};

/// An edge of GraphML and GEXF: its line and its ends, from the attributes `source` and `target`.
DocumentEdge edge_between(const XmlFile& file, const DocumentNodes& nodes, pugi::xml_node element);

/// The name of an element without its namespace's prefix.
std::string_view local_name(pugi::xml_node node);

/// Blanks at the ends taken away.
std::string text_of(pugi::xml_node node);

}  // namespace fovea::datasets::network
