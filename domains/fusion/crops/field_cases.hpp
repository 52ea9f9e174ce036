#pragma once
/// Fields as cases: a token for each sensor and date that is there.

#include <string>
#include <vector>

#include "fovea/core/study/cases/cases.hpp"
#include "fovea/datasets/fields/field_series.hpp"

namespace fovea::fusion::crops {

/// Columns: VV, VH, VH - VV of S1 (dB); each band of S2, and the normalised difference of each of these pairs that it
/// has: B08 B04 (NDVI, Tucker 1979), B08 B11 (NDMI, Gao 1996), B03 B08 (NDWI, McFeeters 1996), B06 B05, B11 B12.
/// Tokens are of the classes s1 and s2, at times in days; a date with a missing number is left out. classes: labels in
/// the order of the target; other labels are not known (NaN). bands: of S2, those that a model wants; a file without S2
/// has no tokens of it. Throws DataError that starts with `source` for a file whose S2 lacks one.
study::Cases cases_of_fields(const std::string& source, const datasets::fields::FieldSeries& series,
                             const std::vector<std::string>& bands, const std::vector<std::string>& classes);

/// The labels that at least `least` fields have, ascending, as texts.
std::vector<std::string> frequent_labels(const datasets::fields::FieldSeries& series, Index least);

}  // namespace fovea::fusion::crops
