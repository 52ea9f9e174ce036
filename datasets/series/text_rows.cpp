#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/series/rows.hpp"

namespace fovea::datasets::series {

namespace {

/// The option's word. Throws DataError for another one.
DayMonth asked_order(const std::string& path, const std::string& word) {
  if (word == "day-first") return DayMonth::day_first;
  if (word == "month-first") return DayMonth::month_first;
  if (word == "auto") return DayMonth::unknown;
  throw DataError(concat(path, ": dates are '", datasets::text::shown_text(word),
                         "'; they can be day-first (31/12/2023) or month-first (12/31/2023)."));
}

const char* words_of(DayMonth order) { return order == DayMonth::day_first ? "day/month/year" : "month/day/year"; }

}  // namespace

void DayMonthEvidence::Reading::add(std::optional<double> date) {
  if (!date) return;
  ++dates;
  if (!times.empty() && *date != times.back()) ++(*date > times.back() ? rises : falls);
  times.push_back(*date);
}

void DayMonthEvidence::add(std::string_view cell) {
  const auto by_day = date_of(cell, DayMonth::day_first), by_month = date_of(cell, DayMonth::month_first);
  day_first_.add(by_day);
  month_first_.add(by_month);
  if (by_day && !by_month && day_first_.proof.empty()) day_first_.proof = datasets::text::shown_text(cell);
  if (by_month && !by_day && month_first_.proof.empty()) month_first_.proof = datasets::text::shown_text(cell);
  if (by_day && by_month && example_.empty()) example_ = datasets::text::shown_text(cell);
}

DayMonth DayMonthEvidence::order() const {
  const auto pick = [](bool day) { return day ? DayMonth::day_first : DayMonth::month_first; };
  if (day_first_.dates != month_first_.dates) return pick(day_first_.dates > month_first_.dates);
  if (day_first_.times == month_first_.times) return DayMonth::day_first;
  if (day_first_.is_monotone() != month_first_.is_monotone()) return pick(day_first_.is_monotone());
  const auto is_even = [](const Reading& reading) {
    std::vector<double> times = reading.times;
    if (reading.falls > 0) std::reverse(times.begin(), times.end());
    return reading.is_monotone() && even_steps(times, {0}, TimeKind::date, "").has_value();
  };
  const bool day_is_even = is_even(day_first_), month_is_even = is_even(month_first_);
  return day_is_even == month_is_even ? DayMonth::unknown : pick(day_is_even);
}

std::string DayMonthEvidence::reason() const {
  const bool day = order() == DayMonth::day_first;
  const Reading& taken = day ? day_first_ : month_first_;
  const Reading& other = day ? month_first_ : day_first_;
  if (!taken.proof.empty()) return "there is " + taken.proof;
  return taken.is_monotone() != other.is_monotone() ? "only so do they ascend" : "only so are they evenly spaced";
}

TimeStyle time_style(const datasets::text::CsvReader& reader, const std::string& path, const SeriesText& text,
                     std::size_t column, const SeriesFileOptions& options) {
  TimeStyle style;
  style.order = asked_order(path, options.dates);
  if (style.order != DayMonth::unknown || !is_slash_date(reader.text(column))) return style;
  DayMonthEvidence evidence;
  datasets::text::CsvReader again(path, text.csv);
  for (DataRows rows(again, text); rows.next();) evidence.add(again.text(column));
  style.order = evidence.order();
  const std::string name = datasets::text::shown_text(reader.columns()[column]);
  if (style.order == DayMonth::unknown)
    throw DataError(concat(path, ": column '", name, "' has dates such as ", evidence.example(),
                           ", which can be day/month or month/day; say which (dates day-first or month-first)."));
  style.notes.push_back(
      concat("Dates of column '", name, "' are read as ", words_of(style.order), ": ", evidence.reason(), "."));
  return style;
}

bool DataRows::next() {
  while (reader_.next()) {
    if (reader_.row() == text_.units_line) continue;
    if (is_summary_word(reader_.text(0))) {
      if (sums_++ == 0) first_sum_ = datasets::text::shown_text(reader_.text(0));
      continue;
    }
    if (sums_ > 0)
      reader_.refuse(0, concat("stands below a row '", first_sum_, "', which sums up others; take that row out."));
    return true;
  }
  return false;
}

std::vector<std::string> DataRows::notes() const {
  if (sums_ == 0) return {};
  return {concat(counted(static_cast<std::int64_t>(sums_), "row"), " at the end (", first_sum_,
                 sums_ > 1 ? ", ..." : "", ") ", sums_ == 1 ? "sums" : "sum", " up the others and ",
                 sums_ == 1 ? "was" : "were", " left out.")};
}

std::size_t NameOrder::number_of(std::string_view name) {
  const auto found = numbers.find(name);
  if (found != numbers.end()) return found->second;
  names.emplace_back(name);
  return numbers.emplace(names.back(), names.size() - 1).first->second;
}

std::size_t place_of_column(const std::string& path, const std::string& name, const std::vector<std::string>& columns) {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) refuse_column(path, name, columns);
  return found - columns.begin();
}

}  // namespace fovea::datasets::series
