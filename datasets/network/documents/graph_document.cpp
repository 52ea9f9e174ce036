#include "fovea/datasets/network/documents/graph_document.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/network/documents/letters.hpp"
#include "fovea/datasets/network/documents/parts.hpp"
#include "fovea/datasets/text/byte_stream.hpp"
#include "fovea/datasets/text/csv.hpp"

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

std::string utf8_text(const std::string& path, std::string bytes, GraphDocument& document) {
  std::string text = text_as_utf8(path, std::move(bytes));
  if (text::is_utf8(text)) return text;
  document.notes.emplace_back("is not UTF-8; its letters are read as Latin-1 (Windows-1252).");
  return text::utf8_of_latin(text);
}

}  // namespace

GraphFormat graph_format_of(const std::string& path) {
  const std::string text = beginning_of(path);
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
  return is_gml(after_comments(text, '#')) ? GraphFormat::gml : GraphFormat::table;
}

GraphDocument read_graph_document(const std::string& path, GraphFormat format) {
  std::string bytes = bytes_of(path, std::string::npos);
  require(format != GraphFormat::table, "read_graph_document: ", path, " is a table.");
  if (format == GraphFormat::graphml) return read_graphml(path, xml_as_utf8(path, std::move(bytes)));
  if (format == GraphFormat::gexf) return read_gexf(path, xml_as_utf8(path, std::move(bytes)));
  GraphDocument letters;
  const std::string text = utf8_text(path, std::move(bytes), letters);
  if (const std::size_t nul = text.find('\0'); nul != std::string::npos)
    refuse_line(path, line_of(text, nul), "holds a NUL byte; is this a text file?");
  GraphDocument document = format == GraphFormat::gml ? read_gml(path, text) : read_pajek(path, text);
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

DocumentNode& DocumentNodes::add(std::string_view given, std::size_t line) {
  const std::string_view id = text::trimmed(given);
  if (id.empty()) refuse_line(path_, line, "a node has no id; give every node one.");
  const auto place = static_cast<std::uint32_t>(document_.nodes.size());
  if (!places_.emplace(std::string(id), place).second)
    refuse_line(path_, line, concat("the node '", shown_text(id), "' is there twice; keep one."));
  document_.nodes.push_back({std::string(id), "", {}});
  return document_.nodes.back();
}

std::uint32_t DocumentNodes::find(std::string_view id, std::size_t line) const {
  const auto found = places_.find(std::string(text::trimmed(id)));
  if (found == places_.end())
    refuse_line(path_, line, concat("an edge ends at '", shown_text(id), "', but there is no such node; add it."));
  return found->second;
}

std::size_t DocumentNodes::column(std::string_view name) {
  const auto found = std::find(document_.columns.begin(), document_.columns.end(), name);
  if (found != document_.columns.end()) return (found - document_.columns.begin());
  document_.columns.emplace_back(name);
  return document_.columns.size() - 1;
}

void DocumentNodes::set(DocumentNode& node, std::string_view column_name, std::string_view value) {
  const std::size_t place = column(column_name);
  if (node.values.size() <= place) node.values.resize(place + 1);
  node.values[place] = text::trimmed(value);
}

}  // namespace fovea::datasets::network
