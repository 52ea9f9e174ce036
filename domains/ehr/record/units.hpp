#pragma once
/// The unit in which an experiment counts the times of its records: hours of a stay, or years of a life.

#include <string>
#include <vector>

namespace fovea::ehr::record {

struct RecordUnit {
  std::string symbol;    ///< of Cases::time_unit: "h", "d", "yr"
  std::string singular;  ///< "hour"
  std::string plural;    ///< "hours": a value of the key data.unit
  double hours = 1;      ///< that one of it has; a year has 365.25 days
};

/// hours, days, years.
const std::vector<RecordUnit>& record_units();

/// The unit of this plural or symbol. Throws ArgumentError for another word.
const RecordUnit& record_unit(const std::string& word);

}  // namespace fovea::ehr::record
