#include "fovea/datasets/events/outcomes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/events/cells.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"

namespace fovea::datasets::events {

namespace {

constexpr std::string_view kOutcomeNames[] = {
    "in_hospital_death", "hospital_expire_flag", "death", "died", "mortality", "outcome", "label", "boolean_value"};
constexpr std::size_t kMostOutcomeColumns = 200;
constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

/// Rows of tables by stay, each stay once.
class StayRows {
 public:
  /// what: two of which a stay must not have.
  StayRows(const Stays& stays, const EventOptions& options, const char* what)
      : options_(options), what_(what), seen_(stays.ids.size()) {
    for (std::size_t s = 0; s < stays.ids.size(); ++s) places_.emplace(stays.ids[s], s);
  }

  /// The next table. Throws DataError without a column of stays.
  void open(const std::string& path, text::CsvReader& reader) {
    const auto ids = id_columns(reader, options_);
    if (!ids)
      throw DataError(concat(path, ": has no column of stays (stay_id, RecordID, id, ...); there are: ",
                             quoted_list(reader.columns()), "."));
    reader_ = &reader;
    column_ = ids->stay;
    paths_.push_back(path);
  }

  bool next() { return reader_->next(); }

  /// The stay of the row; kNowhere for one without events. Throws DataError for a stay that had a row.
  std::size_t stay() {
    const std::string_view id = text::trimmed(reader_->text(column_));
    if (id.empty()) reader_->refuse(column_, "the id is empty; every row belongs to a stay.");
    const auto found = places_.find(id);
    const std::size_t place = found == places_.end() ? kNowhere : found->second;
    Seen& before = place == kNowhere ? elsewhere_[std::string(id)] : seen_[place];
    if (before.row != 0)
      reader_->refuse(column_, concat("stay '", text::shown_text(id), "' has two ", what_, ", the first in ",
                                      before.table == paths_.size() ? "" : paths_[before.table - 1] + ":", "row ",
                                      before.row, "; keep one."));
    before = {reader_->row(), paths_.size()};
    if (elsewhere_.size() > kMostStays)
      reader_->refuse(column_,
                      concat("there are more than ", kMostStays, " stays without events; is it the right file?"));
    return place;
  }

  std::size_t column() const { return column_; }
  bool has(std::size_t stay) const { return seen_[stay].row != 0; }
  std::size_t without() const {
    return std::count_if(seen_.begin(), seen_.end(), [](const Seen& seen) { return seen.row == 0; });
  }

  /// Notes on stays on one side alone. noun: what a stay should have. Throws DataError where no stay is on both.
  void note_match(Stays& stays, const char* noun) const {
    std::string tables = paths_.front();
    for (std::size_t k = 1; k < paths_.size(); ++k) tables += ", " + paths_[k];
    if (without() == stays.ids.size())
      throw DataError(concat(tables, ": none of its stays has events; the events are of stays such as '",
                             stays.ids.empty() ? "" : text::shown_text(stays.ids[0]), "'."));
    if (without() > 0)
      stays.facts.notes.push_back(
          concat(tables, ": ", counted(static_cast<Index>(without()), "stay"), " with events have no ", noun, "."));
    if (!elsewhere_.empty())
      stays.facts.notes.push_back(
          concat(tables, ": ", counted(static_cast<Index>(elsewhere_.size()), "stay"), " without events; left out."));
  }

 private:
  struct Seen {
    std::size_t row = 0, table = 0;  ///< counted from 1; 0: not seen
  };
  const EventOptions& options_;
  const char* what_;
  text::CsvReader* reader_ = nullptr;
  std::size_t column_ = 0;
  std::vector<std::string> paths_;
  std::unordered_map<std::string_view, std::size_t> places_;
  std::vector<Seen> seen_;                           // of a stay
  std::unordered_map<std::string, Seen> elsewhere_;  // of stays without events
};

std::optional<double> truth_of(std::string_view cell) {
  const std::string word = plain_name(std::string(text::trimmed(cell)));
  if (word == "true") return 1.0;
  if (word == "false") return 0.0;
  return number_of(cell, false);
}

/// What is known of a column while the rows go by.
struct Candidate {
  std::size_t place = 0;
  OutcomeColumn column;
  bool is_number = true, is_binary = true, has_any = false;
  std::size_t first_other = 0;  ///< row of the first value that is not 0 or 1
  std::string other;            ///< this value
};

void see_cell(Candidate& one, const text::CsvReader& reader, std::size_t stay) {
  const std::string_view cell = reader.text(one.place);
  const auto value = truth_of(cell);
  const bool is_nothing = !value && series::is_missing(cell);
  if (!value && !is_nothing) one.is_number = false;
  if (!is_nothing && one.first_other == 0 && !(value && (*value == 0 || *value == 1))) {
    one.is_binary = false;
    one.first_other = reader.row();
    one.other = text::shown_text(cell);
  }
  one.has_any = one.has_any || value.has_value();
  if (stay != kNowhere && value) one.column.values[stay] = *value;
}

/// The place among the candidates: named, else of a usual name, else the only one of 0 and 1.
std::size_t chosen(const std::vector<Candidate>& all, const std::string& path, const text::CsvReader& reader,
                   const EventOptions& options) {
  const auto named = [&](std::string_view name, bool plain) {
    for (std::size_t k = 0; k < all.size(); ++k)
      if ((plain ? plain_name(all[k].column.name) : all[k].column.name) == name) return k;
    return kNowhere;
  };
  if (!options.outcome.empty()) {
    reader.column(options.outcome);
    return named(options.outcome, false);
  }
  for (const std::string_view name : kOutcomeNames)
    if (const std::size_t k = named(name, true); k != kNowhere) return k;
  std::vector<std::string> binary;
  std::size_t last = kNowhere;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].is_binary && all[k].has_any) {
      binary.push_back(all[k].column.name);
      last = k;
    }
  if (binary.size() == 1) return last;
  throw DataError(concat(path, ": which column is the outcome? ",
                         binary.empty() ? concat("None is 0 and 1; there are: ", quoted_list(reader.columns()))
                                        : concat(quoted_list(binary), " are 0 and 1"),
                         ". Name one with --outcome."));
}

/// All columns but that of the stays, read to the end.
std::vector<Candidate> candidates_of(const Stays& stays, const std::string& path, text::CsvReader& reader,
                                     StayRows& rows) {
  if (reader.columns().size() > kMostOutcomeColumns)
    throw DataError(concat(path, ": has ", reader.columns().size(), " columns, but at most ", kMostOutcomeColumns,
                           " are read; keep the stay and its outcomes."));
  std::vector<Candidate> all;
  for (std::size_t c = 0; c < reader.columns().size(); ++c)
    if (c != rows.column())
      all.push_back({c, {reader.columns()[c], std::vector<double>(stays.ids.size(), kNan)}, true, true, false, 0, {}});
  while (rows.next()) {
    const std::size_t stay = rows.stay();
    for (Candidate& one : all) see_cell(one, reader, stay);
  }
  return all;
}

/// Puts the values of a column to those of earlier tables.
void merge_column(Stays& stays, OutcomeColumn&& column) {
  const auto known = std::find_if(stays.outcomes.begin(), stays.outcomes.end(),
                                  [&](const OutcomeColumn& one) { return one.name == column.name; });
  if (known == stays.outcomes.end()) {
    stays.outcomes.push_back(std::move(column));
    return;
  }
  for (std::size_t s = 0; s < column.values.size(); ++s)
    if (!std::isnan(column.values[s])) known->values[s] = column.values[s];
}

void take_outcomes(Stays& stays, const std::string& path, text::CsvReader& reader, const EventOptions& options,
                   StayRows& rows) {
  rows.open(path, reader);
  std::vector<Candidate> all = candidates_of(stays, path, reader, rows);
  const std::size_t which = chosen(all, path, reader, options);
  if (which == kNowhere)
    throw DataError(
        concat(path, ": column '", text::shown_text(options.outcome), "' holds the stays; the outcome is another."));
  const Candidate& outcome = all[which];
  if (!outcome.is_binary)
    throw DataError(concat(path, ":row ", outcome.first_other, ", column '", text::shown_text(outcome.column.name),
                           "': the outcome is '", outcome.other,
                           "', but must be 0 or 1, or empty if it is not known."));
  if (stays.outcome.empty()) stays.outcome = outcome.column.name;
  if (stays.outcome != outcome.column.name)
    throw DataError(concat(path, ": its outcome is '", text::shown_text(outcome.column.name),
                           "', but that of the file before is '", text::shown_text(stays.outcome),
                           "'; call both alike."));
  std::swap(all[0], all[which]);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (k == 0 || (all[k].is_number && all[k].has_any)) merge_column(stays, std::move(all[k].column));
}

}  // namespace

void read_outcome_tables(Stays& stays, std::vector<text::CsvText> tables, const EventOptions& options) {
  StayRows rows(stays, options, "outcomes");
  for (text::CsvText& table : tables) {
    const std::string path = table.name;
    text::CsvReader reader(std::move(table));
    take_outcomes(stays, path, reader, options, rows);
  }
  rows.note_match(stays, "outcome");
}

void read_outcomes(Stays& stays, const EventOptions& options) {
  StayRows rows(stays, options, "outcomes");
  for (const std::string& path : options.outcomes) {
    const OpenCsv csv = open_csv(path);
    take_outcomes(stays, path, *csv.reader, options, rows);
  }
  rows.note_match(stays, "outcome");
}

void read_folds(Stays& stays, const std::string& path, const EventOptions& options) {
  const OpenCsv csv = open_csv(path);
  text::CsvReader& reader = *csv.reader;
  StayRows rows(stays, options, "folds");
  rows.open(path, reader);
  std::optional<std::size_t> column;
  for (std::size_t c = 0; c < reader.columns().size(); ++c)
    if (plain_name(reader.columns()[c]) == "fold") column = c;
  if (!column) reader.column("fold");  // refuses, and lists the columns
  stays.folds.assign(stays.ids.size(), 0);
  std::unordered_map<std::string_view, std::int32_t> fold_of;
  while (rows.next()) {
    const std::size_t stay = rows.stay();
    const auto fold = number_of(reader.text(*column), false);
    if (!fold || *fold < 0 || *fold > 9999 || *fold != std::floor(*fold))
      reader.refuse(*column,
                    concat("'", text::shown_text(reader.text(*column)), "' is no fold; folds are 0, 1, 2, ..."));
    if (stay == kNowhere) continue;
    stays.folds[stay] = static_cast<std::int32_t>(*fold);
    const std::string& patient = stays.patients.empty() ? stays.ids[stay] : stays.patients[stay];
    if (fold_of.emplace(patient, stays.folds[stay]).first->second != stays.folds[stay])
      reader.refuse(*column, concat("patient '", text::shown_text(patient), "' lies in the folds ", fold_of[patient],
                                    " and ", stays.folds[stay], "; a patient has one."));
  }
  if (const std::size_t without = rows.without(); without > 0 && without < stays.ids.size()) {
    std::size_t first = 0;
    while (rows.has(first)) ++first;
    throw DataError(concat(path, ": stay '", text::shown_text(stays.ids[first]), "' has no fold (",
                           counted(static_cast<Index>(without), "stay"), " of ", stays.ids.size(),
                           "); each needs one."));
  }
  rows.note_match(stays, "fold");
}

}  // namespace fovea::datasets::events
