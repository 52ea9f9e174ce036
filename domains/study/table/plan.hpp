#pragma once
/// From a table to a question: what the target is, which columns are learned from, and why the others are not.

#include <string>
#include <vector>

#include "fovea/domains/study/table/settings.hpp"

namespace fovea::study::table {

struct LeftColumn {
  std::string name, reason;
};

struct TablePlan {
  TableSettings settings;          ///< with all that the table says filled in
  std::vector<LeftColumn> left;    ///< columns that nothing is learned from
  std::vector<std::string> notes;  ///< how the file and its target were read, a sentence each
};

/// Throws DataError that names the file, the column and the way out: for a column that is not there, a target that can
/// be read in several ways or has one class alone, a column that is neither numbers nor names, a number that looks like
/// a mark of missing values, and subjects with several rows of which nothing says how they belong together.
TablePlan plan_of(TableSettings settings, const datasets::cases::TableSurvey& survey);
TablePlan plan_of(const TableSettings& settings);

}  // namespace fovea::study::table
