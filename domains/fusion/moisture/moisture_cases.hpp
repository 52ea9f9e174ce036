#pragma once
/// Rows of a table of fuel moisture as cases: a token for each sensor and month; and as rows for trees.

#include <string>

#include "fovea/core/study/cases/cases.hpp"
#include "fovea/datasets/fields/moisture_table.hpp"

namespace fovea::fusion::moisture {

/// Tokens are of the classes s1 and s2, at times 0, 1, ... in months; a month in which one of a sensor's numbers is
/// missing has no token of it. Columns: VV, VH, VV - VH of S1 (dB); the bands of S2 in the file, and the normalised
/// differences that there are bands for, B8 B4 (NDVI, Tucker 1979), B8 B11 (NDMI, Gao 1996), B8 B12, B3 B8 (NDWI,
/// McFeeters 1996), B12 B11; and, on tokens of both sensors, whatever else the file has of the month: weather and
/// relief, the cosine and sine of the month of the year, land cover as categories, latitude and longitude. Cases are
/// grouped by site, or else by place.
study::Cases cases_of_moisture(const datasets::fields::MoistureTable& table);

/// The sensor (kSensorNames) that alone has such a column, -1 for columns of both.
Index sensor_of_feature(const std::string& name);

/// A row a case for trees: each feature in each of the first `months` months, NaN where no token has it. What both
/// sensors' tokens have stands once.
Matrix<float> columns_of_moisture(const study::Cases& cases, Index months);

/// Training and test rows: those of is_test. Throws DataError where there are none of either, or a site is on both
/// sides.
struct MoistureSides {
  std::vector<Index> training, test;
};
MoistureSides sides_of_moisture(const std::string& source, const datasets::fields::MoistureTable& table);

}  // namespace fovea::fusion::moisture
