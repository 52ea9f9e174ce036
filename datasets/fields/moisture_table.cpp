#include "fovea/datasets/fields/moisture_table.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/file/hdf5_rows.hpp"
#include "fovea/datasets/fields/bad_rows.hpp"

namespace fovea::datasets::fields {

const std::vector<std::string> kLandCovers{"water", "trees", "grass", "flooded vegetation", "crops",
                                           "shrub", "built", "bare",  "snow and ice"};

namespace {

constexpr double kLeastBackscatter = -83, kMostBackscatter = 40, kMostNumber = 30000, kLeastNumber = 5;
constexpr double kMostMoisture = 2000;  // per cent; above it the number is no moisture

/// One file, whose arrays have a row each for so many rows.
class TableFile {
 public:
  explicit TableFile(const std::string& path) : file_(path) {
    const Hdf5Entry* const x = file_.find("/x");
    if (x == nullptr || !is_number(*x) || x->shape.size() != 3 || x->rows() == 0 || x->shape[1] == 0)
      throw DataError(concat(file_.path(),
                             ": has no /x [row, month, band] of numbers with a row, which a table of moisture needs."));
    rows_ = x->rows(), months_ = x->shape[1];
  }
  std::uint64_t rows() const { return rows_; }
  std::uint64_t months() const { return months_; }
  const Hdf5Entry& x() const { return *file_.find("/x"); }
  const std::string& path() const { return file_.path(); }

  /// An array of `width` numbers in a row; no numbers where the file has none.
  std::vector<double> numbers(const std::string& name, std::uint64_t width) const {
    const Hdf5Entry* const entry = file_.find("/" + name);
    if (entry == nullptr) return {};
    if (!is_number(*entry) || entry->rows() != rows_ || entry->width() != width)
      throw DataError(concat(path(), ": ", name, " must have ", counted(static_cast<Index>(width), "number"),
                             " in each of ", rows_, " rows, as x has."));
    return file_.read<double>(*entry, 0, rows_);
  }
  std::vector<double> x_numbers() const { return file_.read<double>(x(), 0, rows_); }

  std::vector<std::string> texts(const std::string& name) const {
    const Hdf5Entry* const entry = file_.find("/" + name);
    if (entry == nullptr) return {};
    if (entry->rows() == rows_ && entry->width() == 1) {
      if (entry->kind == Hdf5Kind::texts) return file_.read_texts(*entry, 0, rows_);
      std::vector<std::string> words;
      for (const double number : is_number(*entry) ? numbers(name, 1) : std::vector<double>{})
        words.push_back(exact_text(number));
      if (!words.empty()) return words;
    }
    throw DataError(concat(path(), ": ", name, " must have a text or a number in each of ", rows_, " rows, as x has."));
  }

 private:
  static bool is_number(const Hdf5Entry& entry) {
    return entry.kind == Hdf5Kind::integers || entry.kind == Hdf5Kind::reals;
  }
  Hdf5Rows file_;
  std::uint64_t rows_ = 0, months_ = 0;
};

std::vector<std::string> bands_of(const TableFile& file) {
  std::string text = file.x().attribute("bands");
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream words(text);
  std::vector<std::string> bands;
  for (std::string band; words >> band;) bands.push_back(band);
  if (bands.size() != file.x().shape[2])
    throw DataError(concat(file.path(), ": x has ", file.x().shape[2], " bands, but names ", bands.size(),
                           "; give it an attribute 'bands' with a name for each."));
  if (std::set<std::string>(bands.begin(), bands.end()).size() != bands.size())
    throw DataError(concat(file.path(), ": x names a band twice; each name must occur once."));
  return bands;
}

Matrix<double> matrix_of(const std::vector<double>& numbers, std::uint64_t columns) {
  if (numbers.empty()) return {};
  return Eigen::Map<const Matrix<double>>(numbers.data(), static_cast<Index>(numbers.size() / columns),
                                          static_cast<Index>(columns));
}

/// Whole numbers from 0 to `most`.
Matrix<double> whole_numbers(const TableFile& file, const std::string& name, double most, BadRows& bad) {
  Matrix<double> found = matrix_of(file.numbers(name, file.months()), file.months());
  for (Index i = 0; i < found.size(); ++i)
    if (const double number = found.data()[i]; !(number >= 0 && number <= most && number == std::floor(number))) {
      const std::uint64_t row = static_cast<std::uint64_t>(i) / file.months();
      bad.take(row, concat(name, " has ", number, " in row ", row),
               concat(", but must have whole numbers from 0 to ", most, "."));
    }
  return found;
}

bool is_radar_band(const std::string& band) { return band == "VV" || band == "VH"; }

/// Why a number of a band cannot be; "" where it can.
std::string fault_of(const std::string& band, double number) {
  if (std::isinf(number)) return ", but must be finite.";
  if (is_radar_band(band) && !(number >= kLeastBackscatter && number <= kMostBackscatter))
    return ", but must be dB, in [-83, 40].";
  if (is_optical_band(band) && !(std::abs(number) <= kMostNumber)) return ", but must be 10,000 times the reflectance.";
  return "";
}

/// Numbers of another unit would be taken for other plants.
void check_units(const TableFile& file, const MoistureTable& table, BadRows& bad) {
  for (std::size_t b = 0; b < table.bands.size(); ++b) {
    const std::string& band = table.bands[b];
    double most = -INFINITY;
    for (Index i = 0; i < table.values.rows(); ++i) {
      const double number = table.values(i, static_cast<Index>(b));
      if (std::isnan(number)) continue;
      if (const std::string fault = fault_of(band, number); fault.empty())
        most = std::max(most, number);
      else
        bad.take(static_cast<std::uint64_t>(i / table.months),
                 concat(band, " has ", number, " in row ", i / table.months), fault);
    }
    if (is_optical_band(band) && most > -INFINITY && most < kLeastNumber)
      throw DataError(concat(file.path(), ": ", band, " is at most ", most,
                             ", so it is a reflectance, but must be 10,000 times that; multiply it."));
  }
}

/// A sensor shows a month in which each of its bands has a number.
void check_shown(const MoistureTable& table, BadRows& bad) {
  std::vector<Index> radar, optical;
  for (std::size_t b = 0; b < table.bands.size(); ++b)
    if (is_radar_band(table.bands[b]) || is_optical_band(table.bands[b]))
      (is_radar_band(table.bands[b]) ? radar : optical).push_back(static_cast<Index>(b));
  bool shown = false;
  for (Index line = 0; line < table.values.rows(); ++line) {
    const auto shows = [&](const std::vector<Index>& bands) { return table.values(line, bands).allFinite(); };
    shown = shown || (radar.size() == 2 && shows(radar)) || (!optical.empty() && shows(optical));
    if (const Index row = line / table.months; line % table.months == table.months - 1) {
      if (!shown)
        bad.take(static_cast<std::uint64_t>(row), concat("row ", row, " has numbers of neither sensor in any month"),
                 ".");
      shown = false;
    }
  }
}

std::vector<double> moisture_of(const TableFile& file, BadRows& bad) {
  std::vector<double> moisture = file.numbers("y", 1);
  for (std::size_t i = 0; i < moisture.size(); ++i)
    if (!std::isnan(moisture[i]) && !(moisture[i] >= 0 && moisture[i] <= kMostMoisture))
      bad.take(i, concat("y has ", moisture[i], " in row ", i),
               concat(", but must be a moisture in per cent of dry mass, from 0 to ", kMostMoisture, "."));
  return moisture;
}

void leave_out(const BadRows& bad, MoistureTable& table) {
  const std::vector<Index> rows = bad.kept(table.count());
  if (bad.found().empty()) return;
  std::vector<Index> lines;
  for (const Index row : rows)
    for (Index month = 0; month < table.months; ++month) lines.push_back(row * table.months + month);
  keep_rows(lines, table.values);
  for (Matrix<double>* one : {&table.month, &table.covers, &table.places}) keep_rows(rows, *one);
  keep_rows(rows, table.ids), keep_rows(rows, table.sites), keep_rows(rows, table.moisture);
  keep_rows(rows, table.is_test);
  for (const auto& [row, what] : bad.found()) table.left_out.push_back(what);
}

}  // namespace

bool is_optical_band(const std::string& band) {
  return band.size() >= 2 && band[0] == 'B' && band[1] >= '0' && band[1] <= '9';
}

MoistureTable read_moisture_table(const std::string& path, bool leave_out_bad) {
  const TableFile file(path);
  BadRows bad(file.path(), "row", leave_out_bad);
  MoistureTable table;
  table.bands = bands_of(file);
  table.months = static_cast<Index>(file.months());
  table.values = matrix_of(file.x_numbers(), table.bands.size());
  check_units(file, table, bad);
  check_shown(table, bad);
  table.month = whole_numbers(file, "month", 11, bad);
  table.covers = whole_numbers(file, "dynamic_world", static_cast<double>(kLandCovers.size() - 1), bad);
  table.places = matrix_of(file.numbers("latlon", 2), 2);
  for (Index i = 0; i < table.places.rows(); ++i)
    if (!(std::abs(table.places(i, 0)) <= 90 && std::abs(table.places(i, 1)) <= 360))
      bad.take(static_cast<std::uint64_t>(i),
               concat("latlon has ", table.places(i, 0), ", ", table.places(i, 1), " in row ", i),
               ", but must have a latitude and a longitude in degrees.");
  table.sites = file.texts("site");
  table.moisture = moisture_of(file, bad);
  for (const double number : file.numbers("is_test", 1)) {
    const std::size_t row = table.is_test.size();
    if (number != 0 && number != 1)
      bad.take(row, concat("is_test has ", number, " in row ", row), ", but must be 0 or 1.");
    table.is_test.push_back(number == 1 ? 1 : 0);
  }
  table.ids = file.texts("row");
  for (std::uint64_t i = table.ids.size(); i < file.rows(); ++i) table.ids.push_back(std::to_string(i));
  leave_out(bad, table);
  return table;
}

}  // namespace fovea::datasets::fields
