#pragma once
/// Which column of a table of answers holds what.

#include <string>
#include <vector>

#include "fovea/datasets/text/csv.hpp"
#include "fovea/domains/opinion/survey/answers.hpp"

namespace fovea::opinion::survey {

/// The columns that are read; empty where there is none.
struct Roles {
  std::string value, weight, respondent, node, side, wave, counts;
  std::vector<std::string> by;  ///< the wave among them
};

/// Those that are named, and those that are recognised by their names or are the only ones left; notes says which were
/// recognised. Throws DataError for a column that is not there, and where it is not clear which one holds the opinions.
Roles roles_of(const std::string& path, const AnswerColumns& wanted, const datasets::text::CsvReader& table,
               std::vector<std::string>& notes);

/// The columns that nothing else claims.
std::vector<std::string> free_columns(const std::vector<std::string>& columns, const Roles& roles);

/// "a, b, c".
std::string listed(const std::vector<std::string>& names);

}  // namespace fovea::opinion::survey
