#pragma once
/// A table of survey answers as a series of waves.

#include <string>
#include <vector>

#include "fovea/domains/opinion/fit/data.hpp"
#include "fovea/domains/opinion/survey/answers.hpp"

namespace fovea::opinion::fit {

struct SurveyPlan {
  survey::AnswerColumns columns;
  std::string only = {};    ///< the group of columns.by whose rows count, as in "DE"; "": all, where there is one
  bool continuous = false;  ///< answers have no grid, whatever they look like
  double cell = 0;          ///< width of the cells in which answers are counted, from the lower end on; 0: the grid,
                            ///< or where answers heap on whole multiples of 2, 5 or 10 steps, cells about these
};

/// Reads the table by survey::read_answers(), in_time. Waves ascend. `grid` is what grid_of() finds, drawn out to the
/// ends of the scale. Throws DataError as that does, and "FILE: ..." for several groups without `only`, fewer than two
/// waves, a wave of fewer than 10 answers, and answers that all agree. Throws StorageError.
OpinionSeries survey_series(const std::string& path, const SurveyPlan& plan);

}  // namespace fovea::opinion::fit
