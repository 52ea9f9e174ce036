#pragma once
/// Fields of five crops over a year and a half, as Sentinel-1 and Sentinel-2 would see them.

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/fields/field_series.hpp"

namespace fovea::datasets::fields {

/// Names of the labels 0 ... 4.
extern const std::vector<std::string> kCropNames;

/// Greenness g(t) of a crop is a product of two logistic curves (Beck et al. 2006): it rises about a day and falls
/// about another, both drawn for each field (deviation 12 days); grass is green all year and is cut. Red and
/// near-infrared reflectances mix those of soil and leaves by g; VH and VV rise with g, by amounts that differ between
/// crops, plus speckle of stated looks (deviation 4.34 / sqrt(looks) dB). Two crops have the same calendar and differ
/// in backscatter alone, two others the same backscatter and differ in calendar alone. Clouds hide S2 for whole
/// stretches of dates, a share of `cloud` of all; S1 misses a date with probability 0.05. Ten-day steps, 51 of them.
struct CropFieldSettings {
  double cloud = 0.45, looks = 30;
};
FieldSeries crop_fields(Index count, const CropFieldSettings& settings, const Random& random);

}  // namespace fovea::datasets::fields
