#include "fovea/datasets/network/edge_list.hpp"

#include <cmath>
#include <optional>
#include <string_view>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/series/dialect.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::network {

namespace {

/// Which columns hold what.
struct Columns {
  std::size_t source = 0;
  std::size_t target = 1;
  std::optional<std::size_t> weight;
};

/// Whether the file names its columns; if not, its first row must be an edge between numbered nodes.
bool has_header(const std::string& path, const datasets::text::CsvOptions& dialect) {
  const datasets::text::CsvReader reader(path, dialect);
  if (reader.has("source") && reader.has("target")) return true;
  const auto& first = reader.columns();
  if (first.size() >= 2 && first.size() <= 3 && whole_number(first[0]) && whole_number(first[1])) return false;
  if (first.size() == 1 && first[0].find_first_of(";\t ") != std::string::npos)
    throw DataError(
        concat(path, ": has a single column '", first[0].substr(0, 40), "'; put commas between the columns."));
  throw DataError(concat(path, ": has no columns 'source' and 'target' but ", first.size(), " others, the first '",
                         first[0].substr(0, 40), "'; name them in the first line."));
}

Columns columns_of(const datasets::text::CsvReader& reader, bool header, bool weighted) {
  Columns columns;
  if (header) {
    columns.source = reader.column("source");
    columns.target = reader.column("target");
    if (weighted && reader.has("weight")) columns.weight = reader.column("weight");
  } else if (weighted && reader.columns().size() == 3) {
    columns.weight = 2;
  }
  return columns;
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

}  // namespace

std::string mistake_of_weight(double weight, bool negative) {
  if (!(weight >= 0 || negative) || !std::isfinite(weight))
    return concat("the weight is ", weight, "; it must be finite", negative ? "." : " and >= 0.");
  constexpr double kLargest = 1e290;  // 2^32 of them still have a finite sum
  if (std::abs(weight) > kLargest)
    return concat("the weight is ", weight, "; above ", kLargest, " sums are infinite: scale it.");
  return "";
}

void read_edges(const std::string& path, const NetworkFileOptions& options, Gathering& gathering) {
  datasets::text::CsvOptions dialect = datasets::series::dialect_of(path);
  const bool header = dialect.header = has_header(path, dialect);
  datasets::text::CsvReader reader(path, dialect);
  const Columns columns = columns_of(reader, header, options.weighted);
  while (reader.next())
    gathering.add_edge(id_of(reader, columns.source), id_of(reader, columns.target),
                       weight_of(reader, columns.weight, dialect, options.negative));
  if (gathering.empty()) throw DataError(concat(path, ": has a header but no edges; each row must be one."));
}

NodeLabels read_labels(const std::string& path, Gathering& gathering) {
  NodeLabels labels;
  labels.first = gathering.labelled();
  NodeNumbers seen;
  datasets::text::CsvReader reader(path, datasets::series::dialect_of(path));
  const std::size_t node = reader.column("node");
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
