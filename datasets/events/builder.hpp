#pragma once
/// Puts rows of events together as Stays. Internal to datasets/events.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/datasets/events/name_list.hpp"
#include "fovea/datasets/events/stays.hpp"

namespace fovea::datasets::events {

// What is read at most; beyond it a file is refused. While it is read a row takes 24 bytes, then an event 10.
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

class StayBuilder {
 public:
  /// Rows of one file follow. Only within a file must a stay's rows stand together to be called sorted.
  void next_file() { ++file_; }

  /// A stay, with or without rows. Throws DataError at `place` for an id that is empty or too long.
  std::uint32_t stay(std::string_view id, const RowPlace& place);
  /// Throws DataError at `place` beyond the limits, for a value that no float holds, and for a patient, or a kind of
  /// time, that contradicts an earlier row.
  void add(const EventRow& row, const RowPlace& place);

  bool has_stay(std::string_view id) const { return stays_.find(id).has_value(); }
  void note(std::string sentence) { facts_.notes.push_back(std::move(sentence)); }

  /// The end: sorts within each stay. In the challenge's vocabulary -1 in Age, Gender, Height, Weight and ICUType is
  /// missing, and these five at minute 0 are statics. The builder is empty then.
  Stays finish();

 private:
  struct Row {
    double time = 0;
    float value = 0;
    std::uint32_t stay = 0;
    std::uint16_t kind = 0;
    bool is_static = false;
  };
  static constexpr std::size_t kRowsOfBlock = 1U << 14;
  struct StayState {
    std::size_t rows = 0;
    std::uint32_t file = 0;
    double last = 0, first_date = kNan;
  };
  void see_patient(std::uint32_t stay, std::string_view patient, const RowPlace& place);
  void see_order(std::uint32_t stay, const EventTime& time, const RowPlace& place);
  class Finish;

  NameList stays_, variables_, patients_;
  std::vector<StayState> states_;
  std::vector<std::uint32_t> patient_of_;  // of a stay, where the files name patients
  std::vector<std::vector<Row>> blocks_;   // of kRowsOfBlock rows: none is copied as they grow
  std::size_t rows_ = 0;
  std::uint32_t file_ = 0, last_stay_ = 0;
  bool together_ = true;  // the rows of all stays, so far
  EventTime::Kind kind_ = EventTime::Kind::none;
  ReadingFacts facts_;
};

}  // namespace fovea::datasets::events
