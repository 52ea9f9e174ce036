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
#include "fovea/datasets/events/row_store.hpp"
#include "fovea/datasets/events/stays.hpp"

namespace fovea::datasets::events {

// What is read at most; beyond it a file is refused.
constexpr std::size_t kMostRows = 200'000'000;
constexpr std::size_t kMostStays = 10'000'000;
constexpr std::size_t kMostEventsOfStay = 1'000'000;
constexpr std::size_t kMostVariables = 65'535;
constexpr std::size_t kLongestName = 200;  ///< bytes, of ids and of variables
constexpr double kMostHours = 2e6;         ///< from the origin of times: 228 years

/// Where a row stands, for a message: "FILE:row 7".
class RowPlace {
 public:
  virtual ~RowPlace() = default;
  virtual std::string text() const = 0;
};

/// What a time cell says.
struct EventTime {
  enum class Kind { none, hours, date } kind = Kind::none;
  double number = 0;  ///< hours, or seconds since 1970 of a date
};

struct EventRow {
  std::string_view stay, variable;
  EventTime time;
  double value = kNan;  ///< NaN: none
  std::optional<std::string_view> patient = {};
};

/// What a builder put together, handed out stay after stay.
class BuiltStays {
 public:
  BuiltStays(Stays index, RowsOfStays rows, std::vector<double> origins, std::vector<std::uint16_t> places);
  /// All but the events and statics, which are handed out by append_next().
  Stays& index() { return index_; }
  /// Adds the events and statics of the next stay to those of `to`: in order, and nothing else.
  void append_next(Stays& to);

 private:
  void prepare();
  Stays index_;
  RowsOfStays rows_;
  std::vector<double> origins_;        // of dates: seconds since 1970 of the midnight before the stay's first; or empty
  std::vector<std::uint16_t> places_;  // by number of the variable: where its name stands
  std::vector<bool> challenge_statics_;  // by place
  std::vector<StoredRow> stay_;
  std::size_t next_ = 0;
};

class StayBuilder {
 public:
  /// limit: rows that are kept in memory. distinct: variables whose values are collected (ReadingFacts::distinct).
  explicit StayBuilder(std::size_t limit, const std::vector<std::string>& distinct = {})
      : limit_(limit), distinct_(distinct.begin(), distinct.end()), rows_(limit) {}

  /// Rows of one file follow. Only within a file must a stay's rows stand together to be called sorted.
  void next_file() { ++file_; }

  /// A stay, with or without rows. Throws DataError at `place` for an id that is empty or too long.
  std::uint32_t stay(std::string_view id, const RowPlace& place);
  /// Throws DataError at `place` beyond the limits, for a value that no float holds, and for a patient, or a kind of
  /// time, that contradicts an earlier row; StorageError.
  void add(const EventRow& row, const RowPlace& place);

  bool has_stay(std::string_view id) const { return stays_.find(id).has_value(); }
  void note(std::string sentence) { facts_.notes.push_back(std::move(sentence)); }

  /// The end, once. In the challenge's vocabulary -1 in Age, Gender, Height, Weight and ICUType is missing, and these
  /// five at minute 0 are statics.
  BuiltStays finish();

 private:
  struct StayState {
    std::uint32_t rows = 0, file = 0;
    double last = 0, first_date = kNan;
  };
  struct VariableState {
    Index minus_ones = 0;
    bool is_distinct = false;
    std::set<float> values = {};
  };
  std::uint32_t variable(std::string_view name, const RowPlace& place);
  void see_patient(std::uint32_t stay, std::string_view patient, const RowPlace& place);
  void see_time(const EventTime& time, const RowPlace& place);
  void see_order(std::uint32_t stay, const EventTime& time, const RowPlace& place);
  void put_patients(Stays& index);
  std::vector<std::uint16_t> place_variables(Stays& index);
  std::vector<double> origins() const;

  std::size_t limit_;
  std::set<std::string, std::less<>> distinct_;
  NameList stays_, variables_, patients_;
  std::vector<StayState> states_;
  std::vector<VariableState> of_variable_;
  std::vector<std::uint32_t> patient_of_;  // of a stay, where the files name patients
  RowStore rows_;
  std::vector<RowRun> runs_;
  std::uint32_t file_ = 0, last_stay_ = 0;
  EventTime::Kind kind_ = EventTime::Kind::none;
  ReadingFacts facts_;
};

}  // namespace fovea::datasets::events
