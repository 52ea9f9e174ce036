#pragma once
/// What a file of dated events holds, in aggregates: quantiles and counts of stays, of which fewer than kFewestStays
/// are not shown, so that no single patient can be told.

#include <optional>
#include <string>
#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/study/cases/reading.hpp"
#include "fovea/datasets/events/stays.hpp"
#include "fovea/domains/ehr/inspect/ranges.hpp"

namespace fovea::ehr::inspect {

constexpr Index kFewestStays = 10;

/// Nothing below kFewestStays, but 0.
std::optional<Index> shown_count(Index stays);

/// 5 %, median and 95 %; NaN where fewer than kFewestStays stays lie beyond: the median needs 20, the others 200.
struct Spread {
  double low = kNan, median = kNan, high = kNan;
};

/// Share of stays with the outcome; both NaN where one of the four cells has fewer than kFewestStays stays, but for a
/// group without any stay.
struct OutcomeShares {
  double with = kNan, without = kNan;  ///< among stays with the variable, and among those without
};

struct VariableFacts {
  std::string name;
  bool is_static = false;   ///< it never has a time
  Index stays = 0;          ///< that have it
  Index events = 0;         ///< with a value or without
  Index without_value = 0;  ///< of these
  Spread values;
  double median_gap_hours = kNan;  ///< between two times of a stay
  OutcomeShares outcome;
  std::optional<PhysiologicalRange> range;
  Index impossible = 0, impossible_stays = 0;  ///< values outside the range, and stays that have one
  double code = kNan;                          ///< the one value below 0 of a variable that is else never: -1, -999
  Index coded = 0, coded_stays = 0;            ///< how often, and in how many stays
  Index missing_codes = 0;                     ///< the challenge's -1, left out
};

struct EventFacts {
  Index stays = 0, patients = 0, rows = 0, events = 0, statics = 0, without_events = 0;
  Spread events_of_stay, times_of_stay, last_hour;
  Index repeated = 0;     ///< moments of a stay at which a variable has several values
  Index conflicting = 0;  ///< of these, with different values
  Index missing_codes = 0;
  bool is_wide = false;                  ///< some file is a wide table: rows counts its values
  std::string outcome;                   ///< empty: none
  Index with_outcome = 0, known = 0;     ///< stays
  Index folds = 0;                       ///< 0: none given
  std::vector<VariableFacts> variables;  ///< by their number of stays, then by name
  study::Reading reading;                ///< of all events, whenever a stay is asked
};

EventFacts facts_of(const datasets::events::Stays& stays);

}  // namespace fovea::ehr::inspect
