#pragma once
/// Answers of a survey, or what is known of the nodes of a network: a table with a row each. The one reader of them.

#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::opinion::survey {

/// The ends of a scale of answers.
struct Scale {
  double low = 0, high = 0;
};
/// "1..7". Throws ArgumentError for another text, and where the upper end does not exceed the lower one.
Scale scale_of(const std::string& text);

/// Which columns are read, and what their cells mean. Empty: recognised by its name where it can be, else not there.
struct AnswerColumns {
  std::string value;                      ///< opinions
  std::string wave;                       ///< one of `by`, or joins them; "none": there are no waves
  std::vector<std::string> by = {};       ///< whose different words make groups
  std::string weight = {};                ///< design weights, >= 0
  std::string respondent = {};            ///< what is drawn together, or answers again: a person of a panel
  std::string node = {};                  ///< of a network: the names of its nodes; then opinions may be missing
  std::string side = {};                  ///< of a network recognised; "none": there is none
  std::string counts = {};                ///< how many people answered as the row says; "none": one
  std::vector<std::string> missing = {};  ///< numbers and words that mark missing answers; "none": none do
  std::string scale = {};                 ///< its two ends; empty: as answered
  std::vector<std::string> levels = {};   ///< answers in words, the lowest first, which are 1, 2, ...; empty: numbers
  bool in_time = false;  ///< every answer needs a wave that is a number or a date, once for each respondent
};

/// data.value, .by, .wave, .weight, .respondent, .counts, .levels, .missing and .scale.
const Keys<AnswerColumns>& answer_keys();
/// The scale of levels is 1 to their number.
AnswerColumns with_scale(AnswerColumns columns);

/// A group of rows that belong together: those with the same words in the columns of `by`.
struct AnswerGroup {
  std::string name;   ///< "wave 3, Sweden"
  std::string place;  ///< the same without the wave
  std::string wave;   ///< empty where there are no waves
};

struct Answers {
  std::vector<double> value;   ///< of each row; empty: the table has no opinions
  std::vector<double> weight;  ///< of each row, > 0; empty: all 1
  std::vector<Index> group;    ///< of each row
  std::vector<Index> unit;     ///< of each row, its respondent, from 0; empty: each row by itself
  Index units = 0;
  std::vector<AnswerGroup> groups;                    ///< place by place as they come, in each the waves ascending
  std::vector<std::string> node, side;                ///< of each row; empty where there is no such column
  std::string value_name, wave_name, side_name = {};  ///< columns; empty: none
  std::vector<std::string> unread = {};               ///< columns that nothing reads
  std::vector<std::string> notes;                     ///< on how the table was read
  std::string counts_name = {};  ///< column of counts: each of `counted` rows is here as often; empty: none
  Index counted = 0;

  bool dated = false;  ///< in_time: waves are dates, as days since 1970-01-01

  bool waves() const { return !wave_name.empty(); }
  double weight_of(std::size_t row) const { return weight.empty() ? 1 : weight[row]; }
};

/// Reads a table with a header, .csv or .csv.gz, in the dialects of files of series (series/dialect.hpp). Rows without
/// an answer, or with a weight that is missing or 0, are left out and counted in the notes. Columns that are not named
/// are recognised where only one can be meant. A side that is empty, NA, N/A, NaN, null or a dash is not known. Throws
/// DataError with file, row and column: an unknown column, words among the answers, an answer off the scale, a number
/// that looks like a missing one, a weight below 0, a node twice in a group, a respondent who answers twice in a wave
/// (in_time), a count that is no whole number >= 0.
Answers read_answers(const std::string& path, const AnswerColumns& columns);

/// Whether a cell says that a side or a respondent is not known: empty, NA, N/A, NaN, null, a point or dashes. "none"
/// is a side.
bool says_nothing(std::string_view cell);

/// The one column that is called a side, camp, party or the like; "" where there is none, or several.
std::string side_among(const std::vector<std::string>& columns);

/// Those that are called like design weights (weight, wt, pspwght) or numbers of people (n, freq).
std::vector<std::string> weights_among(const std::vector<std::string>& columns);

/// The place of the cell's word among wanted.levels, from 1. NaN where it is empty or a word for nothing. Throws
/// DataError with file, row and column for another word.
double level_in(const datasets::text::CsvReader& table, std::size_t column, const AnswerColumns& wanted);

}  // namespace fovea::opinion::survey
