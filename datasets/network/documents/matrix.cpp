/// Adjacency matrices: from a table with separators, or line by line.

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/network/documents/parts.hpp"
#include "fovea/datasets/network/edge_list.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/series/dialect.hpp"

namespace fovea::datasets::network {

namespace {

using Cells = std::vector<std::string>;

bool holds_number(std::string_view cell) { return series::number_in(text::trimmed(cell), true).has_value(); }

bool are_numbers(const Cells& cells, std::size_t from = 0) {
  return std::all_of(cells.begin() + static_cast<std::ptrdiff_t>(from), cells.end(),
                     [](const std::string& cell) { return text::trimmed(cell).empty() || holds_number(cell); });
}

Cells cells_of_row(const text::CsvReader& reader) {
  Cells cells;
  for (std::size_t c = 0; c < reader.columns().size(); ++c) cells.emplace_back(text::trimmed(reader.text(c)));
  return cells;
}

}  // namespace

bool looks_like_matrix(const std::string& path) {
  constexpr std::size_t kSeen = 5;
  text::CsvOptions dialect = series::dialect_of(path);
  dialect.header = false;
  text::CsvReader reader(path, dialect);
  std::vector<Cells> rows;
  while (rows.size() < kSeen && reader.next()) rows.push_back(cells_of_row(reader));
  if (rows.size() < 2 || rows[0].size() < 3 || ends_of(rows[0])) return false;
  const Cells &first = rows[0], &second = rows[1];
  const bool below = std::all_of(rows.begin() + 1, rows.end(), [](const Cells& row) { return are_numbers(row, 1); });
  bool named_alike = rows.size() > 2 && !are_numbers(first);  // then a cell that is no number is what is wrong
  for (std::size_t k = 1; k < rows.size() && named_alike; ++k) named_alike = k < first.size() && rows[k][0] == first[k];
  if (named_alike) return true;
  if (first[0].empty() || (!are_numbers(first) && second[0] == first[1])) return below;
  if (names_nodes(first)) return false;
  if (first.size() > 3) return below && (are_numbers(second) || !are_numbers(first));
  if (!below || !are_numbers(second)) return false;
  if (!are_numbers(first)) return rows.size() == 4;  // three names above three rows
  if (rows.size() == 3 && first[1] == second[0] && first[2] == rows[2][0] && second[2] == rows[2][1])
    throw DataError(concat(path,
                           ": three rows of three numbers may be a matrix, or edges with weights; write "
                           "source,target,weight above edges, or names above the columns of a matrix."));
  return false;
}

GraphDocument read_matrix(const std::string& path) {
  text::CsvOptions dialect = series::dialect_of(path);
  dialect.header = false;
  text::CsvReader reader(path, dialect);
  MatrixRows rows(path, dialect.separator != ',');
  while (reader.next()) rows.add(cells_of_row(reader), reader.row());
  return rows.finish();
}

void MatrixRows::add(const Cells& cells, std::size_t line) {
  if (!begun_ && header_.empty() && (cells[0].empty() || !are_numbers(cells))) {
    header_ = cells;
    return;
  }
  if (!begun_) begin(cells, line);
  const std::size_t from = named_rows_ ? 1 : 0;
  if (cells.size() != document_.nodes.size() + from)
    refuse_line(path_, line,
                concat("has ", counted(std::ssize(cells), "cell"), ", but the rows before have ",
                       document_.nodes.size() + from, "."));
  const std::uint32_t row = place_of_row(cells, line);
  for (std::size_t k = from; k < cells.size(); ++k)
    if (const double weight = weight_of(cells[k], line); weight != 0)
      document_.edges.push_back({row, static_cast<std::uint32_t>(k - from), weight, true, line});
  ++rows_;
}

/// The first row of numbers: now it is known where names stand.
void MatrixRows::begin(const Cells& cells, std::size_t line) {
  begun_ = true;
  const bool corner = header_.size() == cells.size();
  named_rows_ = !header_.empty() && (!holds_number(cells[0]) || header_.size() + 1 == cells.size() ||
                                     (corner && (header_[0].empty() || cells[0] == header_[1])));
  if (named_rows_ && corner) header_.erase(header_.begin());
  const std::size_t columns = cells.size() - (named_rows_ ? 1 : 0);
  if (!header_.empty() && header_.size() != columns)
    refuse_line(path_, line, concat("has ", columns, " numbers below ", header_.size(), " names of columns."));
  for (std::size_t k = 0; k < columns; ++k) nodes_.add(header_.empty() ? std::to_string(k + 1) : header_[k], 1);
  seen_.assign(columns, 0);
}

std::uint32_t MatrixRows::place_of_row(const Cells& cells, std::size_t line) {
  if (!named_rows_) return static_cast<std::uint32_t>(std::min(rows_, seen_.size() - 1));
  if (!nodes_.has(cells[0]))
    refuse_line(path_, line,
                concat("a matrix has the row '", text::shown_text(cells[0]),
                       "', but no such column: it is of two kinds of nodes (bipartite). Write its entries as a table "
                       "source,target,weight."));
  const std::uint32_t row = nodes_.find(cells[0], line);
  if (seen_[row]++ > 0)
    refuse_line(path_, line, concat("the row '", text::shown_text(cells[0]), "' is there twice; keep one."));
  return row;
}

double MatrixRows::weight_of(const std::string& cell, std::size_t line) const {
  if (cell.empty()) return 0;
  const auto weight = series::number_in(cell, decimal_comma_);
  if (!weight)
    refuse_line(
        path_, line,
        concat("a matrix has the entry '", text::shown_text(cell), "', which is no number; write 0 for no edge."));
  return *weight;
}

GraphDocument MatrixRows::finish() {
  if (rows_ != document_.nodes.size())
    throw DataError(concat(path_, ": has ", counted(static_cast<std::int64_t>(rows_), "row"), " and ",
                           document_.nodes.size(),
                           " columns of numbers: neither a table of edges, with the columns source and target, nor a "
                           "square matrix of who is connected to whom. Write the entries of a matrix of two kinds of "
                           "nodes (bipartite) as a table source,target,weight."));
  settle_directions(document_);
  document_.kind = "a matrix of who is connected to whom";
  return std::move(document_);
}

}  // namespace fovea::datasets::network
