#pragma once
/// Cases from a table of one's own, whose columns have any names, in whatever way it is written.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fovea/core/study/cases/cases.hpp"
#include "fovea/datasets/cases/table_cells.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/row_fault.hpp"

namespace fovea::datasets::cases {

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
  bool dated = false;          ///< the times are dates; they become days since 1970-01-01
  bool leave_out_bad = false;  ///< a row that cannot be read is left out and counted, else the first is refused
  std::string group, weight;
  std::vector<CaseFeature> features;
  /// Columns of the training table, and why nothing was learned from them; others are not known.
  std::vector<std::pair<std::string, std::string>> left = {};
  std::string target;  ///< may be absent from the file, as group and weight may be
  /// The target of the current row; `column`: of the target.
  std::function<double(const text::CsvReader& reader, std::size_t column)> target_of;
};

/// What is wrong with a row, and how such rows are left out.
std::string with_way_out(const text::RowFault& fault);

/// Where rows with the same id do not stand together, or their times do not ascend, they are put so. A word that is
/// none of its feature's categories is missing, which a note counts. Throws DataError with file, row and column for a
/// cell that is not what its column is, StorageError.
std::unique_ptr<study::CaseReader> read_case_table(const std::string& path, const CaseColumns& columns);

}  // namespace fovea::datasets::cases
