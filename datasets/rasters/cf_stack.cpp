#include "fovea/datasets/rasters/cf_stack.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::rasters {

namespace {

constexpr double kStoredPerReflectance = 10000;
const std::vector<std::string> kCfRadarBands{"VV", "VH"};
const std::vector<std::string> kCfOpticalBands{"B01", "B02", "B03", "B04", "B05", "B06", "B07",
                                               "B08", "B8A", "B09", "B10", "B11", "B12"};
const std::set<std::string> kCalendars{"", "standard", "gregorian", "proleptic_gregorian"};

/// "/s2/S2-L2A-B02" is B02.
std::string band_of(const std::string& path) { return path.substr(path.find_last_of("/-") + 1); }

std::string group_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

std::optional<double> number_of(const Hdf5Entry& entry, const std::string& attribute) {
  const std::string text = entry.attribute(attribute);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return number;
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
  return found;
}

/// The axis of time of a variable: of its own group or the root, as long as the variable, in units "... since ...".
const Hdf5Entry& time_axis(const Hdf5Rows& file, const Hdf5Entry& variable) {
  std::vector<const Hdf5Entry*> found;
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
    if (band_of(entry->path) == "t" || band_of(entry->path) == "time") return *entry;
  if (found.size() > 1)
    throw DataError(concat(file.path(), ": ", found[0]->path, " and ", found[1]->path, " may both be the times of ",
                           variable.path, "; call one of them t or time."));
  return *found.front();
}

std::vector<double> times_of(const Hdf5Rows& file, const Hdf5Entry& axis) {
  const std::string units = axis.attribute("units"), calendar = axis.attribute("calendar");
  const std::optional<CfTime> time = cf_time(units);
  if (!time || !kCalendars.contains(calendar))
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

CfBand band(const Hdf5Entry& variable, const std::string& name, bool optical) {
  CfBand one{name, variable.path, 1, 0, {}};
  const std::optional<double> scale = number_of(variable, "scale_factor");
  one.scale = scale.value_or(1), one.offset = number_of(variable, "add_offset").value_or(0);
  one.missing = number_of(variable, "_FillValue");
  if (!one.missing) one.missing = number_of(variable, "missing_value");
  const bool stored_whole = variable.kind == Hdf5Kind::integers && !scale;
  if (optical && !stored_whole) one.scale *= kStoredPerReflectance, one.offset *= kStoredPerReflectance;
  return one;
}

/// Bands on one grid, which have the same times.
void add(const Hdf5Rows& file, const Hdf5Entry& variable, CfBand one, CfSeries& series) {
  if (series.bands.empty()) {
    series.rows = static_cast<Index>(variable.shape[1]), series.columns = static_cast<Index>(variable.shape[2]);
    series.times = times_of(file, time_axis(file, variable));
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

/// The code behind the last EPSG of a text in WKT: AUTHORITY["EPSG","32631"] or ID["EPSG",32631]; "" without one.
std::string system_of(const Hdf5Rows& file) {
  for (const Hdf5Entry& entry : file.entries())
    for (const char* name : {"crs_wkt", "spatial_ref"}) {
      const std::string text = entry.attribute(name);
      const std::size_t at = text.rfind("EPSG");
      if (at == std::string::npos) continue;
      const std::size_t first = text.find_first_of("0123456789", at);
      if (first == std::string::npos) continue;
      return "EPSG:" + text.substr(first, text.find_first_not_of("0123456789", first) - first);
    }
  return "";
}

}  // namespace

std::optional<CfTime> cf_time(const std::string& units) {
  static const std::map<std::string, double> kUnits{
      {"second", 1},        {"seconds", 1},         {"s", 1},
      {"sec", 1},           {"minute", 60},         {"minutes", 60},
      {"min", 60},          {"hour", 3600},         {"hours", 3600},
      {"h", 3600},          {"day", 86400},         {"days", 86400},
      {"d", 86400},         {"milliseconds", 1e-3}, {"microseconds", 1e-6},
      {"nanoseconds", 1e-9}};
  const std::size_t since = units.find(" since ");
  if (since == std::string::npos) return std::nullopt;
  const auto unit = kUnits.find(units.substr(0, since));
  if (unit == kUnits.end()) return std::nullopt;
  std::vector<int> numbers;
  const char* at = units.data() + since + 7;
  const char* const end = units.data() + units.size();
  while (at < end && numbers.size() < 6) {
    int number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number < 0) return std::nullopt;
    numbers.push_back(number);
    if (next == end || *next == '.' || *next == 'Z') break;
    const char mark = *next;
    if (mark != '-' && mark != ':' && mark != ' ' && mark != 'T') return std::nullopt;
    if (mark == ' ' && numbers.size() != 3) break;  // a zone, such as UTC
    at = next + 1;
    if (at < end && (*at < '0' || *at > '9')) break;
  }
  if (numbers.size() < 3) return std::nullopt;
  numbers.resize(6, 0);
  const std::chrono::year_month_day date{std::chrono::year{numbers[0]},
                                         std::chrono::month{static_cast<unsigned>(numbers[1])},
                                         std::chrono::day{static_cast<unsigned>(numbers[2])}};
  if (!date.ok() || numbers[3] > 24 || numbers[4] > 59 || numbers[5] > 60) return std::nullopt;
  const auto days = std::chrono::sys_days{date}.time_since_epoch().count();
  return CfTime{unit->second,
                86400.0 * static_cast<double>(days) + 3600.0 * numbers[3] + 60.0 * numbers[4] + numbers[5]};
}

std::optional<CfStack> cf_stack(const Hdf5Rows& file) {
  CfStack stack;
  for (const std::string& name : kCfRadarBands)
    if (const Hdf5Entry* variable = variable_of(file, name)) {
      if (!fits(stack.s1, *variable))
        throw DataError(concat(file.path(), ": VV and VH are on different grids; they must be on the same."));
      add(file, *variable, band(*variable, name, false), stack.s1);
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
    add(file, *variable, band(*variable, name, true), series);
  }
  if (stack.s1.bands.empty() && optical.empty()) return std::nullopt;
  if (const Hdf5Entry* classes = variable_of(file, "SCL")) stack.classes = classes->path;
  stack.system = system_of(file);
  return stack;
}

}  // namespace fovea::datasets::rasters
