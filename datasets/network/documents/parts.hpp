#pragma once
/// What the readers of graph documents share. Internal to datasets/network/documents.

#include <string>
#include <string_view>
#include <unordered_map>

#include "fovea/datasets/network/documents/graph_document.hpp"

namespace fovea::datasets::network {

GraphDocument read_graphml(const std::string& path, const std::string& bytes);
GraphDocument read_gexf(const std::string& path, const std::string& bytes);
GraphDocument read_gml(const std::string& path, const std::string& text);    ///< text in UTF-8
GraphDocument read_pajek(const std::string& path, const std::string& text);  ///< text in UTF-8

/// The line of a place in the text, from 1.
std::size_t line_of(std::string_view text, std::size_t place);

[[noreturn]] void refuse_line(const std::string& path, std::size_t line, const std::string& sentence);

/// A number of a document: decimal point, no blanks. Throws DataError.
double document_number(const std::string& path, std::size_t line, std::string_view text, const char* what);

/// Nodes by their ids.
class DocumentNodes {
 public:
  DocumentNodes(const std::string& path, GraphDocument& document) : path_(path), document_(document) {}
  /// Throws DataError for an id that was given before.
  DocumentNode& add(std::string_view id, std::size_t line);
  /// Throws DataError where there is no such node.
  std::uint32_t find(std::string_view id, std::size_t line) const;
  /// The place of a column, made where there was none.
  std::size_t column(std::string_view name);
  void set(DocumentNode& node, std::string_view column_name, std::string_view value);

 private:
  std::string path_;
  GraphDocument& document_;
  std::unordered_map<std::string, std::uint32_t> places_;
};

}  // namespace fovea::datasets::network
