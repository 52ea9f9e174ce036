#include "fovea/datasets/series/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/config/schema.hpp"
#include "fovea/datasets/series/missing_marks.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::series {

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFewNames = 6;
constexpr std::size_t kShortStretch = 4;  // rows: shorter stretches on average are names that alternate

/// Rows in another order.
void reorder(SeriesRows& rows, const std::vector<std::size_t>& order) {
  SeriesRows old = rows;
  const std::size_t width = rows.names.size();
  for (std::size_t to = 0; to < order.size(); ++to) {
    std::copy_n(old.cells.begin() + static_cast<std::ptrdiff_t>(order[to] * width), width,
                rows.cells.begin() + static_cast<std::ptrdiff_t>(to * width));
    if (!rows.times.empty()) rows.times[to] = old.times[order[to]];
    if (!rows.recording.empty()) rows.recording[to] = old.recording[order[to]];
    if (!rows.lines.empty()) rows.lines[to] = old.lines[order[to]];
  }
}

/// Recordings whose rows alternate are put together.
void gather_recordings(SeriesRows& rows) {
  const std::size_t stretches = rows.stretches().size();
  if (stretches == rows.recordings.size() || stretches * kShortStretch <= rows.rows()) return;
  std::vector<std::size_t> order(rows.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rows.recording[a] < rows.recording[b]; });
  reorder(rows, order);
  rows.notes.push_back("The rows of the recordings alternate; they were put together.");
}

/// Newest first, as many web pages have it.
void turn_round(SeriesRows& rows) {
  if (rows.times.size() < 2 || !rows.recording.empty()) return;
  if (!std::is_sorted(rows.times.begin(), rows.times.end(), [](double a, double b) { return a > b; })) return;
  std::vector<std::size_t> order(rows.rows());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  reorder(rows, order);
  rows.notes.push_back("The file begins with its newest row; it was turned round.");
}

/// Leaves out rows that repeat the one before: time, recording and all values.
void drop_repeated(SeriesRows& rows) {
  const std::size_t width = rows.names.size(), count = rows.rows();
  const auto repeats = [&](std::size_t i) {
    if (rows.times[i] != rows.times[i - 1]) return false;
    if (!rows.recording.empty() && rows.recording[i] != rows.recording[i - 1]) return false;
    const double* const now = rows.cells.data() + i * width;
    return std::equal(now, now + width, now - width,
                      [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
  };
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < rows.times.size(); ++i)
    if (i == 0 || !repeats(i)) kept.push_back(i);
  if (kept.size() == rows.times.size()) return;
  const std::string first = [&] {
    std::size_t i = 1;
    while (!repeats(i)) ++i;
    return rows.place_of(i);
  }();
  reorder(rows, kept);
  rows.cells.resize(kept.size() * width);
  rows.times.resize(kept.size());
  if (!rows.recording.empty()) rows.recording.resize(kept.size());
  if (!rows.lines.empty()) rows.lines.resize(kept.size());
  const std::size_t dropped = count - kept.size();
  rows.notes.push_back(concat(counted(static_cast<Index>(dropped), "row"), dropped == 1 ? " repeats" : " repeat",
                              " the row before and ", dropped == 1 ? "was" : "were", " left out, the first at ",
                              first.substr(first.rfind(':') + 1), "."));
}

/// Values that mark missing ones.
void take_out_marks(SeriesRows& rows, const SeriesFileOptions& options) {
  const std::vector<double> marks = missing_marks(rows.path, options);
  if (marks.empty()) return;
  std::size_t count = 0;
  for (double& cell : rows.cells) {
    if (std::find(marks.begin(), marks.end(), cell) == marks.end()) continue;
    cell = kMissing;
    ++count;
  }
  rows.notes.push_back(concat(counted(static_cast<Index>(count), "cell"), count == 1 ? " holds" : " hold",
                              " a number that marks a missing value."));
}

void refuse_suspected_marks(const SeriesRows& rows, const SeriesFileOptions& options) {
  if (options.missing.empty())
    for (std::size_t c = 0; c < rows.names.size(); ++c)
      refuse_suspected_mark(rows.path, rows.names[c], rows.column(c), options);
}

std::string moment_text(const SeriesRows& rows, std::size_t row) {
  const double time = rows.times[row];
  if (rows.kind == TimeKind::date) return date_text(time);
  return time == std::floor(time) && std::fabs(time) < 1e18 ? concat(std::llround(time)) : concat(time);
}

void check_times(const SeriesRows& rows, const std::vector<std::size_t>& starts) {
  for (std::size_t i = 1; i < rows.times.size(); ++i) {
    if (rows.times[i] > rows.times[i - 1] || std::binary_search(starts.begin(), starts.end(), i)) continue;
    const bool twice = rows.times[i] == rows.times[i - 1];
    throw DataError(
        concat(rows.place_of(i), ", column '", datasets::text::shown_text(rows.time_name), "': the time is ",
               moment_text(rows, i), twice ? " again" : "", ", but must be later than the ", moment_text(rows, i - 1),
               " of the row before; ", twice ? "keep one row for each time" : "sort the rows by time",
               rows.recording.empty() ? ", or name the column that tells recordings apart (recording)." : "."));
  }
}

/// Leaves out series that say nothing.
void drop_empty_and_constant(SeriesRows& rows) {
  const std::size_t width = rows.names.size(), count = rows.rows();
  std::vector<double> low(width, std::numeric_limits<double>::infinity()), high(width, -low[0]);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < width; ++c) {
      const double value = rows.cells[i * width + c];
      if (std::isnan(value)) continue;
      low[c] = std::min(low[c], value);
      high[c] = std::max(high[c], value);
    }
  std::vector<std::string> empty, constant;
  std::vector<bool> keep(width);
  for (std::size_t c = 0; c < width; ++c) {
    keep[c] = low[c] < high[c];
    if (!keep[c]) (low[c] == high[c] ? constant : empty).push_back(rows.names[c]);
  }
  if (empty.size() + constant.size() == width)
    throw DataError(concat(rows.path, ": has no series that changes: ", empty.size(), " of its ", width,
                           " columns are empty and ", constant.size(), " constant."));
  if (!empty.empty()) rows.notes.push_back("Left out, as they are empty: " + listed(empty) + ".");
  if (!constant.empty())
    rows.notes.push_back("Left out, as they are constant and can neither drive nor be driven: " + listed(constant) +
                         ".");
  if (empty.size() + constant.size() > 0) rows.keep(keep);
}

std::string spacing_sentence(const SeriesRows& rows, const EvenSteps& even, std::size_t missing) {
  return concat("Times are those of column '", datasets::text::shown_text(rows.time_name), "' (", moment_text(rows, 0),
                " to ", moment_text(rows, rows.rows() - 1), "), evenly spaced by ",
                even.unit.empty() ? concat(even.step) : time_text(even.step, even.unit),
                missing == 0 ? "."
                             : concat("; ", counted(static_cast<std::int64_t>(missing), "row"), " of the grid ",
                                      missing == 1 ? "is not in the file and counts" : "are not in the file and count",
                                      " as missing."));
}

SeriesTable table_of(const SeriesRows& rows, const std::vector<std::size_t>& starts, const EvenSteps& even) {
  SeriesTable table;
  table.names = rows.names;
  table.step = even.step;
  table.time_unit = even.unit;
  table.recording_starts.clear();
  Index steps = 0;
  for (std::size_t s = 0; s < starts.size(); ++s) {
    const std::size_t stop = s + 1 < starts.size() ? starts[s + 1] : rows.rows();
    table.recording_starts.push_back(steps);
    steps += static_cast<Index>(even.places[stop - 1] + 1);
  }
  const auto width = static_cast<Index>(rows.names.size());
  table.values = Matrix<double>::Constant(steps, width, kMissing);
  std::size_t stretch = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (stretch + 1 < starts.size() && starts[stretch + 1] == i) ++stretch;
    const Index to = table.recording_starts[stretch] + static_cast<Index>(even.places[i]);
    table.values.row(to) = Eigen::Map<const Eigen::RowVectorXd>(rows.cells.data() + i * rows.names.size(), width);
  }
  if (rows.kind == TimeKind::date && starts.size() == 1) table.dates = times_of_grid(rows.times, even.places);
  return table;
}

/// Rows without times: each is a step.
EvenSteps counted_steps(const SeriesRows& rows, const std::vector<std::size_t>& starts) {
  EvenSteps even;
  even.places.resize(rows.rows());
  for (std::size_t i = 1; i < rows.rows(); ++i)
    even.places[i] = std::binary_search(starts.begin(), starts.end(), i) ? 0 : even.places[i - 1] + 1;
  return even;
}

std::vector<CurveGroup> curves_of(const SeriesRows& rows, const std::vector<std::size_t>& starts) {
  std::vector<CurveGroup> groups;
  const std::size_t width = rows.names.size();
  for (std::size_t s = 0; s < starts.size(); ++s) {
    const std::size_t stop = s + 1 < starts.size() ? starts[s + 1] : rows.rows();
    CurveGroup group;
    if (!rows.recording.empty()) group.name = rows.recordings[rows.recording[starts[s]]];
    for (std::size_t c = 0; c < width; ++c) {
      Curve curve;
      curve.name = rows.names[c];
      for (std::size_t i = starts[s]; i < stop; ++i) {
        if (std::isnan(rows.cells[i * width + c])) continue;
        curve.time.push_back(rows.times[i]);
        curve.value.push_back(rows.cells[i * width + c]);
      }
      curve.error.assign(curve.time.size(), 0);
      if (!curve.time.empty()) group.curves.push_back(std::move(curve));
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

/// A column without a name gets one.
void name_the_nameless(SeriesRows& rows) {
  for (std::size_t c = 0; c < rows.columns.size(); ++c) {
    if (!rows.names[c].empty()) continue;
    std::string name = concat("column ", rows.columns[c] + 1);
    while (std::find(rows.names.begin(), rows.names.end(), name) != rows.names.end()) name += '*';
    rows.names[c] = std::move(name);
    rows.notes.push_back(concat("Column ", rows.columns[c] + 1, " has no name; it is called '", rows.names[c], "'."));
  }
}

void say_missing(SeriesRows& rows) {
  const auto missing =
      std::count_if(rows.cells.begin(), rows.cells.end(), [](double cell) { return std::isnan(cell); });
  if (missing > 0)
    rows.notes.push_back(concat(
        missing, " of ", rows.cells.size(), missing == 1 ? " cells is missing (" : " cells are missing (",
        std::round(1000.0 * static_cast<double>(missing) / static_cast<double>(rows.cells.size())) / 10, " %)."));
}

}  // namespace

std::string SeriesRows::place_of(std::size_t row) const {
  return concat(path, ":row ", lines.empty() ? row + 1 : lines[row]);
}

std::vector<double> SeriesRows::column(std::size_t c) const {
  std::vector<double> values(rows());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = cells[i * names.size() + c];
  return values;
}

void SeriesRows::keep(const std::vector<bool>& kept) {
  const std::size_t width = names.size(), count = rows();
  std::size_t to = 0;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < width; ++c)
      if (kept[c]) cells[to++] = cells[i * width + c];
  cells.resize(to);
  std::erase_if(columns, [&, c = std::size_t{0}](std::size_t) mutable { return !kept[c++]; });
  std::erase_if(names, [&, c = std::size_t{0}](const std::string&) mutable { return !kept[c++]; });
}

void SeriesRows::drop(std::size_t c) {
  std::vector<bool> kept(names.size(), true);
  kept[c] = false;
  keep(kept);
}

std::vector<std::size_t> SeriesRows::stretches() const {
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 1; i < recording.size(); ++i)
    if (recording[i] != recording[i - 1]) starts.push_back(i);
  return starts;
}

bool SeriesRows::ascends(const std::vector<double>& values) const {
  for (std::size_t i = 1; i < values.size(); ++i)
    if (!(values[i] > values[i - 1]) && (recording.empty() || recording[i] == recording[i - 1])) return false;
  return true;
}

std::string lower_name(std::string_view name) { return datasets::text::lower_case(datasets::text::trimmed(name)); }

namespace {

/// "firm" of "Firm_ID".
std::string without_number(std::string_view name) {
  std::string word = lower_name(name);
  for (const std::string_view ending : {"_id", " id", "_no", "_number"})
    if (word.ends_with(ending)) word.resize(word.size() - ending.size());
  return word;
}

}  // namespace

bool is_recording_name(std::string_view name) {
  constexpr std::array kNames{"recording", "regime",      "session", "segment", "subject",   "trial",
                              "patient",   "participant", "person",  "animal",  "individual"};
  return std::find(kNames.begin(), kNames.end(), without_number(name)) != kNames.end();
}

bool is_name_of_thing(std::string_view name) {
  constexpr std::array<std::string_view, 17> kNames{"country", "station", "site", "region", "city",  "state",
                                                    "firm",    "company", "plot", "sensor", "group", "location",
                                                    "unit",    "id",      "name", "code",   "place"};
  return std::find(kNames.begin(), kNames.end(), without_number(name)) != kNames.end();
}

bool is_word(std::string_view cell) {
  cell = datasets::text::trimmed(cell);
  const char first = cell.empty() ? ' ' : cell[0];
  const bool is_letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first < 0;
  return is_letter && !is_missing(cell) && !number_in(cell, true) && !is_date(cell);
}

void refuse_words(const std::string& path, const std::string& column, const std::vector<std::string>& words) {
  throw DataError(concat(path, ": column '", datasets::text::shown_text(column), "' holds words (", listed(words),
                         "), but a series is numbers; name the columns that are series (columns), or this one as what "
                         "tells recordings apart (recording)."));
}

std::string listed(const std::vector<std::string>& names) {
  return datasets::text::listed(names, &datasets::text::quoted, kFewNames);
}

void refuse_column(const std::string& path, const std::string& wanted, const std::vector<std::string>& there) {
  const std::string close = nearest(wanted, there);
  throw DataError(concat(path, ": has no column '", datasets::text::shown_text(wanted), "'; ",
                         close.empty() ? "there are: " + listed(there) + "."
                                       : "did you mean '" + datasets::text::shown_text(close) + "'?"));
}

void check_recordings(const std::string& path, const std::string& column, const std::vector<std::string>& names,
                      std::size_t rows) {
  constexpr std::size_t kFewDoses = 20;  // that may be numbers with decimals, such as doses
  const auto is_number = [](const std::string& name) {
    return name.find_first_not_of("+-0123456789.,eE") > name.size();
  };
  const auto has_decimals = [](const std::string& name) { return name.find_first_of(".,") < name.size(); };
  const bool measured = names.size() > kFewDoses && std::all_of(names.begin(), names.end(), is_number) &&
                        std::any_of(names.begin(), names.end(), has_decimals);
  if (names.size() < 2 || (2 * names.size() <= rows && !measured)) return;
  throw DataError(concat(path, ": column '", datasets::text::shown_text(column),
                         "' cannot tell recordings apart: it has ", counted(std::ssize(names), "value"), " in ",
                         counted(static_cast<Index>(rows), "row"), ", such as ",
                         listed({names.begin(), names.begin() + 2}),
                         "; name one that stays the same throughout a recording, or say that there is one recording "
                         "(recording none)."));
}

SeriesFile finished(SeriesRows rows, const SeriesFileOptions& options) {
  if (!rows.recording.empty()) gather_recordings(rows);
  take_out_marks(rows, options);
  turn_round(rows);
  read_numbers_as_dates(rows);
  count_on_local_clock(rows);
  drop_repeated(rows);
  const std::vector<std::size_t> starts = rows.stretches();
  if (!rows.times.empty()) check_times(rows, starts);
  if (rows.rows() < kFewestRows)
    throw DataError(concat(rows.path, ": has ", counted(static_cast<Index>(rows.rows()), "row"),
                           " of values, but lags need at least ", kFewestRows, "; one row is one moment."));
  drop_counters(rows, options);
  name_the_nameless(rows);
  refuse_suspected_marks(rows, options);
  drop_empty_and_constant(rows);
  say_missing(rows);
  if (!rows.recording.empty())
    rows.notes.push_back(concat(counted(std::ssize(rows.recordings), "recording"), " (", listed(rows.recordings),
                                ") in ", counted(std::ssize(starts), "stretch", "stretches"),
                                "; no lag reaches from one into another."));
  SeriesFile file;
  std::optional<EvenSteps> even =
      rows.times.empty() ? counted_steps(rows, starts) : even_steps(rows.times, starts, rows.kind, rows.time_unit);
  if (even) {
    file.table = table_of(rows, starts, *even);
    const std::size_t missing = file.table.steps() - rows.rows();
    if (!rows.times.empty()) rows.notes.push_back(spacing_sentence(rows, *even, missing));
    if (rows.times.empty()) rows.notes.push_back("There is no column of times: each row is one step.");
  } else {
    file.groups = curves_of(rows, starts);
    rows.notes.push_back(concat("Times are those of column '", datasets::text::shown_text(rows.time_name), "' (",
                                moment_text(rows, 0), " to ", moment_text(rows, rows.rows() - 1),
                                ") and unevenly spaced."));
  }
  static_cast<ReadingNotes&>(file) = std::move(rows);
  take_increments(file, options);
  drop_dependent(file);
  return file;
}

}  // namespace fovea::datasets::series
