#pragma once
/// Reads dated events, known by their content:
///
///   PhysioNet challenge 2012  a folder or archive (.tar, .tar.gz, .tar.xz, .zip) of RecordID.txt, or one such file:
///                             "Time,Parameter,Value", times as HH:MM since admission. Outcomes-a.txt may lie in it.
///   long CSV, also .gz        a row for each event: stay, time, variable, value; other columns are not read
///   a folder of long CSV      all of them
///
/// The usual names of columns, whatever their case (an option names another):
///   stay      stay_id icustay_id hadm_id encounter_id visit_id visit_occurrence_id admission_id case_id record_id
///             recordid id subject_id patient_id person_id (the first that is there)
///   patient   patient_id subject_id person_id, where another column is the stay
///   time      time_minutes minutes time_hours hours time_days days (also "time [h]"); time charttime timestamp
///             datetime date ..., as dates of ISO 8601, or as numbers if the options give the unit
///   variable  variable code parameter test item itemid label event name concept
///   value     numeric_value valuenum value_as_number value result; without such a column events have no value
///
/// An empty time is that of a static. An empty value, NA, NaN or null says that it happened, without a value. Dates
/// become hours since midnight before the stay's first event. Fields are separated by comma, semicolon or tab; but for
/// commas, 37,5 is 37.5. Rows may have any order.

#include <memory>
#include <string>
#include <vector>

#include "fovea/datasets/events/stays.hpp"

namespace fovea::datasets::events {

/// Empty: recognised by the usual names.
struct EventOptions {
  std::string stay = {}, patient = {}, time = {}, variable = {}, value = {};  ///< names of columns
  std::string time_unit = {};              ///< minutes, hours or days: of times that are numbers
  std::vector<std::string> outcomes = {};  ///< files, see read_outcomes()
  std::string outcome = {};                ///< its column
  std::string folds = {};                  ///< a file, see read_folds()
  /// Variables whose values are wanted before the events (ReadingFacts::distinct), such as codes; of more than 65,536
  /// of a variable some.
  std::vector<std::string> distinct = {};
};

/// Rows that are kept in memory while a file is read (16 bytes each); others go to a temporary file without a name in
/// the folder that TMPDIR names, else in /var/tmp.
inline constexpr std::size_t kRowsInMemory = std::size_t{1} << 20;

/// Stays block after block. The files are read once, at the start: what is known of all of them, such as the variables,
/// is known before the first block. Memory: the rows that are kept, a block, and some 100 bytes a stay, whatever the
/// files' length; where rows of a stay stand apart also 8 bytes for each run of rows of one stay.
class StaysReader {
 public:
  /// Rows of one stay may lie in several files. At most 200 million rows, 10 million stays, 65 535 variables, a million
  /// events a stay, 200 bytes an id or a name (builder.hpp). Throws DataError "FILE:row N: ...", StorageError, also
  /// where the temporary file finds no room; ArgumentError for no file at all and for a time_unit that is none.
  explicit StaysReader(const std::vector<std::string>& paths, const EventOptions& options = {},
                       std::size_t rows_in_memory = kRowsInMemory);
  ~StaysReader();
  StaysReader(StaysReader&&) noexcept;
  StaysReader& operator=(StaysReader&&) noexcept;

  /// All but the events and the statics: ids, patients, variables, outcomes, folds and facts of all stays.
  const Stays& index() const;
  /// The next stays, at most `most` (>= 1), in the order of their first rows; none at the end. Variables, the name of
  /// the outcome and facts are those of the whole.
  Stays read(Index most);
  /// All stays in one piece; before any was read, and nothing can be read then.
  Stays all();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// StaysReader::all().
Stays read_stays(const std::vector<std::string>& paths, const EventOptions& options = {});

/// Whether a file may be one of events, by its first bytes: text, Parquet (which is then refused with the way out) or
/// an archive; of a folder, whether it holds such files. False for HDF5 and for what is not there.
bool looks_like_events(const std::string& path);

/// Whether EventOptions::time_unit may be this word.
bool is_time_unit(const std::string& word);

/// Puts the outcomes of options.outcomes beside stays: CSV files with a column of stays and one that is 0 or 1 (false
/// or true): options.outcome, else the one of a usual name (in_hospital_death, In-hospital_death, death, died,
/// mortality, outcome, label, boolean_value), else the only one of 0 and 1; it has one name in all files. Other columns
/// of numbers are kept. An empty outcome is not known. Stays without an outcome have NaN, outcomes of other stays are
/// left out; both are noted. Throws DataError, also for two rows of a stay, and where no stay is among these.
void read_outcomes(Stays& stays, const EventOptions& options);

/// The same for folds: columns of stays and `fold`, whole numbers from 0. Throws DataError where a stay has no fold or
/// two, or a patient lies in two.
void read_folds(Stays& stays, const std::string& path, const EventOptions& options);

}  // namespace fovea::datasets::events
