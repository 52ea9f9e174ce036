#include "fovea/datasets/events/read.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <type_traits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/place.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/events/archive.hpp"
#include "fovea/datasets/events/builder.hpp"
#include "fovea/datasets/events/challenge.hpp"
#include "fovea/datasets/events/columns.hpp"
#include "fovea/datasets/events/long_file.hpp"
#include "fovea/datasets/events/outcomes.hpp"

namespace fovea::datasets::events {

namespace {

namespace fs = std::filesystem;

bool ends_as_table(const std::string& name) {
  constexpr std::string_view kEnds[] = {".csv", ".csv.gz", ".tsv", ".tsv.gz", ".psv", ".psv.gz"};
  return !name.starts_with('.') &&
         std::any_of(std::begin(kEnds), std::end(kEnds), [&](std::string_view end) { return name.ends_with(end); });
}

/// What a file of a folder is, by its name.
enum class Role { events, statics, outcomes, folds };
Role role_of(const std::string& name) {
  std::string stem = plain_name(name);
  for (const char* end : {".gz", ".csv", ".tsv", ".psv"})
    if (stem.ends_with(end)) stem.resize(stem.size() - std::string_view(end).size());
  const auto has = [&](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return stem.find(word) != stem.npos; });
  };
  // The end of "eicu_demo.sta.csv.gz" and of "sta.csv", as YAIB calls its tables.
  const std::string last = stem.substr(stem.find_last_of("._") + 1);
  if (has({"outcome", "label"}) || last == "outc") return Role::outcomes;
  if (has({"folds", "splits"}) || last == "fold" || last == "split") return Role::folds;
  if (has({"static", "demographic", "baseline"}) || last == "sta" || stem == "patients") return Role::statics;
  return Role::events;
}

bool begins_with(const std::string& path, std::string_view bytes) {
  std::ifstream file(path, std::ios::binary);
  std::string front(bytes.size(), '\0');
  return file.read(front.data(), static_cast<std::streamsize>(front.size())) && front == bytes;
}

/// Whether the names at the end of a Parquet file are those of a table of stays, and not of MEDS.
bool has_no_codes(const std::string& path) {
  constexpr std::streamoff kNamesWithin = 1 << 20;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file.tellg(), taken = std::min(size, kNamesWithin);
  std::string names(static_cast<std::size_t>(std::max<std::streamoff>(0, taken)), '\0');
  file.seekg(size - taken);
  file.read(names.data(), static_cast<std::streamsize>(names.size()));
  const auto has = [&](std::string_view name) { return names.find(name) != std::string::npos; };
  return has("stay_id") && !has("numeric_value");
}

/// what: the Parquet file; path: what was given, which may be a folder of them.
[[noreturn]] void refuse_parquet(const std::string& path, const std::string& what) {
  if (has_no_codes(what))
    throw DataError(concat(what,
                           ": is a table in Parquet, which is not read here. Type for each of its files, into one "
                           "folder that you then give: scripts/meds-to-long --table ",
                           what, " FOLDER/", fs::path(what).stem().string(), ".csv.gz"));
  throw DataError(
      concat(what, ": is Parquet, which is not read here. Type: scripts/meds-to-long ", path, " events.csv.gz"));
}

/// A Parquet file somewhere below the folder, as MEDS has them; empty: none.
std::string parquet_below(const std::string& folder) {
  constexpr std::size_t kMostLooks = 10'000;
  std::error_code error;
  std::size_t looks = 0;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end && looks < kMostLooks; at.increment(error), ++looks)
    if (at->path().extension() == ".parquet") return at->path().string();
  return "";
}

/// The files of one call, of whatever kinds.
class EventFiles {
 public:
  EventFiles(const EventOptions& options, std::size_t rows_in_memory)
      : options_(options), builder_(rows_in_memory, options) {}

  void take(const std::string& path) {
    if (fs::is_directory(path)) return take_folder(path);
    take_file(path, false);
  }

  /// Tables of outcomes and of folds that lay in the folders.
  std::vector<text::CsvText> outcome_texts;
  std::vector<std::string> outcome_files, fold_files;

  BuiltStays finish() { return builder_.finish(); }

 private:
  void take_file(const std::string& path, bool in_folder) {
    if (begins_with(path, "PAR1")) refuse_parquet(path, path);
    if (begins_with(path, "\x89HDF"))
      throw DataError(concat(path, ": is HDF5; events are CSV or records of the challenge."));
    if (is_archive(path)) return keep(read_record_archive(path, builder_));
    OpenCsv csv = open_csv(path);
    if (is_record(*csv.reader)) return read_record(path, *csv.reader, builder_);
    const bool may_be_stay = in_folder || csv.separator == '|';
    read_event_table(path, csv, event_columns(*csv.reader, path, options_, may_be_stay), options_, builder_);
  }

  void take_of_folder(const std::string& folder, const std::string& name) {
    const std::string path = folder + '/' + name;
    const Role role = role_of(name);
    if (role != Role::events)
      builder_.note(concat(path, ": ",
                           role == Role::statics    ? "statics, by its name."
                           : role == Role::outcomes ? "outcomes, by its name."
                                                    : "folds, by its name."));
    if (role == Role::outcomes) return outcome_files.push_back(path);
    if (role == Role::folds) return fold_files.push_back(path);
    if (role == Role::events) return take_file(path, true);
    OpenCsv csv = open_csv(path);
    read_event_table(path, csv, static_columns(*csv.reader, path, options_), options_, builder_);
  }

  void take_folder(const std::string& folder) {
    bool any_record = false, any_csv = false;
    const std::vector<std::string> names = names_in(folder);
    for (const std::string& name : names) {
      any_record = any_record || name.ends_with(".txt");
      any_csv = any_csv || ends_as_table(name);
    }
    if (any_record) return keep(read_record_folder(folder, builder_));
    if (!any_csv) {
      if (const std::string parquet = parquet_below(folder); !parquet.empty()) refuse_parquet(folder, parquet);
      throw DataError(concat(folder, ": holds no events; it needs RecordID.txt of the challenge, or CSV files."));
    }
    for (const std::string& name : names)
      if (ends_as_table(name)) take_of_folder(folder, name);
  }

  void keep(BesideRecords outcomes) {
    if (outcomes) outcome_texts.push_back(std::move(*outcomes));
  }

  const EventOptions& options_;
  StayBuilder builder_;
};

std::string origin_text(const ReadingFacts& facts) {
  if (facts.asks_at_origin)
    return concat("Each is asked at its '", text::shown_text(facts.origin), "', from which hours count.");
  if (facts.origin == "first event") return "Hours count from the first event of each stay.";
  if (facts.origin == "as given" || facts.origin.empty()) return "";
  return concat("Hours count from the '", text::shown_text(facts.origin), "' of each stay.");
}

/// Without names: a variable may be of few stays.
void note_limits(ReadingFacts& facts, Index count, const char* what) {
  constexpr Index kFewest = 10;  // fewer may be of one stay
  if (count > 0)
    facts.notes.push_back(concat(count < kFewest ? "Fewer than 10" : concat(count), " values are ", what, '.'));
}

void note_what_was_done(Stays& stays) {
  ReadingFacts& facts = stays.facts;
  if (!facts.unsorted.empty())
    facts.notes.push_back(facts.unsorted + ": here the rows first do not ascend; they were sorted by stay and time.");
  if (facts.is_challenge)
    facts.notes.push_back(
        concat("The variables are those of the PhysioNet challenge 2012: -1 in Age, Gender, Height, "
               "Weight and ICUType is missing (",
               counted(facts.missing_codes, "row"), "), and at minute 0 these are statics."));
  if (facts.wide_files > 0)
    facts.notes.push_back(
        concat(counted(facts.wide_files, "wide table"), ": a column is a variable, a value is an event."));
  if (const std::string origin = origin_text(facts); !origin.empty())
    facts.notes.push_back((facts.has_dates ? "Times are dates. " : "") + origin);
  if (std::string hint = clock_hint(facts); !hint.empty()) facts.notes.push_back(std::move(hint));
  if (facts.births > 0) facts.notes.push_back(concat("Births are read as the static '", kAgeAtOrigin, "'."));
  note_limits(facts, facts.below_limits, "below a limit, such as <0.1, and read as half of it");
  note_limits(facts, facts.above_limits, "above a limit, such as >200, and read as the limit");
}

}  // namespace

bool looks_like_table(const std::string& name) { return ends_as_table(name) && role_of(name) == Role::events; }

bool looks_like_outcomes(const std::string& name) { return ends_as_table(name) && role_of(name) == Role::outcomes; }

bool is_time_unit(const std::string& word) { return word.empty() || time_unit(word) != TimeUnit::unknown; }

bool looks_like_events(const std::string& path) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) return !begins_with(path, "\x89HDF");
  if (!fs::is_directory(path, error)) return false;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
    if (const std::string name = at->path().filename().string(); name.ends_with(".txt") || ends_as_table(name))
      return true;
  return !parquet_below(path).empty();
}

struct StaysReader::State {
  BuiltStays stays;
  std::vector<std::uint32_t> stay_of = {};  ///< of each case the stay, ascending; empty: they are the same
  std::vector<double> times = {};           ///< at which these cases are asked
  std::size_t next = 0, taken = 0;

  /// Adds the events and statics of case c, which is the one behind that of the last call.
  void append(std::size_t c, Stays& to) {
    if (stay_of.empty()) return stays.append_next(to);
    for (; taken <= stay_of[c]; ++taken) stays.take_next();
    stays.append_taken(times[c], to);
  }
  void use(OutcomeTimes&& found) {
    ReadingFacts& facts = stays.index().facts;
    facts.origin = found.column;
    facts.asks_at_origin = found.asked;
    if (!found.asked) return stays.set_origins(std::move(found.times));
    stay_of = std::move(found.stay_of);
    times = std::move(found.times);
  }
};

namespace {

/// Throws DataError where hours are to count from what only outcomes could say, and there are none.
void refuse_without_times(const std::string& path, const ReadingFacts& facts, const EventOptions& options) {
  const bool by_origin = facts.origin.empty();
  if (!by_origin && (options.at_column.empty() || options.at_column == "none")) return;
  const std::string wanted = text::shown_text(by_origin ? options.origin : options.at_column);
  throw DataError(
      concat(path,
             by_origin ? concat(": has no column or event '", wanted,
                                "' from which hours could count, and no outcomes are given that could have it")
                       : concat(": no outcomes are given whose column '", wanted, "' says when each stay is asked"),
             "; give them (data.outcomes; in predict and inspect --outcomes), or count otherwise: ",
             option_text(options, by_origin ? "origin" : "at_column", by_origin ? "'first event'" : "none"), "."));
}

}  // namespace

StaysReader::StaysReader(const std::vector<std::string>& paths, const EventOptions& options,
                         std::size_t rows_in_memory) {
  require(!paths.empty(), "events: no file is given; name one at least.");
  require(is_time_unit(options.time_unit), "events: the time unit is '", options.time_unit,
          "', but must be seconds, minutes, hours or days.");
  const bool both = !options.at_column.empty() && options.at_column != "none" && !options.origin.empty();
  if (both && options.origin != "as given")
    throw DataError(concat(paths.front(), ": hours are to count from '", text::shown_text(options.origin),
                           "' and from '", text::shown_text(options.at_column), "', the time of asking; give one of ",
                           option_text(options, "origin"), " and ", option_text(options, "at_column"), "."));
  EventFiles files(options, rows_in_memory);
  for (const std::string& path : paths) files.take(path);
  state_ = std::make_unique<State>(State{files.finish()});
  Stays& index = state_->stays.index();
  if (index.ids.empty() && !index.facts.left_out.empty())
    throw DataError(concat(paths.front(), ": each row was left out, the first in ",
                           index.facts.left_out.front().places.front(), ": ", index.facts.left_out.front().reason,
                           "; is it the right column?"));
  if (!options.folds.empty()) files.fold_files = {options.folds};
  if (!files.fold_files.empty()) read_folds(index, files.fold_files.front(), options);
  if (!options.outcomes.empty()) files.outcome_texts.clear(), files.outcome_files = options.outcomes;
  if (files.outcome_files.empty() && files.outcome_texts.empty()) {
    refuse_without_times(paths.front(), index.facts, options);
  } else if (OutcomeTimes times =
                 read_outcome_tables(index, std::move(files.outcome_texts), files.outcome_files, options);
             !times.column.empty()) {
    state_->use(std::move(times));
  }
  note_what_was_done(index);
}

StaysReader::~StaysReader() = default;
StaysReader::StaysReader(StaysReader&&) noexcept = default;
StaysReader& StaysReader::operator=(StaysReader&&) noexcept = default;

const Stays& StaysReader::index() const { return state_->stays.index(); }

Stays StaysReader::read(Index most) {
  require(most >= 1, "events: ", most, " stays are asked for, but must be at least 1.");
  const Stays& index = state_->stays.index();
  const std::size_t first = state_->next, end = std::min(index.ids.size(), first + most);
  const auto part = [&](const auto& list) {
    using List = std::remove_cvref_t<decltype(list)>;
    return list.empty() ? List{}
                        : List(list.begin() + static_cast<std::ptrdiff_t>(first),
                               list.begin() + static_cast<std::ptrdiff_t>(end));
  };
  Stays block;
  block.variables = index.variables;
  block.facts = index.facts;
  block.outcome = index.outcome;
  block.ids = part(index.ids);
  block.patients = part(index.patients);
  block.folds = part(index.folds);
  for (const OutcomeColumn& column : index.outcomes) block.outcomes.push_back({column.name, part(column.values)});
  for (std::size_t s = first; s < end; ++s) state_->append(s, block);
  state_->next = end;
  return block;
}

Stays StaysReader::all() {
  require(state_->next == 0, "events: ", state_->next, " stays were read before; all() is for a reader at its start.");
  Stays stays = std::move(state_->stays.index());
  const std::size_t rows = stays.facts.rows;
  stays.hours.reserve(rows), stays.values.reserve(rows), stays.kinds.reserve(rows);
  for (std::size_t s = 0; s < stays.ids.size(); ++s) state_->append(s, stays);
  return stays;
}

Stays read_stays(const std::vector<std::string>& paths, const EventOptions& options) {
  return StaysReader(paths, options).all();
}

}  // namespace fovea::datasets::events
