#pragma once
/// Answers of a survey, or what is known of the nodes of a network: a table with a row each.

#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/config/config.hpp"

namespace fovea::opinion::measure {

/// The ends of a scale of answers.
struct Scale {
  double low = 0, high = 0;
};
/// "1..7". Throws ArgumentError for another text, and where the upper end does not exceed the lower one.
Scale scale_of(const std::string& text);

/// A group of rows that are measured together: those with the same words in the columns of data.by.
struct AnswerGroup {
  std::string name;   ///< "wave 3, Sweden"
  std::string place;  ///< the same without the wave
  std::string wave;   ///< empty where there are no waves
};

struct Answers {
  std::vector<double> value;   ///< of each row; empty: the table has no opinions
  std::vector<double> weight;  ///< of each row, > 0; empty: all 1
  std::vector<Index> group;    ///< of each row
  std::vector<Index> unit;     ///< of each row, what is drawn together, from 0; empty: each row by itself
  Index units = 0;
  std::vector<AnswerGroup> groups;      ///< place by place as they come, in each the waves ascending
  std::vector<std::string> node, side;  ///< of each row, for a network; side is empty where there is no such column
  std::string value_name, wave_name;    ///< columns; empty: none
  std::vector<std::string> notes;       ///< on how the table was read

  bool waves() const { return !wave_name.empty(); }
  double weight_of(std::size_t row) const { return weight.empty() ? 1 : weight[row]; }
};

/// Reads data.file with a header, in the dialects of files of series (series/dialect.hpp), by the keys data.* and,
/// where network.edges is given, network.node and sides.column. Rows without an answer, or with a weight that is
/// missing or 0, are left out and counted. Columns that are not named are recognised where only one can be meant.
/// Throws DataError with file, row and column: an unknown column, an answer off the scale, a number that looks like a
/// missing one.
Answers read_answers(const Config& config);

/// The one column that is called a side, camp, party or the like; "" where there is none, or several.
std::string side_among(const std::vector<std::string>& columns);

}  // namespace fovea::opinion::measure
