#include "fovea/domains/fusion/moisture/moisture_cases.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::moisture {

namespace {

using datasets::fields::MoistureTable;

constexpr double kDarkest = 10;  // keeps a normalised difference finite over deep water; 10,000 x reflectance
constexpr const char* kDifferences[][3] = {{"NDVI", "B8", "B4"},
                                           {"NDMI", "B8", "B11"},
                                           {"ND812", "B8", "B12"},
                                           {"NDWI", "B3", "B8"},
                                           {"ND1211", "B12", "B11"}};

const std::map<std::string, std::string> kUnits{
    {"temperature_2m", "K"}, {"total_precipitation", "m"}, {"elevation", "m"}, {"slope", "deg"}};

Index place_of(const std::vector<std::string>& bands, const std::string& band) {
  const auto found = std::find(bands.begin(), bands.end(), band);
  return found == bands.end() ? -1 : found - bands.begin();
}

/// Which columns of the table become which features.
class TokenPlan {
 public:
  TokenPlan(const MoistureTable& table, std::vector<study::Feature>& features) : table_(table) {
    vv_ = place_of(table.bands, "VV"), vh_ = place_of(table.bands, "VH");
    if (vv_ >= 0 && vh_ >= 0)
      for (const char* name : {"VV", "VH", "VV - VH"}) features.push_back({name, "dB", {}});
    radar_ = std::ssize(features);
    for (std::size_t b = 0; b < table.bands.size(); ++b)
      if (datasets::fields::is_optical_band(table.bands[b])) {
        optical_.push_back(static_cast<Index>(b));
        features.push_back({table.bands[b], "1e-4", {}});
      }
    for (const auto& [name, first, second] : kDifferences) {
      const Index a = place_of(table.bands, first), b = place_of(table.bands, second);
      if (a < 0 || b < 0) continue;
      pairs_.emplace_back(a, b);
      features.push_back({name, "1", {}});
    }
    common_first_ = std::ssize(features);
    add_common(features);
    width_ = std::ssize(features);
  }

  /// Adds a token unless one of the sensor's numbers is missing.
  bool add(Index row, Index month, Index sensor, std::vector<float>& values) const {
    const auto numbers = table_.values.row(row * table_.months + month);
    std::vector<double> token(width_, kNan);
    double* to = token.data() + (sensor == 0 ? 0 : radar_);
    if (sensor == 0) {
      if (radar_ == 0) return false;
      *to++ = numbers(vv_), *to++ = numbers(vh_), *to++ = numbers(vv_) - numbers(vh_);
    } else {
      if (optical_.empty()) return false;
      for (const Index b : optical_) *to++ = numbers(b);
      for (const auto& [a, b] : pairs_) *to++ = (numbers(a) - numbers(b)) / std::max(numbers(a) + numbers(b), kDarkest);
    }
    for (const double* number = token.data() + (sensor == 0 ? 0 : radar_); number != to; ++number)
      if (!std::isfinite(*number)) return false;
    put_common(row, month, numbers, token.data() + common_first_);
    for (const double number : token) values.push_back(static_cast<float>(number));
    return true;
  }

 private:
  void add_common(std::vector<study::Feature>& features) {
    for (std::size_t b = 0; b < table_.bands.size(); ++b) {
      const std::string& band = table_.bands[b];
      if (band == "VV" || band == "VH" || band == "NDVI" || datasets::fields::is_optical_band(band)) continue;
      other_.push_back(static_cast<Index>(b));
      const auto unit = kUnits.find(band);
      features.push_back({band, unit == kUnits.end() ? "1" : unit->second, {}});
    }
    if (table_.month.size() > 0)
      for (const char* name : {"cosine of month", "sine of month"}) features.push_back({name, "1", {}});
    if (table_.covers.size() > 0) features.push_back({"land cover", "1", datasets::fields::kLandCovers});
    if (table_.places.size() > 0)
      for (const char* name : {"latitude", "longitude"}) features.push_back({name, "deg", {}});
  }
  template <typename Row>
  void put_common(Index row, Index month, const Row& numbers, double* to) const {
    for (const Index b : other_) *to++ = numbers(b);
    if (table_.month.size() > 0) {
      const double angle = 2 * std::numbers::pi * table_.month(row, month) / 12;
      *to++ = std::cos(angle), *to++ = std::sin(angle);
    }
    if (table_.covers.size() > 0) *to++ = table_.covers(row, month);
    if (table_.places.size() > 0) *to++ = table_.places(row, 0), *to++ = table_.places(row, 1);
  }

  const MoistureTable& table_;
  Index vv_ = -1, vh_ = -1, radar_ = 0, common_first_ = 0, width_ = 0;
  std::vector<Index> optical_, other_;
  std::vector<std::pair<Index, Index>> pairs_;
};

std::vector<std::string> groups_of(const MoistureTable& table) {
  if (!table.sites.empty() || table.places.size() == 0) return table.sites;
  std::vector<std::string> groups;
  for (Index i = 0; i < table.places.rows(); ++i)
    groups.push_back(concat(exact_text(table.places(i, 0)), ' ', exact_text(table.places(i, 1))));
  return groups;
}

}  // namespace

study::Cases cases_of_moisture(const MoistureTable& table) {
  study::Cases cases;
  cases.classes = model::kSensorNames;
  cases.time_unit = "month";
  const TokenPlan plan(table, cases.features);
  std::vector<float> values;
  for (Index i = 0; i < table.count(); ++i) {
    for (Index sensor = 0; sensor < model::kSensors; ++sensor)
      for (Index month = 0; month < table.months; ++month) {
        if (!plan.add(i, month, sensor, values)) continue;
        cases.times.push_back(static_cast<double>(month));
        cases.kinds.push_back(static_cast<std::uint16_t>(sensor));
      }
    cases.offsets.push_back(std::ssize(cases.kinds));
  }
  cases.values = Eigen::Map<const Matrix<float>>(values.data(), std::ssize(cases.kinds), std::ssize(cases.features));
  cases.targets = table.moisture;
  cases.ids = table.ids;
  cases.groups = groups_of(table);
  return cases;
}

Index sensor_of_feature(const std::string& name) {
  if (name == "VV" || name == "VH" || name == "VV - VH") return 0;
  const bool difference =
      std::any_of(std::begin(kDifferences), std::end(kDifferences), [&](const auto& one) { return name == one[0]; });
  return difference || datasets::fields::is_optical_band(name) ? 1 : -1;
}

Matrix<float> columns_of_moisture(const study::Cases& cases, Index months) {
  const Index features = std::ssize(cases.features);
  Matrix<float> columns = Matrix<float>::Constant(cases.count(), features * months, static_cast<float>(kNan));
  for (Index item = 0; item < cases.count(); ++item)
    for (Index i = cases.offsets[item]; i < cases.offsets[item + 1]; ++i) {
      const double month = cases.times[i];
      if (!(month >= 0 && month < static_cast<double>(months))) continue;
      for (Index f = 0; f < features; ++f)
        if (!std::isnan(cases.values(i, f))) columns(item, f * months + static_cast<Index>(month)) = cases.values(i, f);
    }
  return columns;
}

MoistureSides sides_of_moisture(const std::string& source, const MoistureTable& table) {
  MoistureSides sides;
  const std::vector<std::string> groups = groups_of(table);
  std::map<std::string, Index> side_of_group;
  for (Index i = 0; i < std::ssize(table.is_test); ++i) {
    const Index side = table.is_test[i];
    (side == 1 ? sides.test : sides.training).push_back(i);
    if (groups.empty()) continue;
    const std::string& group = groups[i];
    if (side_of_group.emplace(group, side).first->second != side)
      throw DataError(concat(source, ": site ", group, " has rows of training and of test; keep it on one side."));
  }
  if (sides.test.empty() || sides.training.empty())
    throw DataError(concat(source, ": is_test names ", sides.training.size(), " rows for training and ",
                           sides.test.size(), " for test; there must be some of both."));
  return sides;
}

}  // namespace fovea::fusion::moisture
