#include "fovea/domains/study/table/plan.hpp"

#include <map>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/lab/door.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/domains/study/table/answers.hpp"

namespace fovea::study::table {

namespace {

namespace cases = datasets::cases;
using cases::ColumnKind;
using cases::TableColumn;
using datasets::series::DayMonth;
using datasets::text::shown_text;

/// Fewer different names, such as those of hospitals, are no subjects whose rows must be kept together.
constexpr Index kFewestSubjects = 10;

std::string setting(const std::string& key, const std::string& value) {
  return "--set " + shell_word(concat(key, '=', shown_text(value)));
}
std::string list_setting(const std::string& key, const std::string& value) {
  return "--set " + shell_word(key + '=' + quoted_values({shown_text(value)}));
}

class Planner {
 public:
  Planner(TableSettings settings, const cases::TableSurvey& survey) : survey_(survey), settings_(std::move(settings)) {}

  TableSettings planned() {
    find_roles();
    find_ids();
    answer_target(survey_, settings_);
    choose_columns();
    return std::move(settings_);
  }

 private:
  void find_roles() {
    TableSettings& s = settings_;
    const auto role = [&](std::string& name, const char* key) {
      if (!name.empty()) name = survey_.at(name, key).name;
      if (!name.empty() && !roles_.insert(name).second)
        throw DataError(concat(survey_.path, ": column '", shown_text(name), "' is named by ", key,
                               " and by another key; a column is one thing."));
    };
    if (s.target.empty() && !s.event.empty())
      throw DataError(concat(survey_.path,
                             ": data.event names how a case ended; name the column of the time until then, too: ",
                             setting("data.target", s.time.empty() ? "COLUMN" : s.time), "."));
    role(s.target, "data.target");
    role(s.event, "data.event"), role(s.group, "data.group"), role(s.id, "data.id");
    role(s.time, "data.time"), role(s.weight, "data.weight");
    for (auto* list : {&s.columns, &s.leave_out, &s.categories})
      for (std::string& name : *list) name = survey_.at(name, "a list of columns in data.*").name;
    s.dates.clear();
    if (s.time.empty()) return;
    const TableColumn& time = survey_.at(s.time, "data.time");
    s.order = order_of(time);
    if (time.dates > 0) s.dates.push_back(s.time);
  }

  /// A column whose every row has another word or number names the cases, so that predictions can be found again.
  void find_ids() {
    TableSettings& s = settings_;
    for (const TableColumn& column : survey_.columns) {
      if (is_taken(column.name)) continue;
      if (column.kind == ColumnKind::text && s.id.empty() && s.group.empty() && names_cases(column))
        refuse_subjects(column);
      if (column.kind != ColumnKind::identifier) continue;
      if (column.distinct == survey_.rows && column.missing == 0) {
        if (s.id.empty() && s.time.empty()) s.id = column.name, roles_.insert(column.name);
        continue;
      }
      if (s.id.empty() && s.group.empty()) check_subjects(column);
    }
  }

  void check_subjects(const TableColumn& column) const {
    const Index filled = survey_.rows - column.missing;
    if (column.distinct < kFewestSubjects || column.distinct >= filled || 2 * filled < survey_.rows) return;
    refuse_subjects(column);
  }

  /// Whether the target is the same in all rows of a name, and most names have several: what a row of such a name is
  /// like, another row of it tells.
  bool names_cases(const TableColumn& column) const {
    if (column.distinct < kFewestSubjects || 2 * column.distinct > survey_.rows - column.missing) return false;
    const std::size_t name = survey_.place(column.name), target = survey_.place(settings_.target);
    std::map<std::string, std::string> first;
    for (datasets::text::CsvReader reader(survey_.path, survey_.rules.text.csv); cases::next_whole_row(reader);) {
      if (cases::is_missing(reader.text(name), survey_.rules)) continue;
      const std::string answer = cases::name_in(reader.text(target), survey_.rules);
      if (first.emplace(reader.text(name), answer).first->second != answer) return false;
    }
    return true;
  }

  [[noreturn]] void refuse_subjects(const TableColumn& column) const {
    throw DataError(
        concat(survey_.path, ": '", shown_text(column.name), "' has ", column.distinct, " names in ",
               survey_.rows - column.missing,
               " rows, and rows of one name in training and test would make a result look better than it is. Say what "
               "a row is: ",
               setting("data.id", column.name), " (the rows of a name are one case), ",
               setting("data.group", column.name), " (each row is a case, and those of a name stay together) or ",
               list_setting("data.leave_out", column.name), " (they have nothing in common); if the names are a ",
               "property to learn from: ", list_setting("data.categories", column.name)));
  }

  bool is_taken(const std::string& name) {
    return roles_.contains(name) || is_in(settings_.columns, name) || is_in(settings_.leave_out, name) ||
           is_in(settings_.categories, name);
  }

  void choose_columns() {
    TableSettings& s = settings_;
    const std::vector<std::string> wanted = std::move(s.columns);
    s.columns.clear(), s.names.clear(), s.left.clear();
    for (const TableColumn& column : survey_.columns) {
      if (roles_.contains(column.name)) continue;
      if (is_in(s.leave_out, column.name))
        leave(column, "left out by data.leave_out");
      else if (!wanted.empty() && !is_in(wanted, column.name))
        leave(column, "not in data.columns");
      else
        choose(column, is_in(wanted, column.name));
    }
    if (s.columns.empty())
      throw DataError(concat(survey_.path, ": has no column to learn from",
                             s.left.empty() ? "." : concat("; ", s.left.front(), ".")));
  }

  void leave(const TableColumn& column, const std::string& reason) {
    settings_.left.push_back(column.name + ": " + reason);
  }

  /// asked: the column was named in data.columns, so that leaving it out would be against the user's word.
  void choose(const TableColumn& column, bool asked) {
    TableSettings& s = settings_;
    const bool coded = is_in(s.categories, column.name);
    const bool as_number = asked && column.words == 0 && column.dates == 0 && column.numbers > 0;
    if (coded || column.kind == ColumnKind::names) return choose_names(column);
    switch (column.kind) {
      case ColumnKind::number:
        return choose_number(column);
      case ColumnKind::date:
        s.order = order_of(column);
        s.dates.push_back(column.name);
        return s.columns.push_back(column.name);
      case ColumnKind::mixed:
        if (!s.leave_out_bad || column.has_decimal_commas) refuse_mixed(column);
        if (column.numbers < column.dates) s.order = order_of(column), s.dates.push_back(column.name);
        return s.columns.push_back(column.name);  // rows with a word there are left out
      case ColumnKind::identifier:
        if (as_number) return choose_number(column);
        return leave(column, "an identifier");
      case ColumnKind::constant:
        return leave(column, "constant in the training table");
      case ColumnKind::empty:
        return leave(column, "empty in the training table");
      default:
        if (column.has_decimal_commas) refuse_mixed(column);
        return leave(column, concat(column.distinct, " different texts in ", survey_.rows - column.missing, " rows"));
    }
  }

  void choose_number(const TableColumn& column) {
    if (column.mark)
      throw DataError(
          concat(survey_.path, ": column '", shown_text(column.name), "' holds ", column.mark->value, " ",
                 counted(static_cast<std::int64_t>(column.mark->count), "time"), ", far from its other values (",
                 column.mark->low, " to ", column.mark->high, "); if it marks missing values: ",
                 list_setting("data.missing", exact_text(column.mark->value)), ", else --set data.missing=none"));
    settings_.columns.push_back(column.name);
  }

  void choose_names(const TableColumn& column) {
    if (column.names.size() > cases::kMostNames)
      throw DataError(concat(survey_.path, ": column '", shown_text(column.name), "' has more than ", cases::kMostNames,
                             " different names, which data.categories cannot hold; leave it out."));
    TableSettings& s = settings_;
    for (const auto& [name, count] : column.names) s.names.push_back(column.name + '=' + name);
    if (!is_in(s.categories, column.name)) s.categories.push_back(column.name);
    s.columns.push_back(column.name);
  }

  [[noreturn]] void refuse_mixed(const TableColumn& column) const {
    const bool grouped = datasets::series::grouped_number(column.odd, false).has_value();
    if (column.has_decimal_commas)
      throw DataError(concat(survey_.path, ":row ", column.odd_row, ", column '", shown_text(column.name), "': '",
                             column.odd,
                             grouped ? "' has a comma, decimal or between thousands" : "' has a decimal comma",
                             ", but commas separate the columns; write decimal points",
                             grouped ? " and nothing between thousands" : "", ", or semicolons between the columns."));
    throw DataError(concat(
        survey_.path, ":row ", column.odd_row, ", column '", shown_text(column.name), "': '", column.odd, "' is ",
        column.words == 1 ? "a word" : concat("one of ", column.words, " words"), " in a column of ",
        column.numbers + column.dates, column.numbers > 0 ? " numbers" : " dates",
        "; if it means that nothing is known: ", list_setting("data.missing", column.odd),
        ", to leave out its row: --set data.bad='leave out', else ", list_setting("data.leave_out", column.name), "."));
  }

  DayMonth order_of(const TableColumn& column) const {
    const DayMonth asked = settings_.order;
    if (asked != DayMonth::unknown || column.dates == 0) return asked;
    if (column.dates_are_open)
      throw DataError(concat(survey_.path, ": column '", shown_text(column.name),
                             "' has dates that can be day/month or month/day: --set data.dates=day-first or "
                             "--set data.dates=month-first."));
    return column.order;
  }

  const cases::TableSurvey& survey_;
  TableSettings settings_;
  std::set<std::string> roles_;
};

}  // namespace

TableSettings planned(const TableSettings& settings) {
  try {
    const cases::TableSurvey survey =
        cases::survey_table(settings.file, settings.missing, settings.order, settings.leave_out_bad);
    return Planner(settings, survey).planned();
  } catch (const datasets::text::RowFault& fault) {
    throw DataError(cases::with_way_out(fault));
  }
}

}  // namespace fovea::study::table
