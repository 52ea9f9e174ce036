#include "fovea/datasets/rasters/sensor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/rasters/band_names.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::rasters {

namespace {

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN(), kLargest = std::numeric_limits<float>::max();
constexpr float kOftenNone = -9999;       // fills where nothing else is known of a raster
constexpr Index kAcross = 4, kSide = 48;  // windows that are examined

std::string listed_bands(const std::vector<std::string>& names) {
  return text::listed(names, [](const std::string& name) { return text::shown_text(name); });
}

/// "b02" is as good as "B2".
bool is_spelling(const std::string& name, const std::string& band) {
  std::string plain;
  for (const char letter : name)
    if (letter != '0' || plain != "B")
      plain += static_cast<char>(letter >= 'a' && letter <= 'z' ? letter - 32 : letter);
  return plain == band;
}

bool contradict(SarUnit stated, SarUnit told) { return stated != told; }
/// A bright scene in numbers may look like one with offset.
bool contradict(OpticalUnit stated, OpticalUnit told) {
  return (stated == OpticalUnit::reflectance) != (told == OpticalUnit::reflectance);
}

}  // namespace

Sensor::Sensor(const std::string& path, std::size_t cache, bool dark_below)
    : layer(path, cache), possible_{-kLargest, kLargest, dark_below ? -kLargest : 0.F} {
  if (layer.facts().has_palette)
    throw DataError(concat(path, ": has a palette, so its numbers stand for colours; give the values themselves."));
}

void Sensor::choose_bands(const std::vector<std::string>& wanted, const std::vector<std::string>& usual,
                          std::vector<std::string>& notes) {
  std::vector<std::string> there, shown, renamed, left;
  std::vector<Index> places;
  const std::vector<BandFacts>& bands = layer.facts().bands;
  for (std::size_t b = 0; b < bands.size(); ++b) {
    if (bands[b].is_alpha) continue;
    places.push_back(static_cast<Index>(b));
    there.push_back(band_called(bands[b].name)), shown.push_back(there.back().empty() ? bands[b].name : there.back());
    if (!there.back().empty() && !is_spelling(bands[b].name, there.back()))
      renamed.push_back(concat(bands[b].name, " as ", there.back()));
  }
  const bool unnamed = std::all_of(shown.begin(), shown.end(), [](const auto& name) { return name.empty(); });
  const std::vector<std::string>& assumed = wanted.empty() ? usual : wanted;
  if (unnamed && there.size() != assumed.size())
    throw DataError(concat(path(), ": has ", there.size(), " bands without names, but ", assumed.size(),
                           " are wanted (", listed_bands(assumed), "); name them (gdal_edit.py, gdal_translate -b)."));
  if (unnamed) notes.push_back(concat(path(), ": its bands have no names; ", listed_bands(assumed), " is assumed"));
  names_ = assumed;
  for (std::size_t b = 0; unnamed && b < there.size(); ++b) there[b] = band_called(assumed[b]);
  if (wanted.empty() && !unnamed) {
    names_.clear();
    for (const std::string& name : there)  // of its own sensor
      if (!name.empty() && (name[0] == 'B') == (usual.front()[0] == 'B')) names_.push_back(name);
  }
  if (names_.empty())
    throw DataError(concat(path(), ": has the bands ", listed_bands(shown), ", of which none is known (",
                           listed_bands(usual), "); name its bands (gdal_edit.py, gdal_translate -b)."));
  std::vector<std::uint8_t> taken(there.size(), 0);
  for (const std::string& name : names_) {
    const std::string band = band_called(name);
    const auto found = std::find(there.begin(), there.end(), band);
    if (band.empty() || std::count(there.begin(), there.end(), band) != 1)
      throw DataError(concat(path(), ": has the bands ", listed_bands(shown), ", but must have ",
                             text::shown_text(name), " once; name its bands or choose others (gdal_translate -b)."));
    taken[found - there.begin()] = 1;
    order_.push_back(places[found - there.begin()]);
  }
  for (std::size_t b = 0; b < there.size(); ++b)
    if (taken[b] == 0) left.push_back(shown[b].empty() ? concat("band ", places[b] + 1) : shown[b]);
  if (!renamed.empty()) notes.push_back(concat(path(), ": read by other names: ", listed_bands(renamed)));
  if (!left.empty()) notes.push_back(concat(path(), ": not read: ", listed_bands(left)));
  if (!layer.facts().hidden_by.empty())
    notes.push_back(concat(path(), ": what ", layer.facts().hidden_by, " hides has no data"));
}

void Sensor::read(const Window& window, Matrix<float>& values, std::vector<std::uint8_t>& valid) const {
  const auto bands = static_cast<Index>(order_.size());
  values.resize(bands, window.pixels());
  valid.assign(window.pixels(), 1);
  for (Index b = 0; b < bands; ++b) layer.read(window, order_[b], false, 0.F, values.row(b).data());
  for (const Fill& fill : fills_) {
    if (fill.number < possible_.low || fill.number > possible_.high) continue;  // what is not possible goes anyway
    for (Index i = 0; i < values.size(); ++i)
      if (values.data()[i] == fill.number) values.data()[i] = kNoValue;
  }
  std::vector<std::uint8_t> all_dark(valid.size(), 1);
  for (Index b = 0; b < bands; ++b)  // band by band, as the numbers lie
    mark_pixels(values.row(b).data(), window.pixels(), possible_, valid.data(), all_dark.data());
  for (std::size_t i = 0; i < valid.size(); ++i) {
    if (valid[i] != 0 && all_dark[i] == 0) continue;
    values.col(static_cast<Index>(i)).setConstant(kNoValue);
    valid[i] = 0;
  }
}

void Sensor::add_values(const Window& window, BandValues& bands) const {
  std::vector<std::uint8_t> valid;
  Matrix<float> values;
  read(window, values, valid);
  for (Index i = 0; i < values.cols(); ++i)
    for (std::size_t b = 0; valid[i] != 0 && b < bands.size(); ++b)
      bands[b].push_back(values(static_cast<Index>(b), i));
}

/// Of windows over the whole raster, or of as many as it takes where these are empty.
BandValues Sensor::spread_values() const {
  const Index rows = layer.scene_rows(), columns = layer.scene_columns();
  BandValues bands(order_.size());
  if (rows * columns <= kAcross * kAcross * kSide * kSide) {
    add_values({0, 0, rows, columns}, bands);
    return bands;
  }
  for (Index r = 0; r < kAcross; ++r)
    for (Index c = 0; c < kAcross; ++c) {
      const Index row = (rows - 1) * (2 * r + 1) / (2 * kAcross), column = (columns - 1) * (2 * c + 1) / (2 * kAcross);
      add_values({row, column, std::min(kSide, rows - row), std::min(kSide, columns - column)}, bands);
    }
  constexpr Index kLarge = 512;
  for (Index row = 0; row < rows && bands.front().size() < kFewest; row += kLarge)
    for (Index column = 0; column < columns && bands.front().size() < kFewest; column += kLarge)
      add_values({row, column, std::min(kLarge, rows - row), std::min(kLarge, columns - column)}, bands);
  return bands;
}

void Sensor::take_fills_out(BandValues& values, std::vector<std::string>& notes) {
  Index examined = 0;
  for (const std::vector<float>& band : values) examined += std::ssize(band);
  const BandFacts& stored = layer.facts().bands[order_.front()];
  fills_ = take_fills(values, stored.scale, stored.offset);
  usual_ = usual_range(values);
  for (const Fill& fill : fills_)
    notes.push_back(concat(path(), ": ", rounded_text(static_cast<double>(fill.number)), " counts as no data: of ",
                           counted(examined, "value"), " examined, ", fill.count, " ", fill.count == 1 ? "has" : "have",
                           " it, and 98 of 100 of the others lie from ", rounded_text(static_cast<double>(usual_.low)),
                           " to ", rounded_text(static_cast<double>(usual_.high))));
}

template <typename Unit>
std::optional<Unit> Sensor::settle(const char* key, std::optional<Unit> stated, std::optional<Unit> wanted,
                                   std::vector<std::string>& notes) {
  BandValues values = spread_values();
  take_fills_out(values, notes);
  const std::optional<Unit> found = unit_of<Unit>(values, names_);
  const std::string resemble = concat("its values resemble ", found ? name_of(*found) : "");
  if (stated && found && contradict(*stated, *found))
    throw DataError(concat(path(), ": is stated to be ", name_of(*stated), " (data.units.", key, "), but ", resemble,
                           "; correct it."));
  if (!stated && wanted && found && found != wanted)
    throw DataError(concat(path(), ": ", resemble, ", but must be ", name_of(*wanted), "; state by data.units.", key,
                           " what it is, and it is converted."));
  if (!stated && !found && are_enough(values)) {
    const std::optional<double> scale = fitting_scale<Unit>(values, names_);
    if (wanted && !scale) check_possible(path(), values, *wanted);
    const std::string why = no_unit_text<Unit>(path(), values, scale);
    if (wanted)
      throw DataError(concat(why, "; if it is in one of these units all the same, state it by data.units.", key, "."));
    notes.push_back(why);
  }
  if (stated && wanted && *stated != *wanted)
    notes.push_back(concat(path(), ": converted from ", name_of(*stated), " to ", name_of(*wanted)));
  if (!stated && wanted && !found)
    notes.push_back(concat(path(), values.front().empty() ? std::string(": has no data anywhere")
                                                          : concat(": has too few values to determine its unit; ",
                                                                   name_of(*wanted), " is assumed")));
  const std::optional<Unit> unit = stated ? stated : found ? found : wanted;
  if (unit) {
    check_possible(path(), values, *unit);
    possible_.low = possible_range(*unit).low, possible_.high = possible_range(*unit).high;
  } else {
    fills_.push_back({kOftenNone, 0});
  }
  return unit;
}

template std::optional<SarUnit> Sensor::settle(const char*, std::optional<SarUnit>, std::optional<SarUnit>,
                                               std::vector<std::string>&);
template std::optional<OpticalUnit> Sensor::settle(const char*, std::optional<OpticalUnit>, std::optional<OpticalUnit>,
                                                   std::vector<std::string>&);

}  // namespace fovea::datasets::rasters
