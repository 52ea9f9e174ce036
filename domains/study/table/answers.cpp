#include "fovea/domains/study/table/answers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/config/schema.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::study::table {

namespace {

namespace cases = datasets::cases;
using cases::TableColumn;
using datasets::text::lower_case;
using datasets::text::shown_text;

struct Pair {
  std::string_view no, yes;
};
constexpr std::array kPairs{Pair{"0", "1"},
                            Pair{"no", "yes"},
                            Pair{"n", "y"},
                            Pair{"false", "true"},
                            Pair{"f", "t"},
                            Pair{"absent", "present"},
                            Pair{"negative", "positive"}};

/// Of two names such as "No" and "Yes" the place of the positive one; nothing where that is not known.
std::optional<std::size_t> positive_of(const std::vector<std::string>& names) {
  for (const Pair& pair : kPairs)
    for (const std::size_t yes : {std::size_t{0}, std::size_t{1}})
      if (lower_case(names[1 - yes]) == pair.no && lower_case(names[yes]) == pair.yes) return yes;
  return std::nullopt;
}

/// "'Alive' (150), 'Expired' (50)"
std::string counted_names(const TableColumn& column) {
  constexpr std::size_t kMostShown = 8;
  std::string text;
  std::size_t shown = 0;
  for (const auto& [name, count] : column.names)
    if (++shown <= kMostShown) text += concat(shown == 1 ? "'" : ", '", shown_text(name), "' (", count, ")");
  return column.names.size() > kMostShown ? text + ", ..." : text;
}

/// Numbers in their order, words in that of the alphabet.
std::vector<std::string> sorted_names(const TableColumn& column) {
  std::vector<std::string> names;
  for (const auto& [name, count] : column.names) names.push_back(name);
  const auto number = [](const std::string& name) {
    double value = 0;
    std::from_chars(name.data(), name.data() + name.size(), value);
    return value;
  };
  if (column.words == 0 && column.dates == 0)
    std::sort(names.begin(), names.end(), [&](const auto& a, const auto& b) { return number(a) < number(b); });
  return names;
}

class Answer {
 public:
  Answer(const cases::TableSurvey& survey, TableSettings& settings)
      : survey_(survey), s_(settings), column_(survey.at(settings.target, "data.target")) {}

  void find() {
    if (column_.kind == cases::ColumnKind::empty) refuse("is empty; a question needs known answers.");
    if (s_.kind == Question::automatic) s_.kind = kind();
    const bool of_numbers = s_.kind == Question::number || s_.kind == Question::time;
    if (column_.distinct == 1)
      refuse(concat("is ", counted_names(column_), " in all rows where it is known; ",
                    of_numbers ? "nothing can be learned from it." : "a question needs two classes."));
    if (s_.unit.empty() && of_numbers) s_.unit = column_.unit;
    if (!of_numbers && s_.classes.empty()) check_capitals();
    switch (s_.kind) {
      case Question::number:
        return check_numbers();
      case Question::time:
        return find_ends();
      case Question::classes:
        return find_classes();
      default:
        return find_pair();
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& sentence) const {
    throw DataError(concat(survey_.path, ": the target '", shown_text(column_.name), "' ", sentence));
  }

  /// "Yes" and "yes" would be two classes.
  void check_capitals() const {
    std::map<std::string, std::string> seen;
    for (const auto& [name, count] : column_.names)
      if (const auto [at, fresh] = seen.emplace(lower_case(name), name); !fresh)
        refuse(
            concat("has '", shown_text(at->second), "' and '", shown_text(name),
                   "', which differ in capitals alone; write them alike, or name the classes: --set data.classes=..."));
  }

  Question kind() {
    if (!s_.event.empty()) return Question::time;
    if (!s_.positive.empty()) return Question::binary;
    if (column_.distinct <= 2) return Question::binary;
    if (few_are_no_numbers() && column_.names.size() > cases::kMostNames) return Question::number;
    if (column_.words > 0) return Question::classes;
    if (column_.dates > 0) refuse("holds dates; give the time until then as a number, and data.event.");
    return Question::number;
  }

  /// Slips such as "on request" among prices.
  bool few_are_no_numbers() const { return 2 * (column_.words + column_.dates) < column_.numbers; }

  void check_numbers() const {
    const Index others = column_.words + column_.dates;
    if (others > 0 && !(s_.leave_out_bad && few_are_no_numbers()))
      refuse(concat("is to be a number, but ", counted(others, "cell"), others == 1 ? " is" : " are",
                    " none, the first '", column_.odd, "' in row ", column_.odd_row,
                    few_are_no_numbers() ? "; to leave out such rows: --set data.bad='leave out'." : "."));
  }

  void find_classes() {
    if (column_.names.size() > cases::kMostNames)
      refuse(concat("has more than ", cases::kMostNames,
                    " different names, more than there may be classes; put rare ones together",
                    column_.words == 0 ? ", or predict a number: --set data.kind=number." : "."));
    if (s_.classes.empty()) s_.classes = sorted_names(column_);
  }

  void find_pair() {
    if (!s_.classes.empty()) return;
    if (!s_.positive.empty()) return take_positive();
    if (column_.distinct > 2)
      refuse(concat("has ", column_.distinct, " different values, ", counted_names(column_),
                    ", but data.kind=binary needs two; to predict one of them against the others: --set "
                    "data.positive=NAME"));
    const std::vector<std::string> names = sorted_names(column_);
    if (const auto yes = positive_of(names)) {
      s_.classes = {names[1 - *yes], names[*yes]};
      return;
    }
    refuse(concat("is ", counted_names(column_), "; say which of them is predicted: --set data.positive=",
                  names[1].find(' ') == std::string::npos ? shown_text(names[1]) : "NAME"));
  }

  void take_positive() {
    s_.positive = cases::name_in(s_.positive, survey_.rules);
    const std::vector<std::string> names = sorted_names(column_);
    if (!column_.names.contains(s_.positive)) {
      const std::string close = nearest(s_.positive, names);
      refuse(concat("has no '", shown_text(s_.positive), "', which data.positive names; ",
                    close.empty() ? "there are: " + counted_names(column_) + "."
                                  : concat("did you mean '", shown_text(close), "'?")));
    }
    const std::string other = names.front() == s_.positive ? names.back() : names.front();
    s_.others = static_cast<Index>(names.size()) - 1;
    s_.classes = {names.size() == 2 ? other : "not " + s_.positive, s_.positive};
  }

  void find_ends() {
    if (s_.event.empty()) refuse("is a time until an end; name the column of how cases ended: --set data.event=COLUMN");
    check_numbers();
    if (column_.low < 0 && !s_.leave_out_bad)
      refuse(concat("is as low as ", column_.low, "; the time until an end is 0 or more."));
    const TableColumn& event = survey_.at(s_.event, "data.event");
    if (s_.classes.empty()) s_.classes = ends_of(event);
    if (s_.times.empty()) s_.times = interval_ends(event);
  }

  /// The names of what counts as an end; all others, if data.positive names one, are not yet ended.
  std::vector<std::string> ends_of(const TableColumn& event) {
    const auto refuse_event = [&](const std::string& sentence) {
      throw DataError(concat(survey_.path, ": the column '", shown_text(event.name), "' of data.event ", sentence));
    };
    if (!s_.positive.empty()) {
      s_.positive = cases::name_in(s_.positive, survey_.rules);
      if (!event.names.contains(s_.positive))
        refuse_event(concat("has no '", shown_text(s_.positive),
                            "', which data.positive names; there are: ", counted_names(event), "."));
      return {s_.positive};
    }
    std::vector<std::string> ends;
    for (const std::string& name : sorted_names(event))
      if (name != "0") ends.push_back(name);
    const std::size_t others = sorted_names(event).size() - ends.size();
    if (event.words > 0 && ends.size() == 2)
      if (const auto yes = positive_of(ends)) return {s_.positive = ends[*yes]};
    if (event.words > 0 || event.dates > 0 || !event.whole || ends.size() > cases::kMostNames / 5)
      refuse_event(concat("is ", counted_names(event), "; say which of them is an end: --set data.positive=NAME"));
    if (ends.empty()) refuse_event("is 0 in all rows: no case ended.");
    if (others == 0)
      refuse_event(concat("has no 0, so no case is censored: ", counted_names(event),
                          "; if one of them means that no end was seen, name the other: --set data.positive=NAME"));
    return ends;
  }

  /// Fifths of the times at which ends were seen, of two digits.
  std::vector<double> interval_ends(const TableColumn& event) const {
    constexpr int kIntervals = 5;
    datasets::text::CsvReader reader(survey_.path, survey_.rules.text.csv);
    const std::size_t time = survey_.place(column_.name), end = survey_.place(event.name);
    std::vector<double> seen;
    while (cases::next_whole_row(reader)) {
      const auto number = cases::number_in(reader.text(time), survey_.rules);
      const std::string name = cases::name_in(reader.text(end), survey_.rules);
      const bool ended = std::find(s_.classes.begin(), s_.classes.end(), name) != s_.classes.end();
      if (number && ended && reader.row() != survey_.rules.text.units_line) seen.push_back(number->value);
    }
    std::sort(seen.begin(), seen.end());
    std::vector<double> ends;
    for (int k = 1; k <= kIntervals && !seen.empty(); ++k) {
      const double at = sorted_quantile(seen, static_cast<double>(k) / kIntervals);
      const int digits = at > 0 ? 1 - static_cast<int>(std::floor(std::log10(at))) : 0;
      const double parts = std::pow(10, std::abs(digits));  // 1.2 is 12 / 10, but not 12 * 0.1
      const double whole = std::ceil((digits < 0 ? at / parts : at * parts) - 1e-9);
      const double rounded = digits < 0 ? whole * parts : whole / parts;
      if (rounded > (ends.empty() ? 0 : ends.back())) ends.push_back(rounded);
    }
    if (ends.empty()) refuse("is 0 wherever an end was seen; give data.times.");
    return ends;
  }

  const cases::TableSurvey& survey_;
  TableSettings& s_;
  const TableColumn& column_;
};

}  // namespace

void answer_target(const cases::TableSurvey& survey, TableSettings& settings) { Answer(survey, settings).find(); }

}  // namespace fovea::study::table
