#include <algorithm>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/network/documents/parts.hpp"
#include "fovea/datasets/network/edge_list.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::network {

namespace {

constexpr std::string_view kBlanks = " \t\r";

/// The quote that closes a text: a blank or the end follows, since texts may hold quotes.
std::size_t closing_quote(std::string_view line, std::size_t from) {
  for (std::size_t at = line.find('"', from); at < line.size(); at = line.find('"', at + 1))
    if (at + 1 == line.size() || kBlanks.find(line[at + 1]) != std::string_view::npos) return at;
  return line.size();
}

}  // namespace

void split_words(std::string_view line, std::vector<std::string>& words) {
  words.clear();
  for (std::size_t at = line.find_first_not_of(kBlanks); at < line.size(); at = line.find_first_not_of(kBlanks, at)) {
    const bool quoted = line[at] == '"';
    const std::size_t from = at + (quoted ? 1 : 0);
    const std::size_t end =
        std::min(quoted ? closing_quote(line, from) : line.find_first_of(kBlanks, from), line.size());
    words.emplace_back(line.substr(from, end - from));
    at = std::min(end + (quoted ? 1 : 0), line.size());
    if (at == line.size()) break;
  }
}

std::uint32_t relation_number(GraphDocument& document, std::string_view value) {
  auto& all = document.relations;
  const auto found = std::find(all.begin(), all.end(), value);
  const auto number = static_cast<std::uint32_t>(found - all.begin());
  if (found == all.end()) all.emplace_back(value);
  return number;
}

void set_edge(const std::string& path, GraphDocument& document, DocumentEdge& edge, std::string_view name,
              std::string_view value) {
  const std::string plain = text::lower_case(name);
  if (plain == "weight") {
    if (!series::is_missing(value)) edge.weight = document_number(path, edge.line, value, "the weight");
  } else if (is_relation(plain) && (document.relation_column.empty() || document.relation_column == name)) {
    document.relation_column = name;
    edge.relation = relation_number(document, value);
  } else if (plain != "id" &&
             std::find(document.unread.begin(), document.unread.end(), name) == document.unread.end()) {
    document.unread.emplace_back(name);
  }
}

void settle_directions(GraphDocument& document) {
  std::vector<DocumentEdge>& edges = document.edges;
  const auto ends = [](const DocumentEdge& e) { return std::minmax(e.source, e.target); };
  const auto is_before = [&](const DocumentEdge& a, const DocumentEdge& b) {
    const auto [a_low, a_high] = ends(a);
    const auto [b_low, b_high] = ends(b);
    return std::tie(a_low, a_high, a.source) < std::tie(b_low, b_high, b.source);
  };
  std::stable_sort(edges.begin(), edges.end(), is_before);
  bool symmetric = true, above = false, below = false;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    if (edges[k].source == edges[k].target) continue;
    (edges[k].source < edges[k].target ? above : below) = true;
    const bool twin = k + 1 < edges.size() && edges[k + 1].source == edges[k].target &&
                      edges[k + 1].target == edges[k].source && edges[k + 1].weight == edges[k].weight;
    symmetric = symmetric && twin;
    k += twin ? 1 : 0;
    below = below || twin;
  }
  document.directions_unsaid = !(above && below);
  for (DocumentEdge& edge : edges) edge.directed = !symmetric;
  if (symmetric) std::erase_if(edges, [](const DocumentEdge& edge) { return edge.source > edge.target; });
}

DocumentNode& DocumentNodes::add(std::string_view given, std::size_t line) {
  const std::string_view id = text::trimmed(given);
  if (id.empty()) refuse_line(path_, line, "a node has no id; give every node one.");
  const auto place = static_cast<std::uint32_t>(document_.nodes.size());
  if (!places_.emplace(std::string(id), place).second)
    refuse_line(path_, line, concat("the node '", text::shown_text(id), "' is there twice; keep one."));
  document_.nodes.push_back({std::string(id), "", {}});
  return document_.nodes.back();
}

std::uint32_t DocumentNodes::find_or_add(std::string_view id, std::size_t line) {
  const auto found = places_.find(std::string(text::trimmed(id)));
  if (found != places_.end()) return found->second;
  add(id, line);
  return static_cast<std::uint32_t>(document_.nodes.size() - 1);
}

std::uint32_t DocumentNodes::find(std::string_view id, std::size_t line) const {
  const auto found = places_.find(std::string(text::trimmed(id)));
  if (found == places_.end())
    refuse_line(path_, line,
                concat("an edge ends at '", text::shown_text(id), "', but there is no such node; add it."));
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
