#pragma once
/// In which units a sensor's numbers are, determined by their quantiles, and which numbers are none of a measurement.

#include <optional>
#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::datasets::rasters {

/// SAR backscatter: 10 log10 of the linear power.
enum class SarUnit { db, linear };
/// Optical: 10000 x reflectance, reflectance 0..1, and 10000 x reflectance + 1000 (processing baseline 04.00 and
/// later).
enum class OpticalUnit { numbers, reflectance, offset_numbers };
const char* name_of(SarUnit unit);      ///< "db", "linear": the words of data.units
const char* name_of(OpticalUnit unit);  ///< "numbers", "reflectance", "offset"

/// What a sensor can measure, in a unit; numbers outside are no data. No backscatter is below -100 dB or above 60 dB,
/// no reflectance above 3.2766, so that the largest numbers of 15 and 16 bits, which stand for nothing, are outside.
struct PossibleRange {
  float low, high;
};
PossibleRange possible_range(SarUnit unit);
PossibleRange possible_range(OpticalUnit unit);

/// Values of each band of a sensor at the same pixels, without NaN.
using BandValues = std::vector<std::vector<float>>;

constexpr std::size_t kFewest = 16;  ///< 4 x 4 pixels; fewer values determine no unit

/// A number that fills pixels without data, though the file does not say so.
struct Fill {
  float number = 0;
  Index count = 0;  ///< of the values that were examined
};
/// Takes them out of the values. A fill stands alone: it is there at least twice, since a single one may be a corner
/// reflector or a glint; the gap to the next number is wider than the range of all others, which no tail of a
/// measurement leaves, and of which at least 16 differ, since classes and masks have such gaps; and it is a number that
/// programs fill with: of nines alone (-9999), -1, or the end of a type of numbers (-32768, 65535, as it is stored:
/// value = scale x stored + offset). Whatever is as large as 1e19 is one, too.
std::vector<Fill> take_fills(BandValues& bands, double scale = 1, double offset = 0);

/// dB if the median is below -3, 99 of 100 are at least -100 and at most 60; linear power if 99 of 100 are 0 to 20 and
/// the median is at most .5 (-3 dB). Nothing if neither, or if 99 of 100 are at least 0
/// in some bands alone.
std::optional<SarUnit> sar_unit(const BandValues& bands);
/// Of 99 of 100 values of the brightest band: reflectance if they reach .02 and at most 2; above that with offset if in
/// each band 999 of 1000 are at least 900 (without it cirrus, water or shadow are darker); numbers if they reach 700,
/// or 300 where the bands fall from green to near infrared, as over water: what is darker may as well be bytes, per
/// cent or 1000 x reflectance, and is nothing. names: of the bands ("B3", "B8"), if they are known.
std::optional<OpticalUnit> optical_unit(const BandValues& bands, const std::vector<std::string>& names = {});

/// sar_unit() or optical_unit().
template <typename Unit>
std::optional<Unit> unit_of(const BandValues& bands, const std::vector<std::string>& names);
template <>
std::optional<SarUnit> unit_of<SarUnit>(const BandValues& bands, const std::vector<std::string>& names);
template <>
std::optional<OpticalUnit> unit_of<OpticalUnit>(const BandValues& bands, const std::vector<std::string>& names);
/// Whether each band has kFewest values.
bool are_enough(const BandValues& bands);
/// By which factor values in no known unit would be dB (1/10, 1/100, 1/1000), or numbers (10, 100).
template <typename Unit>
std::optional<double> fitting_scale(const BandValues& bands, const std::vector<std::string>& names);
template <>
std::optional<double> fitting_scale<SarUnit>(const BandValues& bands, const std::vector<std::string>& names);
template <>
std::optional<double> fitting_scale<OpticalUnit>(const BandValues& bands, const std::vector<std::string>& names);
/// Why values have no unit, without the full stop: where they lie, what the known units need, and the factor that fits.
template <typename Unit>
std::string no_unit_text(const std::string& path, const BandValues& bands, std::optional<double> scale);

/// Throws DataError that starts with the path where more than 1 in 100 values lie outside of what is possible.
template <typename Unit>
void check_possible(const std::string& path, const BandValues& bands, Unit unit);
/// Between which 98 of 100 values lie.
PossibleRange usual_range(const BandValues& bands);

/// The value in another unit; NaN for the dB of nothing.
float converted(float value, SarUnit from, SarUnit to);
float converted(float value, OpticalUnit from, OpticalUnit to);

}  // namespace fovea::datasets::rasters
