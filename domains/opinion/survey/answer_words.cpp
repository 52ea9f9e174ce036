#include "fovea/domains/opinion/survey/answer_words.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/config/schema.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"

namespace fovea::opinion::survey {

double level_in(const datasets::text::CsvReader& table, std::size_t column, const AnswerColumns& wanted) {
  const std::string word(datasets::text::trimmed(table.text(column)));
  const auto place = std::find(wanted.levels.begin(), wanted.levels.end(), word);
  if (place != wanted.levels.end()) return static_cast<double>(place - wanted.levels.begin()) + 1;
  if (datasets::series::is_missing(word)) return kNan;
  const std::string near = nearest(word, wanted.levels);
  table.refuse(column, concat("'", datasets::text::shown_text(word), "' is none of data.levels",
                              near.empty() ? "; add it there, or to data.missing if it is no answer."
                                           : concat("; did you mean '", near, "'?")));
}

}  // namespace fovea::opinion::survey
