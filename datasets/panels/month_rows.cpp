#include "fovea/datasets/panels/month_rows.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/datasets/panels/panel.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/series/dates.hpp"
#include "fovea/datasets/series/dialect.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::panels {

namespace {

using datasets::series::DayMonth;
using datasets::text::lower_case;
using datasets::text::trimmed;

constexpr Index kCentury = 1200;  // months
constexpr std::string_view kMonthly = "; a panel has one row a month";

std::optional<std::size_t> column_named(const std::vector<std::string>& columns, std::string_view name) {
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (lower_case(columns[c]) == name) return c;
  return std::nullopt;
}

std::optional<std::size_t> date_column(const std::vector<std::string>& columns) {
  for (const std::string_view name : {"sasdate", "date", "observation_date", "time", "time_period"})
    if (const auto column = column_named(columns, name)) return column;
  return std::nullopt;
}

struct MonthDay {
  Index month = 0, day = 0;  ///< the day since 1970-01-01
};

/// "195901" and "1959:01" as "1959-01".
std::string with_dash(std::string_view text) {
  const bool colon = text.size() == 7 && text[4] == ':';
  const bool plain = text.size() == 6 && text.find_first_not_of("0123456789") == std::string_view::npos;
  return colon || plain ? concat(text.substr(0, 4), "-", text.substr(colon ? 5 : 4)) : std::string(text);
}

std::optional<MonthDay> month_day(std::string_view text, DayMonth order) {
  const auto days = datasets::series::date_of(with_dash(text), order);
  if (!days) return std::nullopt;
  const auto day = static_cast<int>(std::floor(*days));
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
  return MonthDay{12 * static_cast<Index>(static_cast<int>(date.year())) + static_cast<unsigned>(date.month()) - 1,
                  day};
}

/// The dates in one order; nothing of one that is no date.
std::vector<std::optional<MonthDay>> in_order(const std::vector<DateCell>& cells, DayMonth order) {
  std::vector<std::optional<MonthDay>> months;
  for (const DateCell& cell : cells) months.push_back(month_day(cell.text, order));
  return months;
}

bool follow(const std::vector<std::optional<MonthDay>>& months) {
  for (std::size_t i = 0; i < months.size(); ++i)
    if (!months[i] || (i > 0 && months[i]->month != months[i - 1]->month + 1)) return false;
  return true;
}

/// What the rows are that are so many months apart throughout; "": they are not, or there is no word for it.
std::string_view steady_rows(const std::vector<std::optional<MonthDay>>& months) {
  if (months.size() < 3 || !months[0] || !months[1]) return "";
  const Index step = months[1]->month - months[0]->month;
  for (std::size_t i = 1; i < months.size(); ++i)
    if (!months[i] || months[i]->month - months[i - 1]->month != step) return "";
  return step == 3 ? "quarters" : step == 6 ? "half years" : step == 12 ? "years" : "";
}

/// Why a row cannot follow the one before it; "" where it can.
std::string fault_between(const MonthDay& before, const MonthDay& now, std::size_t line_before,
                          std::string_view steady) {
  const Index days = now.day - before.day;
  if (now.month == before.month + 1) return "";
  if (now.month == before.month && days > 0)
    return concat("is ", days, days == 1 ? " day" : " days", " behind row ", line_before, kMonthly,
                  ": take a mean or the last value of each.");
  if (now.month == before.month) return concat("is the month of row ", line_before, " again; keep one of the two.");
  if (now.month < before.month)
    return concat("is before row ", line_before, " (", month_text(before.month), "); ",
                  before.month - now.month > kCentury / 2 ? "write years with four digits." : "sort the rows by date.");
  if (!steady.empty()) return concat("follows ", month_text(before.month), ", so the rows are ", steady, kMonthly, ".");
  return concat("follows ", month_text(before.month), ", so ", month_text(before.month + 1),
                " is missing; give each month a row, with empty cells where nothing is known.");
}

bool is_quarter(std::string_view text) { return text.find_first_of("Qq") != std::string_view::npos; }

}  // namespace

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::optional<Index> month_of_text(const std::string& text) {
  const auto found = is_quarter(text) ? std::nullopt : month_day(text, DayMonth::month_first);
  return found ? std::optional(found->month) : std::nullopt;
}

MonthRows::MonthRows(const std::string& path)
    : path_(path), text_(datasets::series::recognise_text(path)), reader_(path, text_.csv) {
  const std::vector<std::string>& columns = reader_.columns();
  if (!text_.csv.header)
    throw DataError(concat(path, ": has no names in its first row; name the date and each series there."));
  const auto date = date_column(columns), year = column_named(columns, "year"), month = column_named(columns, "month");
  if (!date && (column_named(columns, "quarter") || column_named(columns, "week") || column_named(columns, "day")))
    throw DataError(concat(path, ": has a column ",
                           column_named(columns, "quarter") ? "'quarter', so its rows are quarters"
                           : column_named(columns, "week")  ? "'week', so its rows are weeks"
                                                            : "'day', so its rows are days",
                           kMonthly, "."));
  date_ = date ? *date : year && month ? *year : 0;
  if (!date && year && month) month_ = month;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (c == date_ || c == month_) continue;
    if (columns[c].empty())
      throw DataError(concat(path, ": column ", c + 1, " has no name; name each series, or take the column out."));
    values_.push_back(c);
  }
  if (values_.empty()) throw DataError(concat(path, ": has no column but the date; it needs at least one series."));
}

bool MonthRows::next() {
  while (reader_.next())
    for (std::size_t c = 0; c < reader_.columns().size(); ++c)
      if (!reader_.empty(c)) return true;
  return false;
}

std::string MonthRows::date() const {
  std::string text(trimmed(reader_.text(date_)));
  if (!month_) return text;
  const std::string_view month = trimmed(reader_.text(*month_));
  return month.empty() ? text : concat(text, month.size() == 1 ? "-0" : "-", month);
}

double MonthRows::number(std::size_t column) const {
  const std::string_view cell = trimmed(reader_.text(column));
  const bool grouped = datasets::series::grouped_number(cell, text_.decimal_comma).has_value();
  const auto number = grouped ? std::nullopt : datasets::series::number_in(cell, text_.decimal_comma);
  if (number && std::isfinite(*number)) return *number;
  if (datasets::series::is_missing(cell) || (number && std::isnan(*number))) return kNan;
  if (grouped)
    reader_.refuse(column, concat(datasets::text::quoted(cell), " has a mark between thousands; write it without."));
  if (number)
    reader_.refuse(column, concat("is ", cell, ", but must be finite; leave it empty where nothing is known."));
  reader_.refuse(column, concat(datasets::text::quoted(cell),
                                " is no number; leave it empty where nothing is known, or take the column out."));
}

Index MonthRows::first_month(std::vector<std::string>& notes) const {
  if (dates_.empty()) throw DataError(concat(path_, ": has no row with a date; it needs one a month."));
  auto months = in_order(dates_, DayMonth::month_first);
  const auto other = in_order(dates_, DayMonth::day_first);
  const bool differ = std::any_of(dates_.begin(), dates_.end(),
                                  [](const DateCell& cell) { return datasets::series::is_slash_date(cell.text); });
  if (follow(months) && follow(other) && months[0]->month != other[0]->month)
    notes.push_back(concat(file_name(path_), ": dates such as ", dates_[0].text, " are read with the month first."));
  if (differ && !follow(months)) {
    const auto read = [](const auto& list) {
      return std::count_if(list.begin(), list.end(), [](const auto& one) { return one.has_value(); });
    };
    if (follow(other) || read(other) > read(months)) months = other;
  }
  const std::string_view steady = steady_rows(months);
  for (std::size_t i = 0; i < months.size(); ++i) {
    const DateCell& cell = dates_[i];
    if (cell.text.empty()) refuse(cell.line, date_, "is empty; each row needs its month.");
    if (is_quarter(cell.text) && months[i])
      refuse(cell.line, date_, concat(datasets::text::quoted(cell.text), " is a quarter", kMonthly, "."));
    if (!months[i])
      refuse(cell.line, date_,
             concat(datasets::text::quoted(cell.text), " is no date; write 1959-01, 1959-01-01 or 1/1/1959."));
    const std::string fault = i == 0 ? "" : fault_between(*months[i - 1], *months[i], dates_[i - 1].line, steady);
    if (!fault.empty()) refuse(cell.line, date_, concat(datasets::text::quoted(cell.text), " ", fault));
  }
  return months[0]->month;
}

void MonthRows::refuse(std::size_t line, std::size_t column, const std::string& sentence) const {
  throw DataError(concat(path_, ":row ", line, ", column '", datasets::text::shown_text(reader_.columns().at(column)),
                         "': ", sentence));
}

}  // namespace fovea::datasets::panels
