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

}  // namespace fovea::datasets::series
