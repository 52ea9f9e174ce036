#include "fovea/datasets/panels/recessions.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/panels/month_rows.hpp"
#include "fovea/datasets/series/dialect.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::panels {

namespace {

using datasets::text::lower_case;

/// The place of the first column whose name has the word.
std::optional<std::size_t> column_with(const std::vector<std::string>& columns, std::string_view word) {
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (lower_case(columns[c]).find(word) != std::string::npos) return c;
  return std::nullopt;
}

struct Turns {
  std::optional<Index> peak, trough;
  std::size_t line = 0;
};

/// Peaks and troughs as they come, checked one after the other.
class Chronology {
 public:
  Chronology(const std::string& path, std::size_t peak, std::size_t trough)
      : path_(path), peak_(peak), trough_(trough), reader_(path, datasets::series::dialect_of(path)) {}

  Recessions read(std::optional<Index> known_through) {
    while (reader_.next())
      if (!reader_.empty(peak_) || !reader_.empty(trough_)) take_row();
    if (turns_.empty()) throw DataError(concat(path_, ": has no row with a peak or a trough; it needs at least one."));
    Recessions found{path_, turns_.front().peak.value_or(turns_.front().trough.value_or(0)), {}, {}};
    for (const Turns& turns : turns_) {
      const Index first = turns.peak ? *turns.peak + 1 : *turns.trough;
      fill(found, first - 1, 0);
      fill(found, turns.trough.value_or(first), 1);
    }
    end(found, known_through);
    return found;
  }

 private:
  Index month_at(std::size_t column) const {
    const std::string text(datasets::text::trimmed(reader_.text(column)));
    if (const auto month = month_of_text(text)) return *month;
    reader_.refuse(column,
                   concat(datasets::text::quoted(text), " is no month; write 1960-04, 1960-04-01 or April 1960."));
  }

  void take_row() {
    Turns turns{{}, {}, reader_.row()};
    if (!turns_.empty() && !turns_.back().trough)
      throw DataError(concat(path_, ":row ", turns_.back().line, ": has no trough, but row ", turns.line,
                             " follows; the last recession alone may be open."));
    if (!reader_.empty(peak_)) turns.peak = month_at(peak_);
    if (!reader_.empty(trough_)) turns.trough = month_at(trough_);
    if (!turns.peak && !turns_.empty()) reader_.refuse(peak_, "is empty; the first row alone may lack its peak.");
    if (turns.peak && turns.trough && *turns.peak >= *turns.trough)
      reader_.refuse(trough_, concat(month_text(*turns.trough), " is not behind the peak (", month_text(*turns.peak),
                                     "); a recession ends behind its peak."));
    if (!turns_.empty() && *turns.peak <= *turns_.back().trough)
      reader_.refuse(peak_,
                     concat(month_text(*turns.peak), " is not behind the trough of row ", turns_.back().line, " (",
                            month_text(*turns_.back().trough), "); sort the recessions, and keep them apart."));
    turns_.push_back(turns);
  }

  static void fill(Recessions& recessions, Index last, double value) {
    const Index count = std::max<Index>(last - recessions.first_month + 1, std::ssize(recessions.in));
    recessions.in.resize(static_cast<std::size_t>(count), value);
  }

  void end(Recessions& found, std::optional<Index> known_through) const {
    const std::string file = file_name(path_);
    if (!turns_.back().trough) {
      found.notes.push_back(concat(file, ": the last recession, behind the peak of ", month_text(*turns_.back().peak),
                                   ", has no trough; months behind ", month_text(found.last_month()), " are unknown."));
    } else if (known_through && *known_through > found.last_month()) {
      fill(found, *known_through, 0);
      found.notes.push_back(concat(file, ": months behind the last trough (", month_text(*turns_.back().trough),
                                   ") to ", month_text(*known_through), " are no recession, as was given."));
    } else {
      found.notes.push_back(
          concat(file, ": months behind the last trough (", month_text(*turns_.back().trough), ") are unknown."));
    }
  }

  std::string path_;
  std::size_t peak_, trough_;
  datasets::text::CsvReader reader_;
  std::vector<Turns> turns_;
};

/// Which column holds 0 and 1.
std::size_t recession_column(const std::string& path, const MonthRows& rows) {
  const std::vector<std::string>& columns = rows.reader().columns();
  if (rows.values().size() == 1) return rows.values().front();
  for (const std::size_t column : rows.values())
    if (const std::string name = lower_case(columns[column]);
        name == "usrec" || name.find("recession") != std::string::npos)
      return column;
  throw DataError(concat(path, ": has ", rows.values().size(),
                         " columns other than the date; keep the one of 0 and 1, or name it USREC."));
}

Recessions read_indicator(const std::string& path) {
  MonthRows rows(path);
  const std::size_t column = recession_column(path, rows);
  Recessions found{path, 0, {}, datasets::series::reading_notes(path)};
  while (rows.next()) {
    rows.take_date();
    const double value = rows.number(column);
    if (!std::isnan(value) && value != 0 && value != 1)
      rows.refuse(rows.reader().row(), column, concat("is ", value, ", but must be 1 in recession or 0."));
    found.in.push_back(value);
  }
  found.first_month = rows.first_month(found.notes);
  if (rows.values().size() > 1)
    found.notes.push_back(concat(file_name(path), ": recessions are those of the column ",
                                 datasets::text::quoted(rows.reader().columns()[column]), "."));
  if (std::all_of(found.in.begin(), found.in.end(), [](double value) { return std::isnan(value); }))
    throw DataError(concat(path, ": column ", datasets::text::quoted(rows.reader().columns()[column]),
                           " is empty in every row; it must be 1 in recession or 0."));
  return found;
}

}  // namespace

double Recessions::at(Index month) const {
  return month < first_month || month > last_month() ? kNan : in[static_cast<std::size_t>(month - first_month)];
}

Recessions read_recessions(const std::string& path, std::optional<Index> known_through) {
  const datasets::text::CsvReader reader(path, datasets::series::dialect_of(path));
  const auto peak = column_with(reader.columns(), "peak"), trough = column_with(reader.columns(), "trough");
  if (peak && trough) return Chronology(path, *peak, *trough).read(known_through);
  if (peak || trough)
    throw DataError(concat(path, ": has a column '", peak ? "peak" : "trough", "', but none '",
                           peak ? "trough" : "peak", "'; a chronology needs both."));
  return read_indicator(path);
}

std::vector<std::string> unknown_months(const MonthlyPanel& panel, const Recessions& recessions) {
  Index known = 0, before = 0, behind = 0;
  for (Index month = panel.first_month; month <= panel.last_month(); ++month) {
    known += std::isnan(recessions.at(month)) ? 0 : 1;
    before += month < recessions.first_month ? 1 : 0;
    behind += month > recessions.last_month() ? 1 : 0;
  }
  const std::string file = file_name(recessions.source), of = file_name(panel.source);
  if (known == 0)
    throw DataError(concat(recessions.source, ": knows no month of ", of, " (", month_text(panel.first_month), " to ",
                           month_text(panel.last_month()), "); take recessions of the same years."));
  std::vector<std::string> sentences;
  const auto unknown = [&](Index count, const std::string& where) {
    if (count > 0)
      sentences.push_back(concat(file, ": ", where, "; ", counted(count, "month"), " of ", of,
                                 count == 1 ? " is" : " are", " unknown, not without recession."));
  };
  unknown(before, concat("begins with ", month_text(recessions.first_month)));
  unknown(behind, concat("ends with ", month_text(recessions.last_month())));
  unknown(panel.months() - known - before - behind, "has empty cells");
  return sentences;
}

}  // namespace fovea::datasets::panels
