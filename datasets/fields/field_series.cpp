#include "fovea/datasets/fields/field_series.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/file/hdf5_rows.hpp"
#include "fovea/datasets/fields/bad_rows.hpp"

namespace fovea::datasets::fields {

namespace {

constexpr double kMissing = 65535, kReflectance = 1e-4, kDbShift = -83, kSecondsPerDay = 86400;
constexpr double kMostReflectance = 3;  // clouds and glint exceed 1
constexpr double kLowestDb = -83, kHighestDb = 40;
const std::vector<std::string> kRadarBands{"VV", "VH"};

const Hdf5Entry& needed(const Hdf5Rows& file, const std::string& name) {
  const Hdf5Entry* const found = file.find("/" + name);
  if (found == nullptr)
    throw DataError(concat(file.path(), ": has no array '", name, "'; series of fields need s1 or s2, and time."));
  return *found;
}

[[noreturn]] void refuse(const Hdf5Rows& file, const std::string& name, const std::string& what) {
  throw DataError(concat(file.path(), ": ", name, " ", what));
}

/// Numbers of an array whose first axis has so many rows.
std::vector<double> column(const Hdf5Rows& file, const std::string& name, std::uint64_t rows) {
  const Hdf5Entry& entry = needed(file, name);
  if (entry.kind != Hdf5Kind::integers && entry.kind != Hdf5Kind::reals) refuse(file, name, "holds no numbers.");
  if (entry.rows() != rows || entry.width() != 1)
    refuse(file, name, concat("has ", entry.rows(), " rows of ", entry.width(), ", but must have ", rows, " of one."));
  return file.read<double>(entry, 0, rows);
}

std::vector<std::string> band_names(const Hdf5Rows& file, const Hdf5Entry& entry, const std::string& name,
                                    const std::vector<std::string>& otherwise) {
  std::string text = entry.attribute("bands");
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream words(text);
  std::vector<std::string> bands;
  for (std::string band; words >> band;) bands.push_back(band);
  const std::size_t wanted = entry.shape.at(2);
  if (bands.empty()) bands = otherwise;
  if (bands.size() == wanted) return bands;
  refuse(
      file, name,
      concat("has ", wanted, " bands, but ", bands.empty() ? std::string("names none") : concat("names ", bands.size()),
             "; give it an attribute 'bands' with a name for each."));
}

double backscatter(double number, bool whole) {
  if (std::isnan(number) || (whole && (number == kMissing || number == 0))) return kNan;
  return whole ? 20 * std::log10(number) + kDbShift : number;
}
double reflectance(double number, bool whole) {
  if (std::isnan(number) || (whole && number == kMissing)) return kNan;
  return whole ? number * kReflectance : number;
}

/// The range in which numbers make sense; beyond it they are of another unit.
void check_unit(const std::string& name, double number, std::uint64_t field, std::uint64_t date, BadRows& bad) {
  const bool radar = name == "s1";
  if (std::isnan(number)) return;
  if (radar ? number >= kLowestDb && number <= kHighestDb : number > -0.5 && number <= kMostReflectance) return;
  bad.take(
      field,
      concat(name, " has ", number, radar ? " dB" : " as reflectance", " in field ", field + 1, ", date ", date + 1),
      radar ? "; reals must be dB, in [-83, 40], and whole numbers v stand for 20 log10(v) - 83."
            : "; reals must be reflectances, at most 3, and whole numbers 10,000 times as much.");
}

SensorSeries sensor_of(const Hdf5Rows& file, const std::string& name, std::uint64_t fields, std::uint64_t dates,
                       BadRows& bad) {
  SensorSeries series;
  const Hdf5Entry* const entry = file.find("/" + name);
  if (entry == nullptr) return series;
  if (entry->shape.size() != 3 || entry->shape[0] != fields || entry->shape[1] != dates || entry->shape[2] < 1)
    refuse(file, name, concat("must have the shape [", fields, " fields, ", dates, " dates, bands]."));
  const bool whole = entry->kind == Hdf5Kind::integers, radar = name == "s1";
  if (!whole && entry->kind != Hdf5Kind::reals) refuse(file, name, "holds no numbers.");
  series.bands = band_names(file, *entry, name, radar ? kRadarBands : std::vector<std::string>{});
  if (radar && series.bands != kRadarBands) refuse(file, name, "must have the bands VV and VH, in this order.");
  const std::vector<double> numbers = file.read<double>(*entry, 0, fields);
  const auto bands = static_cast<Index>(entry->shape[2]);
  series.values.resize(static_cast<Index>(fields * dates), bands);
  for (Index k = 0; k < series.values.size(); ++k) {
    const double number = numbers[k];
    const double value = radar ? backscatter(number, whole) : reflectance(number, whole);
    const auto row = static_cast<std::uint64_t>(k / bands);
    check_unit(name, value, row / dates, row % dates, bad);
    series.values.data()[k] = value;
  }
  return series;
}

void leave_out(const BadRows& bad, FieldSeries& series) {
  const std::vector<Index> rows = bad.kept(series.count());
  if (bad.found().empty()) return;
  std::vector<Index> numbers;
  for (const auto& [field, what] : bad.found()) series.left_out.emplace_back("numbers that cannot be", what);
  for (const Index f : rows)
    for (Index k = 0; k < series.dates(); ++k) numbers.push_back(f * series.dates() + k);
  keep_rows(numbers, series.s1.values), keep_rows(numbers, series.s2.values);
  keep_rows(rows, series.ids), keep_rows(rows, series.labels), keep_rows(rows, series.folds);
}

constexpr std::size_t kFewDates = 5;  // within a day, which no satellite gives

std::vector<double> days_of(const Hdf5Rows& file) {
  const std::uint64_t dates = needed(file, "time").rows();
  std::vector<double> days = column(file, "time", dates);
  for (std::size_t k = 0; k < days.size(); ++k) {
    days[k] /= kSecondsPerDay;
    if (!std::isfinite(days[k]) || (k > 0 && !(days[k] > days[k - 1])))
      refuse(file, "time", concat("does not rise at date ", k + 1, "; it must hold seconds since 1970 that do."));
  }
  constexpr double kYear2100 = 47482;
  if (!days.empty() && days.back() > kYear2100)
    refuse(file, "time",
           "lies behind the year 2100; it must hold seconds since 1970, not milliseconds or nanoseconds.");
  if (days.size() >= kFewDates && days.back() - days.front() < 1)
    refuse(file, "time", concat("has its ", days.size(), " dates within a day; it must hold seconds since 1970."));
  return days;
}

std::vector<std::string> ids_of(const Hdf5Rows& file, std::uint64_t fields) {
  const Hdf5Entry* const entry = file.find("/sample_id");
  std::vector<std::string> ids;
  if (entry != nullptr && entry->kind == Hdf5Kind::texts && entry->rows() == fields && entry->width() == 1)
    ids = file.read_texts(*entry, 0, fields);
  for (std::size_t k = ids.size(); k < fields; ++k) ids.push_back(std::to_string(k));
  return ids;
}

std::uint64_t fields_in(const Hdf5Rows& file) {
  for (const char* name : {"s1", "s2"})
    if (const Hdf5Entry* const entry = file.find(concat("/", name)); entry != nullptr) {
      if (entry->rows() == 0) refuse(file, name, "has no fields.");
      return entry->rows();
    }
  throw DataError(concat(file.path(), ": has neither s1 nor s2; series of fields need one of them."));
}

}  // namespace

FieldSeries read_field_series(const std::string& path, const std::string& label, bool leave_out_bad) {
  const Hdf5Rows file(path);
  FieldSeries series;
  const std::uint64_t fields = fields_in(file);
  series.days = days_of(file);
  BadRows bad(file.path(), "field", leave_out_bad);
  series.s1 = sensor_of(file, "s1", fields, series.days.size(), bad);
  series.s2 = sensor_of(file, "s2", fields, series.days.size(), bad);
  series.ids = ids_of(file, fields);
  if (file.find("/" + label) != nullptr)
    for (const double number : column(file, label, fields)) {
      if (number != std::floor(number))
        refuse(file, label, concat("has the label ", number, ", but must have whole numbers."));
      series.labels.push_back(static_cast<std::int64_t>(number));
    }
  if (file.find("/fold") != nullptr)
    for (const double number : column(file, "fold", fields)) series.folds.push_back(static_cast<Index>(number));
  leave_out(bad, series);
  return series;
}

}  // namespace fovea::datasets::fields
