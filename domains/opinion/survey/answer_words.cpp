#include "fovea/domains/opinion/survey/answer_words.hpp"

#include <algorithm>
#include <cctype>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/config/schema.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"

namespace fovea::opinion::survey {

namespace {

namespace series = datasets::series;

bool is_in(const std::string& word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

double level_of(const datasets::text::CsvReader& table, std::size_t column, const std::string& word,
                const AnswerColumns& wanted) {
  const auto place = std::find(wanted.levels.begin(), wanted.levels.end(), word);
  if (place != wanted.levels.end()) return static_cast<double>(place - wanted.levels.begin()) + 1;
  if (series::is_missing(word) || is_in(word, wanted.missing)) return kNan;
  const std::string near = nearest(word, wanted.levels);
  table.refuse(column, concat("'", datasets::text::shown_text(word), "' is none of data.levels",
                              near.empty() ? "; add it there, or to data.missing if it is no answer."
                                           : concat("; did you mean '", near, "'?")));
}

}  // namespace

double answer_in(const datasets::text::CsvReader& table, std::size_t column, const datasets::text::CsvOptions& dialect,
                 const AnswerColumns& wanted) {
  const std::string_view cell = datasets::text::trimmed(table.text(column));
  if (!wanted.levels.empty()) return level_of(table, column, std::string(cell), wanted);
  const bool words = std::any_of(cell.begin(), cell.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
  if (words && !series::is_missing(cell) && !series::number_in(cell, false))
    table.refuse(column, concat("'", datasets::text::shown_text(cell),
                                "' is not a number; of answers in words name all by data.levels (--levels), the lowest "
                                "first, and those that are no answer by data.missing."));
  return series::number_of(table, column, dialect);
}

}  // namespace fovea::opinion::survey
