#pragma once
/// Rows of a file with a number that cannot be: the first is refused, or all are left out and counted.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/matrix.hpp"

namespace fovea::datasets::fields {

class BadRows {
 public:
  /// file: for messages; noun: what a row is, "field".
  BadRows(std::string file, std::string noun, bool leave_out)
      : file_(std::move(file)), noun_(std::move(noun)), leave_out_(leave_out) {}

  /// what: "y has -3 in row 7"; must: the rest of a sentence that refuses it. Throws DataError where rows stay.
  void take(std::uint64_t row, const std::string& what, const std::string& must) {
    if (!leave_out_)
      throw DataError(concat(file_, ": ", what, must, " To leave out such ", noun_, "s: data.bad='leave out'."));
    found_.emplace(row, what);
  }
  /// The first fault of each row that is left out.
  const std::map<std::uint64_t, std::string>& found() const { return found_; }

  /// The other rows of `count`. Throws DataError where more than half are left out: they are of another unit.
  std::vector<Index> kept(Index count) const {
    if (2 * std::ssize(found_) > count)
      throw DataError(
          concat(file_, ": more than half of the ", noun_, "s cannot be read: ", found_.begin()->second, "."));
    std::vector<Index> rows;
    for (Index row = 0; row < count; ++row)
      if (!found_.contains(static_cast<std::uint64_t>(row))) rows.push_back(row);
    return rows;
  }

 private:
  std::string file_, noun_;
  bool leave_out_;
  std::map<std::uint64_t, std::string> found_;
};

/// The entries of these rows; none of none.
template <typename One>
void keep_rows(const std::vector<Index>& rows, std::vector<One>& list) {
  std::vector<One> kept;
  for (const Index row : rows)
    if (!list.empty()) kept.push_back(list[static_cast<std::size_t>(row)]);
  list = std::move(kept);
}
inline void keep_rows(const std::vector<Index>& rows, Matrix<double>& matrix) {
  if (matrix.rows() > 0) matrix = Matrix<double>(matrix(rows, Eigen::all));
}

}  // namespace fovea::datasets::fields
