#include "fovea/core/lab/checkpoint/own_rows.hpp"

#include <algorithm>
#include <charconv>

#include "fovea/core/base/error.hpp"
#include "fovea/core/lab/checkpoint/sealed_file.hpp"

namespace fovea {
namespace {

const std::string kRows = "own_rows", kSeal = ".seal";

std::string prefix_of(std::uint64_t number) { return concat("checkpoint-", number % 2, "-from-"); }

/// "checkpoint-1-from-32768" of each file of the generation, and its first row; by row.
std::vector<std::pair<Index, std::string>> files_of(const Place& folder, std::uint64_t number) {
  const std::string prefix = prefix_of(number);
  std::vector<std::pair<Index, std::string>> files;
  for (const std::string& name : names_in(folder)) {
    if (!name.starts_with(prefix) || !name.ends_with(kSeal)) continue;
    const std::string stem = name.substr(0, name.size() - kSeal.size());
    Index first = 0;
    const char* end = stem.data() + stem.size();
    const auto [read, error] = std::from_chars(stem.data() + prefix.size(), end, first);
    if (error == std::errc() && read == end && first >= 0) files.emplace_back(first, stem);
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The rows as the variable of a data set that has their dimensions.
void add_rows(const double* begin, Index rows, Index columns, Dataset& data) {
  data.dimension("own_row", rows);
  data.dimension("own_column", columns);
  data.add({kRows, {"own_row", "own_column"}, std::vector<double>(begin, begin + rows * columns), "1", kRows, {}});
}

}  // namespace

void add_own_rows(const OwnRows& own, Dataset& state) {
  add_rows(own.rows->data(), own.rows->rows(), own.rows->cols(), state);
}

void take_own_rows(const OwnRows& own, Dataset& state) {
  if (!state.has(kRows)) throw DataError("checkpoint: it has no rows of its own; it belongs to another run.");
  const std::vector<double>& values = state.at(kRows).reals();
  const std::size_t wanted = own.total * own.rows->cols();
  if (values.size() != wanted)
    throw DataError(concat("checkpoint: it has ", values.size(), " numbers in rows of its own, but must have ", wanted,
                           "; it belongs to another run."));
  own.rows->resize(own.part.count, own.rows->cols());
  std::copy_n(values.begin(), own.rows->size(), own.rows->data());
  Dataset rest;
  rest.attributes = state.attributes;
  rest.documents = state.documents;
  for (const Dimension& one : state.dimensions()) rest.dimension(one.name, one.size);
  for (const Variable& variable : state.variables())
    if (variable.name != kRows) rest.add(variable);
  state = std::move(rest);
}

void write_own_rows(const Place& folder, std::uint64_t number, const OwnRows& own) {
  require(own.rows->rows() == own.part.count, "write_own_rows: there are ", own.rows->rows(), " rows, but ",
          own.part.count, " are this rank's.");
  for (Index done = 0, some = 0; done < own.part.count; done += some) {
    some = std::min(kOwnRowsAFile, own.part.count - done);
    Dataset data;
    add_rows(own.rows->data() + done * own.rows->cols(), some, own.rows->cols(), data);
    write_sealed(folder, concat(prefix_of(number), own.part.first + done), number, data);
  }
}

bool read_own_rows(const Place& folder, std::uint64_t number, const OwnRows& own) {
  const Index columns = own.rows->cols(), end = own.part.first + own.part.count;
  own.rows->resize(own.part.count, columns);
  const std::vector<std::pair<Index, std::string>> files = files_of(folder, number);
  Index next = own.part.first;  // the first row that was not found yet
  for (const auto& [first, name] : files) {
    if (next >= end) break;
    if (first > next) return false;
    if (sealed_number(folder, name) != number) continue;  // of an earlier checkpoint by other ranks
    const Dataset data = read_sealed(folder, name);
    const std::vector<std::size_t> shape = data.shape(data.at(kRows));
    if (shape.size() != 2 || static_cast<Index>(shape[1]) != columns) return false;
    const Index last = std::min(end, first + static_cast<Index>(shape[0]));
    if (last <= next) continue;
    const std::vector<double>& values = data.at(kRows).reals();
    std::copy(values.begin() + (next - first) * columns, values.begin() + (last - first) * columns,
              own.rows->data() + (next - own.part.first) * columns);
    next = last;
  }
  return next >= end;
}

void remove_own_rows(const Place& folder, std::uint64_t number) {
  const std::string prefix = prefix_of(number);
  for (const auto& [first, name] : files_of(folder, number)) remove_sealed(folder, name);
  for (const std::string& name : names_in(folder))  // without a seal
    if (name.starts_with(prefix)) remove_file(folder / name);
}

}  // namespace fovea
