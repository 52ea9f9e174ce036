#include "fovea/datasets/rasters/stacks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <string_view>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/rasters/band_names.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::rasters {

namespace {

constexpr double kSecondsOfDay = 86400;
constexpr double kLastSecond = 253402300799;  // of the year 9999
constexpr std::size_t kFewDates = 5;          // within a day, which no satellite gives

std::string shape_text(const Hdf5Entry& entry) {
  std::string text;
  for (const std::uint64_t size : entry.shape) text += concat(text.empty() ? "[" : ", ", size);
  return text + "]";
}

/// An array of numbers with so many axes; nullptr if it is not there.
const Hdf5Entry* numbers_at(const Hdf5Rows& file, const std::string& path, std::size_t axes) {
  const Hdf5Entry* entry = file.find(path);
  if (entry == nullptr || entry->is_group) return nullptr;
  if (!entry->problem.empty()) throw DataError(concat(file.path(), ": ", path, " ", entry->problem, "."));
  if ((entry->kind != Hdf5Kind::integers && entry->kind != Hdf5Kind::reals) || entry->shape.size() != axes)
    throw DataError(concat(file.path(), ": ", path, " has the shape ", shape_text(*entry),
                           entry->kind == Hdf5Kind::texts ? " and holds texts" : "", ", but must hold numbers along ",
                           axes, " axes."));
  return entry;
}

std::vector<std::string> band_names(const Hdf5Rows& file, const Hdf5Entry& entry, std::uint64_t count) {
  std::vector<std::string> names;
  std::string word;
  for (const char letter : entry.attribute("bands") + ",") {
    if (letter != ',' && letter != '\n') {
      word += letter;
      continue;
    }
    std::string name(text::trimmed(word));
    std::erase_if(name, [](char c) { return c == '\'' || c == '[' || c == ']' || c == '"'; });
    if (!name.empty()) names.push_back(stack_band(name).value_or(name));
    word.clear();
  }
  if (names.empty())
    for (std::uint64_t b = 0; b < count; ++b) names.push_back(concat("band_", b + 1));
  if (names.size() != count)
    throw DataError(concat(file.path(), ": ", entry.path, " names ", names.size(), " bands, but has ", count,
                           "; give each a name in its attribute bands."));
  return names;
}

std::vector<double> numbers_of(const Hdf5Rows& file, const std::string& path, std::uint64_t rows) {
  const Hdf5Entry* entry = numbers_at(file, path, 1);
  if (entry == nullptr) return {};
  if (entry->rows() != rows)
    throw DataError(concat(file.path(), ": ", path, " has ", entry->rows(), " numbers, but there must be ", rows, "."));
  return file.read<double>(*entry, 0, rows);
}

std::vector<double> times_of(const Hdf5Rows& file, const std::string& path, std::uint64_t rows) {
  std::vector<double> times = numbers_of(file, path, rows);
  if (times.size() != rows)
    throw DataError(concat(file.path(), ": has no ", path, ", which must give Unix seconds for each date."));
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!std::isfinite(times[i]) || (i > 0 && times[i] < times[i - 1]))
      throw DataError(concat(file.path(), ": ", path, ": date ", i, " is ", times[i],
                             ", but dates must be numbers that do not fall."));
  if (!times.empty() && std::max(-times.front(), times.back()) > kLastSecond)
    throw DataError(concat(file.path(), ": ", path, " reaches ", times.back(),
                           ", which is beyond the year 9999; times are Unix seconds: divide milliseconds by 1000."));
  if (times.size() >= kFewDates && times.back() - times.front() < kSecondsOfDay)
    throw DataError(concat(file.path(), ": ", path, ": all ", times.size(), " dates lie within ",
                           times.back() - times.front(), " s; they must be Unix seconds."));
  return times;
}

/// A date of variables of netCDF; a reflectance of 0 is none, as in the other layouts.
Matrix<float> decoded(const Hdf5Rows& file, const ImageSeries& series, std::uint64_t date) {
  Matrix<float> values(std::ssize(series.variables), series.rows * series.columns);
  for (Index b = 0; b < values.rows(); ++b) {
    const CfBand& band = series.variables[b];
    const std::vector<double> numbers = file.read<double>(*file.find(band.path), date, date + 1);
    const bool optical = band.name.front() == 'B';
    for (Index i = 0; i < values.cols(); ++i) {
      const double number = decoded_number(band, numbers[i]);
      const bool missing = !std::isfinite(number) || (optical && number == 0);
      values(b, i) = missing ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(number);
    }
  }
  return values;
}

/// The classic formats of netCDF are no HDF5.
const Place& no_classic(const Place& place) {
  std::array<char, 3> start{};
  std::ifstream(place.path(), std::ios::binary).read(start.data(), start.size());
  if (std::string_view(start.data(), start.size()) == "CDF")
    throw DataError(concat(place.path(),
                           ": is a classic netCDF file, but must be netCDF-4; write it anew, with xarray ",
                           "by to_netcdf(FILE, format='NETCDF4'), or by nccopy -k nc4."));
  if (std::string_view(start.data(), 2) == "\x1F\x8B")
    throw DataError(concat(place.path(), ": is packed by gzip, but a stack is read in pieces; unpack it: gunzip -k ",
                           place.path()));
  return place;
}

}  // namespace

Stack::Stack(const Place& place) : file_(no_classic(place)) {
  s1_ = series("/s1/db", "/s1/time");
  r10m_ = series("/s2/r10m", "/s2/time"), r20m_ = series("/s2/r20m", "/s2/time");
  scl_ = numbers_at(file_, "/s2/scl", 3);
  if (const Hdf5Entry* root = file_.find("/")) system_ = root->attribute("crs");
  if (s1_.bands.empty() && r10m_.bands.empty() && r20m_.bands.empty()) {
    const std::optional<CfStack> found = cf_stack(file_);
    if (!found)
      throw DataError(concat(path(), ": has none of /s1/db, /s2/r10m and /s2/r20m, nor variables [t, y, x] of netCDF ",
                             "that are called as bands (VV, B02, ...); a stack must have one of them. With xarray, ",
                             ".to_dataset('band') makes variables of a dimension band."));
    take_netcdf(*found);
  }
  const std::size_t dates = std::max(r10m_.times.size(), r20m_.times.size());
  if (scl_ != nullptr && scl_->rows() != dates)
    throw DataError(
        concat(path(), ": ", scl_->path, " has ", scl_->rows(), " dates, but the bands of S2 have ", dates, "."));
  if (scl_ == nullptr && dates > 0)
    notes_.push_back(concat(path(), ": has no scene classes (/s2/scl, SCL), so every value of S2 counts as clear"));
}

void Stack::take_netcdf(const CfStack& found) {
  const auto series = [](const CfSeries& from, const char* what) {
    ImageSeries to{what, {}, from.times, from.rows, from.columns, from.bands, from.y, from.x};
    for (const CfBand& band : from.bands) to.bands.push_back(band.name);
    if (to.bands.empty()) return ImageSeries{};
    return to;
  };
  s1_ = series(found.s1, "S1"), r10m_ = series(found.fine, "S2"), r20m_ = series(found.coarse, "S2, coarser bands");
  if (!found.classes.empty()) scl_ = file_.find(found.classes);
  system_ = found.system, notes_ = found.notes, netcdf_ = true;
}

ImageSeries Stack::series(const std::string& array, const std::string& times) {
  ImageSeries found;
  const Hdf5Entry* entry = numbers_at(file_, array, 4);
  if (entry == nullptr) return found;
  found.path = array;
  found.bands = band_names(file_, *entry, entry->shape[1]);
  found.times = times_of(file_, times, entry->rows());
  found.rows = static_cast<Index>(entry->shape[2]), found.columns = static_cast<Index>(entry->shape[3]);
  return found;
}

Matrix<float> Stack::image(const ImageSeries& series, Index date) const {
  require(date >= 0 && date < static_cast<Index>(series.times.size()), "Stack: date ", date, " is asked of ",
          series.path, ", which has ", series.times.size(), ".");
  Matrix<float> values = Matrix<float>::Constant(std::ssize(series.bands), series.rows * series.columns,
                                                 std::numeric_limits<float>::quiet_NaN());
  try {
    values = stored(series, date);
  } catch (const DataError& fault) {
    take_bad(concat(series.path, ", date ", date), fault);
  }
  keep_values(series, date, values);
  return values;
}

void Stack::take_bad(const std::string& place, const DataError& fault) const {
  if (!leaves_out_) throw fault;
  if (!*leaves_out_)
    throw DataError(
        concat(fault.what(), " (", place, ") To leave out dates that cannot be read: data.bad='leave out'."));
  if (std::find(left_out_.begin(), left_out_.end(), place) == left_out_.end()) left_out_.push_back(place);
  if (2 * left_out_.size() > s1_.times.size() + std::max(r10m_.times.size(), r20m_.times.size()))
    throw DataError(concat(fault.what(), " More than half of the dates cannot be read."));
}

/// As the file has it.
Matrix<float> Stack::stored(const ImageSeries& series, Index date) const {
  const auto at = static_cast<std::uint64_t>(date);
  if (!series.variables.empty()) return decoded(file_, series, at);
  const std::vector<float> numbers = file_.read<float>(*file_.find(series.path), at, at + 1);
  Matrix<float> values = Eigen::Map<const Matrix<float>>(numbers.data(), static_cast<Index>(series.bands.size()),
                                                         series.rows * series.columns);
  const bool zero_is_none = series.path != s1_.path;
  for (Index i = 0; i < values.size(); ++i)
    if ((zero_is_none && values.data()[i] == 0) || !std::isfinite(values.data()[i]))
      values.data()[i] = std::numeric_limits<float>::quiet_NaN();
  return values;
}

std::vector<std::int32_t> Stack::classes(Index date) const {
  if (scl_ == nullptr) return {};
  const auto at = static_cast<std::uint64_t>(date);
  std::vector<std::int32_t> classes;
  std::vector<float> numbers(scl_->width(), 0);
  try {
    numbers = file_.read<float>(*scl_, at, at + 1);
  } catch (const DataError& fault) {
    take_bad(concat(scl_->path, ", date ", date), fault);
  }
  for (const float number : numbers)
    classes.push_back(number >= 0 && number < 256 ? static_cast<std::int32_t>(number) : 0);  // 0: no data
  return classes;
}

bool Stack::is_map_of_bytes(const std::string& name) const {
  const Hdf5Entry* entry = file_.find("/" + name);
  return entry != nullptr && entry->kind == Hdf5Kind::integers && entry->number_bytes == 1;
}

Matrix<std::int32_t> Stack::map(const std::string& name) const {
  const Hdf5Entry* entry = numbers_at(file_, "/" + name, 2);
  if (entry == nullptr)
    throw DataError(concat(path(), ": has no map /", text::shown_text(name), "; name one that it has."));
  const std::vector<double> numbers = file_.read<double>(*entry, 0, entry->rows());
  Matrix<std::int32_t> map(static_cast<Index>(entry->shape[0]), static_cast<Index>(entry->shape[1]));
  for (Index i = 0; i < map.size(); ++i) {
    const double number = numbers[i];
    if (number != std::floor(number) || std::abs(number) > 1e9)
      throw DataError(concat(path(), ": ", entry->path, " has ", number,
                             ", but must have classes: whole numbers below 10^9, and 0 where there is none."));
    map.data()[i] = static_cast<std::int32_t>(number);
  }
  return map;
}

}  // namespace fovea::datasets::rasters
