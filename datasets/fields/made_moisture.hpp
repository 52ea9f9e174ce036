#pragma once
/// A table of fuel moisture whose noise is known, as Sentinel-1, Sentinel-2 and the weather would tell it.

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/fields/moisture_table.hpp"

namespace fovea::datasets::fields {

/// Moisture of a row: 95 + dryness of its site (deviation 12) + 25 sin of the season + 22 w, w a standard normal number
/// that is the plants' own, all in per cent, + noise of the measurement. Over trees the canopy is closed: VH rises by 2
/// dB with w and optics does not change; over shrub B11 falls with w and backscatter does not change; over grass both
/// do, half as much. Temperature follows season and latitude, precipitation the dryness. Three months a row, of which
/// the last shows w most.
struct MadeMoistureSettings {
  Index rows_of_site = 12;
  double noise = 12;  ///< per cent
  double looks = 30;
};
MoistureTable made_moisture(Index sites, const MadeMoistureSettings& settings, const Random& random);

}  // namespace fovea::datasets::fields
