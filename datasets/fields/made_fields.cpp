#include "fovea/datasets/fields/made_fields.hpp"

#include <cmath>

#include "fovea/core/base/missing.hpp"

namespace fovea::datasets::fields {

const std::vector<std::string> kCropNames{"winter cereal", "winter oilseed", "summer maize", "summer beet", "grass"};

namespace {

constexpr Index kDates = 51;
constexpr double kStep = 10, kFirstDay = 19236;  // 2022-09-01
constexpr double kSpread = 12;                   // days between fields of a crop

/// Calendar (days since the first date) and backscatter of a crop.
struct Crop {
  double rise, fall, vv, vh;  ///< vv, vh: dB that full cover adds
};
constexpr Crop kCrops[] = {
    {180, 300, -1.5, 2.0}, {180, 300, 1.5, 4.5}, {270, 390, 1.0, 4.0}, {270, 430, 1.0, 4.0}, {0, 0, 0.5, 1.5}};

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

double greenness(const Crop& crop, double day, double shift, double end_shift) {
  if (crop.fall == 0) return 0.65 + 0.2 * std::sin((day + 4 * shift) / 25);
  return logistic((day - crop.rise - shift) / 10) * logistic((crop.fall + end_shift - day) / 8);
}

/// Whether clouds hide the stretch of dates that a date lies in; stretches are three dates long, and shifted by field.
bool is_cloudy(const Random& random, std::uint64_t field, Index date, double share) {
  const auto shifted = static_cast<std::uint64_t>(date) + random.below(3, field, 9999);
  return random.uniform(field, shifted / 3) < share;
}

}  // namespace

FieldSeries crop_fields(Index count, const CropFieldSettings& settings, const Random& random) {
  const Random of_field = random.stream("fields"), of_radar = random.stream("speckle"),
               of_optics = random.stream("optics"), of_clouds = random.stream("clouds");
  FieldSeries series;
  for (Index k = 0; k < kDates; ++k) series.days.push_back(kFirstDay + kStep * static_cast<double>(k));
  series.s1 = {{"VV", "VH"}, Matrix<double>(count * kDates, 2)};
  series.s2 = {{"B04", "B08", "B11"}, Matrix<double>(count * kDates, 3)};
  const double speckle = 4.34 / std::sqrt(settings.looks);
  for (Index f = 0; f < count; ++f) {
    const auto field = static_cast<std::uint64_t>(f);
    const std::uint64_t kind = of_field.below(std::size(kCrops), field, 0);
    const Crop& crop = kCrops[kind];
    const double shift = kSpread * of_field.normal(field, 1), end_shift = kSpread * of_field.normal(field, 2),
                 soil = 0.02 * of_field.normal(field, 3), level = 0.8 * of_field.normal(field, 4);
    series.ids.push_back(std::to_string(f));
    series.labels.push_back(static_cast<std::int64_t>(kind));
    for (Index k = 0; k < kDates; ++k) {
      const Index row = f * kDates + k;
      const auto at = static_cast<std::uint64_t>(row);
      const double g = greenness(crop, kStep * static_cast<double>(k), shift, end_shift);
      const bool seen = of_radar.uniform(at, 7) >= 0.05, clear = !is_cloudy(of_clouds, field, k, settings.cloud);
      series.s1.values.row(row) << (seen ? -11 + level + crop.vv * g + speckle * of_radar.normal(at, 0) : kNan),
          (seen ? -19 + level + crop.vh * g + speckle * of_radar.normal(at, 1) : kNan);
      const double noise = 0.015;
      series.s2.values.row(row) << (clear ? 0.16 + soil - 0.12 * g + noise * of_optics.normal(at, 0) : kNan),
          (clear ? 0.22 + soil + 0.25 * g + noise * of_optics.normal(at, 1) : kNan),
          (clear ? 0.26 + soil - 0.08 * g + noise * of_optics.normal(at, 2) : kNan);
    }
  }
  return series;
}

}  // namespace fovea::datasets::fields
