#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/series/rows.hpp"

namespace fovea::datasets::series {

namespace {

constexpr std::string_view kNone = "none";
constexpr std::size_t kNowhere = -1;

/// Which column is what.
struct WideColumns {
  std::size_t time = kNowhere, recording = kNowhere;
  std::size_t clock = kNowhere;  ///< of a column of dates: the times of day, or hours
  /// Behind a column of years: its mark as in ISO 8601, and the digits.
  struct Part {
    std::size_t column;
    const char* mark;
    std::size_t digits;
  };
  std::vector<Part> parts;
  bool is_part_of_time(std::size_t c) const {
    return c == clock || std::any_of(parts.begin(), parts.end(), [&](const Part& part) { return part.column == c; });
  }
  bool time_is_certain = false;     ///< otherwise its values must ascend
  bool recording_is_lent = false;   ///< words that no series has: recordings if the times bear it out
  std::vector<std::string> clocks;  ///< columns that hold the times if they ascend, the likeliest first
  std::vector<std::size_t> lent;    ///< those of them that are no series that were asked for
  std::vector<std::size_t> series;
};

bool is_clock(std::string_view cell) {
  return cell.find(':') != std::string_view::npos &&
         date_of("2000-01-01 " + std::string(datasets::text::trimmed(cell)));
}

bool is_hour(std::string_view name, std::string_view cell) {
  const std::string word = lower_name(name);
  const auto hour = number_in(cell, false);
  return (word == "hour" || word == "hr" || word == "stunde") && hour && *hour >= 0 && *hour <= 24 &&
         *hour == std::floor(*hour);
}

/// "3" of "Q3" and "W3".
std::string_view without_letter(std::string_view cell) {
  cell = datasets::text::trimmed(cell);
  return cell.size() > 1 && std::string_view("QqWw").find(cell[0]) != std::string_view::npos ? cell.substr(1) : cell;
}

/// Columns of years, and months and perhaps days, quarters, weeks or days of the year, are times together.
void find_parts_of_year(const datasets::text::CsvReader& reader, WideColumns& columns) {
  const auto find = [&](std::initializer_list<const char*> words) {
    for (std::size_t c = 0; c < reader.columns().size(); ++c)
      for (const char* word : words)
        if (lower_name(reader.columns()[c]) == word && number_in(without_letter(reader.text(c)), false)) return c;
    return kNowhere;
  };
  const std::size_t year = find({"year", "yr", "jahr"}), day = find({"day", "dy", "tag"});
  const bool is_other = columns.time_is_certain && columns.time != year;
  if (year == kNowhere || is_other) return;
  if (const auto month = find({"month", "mon", "mo", "monat"}); month != kNowhere) {
    columns.parts = {{month, "-", 2}};
    if (day != kNowhere) columns.parts.push_back({day, "-", 2});
  } else if (const auto quarter = find({"quarter", "qtr", "quartal"}); quarter != kNowhere) {
    columns.parts = {{quarter, "-Q", 1}};
  } else if (const auto of_year = find({"doy", "yday", "jday", "day_of_year", "dayofyear"}); of_year != kNowhere) {
    columns.parts = {{of_year, "-", 3}};
  } else if (const auto week = find({"week", "isoweek", "woche", "kw"}); week != kNowhere) {
    columns.parts = {{week, "-W", 2}};
  } else if (day != kNowhere) {
    columns.parts = {{day, "-", 3}};
  }
  if (columns.parts.empty()) return;
  columns.time = year;
  columns.time_is_certain = true;
}

/// The column of times by its name; failing that the first whose first cell is a date and no number, or one that is the
/// times if its values ascend: with a unit in its name, with another name of times, or the first.
void find_time(const datasets::text::CsvReader& reader, bool has_header, WideColumns& columns) {
  const auto& names = reader.columns();
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < names.size(); ++c)
    if (c != columns.recording && (has_header || c == 0)) order.push_back(c);
  const auto rank = [&](std::size_t c) {
    const TimeName name = time_name(names[c]);
    return !has_header || is_clock(reader.text(c)) ? 4
           : name.certain                          ? 0
           : !name.unit.empty()                    ? 1
           : name.is_time && c > 0                 ? 2
                                                   : 3;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  for (const std::size_t c : order) {
    const bool is_words = is_date(reader.text(c)) && !number_in(reader.text(c), false);
    if (columns.time_is_certain || (rank(c) > 0 && !is_words && (c > 0 || !is_date(reader.text(c))))) continue;
    columns.time = c;
    columns.time_is_certain = true;
  }
  if (has_header) find_parts_of_year(reader, columns);
  for (const std::size_t c : order)
    if (!columns.time_is_certain && (c == 0 || rank(c) < 3) && number_in(reader.text(c), true))
      columns.clocks.push_back(names[c]);
  const bool has_days =
      columns.time_is_certain && (columns.parts.empty() ? is_date(reader.text(columns.time))
                                                        : columns.parts.size() > 1 || columns.parts[0].digits == 3);
  for (std::size_t c = 0; c < names.size() && has_header && has_days; ++c)
    if (columns.clock == kNowhere && c != columns.time &&
        (is_clock(reader.text(c)) || is_hour(names[c], reader.text(c))))
      columns.clock = c;
}

/// By its name; or words that name a thing; or else the first column of words, if times bear it out.
void recognise_recording(const datasets::text::CsvReader& reader, const std::string& time, WideColumns& columns) {
  const auto& names = reader.columns();
  const auto first = [&](const auto& is) {
    for (std::size_t c = 0; c < names.size() && columns.recording == kNowhere; ++c)
      if (is(c)) columns.recording = c;
  };
  first([&](std::size_t c) { return is_recording_name(names[c]); });
  first([&](std::size_t c) { return is_name_of_thing(names[c]) && is_word(reader.text(c)); });
  if (columns.recording != kNowhere) return;
  first([&](std::size_t c) {
    return is_word(reader.text(c)) && !time_name(names[c]).certain && (time.empty() || names[c] != time) &&
           !number_in(without_letter(reader.text(c)), false);  // "Q1"
  });
  columns.recording_is_lent = columns.recording != kNowhere;
}

WideColumns columns_of_wide(const datasets::text::CsvReader& reader, const std::string& path, bool has_header,
                            const SeriesFileOptions& options) {
  WideColumns columns;
  const auto& names = reader.columns();
  if (!options.recording.empty() && options.recording != kNone) {
    columns.recording = place_of_column(path, options.recording, names);
  } else if (options.recording.empty()) {
    recognise_recording(reader, options.time, columns);
  }
  if (!options.time.empty() && options.time != kNone) {
    columns.time = place_of_column(path, options.time, names);
    columns.time_is_certain = true;
  } else if (options.time.empty()) {
    find_time(reader, has_header, columns);
  }
  for (const std::string& wanted : options.columns) {
    const std::size_t place = place_of_column(path, wanted, names);
    std::erase(columns.clocks, wanted);
    if (std::find(columns.series.begin(), columns.series.end(), place) == columns.series.end())
      columns.series.push_back(place);
  }
  for (std::size_t c = 0; c < names.size() && !options.columns.empty(); ++c)
    if (std::find(columns.clocks.begin(), columns.clocks.end(), names[c]) != columns.clocks.end())
      columns.series.push_back(c), columns.lent.push_back(c);
  if (columns.recording_is_lent && !options.columns.empty() &&
      std::find(columns.series.begin(), columns.series.end(), columns.recording) != columns.series.end())
    columns.recording = kNowhere, columns.recording_is_lent = false;
  if (options.columns.empty())
    for (std::size_t c = 0; c < names.size(); ++c)
      if (c != columns.recording && !columns.is_part_of_time(c) && (c != columns.time || !columns.time_is_certain))
        columns.series.push_back(c);
  if (std::count_if(names.begin(), names.end(), is_date) * 2 > std::ssize(names))
    throw DataError(concat(path, ": its first row holds dates, such as '", datasets::text::shown_text(names.back()),
                           "', but rows are times and columns are series; turn the table on its side."));
  std::vector<std::string> words;
  for (const std::size_t c : columns.series)
    if (options.columns.empty() && is_word(reader.text(c)) && c != columns.time) words.push_back(names[c]);
  if (!words.empty() && columns.recording != kNowhere) words.insert(words.begin(), names[columns.recording]);
  if (words.size() > 1)
    throw DataError(concat(path, ": columns ", listed(words),
                           " hold words, but a series is numbers; name the columns that are series (columns) and what "
                           "tells recordings apart (recording)."));
  if (columns.series.empty() && columns.time == kNowhere)
    throw DataError(concat(path, ": has a column of recordings '", datasets::text::shown_text(names[columns.recording]),
                           "' but no series; each series needs a column."));
  if (columns.series.empty())
    throw DataError(concat(path, ": has a column of times '", datasets::text::shown_text(names[columns.time]),
                           "' but no series; each series needs a column. If it is a series itself, say that there are "
                           "no times (time none)."));
  return columns;
}

/// The times of a column; the first one says whether they are dates or numbers.
class TimeCells {
 public:
  TimeCells(const WideColumns& columns, bool decimal_comma, DayMonth order)
      : columns_(columns), column_(columns.time), decimal_comma_(decimal_comma), order_(order) {}
  TimeKind kind() const { return kind_; }

  double of(const datasets::text::CsvReader& reader) {
    std::string cell(datasets::text::trimmed(reader.text(column_)));
    if (is_missing(cell)) reader.refuse(column_, "the time is missing; give every row one.");
    for (const WideColumns::Part& part : columns_.parts)
      cell += concat(part.mark, padded(without_letter(reader.text(part.column)), part.digits));
    if (columns_.clock != kNowhere) {
      const std::string clock(datasets::text::trimmed(reader.text(columns_.clock)));
      cell += concat(' ', is_clock(clock) ? clock : padded(clock, 2) + ":00");
    }
    const std::optional<double> date = kind_ == TimeKind::number ? std::nullopt : date_of(cell, order_);
    if (date) {
      kind_ = TimeKind::date;
      return *date;
    }
    const bool is_one_column = columns_.clock == kNowhere && columns_.parts.empty();
    const auto number = is_one_column ? number_in(cell, decimal_comma_) : std::nullopt;
    if (kind_ == TimeKind::date || !number || !std::isfinite(*number)) refuse(reader, cell);
    kind_ = TimeKind::number;
    return *number;
  }

 private:
  [[noreturn]] void refuse(const datasets::text::CsvReader& reader, const std::string& cell) const {
    const std::string wanted = kind_ == TimeKind::number ? "numbers throughout."
                               : kind_ == TimeKind::date ? "dates as YYYY-MM-DD hh:mm:ss throughout."
                                                         : "dates as YYYY-MM-DD hh:mm:ss, or numbers.";
    const bool is_other = order_ != DayMonth::unknown && is_date(cell);
    reader.refuse(
        column_, concat("'", datasets::text::shown_text(cell), "' is not a time",
                        is_other ? order_ == DayMonth::day_first ? " with the day first" : " with the month first" : "",
                        "; write ", wanted));
  }
  static std::string padded(std::string_view cell, std::size_t digits) {
    return concat(std::string(digits - std::min(digits, cell.size()), '0'), cell);
  }
  const WideColumns columns_;
  std::size_t column_;
  bool decimal_comma_;
  DayMonth order_;
  TimeKind kind_ = TimeKind::none;
};

/// Words were taken for recordings: they are if the times ascend in each and not throughout.
void check_lent_recordings(const SeriesRows& rows, const WideColumns& columns, const std::string& name) {
  std::vector<double> times = rows.times;
  for (std::size_t c = 0; c < rows.names.size() && times.empty(); ++c)
    if (!columns.clocks.empty() && rows.names[c] == columns.clocks[0]) times = rows.column(c);
  std::vector<double> last(rows.recordings.size(), -HUGE_VAL);
  bool ascend = !times.empty(), throughout = true;
  for (std::size_t i = 0; i < times.size(); ++i) {
    ascend = ascend && times[i] > last[rows.recording[i]];
    throughout = throughout && (i == 0 || times[i] > times[i - 1]);
    last[rows.recording[i]] = times[i];
  }
  if (ascend && !throughout && 2 * last.size() <= times.size()) return;
  refuse_words(rows.path, name, rows.recordings);
}

}  // namespace

SeriesRows read_wide(datasets::text::CsvReader& reader, const std::string& path, const SeriesText& text,
                     const SeriesFileOptions& options) {
  SeriesRows rows;
  rows.path = path;
  rows.notes = text.notes;
  NameOrder recordings;
  WideColumns columns;
  CellNumbers numbers(text);
  std::optional<TimeCells> times;
  DataRows data(reader, text);
  bool is_first = true;
  while (data.next()) {
    if (is_first) {
      columns = columns_of_wide(reader, path, text.csv.header, options);
      if (columns.time != kNowhere && columns.time_is_certain) {
        const TimeStyle style = time_style(reader, path, text, columns.time, options);
        rows.notes.insert(rows.notes.end(), style.notes.begin(), style.notes.end());
        times.emplace(columns, text.decimal_comma, style.order);
      }
    }
    is_first = false;
    rows.lines.push_back(reader.row());
    if (columns.recording != kNowhere)
      rows.recording.push_back(
          static_cast<std::uint32_t>(recordings.number_of(datasets::text::trimmed(reader.text(columns.recording)))));
    if (times) rows.times.push_back(times->of(reader));
    for (const std::size_t c : columns.series) rows.cells.push_back(numbers.at(reader, c));
  }
  if (is_first) throw DataError(concat(path, ": has a header but no rows; each row is one time."));
  for (const std::size_t c : columns.series) rows.names.push_back(reader.columns()[c]);
  rows.columns = columns.series;
  rows.recordings = std::move(recordings.names);
  if (times) rows.kind = times->kind();
  for (const auto& notes : {numbers.notes(reader.columns()), data.notes()})
    rows.notes.insert(rows.notes.end(), notes.begin(), notes.end());
  if (columns.recording_is_lent) check_lent_recordings(rows, columns, reader.columns()[columns.recording]);
  if (columns.recording != kNowhere)
    check_recordings(path, reader.columns()[columns.recording], rows.recordings, rows.lines.size());
  if (columns.time_is_certain) {
    rows.time_name = reader.columns()[columns.time];
    rows.time_unit = time_name(rows.time_name).unit;
  }
  if (rows.times.empty() && options.time.empty() && options.columns.empty()) take_months_and_days(rows);
  if (rows.recording.empty() && options.recording.empty()) take_numbered_recordings(rows, columns.clocks);
  if (rows.times.empty()) take_times(rows, columns.clocks);
  for (const std::size_t c : columns.lent)
    if (const auto lent = std::find(rows.columns.begin(), rows.columns.end(), c); lent != rows.columns.end())
      rows.drop(lent - rows.columns.begin());
  const std::string likeliest = columns.clocks.empty() ? "" : columns.clocks[0];
  if (rows.times.empty() && columns.lent.empty() && !likeliest.empty() && time_name(likeliest).is_time)
    rows.notes.push_back(concat("Column '", datasets::text::shown_text(likeliest),
                                "' does not ascend from row to row: it is read as a series, not as times."));
  return rows;
}

}  // namespace fovea::datasets::series
