#include "fovea/datasets/network/documents/graph_document.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/network/documents/letters.hpp"
#include "fovea/datasets/network/documents/parts.hpp"
#include "fovea/datasets/network/edge_list.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/text/byte_stream.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/file_format.hpp"

namespace fovea::datasets::network {

namespace {

using text::shown_text;

/// As many bytes as there are, at most `most`.
std::string bytes_of(const std::string& path, std::size_t most) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  text::ByteStream stream(path);
  std::string bytes;
  while (bytes.size() < most) {
    const std::size_t before = bytes.size();
    bytes.resize(before + std::min(kPiece, most - before));
    const std::size_t done = stream.read(bytes.data() + before, bytes.size() - before);
    bytes.resize(before + done);
    if (done == 0) break;
  }
  return bytes;
}

/// The beginning without marks of the encoding and blanks.
std::string beginning_of(const std::string& path) {
  constexpr std::size_t kSeen = std::size_t{1} << 16;
  std::string text = beginning_as_utf8(bytes_of(path, kSeen));
  text.erase(0, std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

bool begins(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t k = 0; k < word.size(); ++k)
    if ((text[k] | 0x20) != (word[k] | 0x20)) return false;
  return true;
}

/// The name of the first element.
std::string root_of(std::string_view xml) {
  for (std::size_t at = xml.find('<'); at != std::string_view::npos; at = xml.find('<', at + 1)) {
    if (xml.substr(at).starts_with("<!--")) {
      at = xml.find("-->", at);
      if (at == std::string_view::npos) break;
      continue;
    }
    if (at + 1 < xml.size() && (xml[at + 1] == '?' || xml[at + 1] == '!')) continue;
    const std::size_t end = std::min(xml.find_first_of(" \t\r\n/>", at + 1), xml.size());
    std::string_view name = xml.substr(at + 1, end - at - 1);
    if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
    return std::string(name);
  }
  return "";
}

/// Lines without the comments of Pajek and GML.
std::string_view after_comments(std::string_view text, char mark) {
  while (!text.empty() && text.front() == mark) {
    text.remove_prefix(std::min(text.find('\n'), text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  }
  return text;
}

/// "graph [", "Creator "...", "Version 1": keys of GML, and no header of a table.
bool is_gml(std::string_view text) {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  if (line.find_first_of(",;\t|") != std::string_view::npos && line.find('"') == std::string_view::npos) return false;
  for (const char* key : {"graph", "creator", "version", "comment"}) {
    if (!begins(text, key)) continue;
    const std::string_view rest = text.substr(std::string_view(key).size());
    if (rest.empty() || std::string_view(" \t\r\n[").find(rest.front()) == std::string_view::npos) continue;
    return text.find('[') != std::string_view::npos;
  }
  return false;
}

/// JSON, which readers of tables refuse, as a whole.
std::string json_of(const std::string& path) {
  std::string bytes;
  for (std::size_t most = std::size_t{1} << 22;; most *= 4)
    if (bytes = text::front_of(path, most); bytes.size() < most) return beginning_as_utf8(std::move(bytes));
}

/// Whether the file begins with JSON, for which a list of pairs in brackets would do too.
bool is_json(const std::string& path) {
  const std::string front = beginning_as_utf8(text::front_of(path));
  const std::size_t first = std::min(front.find_first_not_of(" \t\r\n"), front.size());
  const std::size_t second = std::min(front.find_first_not_of(" \t\r\n", first + 1), front.size());
  if (second >= front.size()) return false;
  return (front[first] == '{' && front[second] == '"') ||
         (front[first] == '[' && (front[second] == '{' || front[second] == '['));
}

/// Formats of graphs that have a name and are not read.
void refuse_foreign(const std::string& path, std::string_view text) {
  const std::size_t brace = text.substr(0, text.find('\n')).find('{');
  if (brace != std::string_view::npos && (begins(text, "graph") || begins(text, "digraph") || begins(text, "strict")))
    throw DataError(concat(path, ": is DOT, a drawing of Graphviz, which is not read here; convert it: gv2gml ", path,
                           " > ", path, ".gml"));
  if (begins(text, "dl ") || begins(text, "dl\n") || begins(text, "dl\r"))
    throw DataError(concat(path, ": is a DL file of UCINET, which is not read here; export it as Pajek in UCINET."));
}

/// A table of edges, a matrix, or lines of words.
GraphFormat format_of_lines(const std::string& path, std::string_view text) {
  if (text.starts_with('%')) return GraphFormat::lines;
  while (text.starts_with('#') || text.starts_with('\n') || text.starts_with('\r'))
    text.remove_prefix(std::min(text.find_first_of("\r\n") == 0 ? 1 : text.find_first_of("\r\n"), text.size()));
  std::string_view line = text::trimmed(text.substr(0, text.find_first_of("\r\n")));
  if (line.ends_with('}')) line = text::trimmed(line.substr(0, line.find('{')));
  if (line.empty()) return GraphFormat::table;
  if (line.find_first_of(",;|") != std::string_view::npos)
    return looks_like_matrix(path) ? GraphFormat::matrix : GraphFormat::table;
  if (line.find('\t') == std::string_view::npos) {
    std::vector<std::string> words;
    split_words(line, words);
    return words.size() > 1 ? GraphFormat::lines : GraphFormat::table;
  }
  return is_table_of_edges(path) ? GraphFormat::table : GraphFormat::lines;
}

std::string utf8_text(const std::string& path, std::string bytes, GraphDocument& document) {
  std::string text = text_as_utf8(path, std::move(bytes));
  if (text::is_utf8(text)) return text;
  document.notes.emplace_back("is not UTF-8; its letters are read as Latin-1 (Windows-1252).");
  return text::utf8_of_latin(text);
}

}  // namespace

GraphFormat graph_format_of(const std::string& path) {
  if (is_json(path)) return GraphFormat::node_link;
  const std::string text = beginning_of(path);
  refuse_foreign(path, text);
  if (text.starts_with("<")) {
    const std::string root = root_of(text);
    if (root == "graphml") return GraphFormat::graphml;
    if (root == "gexf") return GraphFormat::gexf;
    throw DataError(concat(path, ": is XML with the root '", shown_text(root),
                           "'; GraphML, GEXF, GML, Pajek and tables with the columns source and target are read."));
  }
  const std::string_view pajek = after_comments(text, '%');
  for (const char* section : {"*vertices", "*network", "*arcs", "*edges", "*matrix"})
    if (begins(pajek, section)) return GraphFormat::pajek;
  return is_gml(after_comments(text, '#')) ? GraphFormat::gml : format_of_lines(path, text);
}

GraphDocument read_graph_document(const std::string& path, GraphFormat format) {
  require(format != GraphFormat::table, "read_graph_document: ", path, " is a table.");
  if (format == GraphFormat::node_link) return read_node_link(path, json_of(path));
  if (format == GraphFormat::matrix) return read_matrix(path);
  std::string bytes = bytes_of(path, std::string::npos);
  if (format == GraphFormat::graphml) return read_graphml(path, xml_as_utf8(path, std::move(bytes)));
  if (format == GraphFormat::gexf) return read_gexf(path, xml_as_utf8(path, std::move(bytes)));
  GraphDocument letters;
  const std::string text = utf8_text(path, std::move(bytes), letters);
  if (const std::size_t nul = text.find('\0'); nul != std::string::npos)
    refuse_line(path, line_of(text, nul), "holds a NUL byte; is this a text file?");
  GraphDocument document = format == GraphFormat::gml     ? read_gml(path, text)
                           : format == GraphFormat::pajek ? read_pajek(path, text)
                                                          : read_lines(path, text);
  document.notes.insert(document.notes.begin(), letters.notes.begin(), letters.notes.end());
  return document;
}

std::vector<std::string> names_of(const GraphDocument& document) {
  std::unordered_set<std::string> labels;
  bool by_label = true;
  for (const DocumentNode& node : document.nodes)
    by_label = by_label && !node.label.empty() && labels.insert(node.label).second;
  std::vector<std::string> names;
  for (const DocumentNode& node : document.nodes) names.push_back(by_label ? node.label : node.id);
  return names;
}

std::size_t line_of(std::string_view text, std::size_t place) {
  const std::string_view before = text.substr(0, place);
  return 1 + std::count(before.begin(), before.end(), '\n');
}

void refuse_line(const std::string& path, std::size_t line, const std::string& sentence) {
  throw DataError(line == 0 ? concat(path, ": ", sentence) : concat(path, ":line ", line, ": ", sentence));
}

double document_number(const std::string& path, std::size_t line, std::string_view text, const char* what) {
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    refuse_line(path, line, concat(what, " is '", shown_text(text), "', which is no number; use a decimal point."));
  return value;
}

}  // namespace fovea::datasets::network
