#include "fovea/datasets/fields/moisture_table.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/file/hdf5_rows.hpp"

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
Matrix<double> whole_numbers(const TableFile& file, const std::string& name, double most) {
  Matrix<double> found = matrix_of(file.numbers(name, file.months()), file.months());
  for (Index i = 0; i < found.size(); ++i)
    if (const double number = found.data()[i]; !(number >= 0 && number <= most && number == std::floor(number)))
      throw DataError(concat(file.path(), ": ", name, " has ", number, " in row ",
                             static_cast<std::uint64_t>(i) / file.months(), ", but must have whole numbers from 0 to ",
                             most, "."));
  return found;
}

/// Numbers of another unit would be taken for other plants.
void check_units(const TableFile& file, const MoistureTable& table) {
  for (std::size_t b = 0; b < table.bands.size(); ++b) {
    const std::string& band = table.bands[b];
    const bool radar = band == "VV" || band == "VH", optical = is_optical_band(band);
    double most = -INFINITY;
    for (Index i = 0; i < table.values.rows(); ++i) {
      const double number = table.values(i, static_cast<Index>(b));
      if (std::isnan(number)) continue;
      if (std::isinf(number))
        throw DataError(concat(file.path(), ": ", band, " is infinite in row ", i / table.months, "."));
      most = std::max(most, number);
      if (!radar && !optical) continue;
      if (radar ? number >= kLeastBackscatter && number <= kMostBackscatter : std::abs(number) <= kMostNumber) continue;
      throw DataError(concat(file.path(), ": ", band, " has ", number, " in row ", i / table.months, ", but must be ",
                             radar ? "dB, in [-83, 40]." : "10,000 times the reflectance."));
    }
    if (optical && most > -INFINITY && most < kLeastNumber)
      throw DataError(concat(file.path(), ": ", band, " is at most ", most,
                             ", so it is a reflectance, but must be 10,000 times that; multiply it."));
  }
}

std::vector<double> moisture_of(const TableFile& file) {
  std::vector<double> moisture = file.numbers("y", 1);
  for (std::size_t i = 0; i < moisture.size(); ++i)
    if (!std::isnan(moisture[i]) && !(moisture[i] >= 0 && moisture[i] <= kMostMoisture))
      throw DataError(concat(file.path(), ": y has ", moisture[i], " in row ", i,
                             ", but must be a moisture in per cent of dry mass, from 0 to ", kMostMoisture, "."));
  return moisture;
}

}  // namespace

bool is_optical_band(const std::string& band) {
  return band.size() >= 2 && band[0] == 'B' && band[1] >= '0' && band[1] <= '9';
}

MoistureTable read_moisture_table(const std::string& path) {
  const TableFile file(path);
  MoistureTable table;
  table.bands = bands_of(file);
  table.months = static_cast<Index>(file.months());
  table.values = matrix_of(file.x_numbers(), table.bands.size());
  check_units(file, table);
  table.month = whole_numbers(file, "month", 11);
  table.covers = whole_numbers(file, "dynamic_world", static_cast<double>(kLandCovers.size() - 1));
  table.places = matrix_of(file.numbers("latlon", 2), 2);
  for (Index i = 0; i < table.places.rows(); ++i)
    if (!(std::abs(table.places(i, 0)) <= 90 && std::abs(table.places(i, 1)) <= 360))
      throw DataError(concat(file.path(), ": latlon has ", table.places(i, 0), ", ", table.places(i, 1), " in row ", i,
                             ", but must have a latitude and a longitude in degrees."));
  table.sites = file.texts("site");
  table.moisture = moisture_of(file);
  for (const double number : file.numbers("is_test", 1)) {
    if (number != 0 && number != 1)
      throw DataError(concat(file.path(), ": is_test has ", number, ", but must be 0 or 1."));
    table.is_test.push_back(static_cast<Index>(number));
  }
  table.ids = file.texts("row");
  for (std::uint64_t i = table.ids.size(); i < file.rows(); ++i) table.ids.push_back(std::to_string(i));
  return table;
}

}  // namespace fovea::datasets::fields
