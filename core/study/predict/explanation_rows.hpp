#pragma once
/// Predictions taken apart, as rows of CSV.

#include <string>
#include <vector>

#include "fovea/core/study/explain/value_shares.hpp"

namespace fovea::study {

/// id,variable,hour,contribution: the names of the columns, with the line's end. In place of `variable` stands `token`
/// where tokens have no classes; the unit of the times names `hour`, `day`, ...; without times there is no such column.
/// id: of the column of cases (LearnedTask::id_column()).
std::string explanation_header(const Preparation& preparation, const std::string& id = "id");

/// For each case a row `(base)`, one for each token with a value, `(trees)` where there are any, and `(remainder)`:
/// together they are the answer.
std::string explanation_rows(const Preparation& preparation, const Cases& cases,
                             const std::vector<ExplainedPrediction>& found);

}  // namespace fovea::study
