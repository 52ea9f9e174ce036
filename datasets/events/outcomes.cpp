#include "fovea/datasets/events/outcomes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/events/cells.hpp"
#include "fovea/datasets/events/outcome_column.hpp"
#include "fovea/datasets/series/dates.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::events {

namespace {

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

  /// The stay of the row; kNowhere for one without events. Throws DataError for a stay that had a row, unless it may.
  std::size_t stay(bool may_repeat = false) {
    const std::string_view id = text::trimmed(reader_->text(column_));
    if (id.empty()) reader_->refuse(column_, "the id is empty; every row belongs to a stay.");
    const auto found = places_.find(id);
    const std::size_t place = found == places_.end() ? kNowhere : found->second;
    Seen& before = place == kNowhere ? elsewhere_[std::string(id)] : seen_[place];
    if (before.row != 0 && !may_repeat)
      reader_->refuse(column_, concat("stay '", text::shown_text(id), "' has two ", what_, ", the first in ",
                                      before.table == paths_.size() ? "" : paths_[before.table - 1] + ":", "row ",
                                      before.row, "; keep one",
                                      what_ == std::string_view("outcomes")
                                          ? concat(", or name the column of the times at which each is asked: ",
                                                   option_text(options_, "at_column"))
                                          : "",
                                      "."));
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

  /// Of ids that are the same numbers on both sides, such as 7 and 7.0 or 007.
  std::string same_number(const Stays& stays) const {
    const auto number = stays.ids.empty() ? std::nullopt : number_of(stays.ids[0], false);
    for (const auto& [id, seen] : elsewhere_)
      if (number && number_of(id, false) == number)
        return concat(", which is '", text::shown_text(id), "' here; write ids alike");
    return "";
  }

  /// Counts stays without events as left out. Throws DataError where no stay is on both sides.
  void match(Stays& stays) const {
    const std::string tables = text::listed(paths_);
    if (without() == stays.ids.size())
      throw DataError(concat(tables, ": none of its stays has events; the events are of stays such as '",
                             stays.ids.empty() ? "" : text::shown_text(stays.ids[0]), "'", same_number(stays), "."));
    if (!elsewhere_.empty())
      stays.facts.left_out.push_back(
          {"stay", static_cast<Index>(elsewhere_.size()), concat("without events, in ", tables)});
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

/// Cases of tables of outcomes: stays, or rows of stays that are asked at times of their own.
class OutcomeTables {
 public:
  OutcomeTables(Stays& stays, const EventOptions& options)
      : stays_(stays), options_(options), rows_(stays, options, "outcomes") {
    const bool by_origin = stays.facts.origin.empty();
    found_.asked = !by_origin || !options.at_column.empty();
    wanted_ = found_.asked ? options.at_column : options.origin;
    if (found_.asked && wanted_.empty() && !options.origin.empty() && options.origin != "as given") wanted_ = "none";
    if (!found_.asked) found_.times.assign(stays.ids.size(), kNan);
  }

  void take(const std::string& path, text::CsvReader& reader);
  OutcomeTimes finish();

 private:
  std::optional<std::size_t> time_column(const text::CsvReader& reader) const;
  EventTime time_of(const text::CsvReader& reader, std::size_t column) const;
  std::vector<CandidateColumn> candidates(const std::string& path, text::CsvReader& reader);
  std::ptrdiff_t case_of(std::size_t stay, const text::CsvReader& reader, std::optional<std::size_t> times);
  void sort_cases();

  Stays& stays_;
  const EventOptions& options_;
  StayRows rows_;
  std::string wanted_;
  OutcomeTimes found_;
  Index without_time_ = 0;
};

/// The one that was asked for; else, where events have dates, one that MEDS calls so.
std::optional<std::size_t> OutcomeTables::time_column(const text::CsvReader& reader) const {
  if (wanted_ == "none" || (wanted_.empty() && !stays_.facts.has_dates)) return std::nullopt;
  for (std::size_t c = 0; c < reader.columns().size(); ++c)
    if (wanted_.empty() ? plain_name(reader.columns()[c]) == "prediction_time" : reader.columns()[c] == wanted_)
      return c;
  return std::nullopt;
}

EventTime OutcomeTables::time_of(const text::CsvReader& reader, std::size_t column) const {
  const bool dates = stays_.facts.has_dates;
  TimeUnit unit = dates ? TimeUnit::unknown : unit_of_title(reader.columns()[column]);
  if (!dates && unit == TimeUnit::unknown)
    unit = options_.time_unit.empty() ? TimeUnit::hours : time_unit(options_.time_unit);
  return event_time(reader, column, unit, false, options_);
}

/// What the row of a stay is about; -1: nothing that is kept.
std::ptrdiff_t OutcomeTables::case_of(std::size_t stay, const text::CsvReader& reader,
                                      std::optional<std::size_t> times) {
  if (stay == kNowhere) return -1;
  if (!times) return static_cast<std::ptrdiff_t>(stay);
  const EventTime time = time_of(reader, *times);
  without_time_ += time.kind == EventTime::Kind::none ? 1 : 0;
  if (!found_.asked)
    return found_.times[stay] = time.kind == EventTime::Kind::none ? kNan : time.number,
           static_cast<std::ptrdiff_t>(stay);
  if (time.kind == EventTime::Kind::none) return -1;
  found_.times.push_back(time.number);
  found_.stay_of.push_back(static_cast<std::uint32_t>(stay));
  return std::ssize(found_.times) - 1;
}

/// All columns but that of the stays, read to the end.
std::vector<CandidateColumn> OutcomeTables::candidates(const std::string& path, text::CsvReader& reader) {
  if (reader.columns().size() > kMostOutcomeColumns)
    throw DataError(concat(path, ": has ", reader.columns().size(), " columns, but at most ", kMostOutcomeColumns,
                           " are read; keep the stay and its outcomes."));
  const std::optional<std::size_t> times = time_column(reader);
  const bool many = times && found_.asked;
  if (times) found_.column = reader.columns()[*times];
  if (times && !stays_.facts.has_dates && options_.time_unit.empty() &&
      unit_of_title(found_.column) == TimeUnit::unknown)
    stays_.facts.notes.push_back(
        concat(path, ": the numbers in '", text::shown_text(found_.column), "' are read as hours."));
  if (!found_.stay_of.empty() && !many)
    throw DataError(
        concat(path, ": has no column '", found_.column, "', which says when each is asked; the table before has."));
  std::vector<CandidateColumn> all;
  for (std::size_t c = 0; c < reader.columns().size(); ++c)
    if (c != rows_.column() && c != times)
      all.push_back({c, {reader.columns()[c], std::vector<double>(many ? 0 : stays_.ids.size(), kNan)}});
  while (rows_.next()) {
    const std::ptrdiff_t item = case_of(rows_.stay(many), reader, times);
    for (CandidateColumn& one : all) one.see(reader, item, options_.positive);
  }
  for (CandidateColumn& one : all)
    for (std::vector<double>* values : {&one.column.values, &one.by_word})
      values->resize(many ? found_.times.size() : stays_.ids.size(), kNan);
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
  known->values.resize(std::max(known->values.size(), column.values.size()), kNan);
  for (std::size_t s = 0; s < column.values.size(); ++s)
    if (!std::isnan(column.values[s])) known->values[s] = column.values[s];
}

void OutcomeTables::take(const std::string& path, text::CsvReader& reader) {
  rows_.open(path, reader);
  std::vector<CandidateColumn> all = candidates(path, reader);
  const std::ptrdiff_t which = chosen_outcome(all, path, reader, options_, found_.column.empty());
  if (which >= 0) {
    CandidateColumn& outcome = all[static_cast<std::size_t>(which)];
    if (stays_.outcome.empty()) stays_.outcome = outcome.column.name;
    if (stays_.outcome != outcome.column.name)
      throw DataError(concat(path, ": its outcome is '", text::shown_text(outcome.column.name),
                             "', but that of the file before is '", text::shown_text(stays_.outcome),
                             "'; call both alike."));
    if (!options_.positive.empty()) {
      stays_.facts.notes.push_back(concat(path, ": '", text::shown_text(options_.positive), "' in column '",
                                          text::shown_text(outcome.column.name), "' counts as 1, all else as 0."));
      outcome.column.values = outcome.by_word;
    }
    std::swap(all.front(), outcome);
  }
  for (std::size_t k = 0; k < all.size(); ++k)
    if ((k == 0 && which >= 0) || (all[k].is_number && all[k].has_any)) merge_column(stays_, std::move(all[k].column));
}

/// By stay, then by time; stays without a case are left out.
void OutcomeTables::sort_cases() {
  std::vector<std::size_t> order(found_.times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t k) { return std::make_pair(found_.stay_of[k], found_.times[k]); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  const auto same =
      std::adjacent_find(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) == key(b); });
  if (same != order.end())
    throw DataError(concat("the outcomes: stay '", text::shown_text(stays_.ids[found_.stay_of[*same]]),
                           "' has two outcomes at one '", text::shown_text(found_.column), "'; keep one."));
  const auto permuted = [&](const auto& list, auto place) {
    std::remove_cvref_t<decltype(list)> some;
    for (const std::size_t k : order) some.push_back(list[place(k)]);
    return some;
  };
  const auto own = [](std::size_t k) { return k; };
  const auto of_stay = [&](std::size_t k) -> std::size_t { return found_.stay_of[k]; };
  for (OutcomeColumn& column : stays_.outcomes) {
    column.values.resize(order.size(), kNan);
    column.values = permuted(column.values, own);
  }
  if (stays_.patients.empty()) stays_.patients = stays_.ids;
  std::vector<std::string> ids = permuted(stays_.ids, of_stay);
  stays_.patients = permuted(stays_.patients, of_stay);
  if (!stays_.folds.empty()) stays_.folds = permuted(stays_.folds, of_stay);
  found_.times = permuted(found_.times, own);
  found_.stay_of = permuted(found_.stay_of, own);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const bool several = (k > 0 && found_.stay_of[k] == found_.stay_of[k - 1]) ||
                         (k + 1 < ids.size() && found_.stay_of[k] == found_.stay_of[k + 1]);
    if (!several) continue;
    ids[k] +=
        '@' + (stays_.facts.has_dates ? series::date_text(found_.times[k] / 86400) : plain_text(found_.times[k], 6));
  }
  stays_.ids = std::move(ids);
}

OutcomeTimes OutcomeTables::finish() {
  rows_.match(stays_);
  const bool missing = found_.column.empty() && !wanted_.empty() && wanted_ != "none";
  if (missing)
    throw DataError(concat(
        found_.asked ? "the outcomes: have no column '" : "the events and their outcomes: have no column or event '",
        text::shown_text(wanted_), "', ",
        found_.asked ? "which says when each stay is asked" : "from which hours are to count", "; name another with ",
        option_text(options_, found_.asked ? "at_column" : "origin"), "."));
  if (found_.column.empty()) return {};
  if (!found_.asked) {
    const auto without =
        std::count_if(found_.times.begin(), found_.times.end(), [](double time) { return std::isnan(time); });
    if (without > 0)
      throw DataError(concat("the outcomes: ", counted(static_cast<Index>(without), "stay"), " with events have no '",
                             text::shown_text(found_.column), "' from which hours could count; give it to all."));
    return found_;
  }
  if (without_time_ > 0)
    stays_.facts.left_out.push_back(
        {"row", without_time_, concat("without a '", text::shown_text(found_.column), "', in the outcomes")});
  if (const auto without = static_cast<Index>(rows_.without()); without > 0)
    stays_.facts.left_out.push_back(
        {"stay", without, concat("with events, but without a '", text::shown_text(found_.column), "'")});
  sort_cases();
  return found_;
}

}  // namespace

OutcomeTimes read_outcome_tables(Stays& stays, std::vector<text::CsvText> beside, const std::vector<std::string>& paths,
                                 const EventOptions& options) {
  OutcomeTables tables(stays, options);
  for (text::CsvText& table : beside) {
    const std::string path = table.name;
    text::CsvReader reader(std::move(table));
    tables.take(path, reader);
  }
  for (const std::string& path : paths) {
    const OpenCsv csv = open_csv(path);
    tables.take(path, *csv.reader);
  }
  return tables.finish();
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
  rows.match(stays);
}

}  // namespace fovea::datasets::events
