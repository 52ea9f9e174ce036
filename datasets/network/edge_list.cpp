#include "fovea/datasets/network/edge_list.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/series/dialect.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::network {

namespace {

/// Which columns hold what.
struct Columns {
  std::size_t source = 0;
  std::size_t target = 1;
  std::optional<std::size_t> weight, type, relation;
};

bool is_called(std::string_view text, std::string_view name) {
  return std::equal(text.begin(), text.end(), name.begin(), name.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a | 0x20) : a) == b; });
}

/// The column of this name, else the first that differs from it by capitals.
std::optional<std::size_t> place_of(const std::vector<std::string>& columns, std::string_view name) {
  auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end())
    found = std::find_if(columns.begin(), columns.end(), [&](const auto& column) { return is_called(column, name); });
  if (found == columns.end()) return std::nullopt;
  return found - columns.begin();
}

/// The cells of the first row.
std::vector<std::string> first_row(const std::string& path, datasets::text::CsvOptions dialect) {
  dialect.header = false;
  datasets::text::CsvReader reader(path, dialect);
  std::vector<std::string> cells;
  if (reader.next())
    for (std::size_t c = 0; c < reader.columns().size(); ++c)
      cells.emplace_back(datasets::text::trimmed(reader.text(c)));
  return cells;
}

bool is_numbered_edge(const std::vector<std::string>& row) {
  return row.size() >= 2 && row.size() <= 3 && whole_number(row[0]) && whole_number(row[1]) &&
         (row.size() == 2 || row[2].empty() || datasets::series::number_in(row[2], true));
}

/// Whether the file names its columns; if not, its first row must be an edge between numbered nodes.
bool has_header(const std::string& path, const datasets::text::CsvOptions& dialect) {
  const std::vector<std::string> first = first_row(path, dialect);
  if (ends_of(first)) return true;
  if (is_numbered_edge(first)) return false;
  if (first.size() == 1)
    throw DataError(concat(path, ": has the single column '", datasets::text::shown_text(first[0]),
                           "'; a table of edges needs both ends, source and target."));
  throw DataError(concat(path, ": has no columns 'source' and 'target' but ", first.size(), " others, the first '",
                         datasets::text::shown_text(first.empty() ? "" : first[0]), "'; name them in the first line."));
}

Columns columns_of(const datasets::text::CsvReader& reader, bool header) {
  Columns columns;
  if (header) {
    std::tie(columns.source, columns.target) = ends_of(reader.columns()).value();
    columns.weight = place_of(reader.columns(), "weight");
    columns.type = place_of(reader.columns(), "type");
    for (const char* name : {"relation", "layer", "type"})
      if (!columns.relation) columns.relation = place_of(reader.columns(), name);
  } else if (reader.columns().size() == 3) {
    columns.weight = 2;
  }
  return columns;
}

/// What Gephi's column Type says of the row: Directed, Undirected or Mutual; other types say nothing of directions.
enum class Direction { unsaid, one, both };

Direction direction_of(const datasets::text::CsvReader& reader, const std::optional<std::size_t>& type) {
  if (!type) return Direction::unsaid;
  const std::string_view word = datasets::text::trimmed(reader.text(*type));
  if (is_called(word, "directed")) return Direction::one;
  return is_called(word, "undirected") || is_called(word, "mutual") ? Direction::both : Direction::unsaid;
}

std::string_view id_of(const datasets::text::CsvReader& reader, std::size_t column) {
  const std::string_view id = datasets::text::trimmed(reader.text(column));
  if (id.empty()) reader.refuse(column, "the name of a node is missing; give every row both ends.");
  return id;
}

double weight_of(const datasets::text::CsvReader& reader, const std::optional<std::size_t>& column,
                 const datasets::text::CsvOptions& dialect, bool negative) {
  if (!column || reader.empty(*column)) return 1;
  const double weight = datasets::series::number_of(reader, *column, dialect);
  const std::string_view cell = datasets::text::trimmed(reader.text(*column));
  const bool computed = cell.size() == 3 && (cell[0] | 0x20) == 'n' && (cell[2] | 0x20) == 'n';  // nan, but not NA
  if (std::isnan(weight) && !computed) return 1;
  if (const std::string mistake = mistake_of_weight(weight, negative); !mistake.empty())
    reader.refuse(*column, mistake);
  return weight;
}

/// A weight that is not looked at may be anything.
void count_weight(std::string_view cell, EdgesSeen& seen) {
  const auto weight = datasets::series::number_in(cell, true);
  seen.weights += weight && *weight != 1 ? 1 : 0;
  seen.not_positive += weight && *weight <= 0 ? 1 : 0;
}

/// Columns that nothing reads.
std::vector<std::size_t> unread_of(const std::vector<std::string>& names, const Columns& columns) {
  std::vector<std::size_t> unread;
  for (std::size_t c = 0; c < names.size(); ++c)
    if (c != columns.source && c != columns.target && c != columns.weight && c != columns.type &&
        c != columns.relation && !is_called(names[c], "id"))
      unread.push_back(c);
  return unread;
}

/// Names those that hold anything.
void name_unread(const datasets::text::CsvReader& reader, std::vector<std::size_t>& columns, EdgesSeen& seen) {
  std::erase_if(columns, [&](std::size_t c) {
    if (reader.empty(c)) return false;
    seen.unread.push_back(reader.columns()[c]);
    return true;
  });
}

}  // namespace

std::optional<std::pair<std::size_t, std::size_t>> ends_of(const std::vector<std::string>& columns) {
  for (const auto& [first, second] : {std::pair{"source", "target"}, {"from", "to"}})
    if (const auto from = place_of(columns, first), to = place_of(columns, second); from && to)
      return std::pair{*from, *to};
  return std::nullopt;
}

bool names_nodes(const std::vector<std::string>& columns) {
  return place_of(columns, "node") || place_of(columns, "id");
}

bool is_relation(std::string_view name) { return name == "relation" || name == "layer" || name == "type"; }

bool is_table_of_edges(const std::string& path) {
  const std::vector<std::string> first = first_row(path, datasets::series::dialect_of(path));
  return ends_of(first) || is_numbered_edge(first);
}

std::string mistake_of_weight(double weight, bool negative) {
  if (!(weight >= 0 || negative) || !std::isfinite(weight))
    return concat("the weight is ", weight, "; it must be finite", negative ? "." : " and >= 0.");
  constexpr double kLargest = 1e290;  // 2^32 of them still have a finite sum
  if (std::abs(weight) > kLargest)
    return concat("the weight is ", weight, "; above ", kLargest, " sums are infinite: scale it.");
  return "";
}

EdgesSeen read_edges(const std::string& path, const NetworkFileOptions& options, Gathering& gathering) {
  datasets::text::CsvOptions dialect = datasets::series::dialect_of(path);
  const bool header = dialect.header = has_header(path, dialect);
  datasets::text::CsvReader reader(path, dialect);
  const Columns columns = columns_of(reader, header);
  EdgesSeen seen;
  std::vector<std::size_t> unread = header ? unread_of(reader.columns(), columns) : std::vector<std::size_t>();
  if (columns.relation) seen.relation_column = reader.columns()[*columns.relation];
  bool any = false;
  while (reader.next()) {
    any = true;
    if (!unread.empty()) name_unread(reader, unread, seen);
    const std::string_view source = id_of(reader, columns.source), target = id_of(reader, columns.target);
    const double weight = options.weighted ? weight_of(reader, columns.weight, dialect, options.negative) : 1;
    const Direction direction = direction_of(reader, columns.type);
    if (columns.relation && (columns.relation != columns.type || direction == Direction::unsaid)) {
      const std::string relation(datasets::text::trimmed(reader.text(*columns.relation)));
      seen.add_relation(relation);
      if (!options.relation.empty() && relation != options.relation) continue;
    }
    if (!options.weighted && columns.weight) count_weight(reader.text(*columns.weight), seen);
    gathering.add_edge(source, target, weight);
    seen.directions += direction == Direction::one ? 1 : 0;
    if (options.directed && direction == Direction::both && source != target)
      gathering.add_edge(target, source, weight);
  }
  if (!any) throw DataError(concat(path, ": has a header but no edges; each row must be one."));
  return seen;
}

NodeLabels read_labels(const std::string& path, Gathering& gathering) {
  NodeLabels labels;
  labels.first = gathering.labelled();
  NodeNumbers seen;
  datasets::text::CsvReader reader(path, datasets::series::dialect_of(path));
  const auto& names = reader.columns();
  const auto called_node = place_of(names, "node"), called_id = place_of(names, "id");
  const std::size_t node = called_node ? *called_node : called_id ? *called_id : reader.column("node");
  while (reader.next()) {
    const std::string_view id = id_of(reader, node);
    const std::uint32_t count = seen.count();
    if (seen.add(NodeNumbers::id_of(id)) < count) reader.refuse(node, "this node is in the file twice; keep one row.");
    gathering.labelled_node(id);
    for (std::size_t column = 0; column < reader.columns().size(); ++column)
      if (column != node)
        labels.columns[reader.columns()[column]].emplace_back(datasets::text::trimmed(reader.text(column)));
  }
  return labels;
}

}  // namespace fovea::datasets::network
