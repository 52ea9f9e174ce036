#pragma once
/// Cells of a file of events: values and times. Internal to datasets/events.

#include <optional>
#include <string_view>

#include "fovea/datasets/events/builder.hpp"
#include "fovea/datasets/events/columns.hpp"

namespace fovea::datasets::events {

/// A number with a decimal point, blanks and a '+' in front allowed; where commas do not separate, with a decimal comma
/// too. Nothing for an infinite one.
std::optional<double> number_of(std::string_view cell, bool decimal_comma);

/// What a cell says of a value.
struct EventValue {
  double number = kNan;  ///< NaN: nothing
  int limit = 0;         ///< -1: "<0.1", read as half of the limit; 1: ">200", read as the limit
};

/// The value in a cell of the reader's row; NaN for an empty one and for NA, NaN, null. Half of a limit of detection is
/// what stands for the values below it where nothing else is known of them (Hornung and Reed 1990). Throws
/// text::RowFault with file, row and column for a text, for what is infinite, and for "<-3".
EventValue event_value(const text::CsvReader& reader, std::size_t column, bool decimal_comma);

/// The time in a cell: a number of this unit, a date of ISO 8601, or nothing. Throws text::RowFault for all else, and
/// for a number where no unit is known, which says how to give it.
EventTime event_time(const text::CsvReader& reader, std::size_t column, TimeUnit unit, bool decimal_comma,
                     const EventOptions& options);

/// Whether a number of seconds is one that clocks count from 1970, in a year from 2001 to 2099.
bool is_clock_time(double seconds);

/// text::trimmed(), faster where nothing is to be cut off.
std::string_view bare(std::string_view cell);

/// "07:12" of the challenge: hours and minutes since admission.
std::optional<double> clock_hours(std::string_view cell);

/// Takes all rows that follow; those at fault are left out where the builder's options say so. Whether there was one.
template <typename TakeRow>
bool take_rows(text::CsvReader& reader, StayBuilder& builder, const TakeRow& take_row) {
  for (bool any = false;; any = true) {
    try {
      if (!reader.next()) return any;
      take_row();
    } catch (const text::RowFault& fault) {
      builder.leave_out(fault);
    }
  }
}

/// Where the reader's row stands.
class CsvPlace : public RowPlace {
 public:
  CsvPlace(const std::string& path, const text::CsvReader& reader) : path_(path), reader_(reader) {}
  std::string text() const override;

 private:
  const std::string& path_;
  const text::CsvReader& reader_;
};

}  // namespace fovea::datasets::events
