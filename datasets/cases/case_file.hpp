#pragma once
/// Cases from a table (also .gz), one row a token:
///
///   id,time [h],heart_rate [1/min],lactate [mmol/L],group,target
///   a,0,80,,p1,0
///   a,1.5,85,2.1,p1,0
///   b,0,120,4.0,p2,1
///
/// id: rows of a case stand together. time, group, part, weight and target may be absent; group, part, weight and
/// target are the same in all rows of a case. Every other column is a feature; its unit
/// stands in brackets, "1" without. An empty cell, NA and NaN are missing. A case without tokens is a row whose
/// features and time are all empty.
///
/// A table whose columns have names of their own: case_table.hpp.

#include <memory>
#include <string>

#include "fovea/core/study/model/task.hpp"

namespace fovea::datasets::cases {

/// Reads block after block; memory is that of a block, and 16 bytes for each case before it, by which an id that comes
/// again is refused, and so is a case of more than a million rows. Throws DataError with file, row and column,
/// StorageError.
std::unique_ptr<study::CaseReader> read_case_file(const std::string& path);

}  // namespace fovea::datasets::cases
