#pragma once
/// Reads dated events, known by their content:
///
///   PhysioNet challenge 2012  a folder or archive (.tar, .tar.gz, .tar.xz, .zip) of RecordID.txt, or one such file:
///                             "Time,Parameter,Value", times as HH:MM since admission. Outcomes-a.txt may lie in it.
///   long CSV, also .gz        a row for each event: stay, time, variable, value; other columns are not read
///   wide CSV, .psv, .gz       a row for each time, a column for each variable; empty cells and NaN were not measured
///   a folder of CSV or .psv   all of them: those called outcomes or labels, folds or splits, and statics, sta,
///                             demographics, patients or baseline (one row a stay) are read as that; a wide table
///                             without a column of stays is one stay, called as its file (PhysioNet challenge 2019)
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
///   unit      valueuom unit units uom value_unit unit_of_measure unit_source_value: noted, values stay as they are
///
/// An empty time is that of a static. An empty value, NA, NaN or null says that it happened, without a value; <0.1 is
/// read as half of the limit, >200 as the limit. Dates become hours since the stay's origin; dates with time zones are
/// counted in UTC, and then all must have one. Fields are separated by comma, semicolon, tab or bar; but for commas,
/// 37,5 is 37.5. Rows may have any order.

#include <memory>
#include <string>
#include <vector>

#include "fovea/datasets/events/stays.hpp"

namespace fovea::datasets::events {

/// Empty: recognised by the usual names.
struct EventOptions {
  std::string stay = {}, patient = {}, time = {}, variable = {}, value = {};  ///< names of columns
  std::string time_unit = {};  ///< seconds, minutes, hours or days: of times that are numbers
  /// CSV files with a column of stays and one that is 0 or 1 (false or true, no or yes): `outcome`, else the one of a
  /// usual name (in_hospital_death, In-hospital_death, death, died, mortality, outcome, label, boolean_value), else the
  /// only one of 0 and 1; it has one name in all files. Other columns of numbers are kept. An empty outcome is not
  /// known. Stays without an outcome have NaN, outcomes of other stays are left out; both are noted.
  std::vector<std::string> outcomes = {};
  std::string outcome = {};
  std::string folds = {};  ///< a CSV file of stays and `fold`, whole numbers from 0
  /// The word of an outcome that counts as 1, such as Expired or 2; empty: 1, true or yes.
  std::string positive = {};
  /// Where hours begin: "first event", "birth", or the name of a column of the events or the outcomes or of an event
  /// (MEDS: up to "//"), of which each stay has one. "as given": numbers begin where the file has them begin, dates at
  /// the first event. Empty: a column of a usual name (admittime, intime, index_date, ...), else as given. A birth
  /// (MEDS_BIRTH, date_of_birth, ...) is never the first event: it becomes the static `age at origin (years)`.
  std::string origin = {};
  /// A column of the outcomes that says when each stay is asked: hours count from there, and a stay may have several
  /// rows, each of which becomes a stay "ID@TIME". "none": there is none. Empty: prediction_time, if it and the events
  /// have dates.
  std::string at_column = {};
  bool leave_out_bad = false;  ///< rows that cannot be read are left out and counted; false: the first is refused
  bool from_config = false;    ///< refusals name keys of a config (--set data.stay=...) in place of options (--stay)
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

/// Fills in what origin and at_column are by the content of the first file and of the outcomes, where its times are
/// dates: a model that learned from these asks the same of new files.
void resolve_by_content(const std::vector<std::string>& paths, EventOptions& options);

/// Whether a file of this name is taken for a table of events in a folder, or for one of outcomes.
bool looks_like_table(const std::string& name);
bool looks_like_outcomes(const std::string& name);

/// Whether EventOptions::time_unit may be this word.
bool is_time_unit(const std::string& word);

}  // namespace fovea::datasets::events
