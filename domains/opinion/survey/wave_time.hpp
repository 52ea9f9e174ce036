#pragma once
/// When a wave of a survey was asked: a number, or a date in any of the forms of datasets/series/dates.hpp.

#include <string>

#include "fovea/datasets/series/dialect.hpp"

namespace fovea::opinion::survey {

struct WaveTime {
  double at = 0;       ///< the number as it stands; of a date, days since 1970-01-01
  bool dated = false;  ///< 2020-03, Mar 2020, 2020-03-31, 20200331, 202003, 2020Q1, ...
};

/// The cell of the reader's row. Six digits are a year and a month where they can be (190001 to 209912). Throws
/// DataError with file, row and column for an empty cell, for another text, and for a date whose day and month can be
/// exchanged.
WaveTime wave_time(const datasets::text::CsvReader& table, std::size_t column,
                   const datasets::text::CsvOptions& dialect);

/// Days since 1970-01-01 as years: 2020-07-01 is 2020.497.
double years_of(double days);

/// How messages call it: "2020-03", "2020-03-31"; a time that is no date as a number.
std::string wave_text(const WaveTime& time);

}  // namespace fovea::opinion::survey
