#pragma once
/// What is wrong with one row of a table.

#include <string>
#include <utility>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::text {

/// A fault of one row, behind which a reader may go on: CsvReader throws it for a wrong number of fields, for a cell
/// that is no number, and from refuse().
class RowFault : public DataError {
 public:
  RowFault(std::string where, std::string why, const std::string& message)
      : DataError(message), place(std::move(where)), reason(std::move(why)) {}
  std::string place;   ///< "FILE:row 7"
  std::string reason;  ///< for a count of such rows: without what stands in the cell, which may be private
};

}  // namespace fovea::datasets::text
