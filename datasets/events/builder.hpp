#pragma once
/// Puts rows of events together as Stays. Internal to datasets/events.
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/datasets/events/name_list.hpp"
#include "fovea/datasets/events/read.hpp"
#include "fovea/datasets/events/row_store.hpp"
#include "fovea/datasets/events/stays.hpp"
#include "fovea/datasets/text/row_fault.hpp"

namespace fovea::datasets::events {

// What is read at most; beyond it a file is refused.
constexpr std::size_t kMostRows = 200'000'000;
constexpr std::size_t kMostStays = 10'000'000;
constexpr std::size_t kMostEventsOfStay = 1'000'000;
constexpr std::size_t kMostVariables = 65'535;
constexpr std::size_t kLongestName = 200;  ///< bytes, of ids and of variables
constexpr double kMostHours = 2e6;         ///< from the origin of times: 228 years

/// Where a row stands, for a message: "FILE:row 7".
struct RowPlace {
  virtual ~RowPlace() = default;
  virtual std::string text() const = 0;
};

struct EventTime {
  enum class Kind { none, hours, date } kind = Kind::none;
  double number = 0;      ///< hours, or seconds since 1970 of a date
  bool has_zone = false;  ///< a date that says how far its clock is from UTC, and was counted in UTC
};

struct EventRow {
  std::string_view stay, variable;
  EventTime time;
  double value = kNan;  ///< NaN: none
  std::optional<std::string_view> patient = {};
  EventTime origin = {};       ///< of the stay, by a column; none: the row does not say
  std::string_view unit = {};  ///< of the value; empty: the row does not say
  int limit = 0;               ///< -1: the value lay below a limit, 1: above one
};

inline constexpr std::string_view kAgeAtOrigin = "age at origin (years)";  ///< what births become

/// What a builder put together, handed out stay after stay.
class BuiltStays {
 public:
  BuiltStays(Stays index, RowsOfStays rows, std::vector<double> origins, std::vector<std::uint16_t> places);
  /// All but the events and statics, which are handed out by append_next().
  Stays& index() { return index_; }
  /// In hours, or in seconds since 1970, as the times of the events.
  void set_origins(std::vector<double> origins) { origins_ = std::move(origins); }
  /// Adds the events and statics of the next stay to those of `to`: in order, and nothing else. The same in two steps,
  /// for a stay whose hours count from several times: the second may be repeated.
  void append_next(Stays& to);
  void take_next() { rows_.next(taken_); }
  void append_taken(double origin, Stays& to);

 private:
  void prepare(double origin);
  Stays index_;
  RowsOfStays rows_;
  std::vector<double> origins_;          // of each stay; empty: all 0
  std::vector<std::uint16_t> places_;    // by number of the variable: where its name stands
  std::vector<bool> challenge_statics_;  // by place
  std::optional<std::uint16_t> age_;     // place of what births become
  std::vector<StoredRow> stay_, taken_;
  std::size_t next_ = 0;
};

class StayBuilder {
 public:
  /// limit: rows that are kept in memory.
  StayBuilder(std::size_t limit, const EventOptions& options)
      : limit_(limit), options_(options), distinct_(options.distinct.begin(), options.distinct.end()), rows_(limit) {}

  /// Rows of one file follow. Only within a file must a stay's rows stand together to be called sorted.
  void next_file() { ++file_; }
  /// A stay, with or without rows. Throws as add() does.
  std::uint32_t stay(std::string_view id, const RowPlace& place);
  /// Throws text::RowFault at `place` for an id or a name that is empty or too long, a value that no float holds, and
  /// for a patient, an origin or a kind of time that contradicts an earlier row: nothing of the row is kept then.
  /// DataError beyond the limits; StorageError.
  void add(const EventRow& row, const RowPlace& place);

  bool has_stay(std::string_view id) const { return stays_.find(id).has_value(); }
  void note(std::string sentence) { facts_.notes.push_back(std::move(sentence)); }
  /// why: "no numbers"
  void note_unread(const std::string& column, const char* why) { facts_.unread[why].insert(column); }
  void see_wide_file() { ++facts_.wide_files; }
  /// Counts the row of this fault as left out where that was asked for. Throws DataError with the way to it else.
  void leave_out(const text::RowFault& fault);
  void see_origin_column(const std::string& name) { origin_column_ = name; }  ///< a file has it

  /// The end, once. In the challenge's vocabulary -1 in Age, Gender, Height, Weight and ICUType is missing, and these
  /// five at minute 0 are statics. Throws DataError where some stays have the origin that was asked for and others not.
  BuiltStays finish();

 private:
  struct StayState {
    std::uint32_t rows = 0, file = 0;
    double last = 0, first = kNan, birth = kNan, origin = kNan;
  };
  struct UnitState {
    std::string plain, shown;
    std::set<std::uint32_t> stays = {};  // the first 20
    Index values = 0, step = 1;
    std::vector<float> some = {};  // evenly among all: beyond 1,024 every other is forgotten, and of the next
  };
  struct VariableState {
    Index minus_ones = 0;
    bool is_distinct = false, is_birth = false, is_origin = false;
    std::set<float> values = {};
    std::vector<UnitState> units = {};
  };
  std::uint32_t variable(std::string_view name, const RowPlace& place);
  void check_row(const EventRow& row, const RowPlace& place) const;
  void see_patient(std::uint32_t stay, std::string_view patient);
  void see_unit(VariableState& variable, std::uint32_t stay, const EventRow& row, float value) const;
  static void see_start(StayState& state, const EventRow& row, const VariableState& variable);
  void put_units(Stays& index) const;
  void see_order(std::uint32_t stay, const EventTime& time, const RowPlace& place);
  void put_patients(Stays& index);
  std::vector<std::uint16_t> place_variables(Stays& index);
  std::vector<double> origins(const std::vector<std::string>& ids, ReadingFacts& facts) const;

  std::size_t limit_;
  const EventOptions& options_;
  std::set<std::string, std::less<>> distinct_;
  NameList stays_, variables_, patients_;
  std::vector<StayState> states_;
  std::vector<VariableState> of_variable_;
  std::vector<std::uint32_t> patient_of_;  // of a stay, where the files name patients
  RowStore rows_;
  std::vector<RowRun> runs_;
  std::uint32_t file_ = 0, last_stay_ = 0;
  EventTime::Kind kind_ = EventTime::Kind::none;
  bool has_zones_ = false;  // of dates: all of them, or none
  std::string origin_column_;
  ReadingFacts facts_;
};

}  // namespace fovea::datasets::events
