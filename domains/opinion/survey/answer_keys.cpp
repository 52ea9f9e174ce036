#include <algorithm>
#include <cmath>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/domains/opinion/survey/answers.hpp"

namespace fovea::opinion::survey {

namespace {

std::optional<double> end_in(std::string_view text) {
  const auto number = datasets::series::number_in(datasets::text::trimmed(text), false);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

}  // namespace

Scale scale_of(const std::string& text) {
  const std::size_t dots = text.find("..");
  const auto low = end_in(text.substr(0, dots));
  const auto high = dots == std::string::npos ? std::nullopt : end_in(text.substr(dots + 2));
  require(low && high && *low < *high, "the scale is '", text,
          "', but must be its two ends such as 1..7, the lower one first.");
  return {*low, *high};
}

const Keys<AnswerColumns>& answer_keys() {
  using Columns = AnswerColumns;
  static const auto keys =
      Keys<Columns>()
          .key("data.value", &Columns::value, "column of opinions; empty: recognised by name, or the only one left")
          .key("data.by", &Columns::by, "columns whose different values make groups, such as \"wave\", \"country\"")
          .key("data.wave", &Columns::wave,
               "the column of data.by along which changes are measured; empty: by its name; none")
          .key("data.weight", &Columns::weight, "column of design weights; empty: all weigh the same")
          .key("data.respondent", &Columns::respondent,
               "column of what is drawn together (a person in a panel, a sampling point)")
          .key(
              "data.counts", &Columns::counts,
              "column of how many people answered so; empty: recognised beside answers that differ; none: each row one")
          .added_later()
          .key("data.levels", &Columns::levels,
               "answers in words, the lowest first: 1, 2, ...; empty: answers are numbers")
          .added_later()
          .key("data.missing", &Columns::missing,
               "numbers and words that mark missing answers, such as \"-9\", \"refused\"; \"none\": none do")
          .key("data.scale", &Columns::scale,
               "ends of the scale, such as 1..7; empty: the least and the largest answer");
  return keys;
}

AnswerColumns with_scale(AnswerColumns columns) {
  if (columns.scale.empty() && !columns.levels.empty()) columns.scale = concat("1..", columns.levels.size());
  return columns;
}

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
