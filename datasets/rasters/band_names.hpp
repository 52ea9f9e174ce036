#pragma once
/// Which band of Sentinel-1 or Sentinel-2 a name means.

#include <optional>
#include <string>
#include <string_view>

namespace fovea::datasets::rasters {

/// "B2" of "B02", "b2", "S2-L2A-B02", "B2 - Blue" and of the names of catalogues (STAC: blue, nir, swir16, ...); "VV"
/// of "Sigma0_VV_db". "" for all others, such as "VV_mask", whose other words are none of a sensor, a level or a unit.
std::string band_called(std::string_view name);

/// The same with two digits, as stacks name bands: "B02" of "blue"; nothing for all others.
std::optional<std::string> stack_band(std::string_view name);

}  // namespace fovea::datasets::rasters
