#pragma once
/// What is wrong with one row of a table.

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::text {

/// A fault of one row, behind which a reader may go on: CsvReader throws it for a wrong number of fields, for a cell
/// that is no number, and from refuse().
class RowFault : public DataError {
 public:
  using DataError::DataError;
};

}  // namespace fovea::datasets::text
