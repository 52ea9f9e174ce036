#include "fovea/domains/ehr/record/units.hpp"

#include "fovea/core/base/error.hpp"

namespace fovea::ehr::record {

const std::vector<RecordUnit>& record_units() {
  static const std::vector<RecordUnit> units{
      {"h", "hour", "hours", 1}, {"d", "day", "days", 24}, {"yr", "year", "years", 24 * 365.25}};
  return units;
}

const RecordUnit& record_unit(const std::string& word) {
  for (const RecordUnit& unit : record_units())
    if (word == unit.plural || word == unit.symbol) return unit;
  throw ArgumentError(concat("record_unit: '", word, "' is no unit of a record; there are hours, days and years."));
}

}  // namespace fovea::ehr::record
