#include "fovea/domains/study/table/settings.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/study/cases/days.hpp"
#include "fovea/core/study/hazards/hazard_target.hpp"
#include "fovea/core/study/model/shared_keys.hpp"

namespace fovea::study::table {

namespace {

namespace cases = datasets::cases;
using datasets::series::DayMonth;

/// The names of a column of categories, ascending.
std::vector<std::string> names_of(const TableSettings& settings, const std::string& column) {
  std::vector<std::string> names;
  for (const std::string& one : settings.names)
    if (one.starts_with(column + '=')) names.push_back(one.substr(column.size() + 1));
  return names;
}

[[noreturn]] void refuse_class(const datasets::text::CsvReader& reader, std::size_t column,
                               const TableSettings& settings, const std::string& name) {
  std::string listed;
  for (const std::string& one : settings.classes) listed += concat(listed.empty() ? "'" : ", '", one, "'");
  reader.refuse(column, concat("'", datasets::text::shown_text(name), "' is none of ", listed,
                               "; leave the cell empty where the target is not known."));
}

/// The number of a cell's class; NaN where it is missing. Of two classes the first may be all but the second.
double class_in(const datasets::text::CsvReader& reader, std::size_t column, const TableSettings& settings,
                const cases::CellRules& rules) {
  if (cases::is_missing_name(reader.text(column), rules)) return kNan;
  const std::string name = cases::name_in(reader.text(column), rules);
  const auto found = std::find(settings.classes.begin(), settings.classes.end(), name);
  if (found != settings.classes.end()) return static_cast<double>(found - settings.classes.begin());
  if (settings.kind == Question::binary && settings.classes.front() == "not " + settings.classes.back()) return 0;
  refuse_class(reader, column, settings, name);
}

double target_number(const datasets::text::CsvReader& reader, std::size_t column, const cases::CellRules& rules) {
  const std::string_view cell = reader.text(column);
  if (cases::is_missing(cell, rules)) return kNan;
  const auto number = cases::number_in(cell, rules);
  if (!number) reader.refuse(column, concat("'", datasets::text::shown_text(cell), "' is not a number."));
  return number->value;
}

/// How a case ended: 0 where that was not seen.
double end_in(const datasets::text::CsvReader& reader, std::size_t column, const TableSettings& settings,
              const cases::CellRules& rules) {
  if (cases::is_missing_name(reader.text(column), rules)) return kNan;
  const std::string name = cases::name_in(reader.text(column), rules);
  const auto end = std::find(settings.classes.begin(), settings.classes.end(), name);
  if (end != settings.classes.end()) return static_cast<double>(end - settings.classes.begin() + 1);
  if (settings.positive.empty() && name != "0")
    reader.refuse(column, concat("'", datasets::text::shown_text(name), "' is no end that the model knows."));
  return 0;
}

std::function<double(const datasets::text::CsvReader&, std::size_t)> reading_of(const TableSettings& settings,
                                                                                const cases::CellRules& rules) {
  switch (settings.kind) {
    case Question::number:
      return [rules](const auto& reader, std::size_t column) { return target_number(reader, column, rules); };
    case Question::time:
      return [settings, rules, target = target_of(settings)](const auto& reader, std::size_t column) {
        const double time = target_number(reader, column, rules);
        if (time < 0) reader.refuse(column, "is below 0; the time until the end of a case is 0 or more.");
        const double end = end_in(reader, reader.column(settings.event), settings, rules);
        return hazard_codes(target, {&time, 1}, {&end, 1}).front();
      };
    default:
      return [settings, rules](const auto& reader, std::size_t column) {
        return class_in(reader, column, settings, rules);
      };
  }
}

}  // namespace

const Keys<TableSettings>& table_keys() {
  using S = TableSettings;
  static const auto keys =
      Keys<S>()
          .file(kDataFile, &S::file, "table of cases: CSV or other text, also .gz")
          .key("data.target", &S::target, "column of what is predicted")
          .choice(
              "data.kind", &S::kind,
              {{"auto", Question::automatic},
               {"binary", Question::binary},
               {"classes", Question::classes},
               {"number", Question::number},
               {"time", Question::time}},
              "what the target is; auto: words are classes, 0 and 1 or data.positive two of them, data.event a time")
          .key("data.positive", &S::positive, "of a target of two classes the one whose probability is predicted")
          .key("data.event", &S::event,
               "column of how a case ended after the time in data.target: 0 not yet, 1, 2, ..., or data.positive")
          .key("data.times", &S::times, Range::positive(), "", "ends of intervals of time; empty: by the events' times")
          .key("data.group", &S::group, "column of subjects or places, whose cases stay in one part; empty: none")
          .key("data.id", &S::id, "column of cases: rows of one id are one case; empty: each row is a case")
          .key(kDataTime, &S::time, "column of the rows' times within a case; empty: rows have none")
          .key("data.weight", &S::weight, "column of weights of the cases, >= 0; empty: none")
          .key("data.columns", &S::columns,
               "columns to learn from; empty: all that are neither of the above nor names of rows")
          .key("data.leave_out", &S::leave_out, "columns not to learn from")
          .key("data.categories", &S::categories, "columns whose numbers are names, such as codes; words always are")
          .key(kDataMissing, &S::missing, "words and numbers that mark missing values; \"none\": none do")
          .choice(
              "data.dates", &S::order,
              {{"auto", DayMonth::unknown}, {"day-first", DayMonth::day_first}, {"month-first", DayMonth::month_first}},
              "order of dates such as 03/04/2020")
          .key("data.date_columns", &S::dates, "columns of dates; empty: recognised")
          .key("data.names", &S::names, "names in columns of categories, as COLUMN=NAME; empty: recognised")
          .key("data.classes", &S::classes, "names of the target's classes or ends; empty: recognised")
          .key("data.left", &S::left, "columns that nothing is learned from, as COLUMN: REASON; found in the table")
          .key("data.others", &S::others, Range::at_least(0), "",
               "values of the target that are one class against data.positive; found in the table")
          .key("data.unit", &S::unit, "unit of the target; empty: as its column says")
          .choice(kDataBad, &S::leave_out_bad)
          .added_later();
  return keys;
}

bool is_in(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

Target target_of(const TableSettings& settings) {
  Target target;
  if (!settings.target.empty()) target.name = settings.target;
  target.classes = settings.classes;
  if (!settings.unit.empty()) target.unit = settings.unit;
  // A time whose ends the table has not named yet is as open as any other question.
  switch (settings.kind == Question::time && settings.classes.empty() ? Question::automatic : settings.kind) {
    case Question::automatic:
    case Question::binary:
      if (target.classes.size() != 2) target.classes = {"0", "1"};
      target.unit = "1";
      break;
    case Question::classes:
      target.kind = TargetKind::classes;
      if (target.classes.empty()) target.classes = {"0", "1"};
      target.unit = "1";
      break;
    case Question::number:
      target.kind = TargetKind::number;
      target.classes.clear();
      break;
    case Question::time:
      target.kind = TargetKind::hazards;
      for (std::string& end : target.classes)  // "2" of a column "status" is no name that a reader knows
        if (std::all_of(end.begin(), end.end(), [](char c) { return c >= '0' && c <= '9'; }))
          end = concat(settings.event, '=', end);
      target.edges = {0};
      target.edges.insert(target.edges.end(), settings.times.begin(), settings.times.end());
      if (settings.times.empty()) target.edges.push_back(1);
  }
  return target;
}

cases::CaseColumns case_columns(const TableSettings& settings) {
  cases::CaseColumns columns;
  columns.rules = {datasets::series::recognise_text(settings.file), {}, settings.order};
  if (settings.missing != std::vector<std::string>{"none"})
    for (const std::string& mark : settings.missing) columns.rules.missing.push_back(name_in(mark, columns.rules));
  columns.id = settings.id, columns.time = settings.time, columns.dated = is_in(settings.dates, settings.time);
  columns.group = settings.group, columns.weight = settings.weight;
  columns.target = settings.target, columns.leave_out_bad = settings.leave_out_bad;
  columns.target_of = reading_of(settings, columns.rules);
  for (const std::string& one : settings.left) {
    const std::size_t colon = std::min(one.rfind(": "), one.size());
    columns.left.emplace_back(one.substr(0, colon), one.substr(std::min(one.size(), colon + 2)));
  }
  for (const std::string& name : settings.columns) {
    const bool date = is_in(settings.dates, name);
    Feature feature{name, date ? kDaysSince1970 : "1", {}};
    if (is_in(settings.categories, name)) feature.categories = names_of(settings, name);
    columns.features.push_back({std::move(feature), date});
  }
  return columns;
}

}  // namespace fovea::study::table
