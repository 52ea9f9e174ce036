#include "fovea/datasets/rasters/cf_stack.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/datasets/rasters/band_names.hpp"

namespace fovea::datasets::rasters {

namespace {

constexpr double kStoredPerReflectance = 10000;
constexpr std::uint64_t kDatesLookedAt = 64;  // for some that have numbers
constexpr Index kNumbersLookedAt = 1000;
constexpr double kBrightest = 2;  // reflectance; clouds may be brighter than 1
const std::vector<std::string> kCfRadarBands{"VV", "VH"};
const std::vector<std::string> kCfOpticalBands{"B01", "B02", "B03", "B04", "B05", "B06", "B07",
                                               "B08", "B8A", "B09", "B10", "B11", "B12"};

/// "/s2/S2-L2A-B02" is B02, and so are "/b02", "/B2" and "/blue"; "/Scl" is SCL.
std::string band_of(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  if (std::optional<std::string> band = stack_band(name)) return *band;
  for (char& letter : name) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return name.substr(name.find_last_of('-') + 1);
}

std::string group_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

/// The numbers of an attribute, "0, 1".
std::vector<double> numbers_of(const Hdf5Entry& entry, const std::string& attribute) {
  const std::string text = entry.attribute(attribute);
  std::vector<double> numbers;
  const char *at = text.data(), *const end = at + text.size();
  while (at < end) {
    double number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) break;
    numbers.push_back(number);
    at = next;
    while (at < end && (*at == ',' || *at == ' ')) ++at;
  }
  return numbers;
}

std::optional<double> number_of(const Hdf5Entry& entry, const std::string& attribute) {
  const std::vector<double> numbers = numbers_of(entry, attribute);
  return numbers.empty() ? std::nullopt : std::optional(numbers.front());
}

/// The paths of a variable's three axes; empty where the file does not say them.
std::vector<std::string> axes_of(const Hdf5Entry& variable) {
  std::vector<std::string> axes;
  std::string word;
  for (const char letter : variable.attribute("DIMENSION_LIST") + ",") {
    if (letter == ' ') continue;
    if (letter != ',')
      word += letter;
    else if (!word.empty())
      axes.push_back(std::exchange(word, ""));
  }
  return axes.size() == 3 ? axes : std::vector<std::string>{};
}

/// Whether an axis is one of "T", "Y", "X", by its name or what it says of itself.
bool is_axis(const Hdf5Entry& axis, char which) {
  static const std::map<char, std::set<std::string>> kNames{
      {'T', {"T", "TIME"}}, {'Y', {"Y", "LAT", "LATITUDE", "NORTHING"}}, {'X', {"X", "LON", "LONGITUDE", "EASTING"}}};
  if (!axis.attribute("axis").empty()) return axis.attribute("axis") == std::string(1, which);
  if (which == 'T' && axis.attribute("units").find(" since ") != std::string::npos) return true;
  return kNames.at(which).contains(band_of(axis.path));
}

/// Throws DataError where the axes are known, and are others than t, y, x.
void check_axes(const Hdf5Rows& file, const Hdf5Entry& variable) {
  const std::vector<std::string> axes = axes_of(variable);
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const Hdf5Entry* axis = file.find(axes[k]);
    if (axis == nullptr) continue;
    for (std::size_t other = 0; other < 3; ++other)
      if (other != k && is_axis(*axis, "TYX"[other]) && !is_axis(*axis, "TYX"[k]))
        throw DataError(concat(file.path(), ": ", variable.path, " lies along ", axes[0], ", ", axes[1], ", ", axes[2],
                               ", but must along time, y, x; transpose it, with xarray by .transpose('t', 'y', 'x')."));
  }
}

bool is_number_array(const Hdf5Entry& entry, std::size_t axes) {
  return !entry.is_group && entry.shape.size() == axes &&
         (entry.kind == Hdf5Kind::integers || entry.kind == Hdf5Kind::reals);
}

/// The variable of a band; nullptr if there is none. Throws DataError where two are called so.
const Hdf5Entry* variable_of(const Hdf5Rows& file, const std::string& band) {
  const Hdf5Entry* found = nullptr;
  for (const Hdf5Entry& entry : file.entries()) {
    if (entry.shape.size() != 3 || entry.is_group || band_of(entry.path) != band) continue;
    if (found != nullptr)
      throw DataError(
          concat(file.path(), ": ", found->path, " and ", entry.path, " are both ", band, "; keep one of them."));
    found = &entry;
  }
  if (found == nullptr) return nullptr;
  if (!found->problem.empty()) throw DataError(concat(file.path(), ": ", found->path, " ", found->problem, "."));
  if (!is_number_array(*found, 3)) throw DataError(concat(file.path(), ": ", found->path, " must hold numbers."));
  check_axes(file, *found);
  return found;
}

/// The axis of time of a variable: of its own group or the root, as long as the variable, in units "... since ...".
const Hdf5Entry& time_axis(const Hdf5Rows& file, const Hdf5Entry& variable) {
  std::vector<const Hdf5Entry*> found;
  if (const std::vector<std::string> axes = axes_of(variable); !axes.empty())
    if (const Hdf5Entry* axis = file.find(axes[0]);
        axis != nullptr && is_number_array(*axis, 1) && axis->attribute("units").find(" since ") != std::string::npos)
      return *axis;
  for (const std::string& group : {group_of(variable.path), std::string("/")}) {
    if (!found.empty()) break;
    for (const Hdf5Entry& entry : file.entries())
      if (group_of(entry.path) == group && is_number_array(entry, 1) && entry.rows() == variable.rows() &&
          entry.attribute("units").find(" since ") != std::string::npos)
        found.push_back(&entry);
  }
  if (found.empty())
    throw DataError(concat(file.path(), ": ", variable.path, " has ", variable.rows(),
                           " dates, but there is no axis of ",
                           "so many times in units such as 'days since 1970-01-01'; add it, as xarray writes it."));
  for (const Hdf5Entry* entry : found)
    if (band_of(entry->path) == "T" || band_of(entry->path) == "TIME") return *entry;
  if (found.size() > 1)
    throw DataError(concat(file.path(), ": ", found[0]->path, " and ", found[1]->path, " may both be the times of ",
                           variable.path, "; call one of them t or time."));
  return *found.front();
}

std::vector<double> times_of(const Hdf5Rows& file, const Hdf5Entry& axis) {
  const std::string units = axis.attribute("units"), calendar = axis.attribute("calendar");
  const std::optional<CfTime> time = cf_time(units, calendar);
  if (!time)
    throw DataError(concat(file.path(), ": ", axis.path, " has the units '", units, "' and the calendar '", calendar,
                           "', but must have seconds, minutes, hours or days since a date of the standard calendar."));
  std::vector<double> seconds = file.read<double>(axis, 0, axis.rows());
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    seconds[i] = time->zero + time->unit * seconds[i];
    if (!std::isfinite(seconds[i]) || (i > 0 && seconds[i] < seconds[i - 1]))
      throw DataError(concat(file.path(), ": ", axis.path, ": date ", i, " is no number, or before the one before it; ",
                             "sort the dates."));
  }
  return seconds;
}

/// Whether the numbers of a band are reflectances, and not 10000 x: told by the first dates that have some.
bool are_reflectances(const Hdf5Rows& file, const Hdf5Entry& variable, const CfBand& one) {
  Index count = 0, bright = 0;
  for (std::uint64_t date = 0; date < std::min(variable.rows(), kDatesLookedAt) && count < kNumbersLookedAt; ++date)
    for (const double stored : file.read<double>(variable, date, date + 1))
      if (const double number = decoded_number(one, stored); std::isfinite(number))
        ++count, bright += number > kBrightest ? 1 : 0;
  return 100 * bright <= count;
}

CfBand band(const Hdf5Rows& file, const Hdf5Entry& variable, const std::string& name, bool optical,
            std::vector<std::string>& notes) {
  CfBand one{name, variable.path, 1, 0, {}, variable.kind == Hdf5Kind::reals && variable.number_bytes == 4, 0};
  one.scale = number_of(variable, "scale_factor").value_or(1),
  one.offset = number_of(variable, "add_offset").value_or(0);
  one.missing = numbers_of(variable, "_FillValue");
  for (const double missing : numbers_of(variable, "missing_value")) one.missing.push_back(missing);
  if (const std::string mark = variable.attribute("_Unsigned");
      variable.kind == Hdf5Kind::integers && (mark == "true" || mark == "True"))
    one.wrap = std::ldexp(1.0, 8 * static_cast<int>(variable.number_bytes));
  const bool packed = one.scale != 1 || one.offset != 0, whole = variable.kind == Hdf5Kind::integers;
  const bool small = whole ? packed : !optical || are_reflectances(file, variable, one);
  if (!small && !whole)
    notes.push_back(concat(file.path(), ": the reals of ", variable.path,
                           " are above 2, so they are taken as 10000 x reflectance"));
  if (optical && small) one.scale *= kStoredPerReflectance, one.offset *= kStoredPerReflectance;
  return one;
}

/// Bands on one grid, which have the same times.
void add(const Hdf5Rows& file, const Hdf5Entry& variable, CfBand one, CfSeries& series) {
  if (series.bands.empty()) {
    series.rows = static_cast<Index>(variable.shape[1]), series.columns = static_cast<Index>(variable.shape[2]);
    series.times = times_of(file, time_axis(file, variable));
    if (const std::vector<std::string> axes = axes_of(variable); !axes.empty()) series.y = axes[1], series.x = axes[2];
  } else if (series.times.size() != variable.rows()) {
    throw DataError(concat(file.path(), ": ", variable.path, " has ", variable.rows(), " dates and ",
                           series.bands.front().path, " ", series.times.size(), "; they must be the same."));
  }
  series.bands.push_back(std::move(one));
}

bool fits(const CfSeries& series, const Hdf5Entry& variable) {
  return series.bands.empty() || (series.rows == static_cast<Index>(variable.shape[1]) &&
                                  series.columns == static_cast<Index>(variable.shape[2]));
}

/// "EPSG:32631" of a text in WKT, which has the code behind its last EPSG, AUTHORITY["EPSG","32631"] or
/// ID["EPSG",32631], or of "epsg:32631"; "" without one.
std::string code_in(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  const std::size_t at = text.rfind("EPSG");
  const std::size_t first = at == std::string::npos ? at : text.find_first_of("0123456789", at);
  if (first == std::string::npos) return "";
  return "EPSG:" + text.substr(first, text.find_first_not_of("0123456789", first) - first);
}

/// Of the grid mapping that a variable names; else of any that the file has.
std::string system_of(const Hdf5Rows& file, const std::string& variable) {
  std::vector<const Hdf5Entry*> asked;
  if (const Hdf5Entry* of = file.find(variable)) {
    const std::string mapping = of->attribute("grid_mapping");
    for (const std::string& group : {group_of(variable), std::string("/")})
      if (const Hdf5Entry* entry = file.find(group + mapping); entry != nullptr && !mapping.empty())
        asked.push_back(entry);
    asked.push_back(of);
  }
  for (const Hdf5Entry& entry : file.entries()) asked.push_back(&entry);
  for (const Hdf5Entry* entry : asked)
    for (const char* name : {"crs_wkt", "spatial_ref", "crs"})
      if (const std::string code = code_in(entry->attribute(name)); !code.empty()) return code;
  return "";
}

}  // namespace

double decoded_number(const CfBand& band, double stored) {
  for (const double missing : band.missing)
    if (stored == missing || (band.in_float && static_cast<float>(stored) == static_cast<float>(missing))) return kNan;
  return (stored < 0 ? stored + band.wrap : stored) * band.scale + band.offset;
}

std::optional<CfStack> cf_stack(const Hdf5Rows& file) {
  CfStack stack;
  for (const std::string& name : kCfRadarBands)
    if (const Hdf5Entry* variable = variable_of(file, name)) {
      if (!fits(stack.s1, *variable))
        throw DataError(concat(file.path(), ": VV and VH are on different grids; they must be on the same."));
      add(file, *variable, band(file, *variable, name, false, stack.notes), stack.s1);
    }
  std::vector<std::pair<const Hdf5Entry*, std::string>> optical;
  for (const std::string& name : kCfOpticalBands)
    if (const Hdf5Entry* variable = variable_of(file, name)) optical.emplace_back(variable, name);
  std::uint64_t most = 0;
  for (const auto& [variable, name] : optical) most = std::max(most, variable->shape[1]);
  for (const auto& [variable, name] : optical) {
    CfSeries& series = variable->shape[1] == most ? stack.fine : stack.coarse;
    if (!fits(series, *variable))
      throw DataError(concat(file.path(), ": ", variable->path,
                             " is on a third grid; bands may be on two, such as 10 m ", "and 20 m."));
    add(file, *variable, band(file, *variable, name, true, stack.notes), series);
  }
  if (stack.s1.bands.empty() && optical.empty()) return std::nullopt;
  if (const Hdf5Entry* classes = variable_of(file, "SCL")) stack.classes = classes->path;
  const CfSeries& shown = optical.empty() ? stack.s1 : stack.fine;
  stack.system = system_of(file, shown.bands.front().path);
  return stack;
}

}  // namespace fovea::datasets::rasters
