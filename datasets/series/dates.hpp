#pragma once
/// Dates as people and programs write them, as days since 1970-01-01.
///
///     2023-12-31  2023/12/31  20231231  2023-12            ISO 8601 and its relatives
///     31.12.2023  31.12.23                                 with points: the day first
///     31/12/2023  12/31/2023  31-12-2023  12/31/23         day or month first: the column has to tell, or who asks
///     12/2023  Jan 1985  1985 Jan  Jan-85  1985M01         a month: its first day
///     31 Dec 2023  31-Dec-2023  Dec 31, 2023               English names of months, whole or three letters
///     1960Q1  1960-Q1  Q1 1960                             a quarter: its first day
///     2020-W07  2020-W07-3  2020W07                        a week of ISO 8601: its Monday
///     2020-060                                             a day of the year (ISO 8601)
///
/// An English name of the day may stand in front. Then nothing, or a T or a blank (and perhaps a comma) and
/// hh:mm[:ss[.f]], perhaps AM or PM, and a Z, an offset such as +02:00 or a zone such as UTC, CET or PDT. Years of two
/// digits are 1969 to 2068, as POSIX has them.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::datasets::series {

/// Whether 03/04/2020 is in April or in March.
enum class DayMonth { unknown, day_first, month_first };

/// Nothing for a text that is no date; and for one that needs to know what comes first, if that is unknown.
std::optional<double> date_of(std::string_view text, DayMonth order = DayMonth::unknown);

/// Whether the text is a date in one of the two orders.
bool is_date(std::string_view text);
/// Whether it is one whose day and month can stand in either order by the way it is written: 13/01/2020 too.
bool is_slash_date(std::string_view text);

/// YYYY-MM-DD, with hh:mm:ss where it is not midnight.
std::string date_text(double days);

/// Finds out from a whole column of dates what comes first.
class DayMonthEvidence {
 public:
  void add(std::string_view cell);
  /// unknown: the column can be read both ways. Where it can be read in neither, the one that more rows allow.
  /// In both ways: the order in which times ascend (or descend) throughout and the other does not; or else the one in
  /// which they are evenly spaced and the other not.
  DayMonth order() const;
  std::string reason() const;  ///< of the order: "row 14 has 13/01/2020", "so they ascend", ...
  const std::string& example() const { return example_; }  ///< of a date that can be read both ways

 private:
  struct Reading {
    std::size_t dates = 0, falls = 0, rises = 0;
    std::vector<double> times;
    std::string proof;  ///< a date that only this order allows
    void add(std::optional<double> date);
    bool is_monotone() const { return rises == 0 || falls == 0; }
  };
  Reading day_first_, month_first_;
  std::string example_;
};

}  // namespace fovea::datasets::series
