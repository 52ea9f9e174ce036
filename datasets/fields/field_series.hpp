#pragma once
/// Fields seen by Sentinel-1 and Sentinel-2 over time, as a file holds them: one row a field, the same dates for all.
///
/// HDF5: `s1` [fields, dates, 2] (VV, VH), `s2` [fields, dates, bands], `time` [dates] in seconds since 1970; either
/// sensor may be absent. Attribute `bands` of an array names its bands. Whole numbers: s1 is a digital number v of
/// backscatter, 20 log10(v) - 83 dB; s2 is 10,000 times the reflectance; 65535 is missing. Reals: s1 is dB and s2
/// reflectance, NaN is missing. Labels: `class4` or another array of a number a field. `fold`, `sample_id`: if there.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::datasets::fields {

/// One sensor's numbers: a row a field and date, fields one after the other; NaN is missing.
struct SensorSeries {
  std::vector<std::string> bands;  ///< "VV", "B04"
  Matrix<double> values;           ///< (fields * dates) x bands: dB, or reflectance; no rows: not in the file
};

struct FieldSeries {
  std::vector<double> days;  ///< since 1970-01-01, rising
  SensorSeries s1, s2;
  std::vector<std::string> ids;      ///< one a field; of their places where the file names none
  std::vector<std::int64_t> labels;  ///< one a field, or none
  std::vector<Index> folds;          ///< one a field, or none
  std::vector<std::pair<std::string, std::string>> left_out = {};  ///< of fields: the reason, and the place
  Index count() const { return static_cast<Index>(ids.size()); }
  Index dates() const { return static_cast<Index>(days.size()); }
};

/// label: the array of labels; that may be absent, as may folds. leave_out_bad: a field with a number that cannot be is
/// left out, unless most are. Throws DataError with file, array and rule.
FieldSeries read_field_series(const std::string& path, const std::string& label, bool leave_out_bad = false);

}  // namespace fovea::datasets::fields
