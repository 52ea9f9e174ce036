#include "fovea/domains/opinion/survey/wave_time.hpp"

#include <chrono>
#include <cmath>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/series/dates.hpp"

namespace fovea::opinion::survey {

namespace {

namespace series = datasets::series;

bool all_digits(std::string_view cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789") == std::string_view::npos;
}

/// 202003 as 2020-03; a date of 8 digits is one for date_of() as well.
std::optional<double> date_in(std::string_view cell, bool decimal_comma) {
  if (!all_digits(cell)) return series::number_in(cell, decimal_comma) ? std::nullopt : series::date_of(cell);
  if (cell.size() == 8) return series::date_of(cell);
  const bool of_our_time = cell.starts_with("19") || cell.starts_with("20");
  if (cell.size() != 6 || !of_our_time) return std::nullopt;
  return series::date_of(concat(cell.substr(0, 4), '-', cell.substr(4)));
}

}  // namespace

WaveTime wave_time(const datasets::text::CsvReader& table, std::size_t column,
                   const datasets::text::CsvOptions& dialect) {
  const std::string_view cell = datasets::text::trimmed(table.text(column));
  if (series::is_missing(cell))
    table.refuse(column, "there is no time; each answer needs the number, year or date of its wave.");
  if (const auto days = date_in(cell, dialect.separator != ',')) return {*days, true};
  if (series::is_slash_date(cell))
    table.refuse(column, concat("'", datasets::text::shown_text(cell),
                                "' can begin with the day or the month, by who writes it; write dates as 2020-03-31."));
  const double number = series::number_of(table, column, dialect);
  if (!std::isfinite(number)) table.refuse(column, "the time of a wave must be a finite number, or a date.");
  return {number, false};
}

double years_of(double days) {
  using namespace std::chrono;
  const sys_days day{std::chrono::days(static_cast<int>(std::floor(days)))};
  const year in = year_month_day(day).year();
  const sys_days first{in / January / 1}, next{(in + years(1)) / January / 1};
  const double since = days - static_cast<double>(first.time_since_epoch().count());
  return static_cast<int>(in) + since / static_cast<double>((next - first).count());
}

std::string wave_text(const WaveTime& time) {
  if (!time.dated) return plain_text(time.at, 10);
  std::string text = series::date_text(time.at);
  const bool of_month = text.size() == 10 && text.ends_with("-01");
  return of_month ? text.substr(0, 7) : text;
}

}  // namespace fovea::opinion::survey
