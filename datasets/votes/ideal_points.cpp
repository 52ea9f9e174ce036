#include "fovea/datasets/votes/ideal_points.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::votes {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::optional<std::size_t> column_if_there(const datasets::text::CsvReader& reader, const std::string& name) {
  return reader.has(name) ? std::optional(reader.column(name)) : std::nullopt;
}

std::int64_t period_in(const datasets::text::CsvReader& reader, std::size_t column) {
  const std::int64_t period = reader.whole(column);
  if (period < 1) reader.refuse(column, concat("the period is ", period, "; they count from 1."));
  return period;
}

double position_in(const datasets::text::CsvReader& reader, std::size_t column) {
  const double position = reader.number(column);
  if (!(std::abs(position) <= 1))
    reader.refuse(column, concat("the position is ", position, "; ideal points lie in [-1, 1]."));
  return position;
}

double mean_position(const IdealPoints& points, std::int64_t party) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < points.parties.size(); ++i) {
    if (points.parties[i] != party) continue;
    sum += points.positions[i];
    ++count;
  }
  require(count > 0, "party_mean_difference: period ", points.period, " has no member of party ", party, ".");
  return sum / count;
}

}  // namespace

std::vector<IdealPoints> read_ideal_points(const std::string& path, const std::string& chamber,
                                           const IdealPointColumns& columns) {
  datasets::text::CsvReader reader(path);
  const std::size_t period = reader.column(columns.period), position = reader.column(columns.position);
  const auto party = column_if_there(reader, columns.party), member = column_if_there(reader, columns.member);
  const auto house = column_if_there(reader, columns.chamber);
  std::map<std::int64_t, IdealPoints> periods;
  while (reader.next()) {
    if (house && datasets::text::trimmed(reader.text(*house)) != chamber) continue;
    const std::int64_t number = period_in(reader, period);
    if (reader.empty(position)) continue;
    IdealPoints& points = periods[number];
    points.period = number;
    points.positions.push_back(position_in(reader, position));
    if (party) points.parties.push_back(reader.whole(*party));
    if (member) points.member_ids.emplace_back(datasets::text::trimmed(reader.text(*member)));
  }
  if (periods.empty())
    throw DataError(
        concat(path, ": has no member of chamber '", chamber, "' with a position; choose another chamber."));
  std::vector<IdealPoints> ordered;
  for (auto& [number, points] : periods) ordered.push_back(std::move(points));
  return ordered;
}

double party_mean_difference(const IdealPoints& points, std::int64_t first, std::int64_t second) {
  return mean_position(points, second) - mean_position(points, first);
}

double bimodality_of_sample(std::span<const double> values) {
  require(values.size() >= 4, "bimodality_of_sample: there are ", values.size(), " values; it takes 4 at least.");
  const Moments of = moments(values);
  const auto n = static_cast<double>(values.size());
  const double pairs = (n - 2) * (n - 3);
  const double skewness = of.skewness * std::sqrt(n * (n - 1)) / (n - 2);
  const double kurtosis = (n - 1) / pairs * ((n + 1) * (of.kurtosis - 3) + 6);
  return (skewness * skewness + 1) / (kurtosis + 3 * (n - 1) * (n - 1) / pairs);
}

double share_of_moderates(std::span<const double> values, double bound) {
  require(!values.empty(), "share_of_moderates: there are no values.");
  int count = 0;
  for (const double value : values) count += std::abs(value) < bound ? 1 : 0;
  return count / static_cast<double>(values.size());
}

Turnover turnover(const IdealPoints& earlier, const IdealPoints& later) {
  if (earlier.member_ids.empty() || later.member_ids.empty()) return {kNaN, kNaN};
  std::unordered_map<std::string, double> before;
  for (std::size_t i = 0; i < earlier.member_ids.size(); ++i) before[earlier.member_ids[i]] = earlier.positions[i];
  double stayed = 0, unmoved = 0;
  for (std::size_t i = 0; i < later.member_ids.size(); ++i) {
    const auto place = before.find(later.member_ids[i]);
    if (place == before.end()) continue;
    ++stayed;
    unmoved += place->second == later.positions[i] ? 1 : 0;
  }
  return {stayed / static_cast<double>(later.member_ids.size()), stayed > 0 ? unmoved / stayed : kNaN};
}

}  // namespace fovea::datasets::votes
