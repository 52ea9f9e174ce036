#pragma once
/// Cases from a table (also .gz), one row a token:
///
///   id,time [h],heart_rate [1/min],lactate [mmol/L],group,target
///   a,0,80,,p1,0
///   a,1.5,85,2.1,p1,0
///   b,0,120,4.0,p2,1
///
/// id: rows of a case stand together. time, group, part, weight and target may be absent; group, part, weight and
/// (where there is one a case) target are the same in all rows of a case. Every other column is a feature; its unit
/// stands in brackets, "1" without. An empty cell, NA and NaN are missing. A case without tokens is a row whose
/// features and time are all empty.
///
/// A table whose columns have names of their own is read by CaseColumns, which say what each is.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fovea/core/study/model/task.hpp"
#include "fovea/datasets/cases/table_cells.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::cases {

struct CaseFileOptions {
  study::TargetLevel level = study::TargetLevel::per_case;
  std::string target = "target";  ///< name of its column
  Index most_tokens = 1000000;    ///< of a case: a longer one is refused before memory is asked for
};

/// Reads block after block; memory is that of a block, and 16 bytes for each case before it, by which an id that comes
/// again is refused. Throws DataError with file, row and column, StorageError.
std::unique_ptr<study::CaseReader> read_case_file(const std::string& path, const CaseFileOptions& options = {});

/// A column of tokens; with categories its cells are names, with `date` they are dates, in days since 1970-01-01.
struct CaseFeature {
  study::Feature feature;
  bool date = false;
};

/// What the columns of a table are, by their names without units. An empty name: there is none.
struct CaseColumns {
  CellRules rules;
  std::string id;  ///< empty: each row is a case, called by its number
  std::string time;
  series::DayMonth time_order = series::DayMonth::unknown;
  std::string group, weight;
  std::vector<CaseFeature> features;
  std::string target;  ///< may be absent from the file, as group and weight may be
  /// The target of the current row; `column`: of the target.
  std::function<double(const text::CsvReader& reader, std::size_t column)> target_of;
};

/// Where rows with the same id do not stand together, or their times do not ascend, they are put so. A word that is
/// none of its feature's categories is missing, which a note counts. Throws DataError with file, row and column for a
/// cell that is not what its column is, StorageError.
std::unique_ptr<study::CaseReader> read_case_table(const std::string& path, const CaseColumns& columns);

}  // namespace fovea::datasets::cases
