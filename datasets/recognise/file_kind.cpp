#include "fovea/datasets/recognise/file_kind.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <span>
#include <string_view>

#include "fovea/datasets/events/columns.hpp"
#include "fovea/datasets/images/images.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/series/dates.hpp"
#include "fovea/datasets/series/text.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/file_format.hpp"
#include "fovea/datasets/text/text_stream.hpp"

namespace fovea::datasets {

namespace {

using Names = std::set<std::string, std::less<>>;
using events::plain_name;

constexpr std::array<std::string_view, 13> kStays{
    "stay_id",      "icustay_id", "hadm_id",   "encounter_id", "visit_id",   "visit_occurrence_id",
    "admission_id", "case_id",    "record_id", "recordid",     "subject_id", "patient_id",
    "person_id"};
constexpr std::array<std::string_view, 16> kTimes{
    "time",       "t",       "date", "datetime",  "date_time", "timestamp", "charttime",    "hours",
    "time_hours", "minutes", "days", "time_days", "mjd",       "jd",        "time_minutes", "starttime"};

bool has_any(const Names& names, std::span<const std::string_view> wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](std::string_view name) { return names.contains(name); });
}

/// "q1", "Q12".
bool is_question(std::string_view name) {
  return name.size() >= 2 && name.size() <= 4 && name[0] == 'q' &&
         name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

bool is_survey(const Names& names) {
  constexpr std::array<std::string_view, 5> kOfSurveys{"wave", "respondent", "respondent_id", "opinion", "answer"};
  constexpr std::ptrdiff_t kFewestQuestions = 3;
  return has_any(names, kOfSurveys) || std::count_if(names.begin(), names.end(), is_question) >= kFewestQuestions;
}

/// Whether the first rows have times that ascend in the column, and numbers in all others.
bool holds_series(text::CsvReader& reader, const series::SeriesText& style, std::size_t time) {
  constexpr int kRows = 12, kFewestRows = 3;
  double last = 0;
  int rows = 0;
  for (; rows < kRows && reader.next(); ++rows) {
    if (reader.row() == style.units_line) continue;
    const auto number = series::number_in(reader.text(time), style.decimal_comma);
    const auto at = number ? number : series::date_of(reader.text(time));
    if (!at && !series::is_date(reader.text(time))) return false;
    if (at && rows > 0 && *at <= last) return false;
    last = at.value_or(last);
    for (std::size_t c = 0; c < reader.columns().size(); ++c)
      if (c != time && !series::is_missing(reader.text(c)) && !series::number_in(reader.text(c), style.decimal_comma))
        return false;
  }
  return rows >= kFewestRows;
}

/// Whether the first row's s1 or s2 may be the name of a file: a number, such as that of a line of a play, is none.
bool names_files(text::CsvReader& reader) {
  if (!reader.next()) return true;
  for (std::size_t c = 0; c < reader.columns().size(); ++c)
    if (const std::string name = plain_name(reader.columns()[c]); name == "s1" || name == "s2")
      if (!series::is_missing(reader.text(c)) && !series::number_in(reader.text(c), false)) return true;
  return false;
}

FileKind kind_of_table(const std::string& path) {
  const series::SeriesText style = series::recognise_text(path);
  text::CsvReader reader(path, style.csv);
  Names names;
  for (const std::string& column : reader.columns()) names.insert(plain_name(column));
  const auto has = [&](std::string_view name) { return names.contains(name); };
  if (has("scene") && (has("s1") || has("s2"))) return names_files(reader) ? FileKind::scenes : FileKind::table;
  if ((has("source") && has("target")) || (has("from") && has("to"))) return FileKind::edges;
  const bool timed = has_any(names, kTimes);
  if (timed && has_any(names, kStays)) return FileKind::events;
  if (has("time") && has("parameter") && has("value") && names.size() == 3)
    return FileKind::events;  // of the challenge
  if (has("series") && has("t") && has("y")) return FileKind::series;
  if (is_survey(names)) return FileKind::survey;
  for (std::size_t c = 0; c < reader.columns().size(); ++c)
    if (const std::string name = plain_name(reader.columns()[c]);
        std::find(kTimes.begin(), kTimes.end(), std::string_view(name)) != kTimes.end())
      return reader.columns().size() > 1 && holds_series(reader, style, c) ? FileKind::series : FileKind::table;
  return style.csv.header ? FileKind::table : FileKind::unknown;
}

/// A line that names an experiment, as configs have it.
bool is_config(std::string_view front) {
  for (std::size_t at = front.find("experiment"); at != std::string_view::npos; at = front.find("experiment", at + 1)) {
    if (at > 0 && front[at - 1] != '\n') continue;
    std::string_view rest = front.substr(at + 10);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (rest.starts_with('=')) return true;
  }
  return false;
}

bool is_graph(std::string_view front) {
  if (front.starts_with("<"))
    return front.find("<graphml") != std::string_view::npos || front.find("<gexf") != std::string_view::npos;
  if (front.starts_with("%%MatrixMarket") || front.starts_with("% sym ") || front.starts_with("% asym ")) return true;
  const std::string start = plain_name(std::string(front.substr(0, 12)));
  return start.starts_with("*vertices") || start.starts_with("*network") || start.starts_with("*arcs") ||
         start.starts_with("*edges") || (front.starts_with("graph") && front.find('[') < 20) ||
         (front.starts_with("Creator \"") && front.find("graph") != std::string_view::npos);
}

}  // namespace

FileKind kind_or_fault(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return FileKind::unknown;
  if (images::is_image(path)) return FileKind::image;
  const std::string front = text::front_of(path);
  if (front.starts_with('{') && front.find("\"nodes\"") != std::string::npos) return FileKind::graph;
  const text::FileFormat format = text::format_of_bytes(front);
  if (format == text::FileFormat::tiff) return FileKind::raster;
  const bool bytes = front.find('\0') != std::string::npos && !text::utf16_order(front);
  if (format != text::FileFormat::text || front.empty() || bytes) return FileKind::unknown;
  if (is_config(front)) return FileKind::config;
  if (is_graph(front)) return FileKind::graph;
  return kind_of_table(path);
}

FileKind kind_of_file(const std::string& path) noexcept {
  try {
    return kind_or_fault(path);
  } catch (...) {  // the reader who is asked for the file says what is wrong with it
    return FileKind::unknown;
  }
}

}  // namespace fovea::datasets
