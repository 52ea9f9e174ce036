#pragma once
/// The insides of read_outcomes(). Internal to datasets/events.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fovea/datasets/events/builder.hpp"
#include "fovea/datasets/events/read.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::events {

/// What tables of outcomes say of times. Nothing where no column of times was asked for or recognised.
struct OutcomeTimes {
  std::string column;
  bool asked = false;                  ///< when each is asked: a row of a table is a case; else an origin a stay
  std::vector<double> times;           ///< a case, or a stay (NaN: none); hours, or seconds since 1970
  std::vector<std::uint32_t> stay_of;  ///< where cases are asked: the stay of each, ascending
};

/// Reads them all: files of options.outcomes, or those that lay beside the events, at least one in all. Outcomes are
/// put beside the stays; where these are asked at times of their own, each case becomes an entry of ids, patients,
/// folds and outcomes, by stay and time. Throws DataError.
OutcomeTimes read_outcome_tables(Stays& stays, std::vector<text::CsvText> beside, const std::vector<std::string>& paths,
                                 const EventOptions& options);

/// Columns of stays and `fold`, whole numbers from 0. Throws DataError where a stay has no fold or two, or a patient
/// lies in two.
void read_folds(Stays& stays, const std::string& path, const EventOptions& options);

}  // namespace fovea::datasets::events
