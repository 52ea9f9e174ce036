#include "fovea/datasets/network/edge_list.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

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
  std::optional<std::size_t> weight, type;
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

/// The columns of both ends: source and target (Gephi: Source, Target), or from and to (igraph).
std::optional<Columns> ends_of(const std::vector<std::string>& columns) {
  for (const auto& [first, second] : {std::pair{"source", "target"}, {"from", "to"}})
    if (const auto from = place_of(columns, first), to = place_of(columns, second); from && to)
      return Columns{*from, *to, {}, {}};
  return std::nullopt;
}

/// Whether the file names its columns; if not, its first row must be an edge between numbered nodes.
bool has_header(const std::string& path, const datasets::text::CsvOptions& dialect) {
  const datasets::text::CsvReader reader(path, dialect);
  if (ends_of(reader.columns())) return true;
  const auto& first = reader.columns();
  if (first.size() >= 2 && first.size() <= 3 && whole_number(first[0]) && whole_number(first[1])) return false;
  if (first.size() == 1 && first[0].find_first_of(";\t ") != std::string::npos)
    throw DataError(
        concat(path, ": has a single column '", first[0].substr(0, 40), "'; put commas between the columns."));
  throw DataError(concat(path, ": has no columns 'source' and 'target' but ", first.size(), " others, the first '",
                         first[0].substr(0, 40), "'; name them in the first line."));
}

Columns columns_of(const datasets::text::CsvReader& reader, bool header) {
  Columns columns = header ? ends_of(reader.columns()).value() : Columns();
  if (header) {
    columns.weight = place_of(reader.columns(), "weight");
    columns.type = place_of(reader.columns(), "type");
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
bool is_not_positive(std::string_view cell) {
  const auto weight = datasets::series::number_in(cell, true);
  return weight && *weight <= 0;
}

}  // namespace

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
  while (reader.next()) {
    const std::string_view source = id_of(reader, columns.source), target = id_of(reader, columns.target);
    const double weight = options.weighted ? weight_of(reader, columns.weight, dialect, options.negative) : 1;
    if (!options.weighted && columns.weight) seen.not_positive += is_not_positive(reader.text(*columns.weight)) ? 1 : 0;
    const Direction direction = direction_of(reader, columns.type);
    gathering.add_edge(source, target, weight);
    seen.directions += direction == Direction::one ? 1 : 0;
    if (options.directed && direction == Direction::both && source != target)
      gathering.add_edge(target, source, weight);
  }
  if (gathering.empty()) throw DataError(concat(path, ": has a header but no edges; each row must be one."));
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
