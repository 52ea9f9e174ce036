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
#include "fovea/datasets/events/long_file.hpp"
#include "fovea/datasets/events/outcomes.hpp"

namespace fovea::datasets::events {

namespace {

namespace fs = std::filesystem;

bool ends_as_csv(const std::string& name) {
  return !name.starts_with('.') &&
         (name.ends_with(".csv") || name.ends_with(".csv.gz") || name.ends_with(".tsv") || name.ends_with(".tsv.gz"));
}

bool begins_with(const std::string& path, std::string_view bytes) {
  std::ifstream file(path, std::ios::binary);
  std::string front(bytes.size(), '\0');
  return file.read(front.data(), static_cast<std::streamsize>(front.size())) && front == bytes;
}

[[noreturn]] void refuse_parquet(const std::string& path, const std::string& what) {
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
      : options_(options), builder_(rows_in_memory, options.distinct) {}

  void take(const std::string& path) {
    if (fs::is_directory(path)) return take_folder(path);
    if (begins_with(path, "PAR1")) refuse_parquet(path, path);
    if (begins_with(path, "\x89HDF"))
      throw DataError(concat(path, ": is HDF5; events are CSV or records of the challenge."));
    if (is_archive(path)) return keep(read_record_archive(path, builder_));
    OpenCsv csv = open_csv(path);
    if (!is_record(*csv.reader)) return read_long_file(path, csv, options_, builder_);
    read_record(path, *csv.reader, builder_);
  }

  BuiltStays finish() {
    BuiltStays stays = builder_.finish();
    if (options_.outcomes.empty() && !beside_.empty()) read_outcome_tables(stays.index(), std::move(beside_), options_);
    return stays;
  }

 private:
  void take_folder(const std::string& folder) {
    bool any_record = false, any_csv = false;
    const std::vector<std::string> names = names_in(folder);
    for (const std::string& name : names) {
      any_record = any_record || name.ends_with(".txt");
      any_csv = any_csv || ends_as_csv(name);
    }
    if (any_record) return keep(read_record_folder(folder, builder_));
    if (!any_csv) {
      if (const std::string parquet = parquet_below(folder); !parquet.empty()) refuse_parquet(folder, parquet);
      throw DataError(concat(folder, ": holds no events; it needs RecordID.txt of the challenge, or CSV files."));
    }
    for (const std::string& name : names)
      if (ends_as_csv(name)) take(folder + '/' + name);
  }

  void keep(BesideRecords outcomes) {
    if (outcomes) beside_.push_back(std::move(*outcomes));
  }

  const EventOptions& options_;
  StayBuilder builder_;
  std::vector<text::CsvText> beside_;  // outcomes that lay beside records
};

void note_what_was_done(Stays& stays) {
  ReadingFacts& facts = stays.facts;
  if (!facts.unsorted.empty())
    facts.notes.push_back(facts.unsorted + ": here the rows first do not ascend; they were sorted by stay and time.");
  if (facts.is_challenge)
    facts.notes.push_back(
        concat("The variables are those of the PhysioNet challenge 2012: -1 in Age, Gender, Height, "
               "Weight and ICUType is missing (",
               counted(facts.missing_codes, "row"), "), and at minute 0 these are statics."));
  if (facts.has_dates)
    facts.notes.push_back("Times are dates; hours count from midnight before the first event of each stay.");
}

}  // namespace

bool is_time_unit(const std::string& word) { return word.empty() || time_unit(word) != TimeUnit::unknown; }

bool looks_like_events(const std::string& path) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) return !begins_with(path, "\x89HDF");
  if (!fs::is_directory(path, error)) return false;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
    if (const std::string name = at->path().filename().string(); name.ends_with(".txt") || ends_as_csv(name))
      return true;
  return !parquet_below(path).empty();
}

struct StaysReader::State {
  BuiltStays stays;
  std::size_t next = 0;
};

StaysReader::StaysReader(const std::vector<std::string>& paths, const EventOptions& options,
                         std::size_t rows_in_memory) {
  require(!paths.empty(), "events: no file is given; name one at least.");
  require(is_time_unit(options.time_unit), "events: the time unit is '", options.time_unit,
          "', but must be minutes, hours or days.");
  EventFiles files(options, rows_in_memory);
  for (const std::string& path : paths) files.take(path);
  state_ = std::make_unique<State>(State{files.finish()});
  Stays& index = state_->stays.index();
  note_what_was_done(index);
  if (!options.outcomes.empty()) read_outcomes(index, options);
  if (!options.folds.empty()) read_folds(index, options.folds, options);
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
  for (std::size_t s = first; s < end; ++s) state_->stays.append_next(block);
  state_->next = end;
  return block;
}

Stays StaysReader::all() {
  require(state_->next == 0, "events: ", state_->next, " stays were read before; all() is for a reader at its start.");
  Stays stays = std::move(state_->stays.index());
  const std::size_t rows = stays.facts.rows;
  stays.hours.reserve(rows), stays.values.reserve(rows), stays.kinds.reserve(rows);
  for (std::size_t s = 0; s < stays.ids.size(); ++s) state_->stays.append_next(stays);
  return stays;
}

Stays read_stays(const std::vector<std::string>& paths, const EventOptions& options) {
  return StaysReader(paths, options).all();
}

}  // namespace fovea::datasets::events
