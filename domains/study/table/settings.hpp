#pragma once
/// What the keys data.* of study.table say of a table.

#include <string>
#include <vector>

#include "fovea/core/config/keys.hpp"
#include "fovea/core/study/cases/target.hpp"
#include "fovea/datasets/cases/case_table.hpp"
#include "fovea/datasets/cases/table_survey.hpp"

namespace fovea::study::table {

/// What is asked of the target.
enum class Question { automatic, binary, classes, number, time };

struct TableSettings {
  std::string file, target;
  Question kind = Question::automatic;
  std::string positive, event;
  std::vector<double> times;
  std::string group, id, time, weight;
  std::vector<std::string> columns, leave_out, categories, missing;
  datasets::series::DayMonth order = datasets::series::DayMonth::unknown;
  /// Found in the training table, and kept with the model: columns of dates, "column=name" of each category, names
  /// of the classes or ends, "column: reason" of each that is not learned from, unit of the target.
  std::vector<std::string> dates, names, classes, left;
  std::string unit;
  bool leave_out_bad = false;
  Index others = 0;  ///< values of the target that are one class against data.positive; 0: unknown
};
const Keys<TableSettings>& table_keys();

bool is_in(const std::vector<std::string>& list, const std::string& word);

/// What is predicted; of a question that the table has not answered yet, one of two classes.
Target target_of(const TableSettings& settings);

/// How the table's columns become cases: those of data.columns, in their order.
datasets::cases::CaseColumns case_columns(const TableSettings& settings);

}  // namespace fovea::study::table
