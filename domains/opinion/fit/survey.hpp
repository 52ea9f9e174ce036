#pragma once
/// Any table of survey answers as a series: one row an answer of a respondent in a wave.

#include <string>
#include <vector>

#include "fovea/domains/opinion/fit/data.hpp"

namespace fovea::opinion::fit {

struct SurveyColumns {
  std::string time = "wave";    ///< a number: of the wave, or its year
  std::string value;            ///< the answer
  std::string weight;           ///< design weight, >= 0; "": all alike
  std::string person;           ///< name of the respondent, of a panel; "": everybody answers once
  std::string group;            ///< such as a country; "": all rows count
  std::string only;             ///< the group whose rows count
  std::vector<double> scale;    ///< its two ends; empty: as answered
  std::vector<double> missing;  ///< codes that are no answers, such as 8, 9 or -1
  bool continuous = false;      ///< answers have no grid, whatever they look like
  double cell = 0;              ///< width of the cells in which answers are counted, from the lower end on; 0: the grid
};

/// Reads the table: .csv or .csv.gz with a header, separators, decimal commas and words for missing cells as
/// datasets/series/dialect.hpp has them. Waves ascend by time; rows without an answer or of weight 0 are left out and
/// counted in the notes. `grid` is what grid_of() finds, drawn out to the ends of the scale.
/// Throws DataError "FILE:row N, column 'x': ..." for an answer outside the scale, a time that is no number, a weight
/// below 0 and a person who answers twice in a wave; "FILE: ..." for several groups without `only`, fewer than two
/// waves, a wave of fewer than 10 answers, and answers that all agree. Throws StorageError.
OpinionSeries survey_series(const std::string& path, const SurveyColumns& columns);

}  // namespace fovea::opinion::fit
