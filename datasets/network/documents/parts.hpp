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
GraphDocument read_lines(const std::string& path, std::string text);         ///< text in UTF-8
GraphDocument read_node_link(const std::string& path, const std::string& text);
GraphDocument read_matrix(const std::string& path);  ///< a table with separators

/// Whether the first rows of a table with separators look like a matrix. Throws DataError where they may be edges too.
bool looks_like_matrix(const std::string& path);

/// Words of a line; what stands in quotes is one.
void split_words(std::string_view line, std::vector<std::string>& words);

/// The place of a relation, made where there was none.
std::uint32_t relation_number(GraphDocument& document, std::string_view value);

/// An attribute of an edge: its weight, its relation (also called layer or type), or one that nothing reads.
void set_edge(const std::string& path, GraphDocument& document, DocumentEdge& edge, std::string_view name,
              std::string_view value);

/// Edges of a matrix, row to column: of a symmetric one each pair is an edge without a direction; where only one
/// triangle is filled the directions are unsaid.
void settle_directions(GraphDocument& document);

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
  std::uint32_t find_or_add(std::string_view id, std::size_t line);
  bool has(std::string_view id) const { return places_.contains(std::string(id)); }
  /// The place of a column, made where there was none.
  std::size_t column(std::string_view name);
  void set(DocumentNode& node, std::string_view column_name, std::string_view value);

 private:
  std::string path_;
  GraphDocument& document_;
  std::unordered_map<std::string, std::uint32_t> places_;
};

/// A square table of weights, row by row, with names above the columns, before the rows, at both or nowhere.
class MatrixRows {
 public:
  MatrixRows(const std::string& path, bool decimal_comma)
      : path_(path), decimal_comma_(decimal_comma), nodes_(path, document_) {}
  void name_columns(const std::vector<std::string>& names) { header_ = names; }
  void add(const std::vector<std::string>& cells, std::size_t line);
  GraphDocument finish();  ///< throws DataError where rows and columns differ in number

 private:
  void begin(const std::vector<std::string>& cells, std::size_t line);
  std::uint32_t place_of_row(const std::vector<std::string>& cells, std::size_t line);
  double weight_of(const std::string& cell, std::size_t line) const;

  std::string path_;
  bool decimal_comma_;
  GraphDocument document_;
  DocumentNodes nodes_;
  std::vector<std::string> header_;
  std::vector<std::uint8_t> seen_;
  std::size_t rows_ = 0;
  bool begun_ = false, named_rows_ = false;
};

}  // namespace fovea::datasets::network
