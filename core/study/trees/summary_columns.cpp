#include "fovea/core/study/trees/summary_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea::study {

namespace {

constexpr Index kCountColumns = 2, kValueColumns = 13;  // besides those of the half-lives
constexpr Index kWorthwhileRows = 64, kSummariesTogether = 16;
constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

/// Of one feature in one class.
struct ValueSums {
  double count = 0, sum = 0, squares = 0, least = 0, most = 0, first = 0, last = 0;
  double recent_count = 0, recent_sum = 0, recent_least = 0, recent_most = 0;
  double ages = 0, squared_ages = 0, products = 0;  // of age and value
  std::vector<double> weighted, weights;            // of each half-life

  void add(double x, double age, bool recent, std::span<const double> decay) {
    least = count == 0 ? x : std::min(least, x);
    most = count == 0 ? x : std::max(most, x);
    if (count == 0) first = x;
    last = x;
    ++count;
    sum += x;
    squares += x * x;
    ages += age;
    squared_ages += age * age;
    products += age * x;
    for (std::size_t k = 0; k < decay.size(); ++k) weighted[k] += decay[k] * x, weights[k] += decay[k];
    if (!recent) return;
    recent_least = recent_count == 0 ? x : std::min(recent_least, x);
    recent_most = recent_count == 0 ? x : std::max(recent_most, x);
    ++recent_count;
    recent_sum += x;
  }
  /// By least squares, a unit of time; NaN where all values are of one time.
  double slope() const {
    constexpr double kHardly = 1e-9;  // of the ages' squares: then they are equal but for rounding
    const double varies = squared_ages - ages * ages / count;
    return varies > kHardly * squared_ages ? (ages * sum / count - products) / varies : kNan;
  }
  double mean() const { return sum / count; }
  double recent_mean() const { return recent_sum / recent_count; }
  double earlier_mean() const { return (sum - recent_sum) / (count - recent_count); }
};

/// Of one class.
struct ClassSums {
  double count = 0, last_age = kNan;
  std::vector<double> mass;  // of each half-life
  std::vector<ValueSums> values;
};

/// One row, which is filled from left to right.
class Row {
 public:
  explicit Row(float* entry) : entry_(entry) {}
  void put(double x) { *entry_++ = std::isfinite(x) ? static_cast<float>(x) : kUnknown; }

 private:
  float* entry_;
};

void put_values(const ValueSums& sums, Row& row) {
  const bool any = sums.count > 0, recent = sums.recent_count > 0, earlier = sums.count > sums.recent_count;
  const double mean = sums.mean();
  for (const double x : {sums.last, sums.first, sums.least, sums.most}) row.put(any ? x : kNan);
  row.put(mean);
  row.put(any ? std::sqrt(std::max(0.0, sums.squares / sums.count - mean * mean)) : kNan);
  for (std::size_t k = 0; k < sums.weights.size(); ++k) row.put(sums.weighted[k] / sums.weights[k]);
  row.put(sums.recent_mean());
  for (const double x : {sums.recent_least, sums.recent_most}) row.put(recent ? x : kNan);
  row.put(any ? sums.last - sums.first : kNan);
  row.put(sums.last - mean);
  row.put(recent && earlier ? sums.recent_mean() - sums.earlier_mean() : kNan);
  row.put(any ? sums.slope() : kNan);
}

void put_class(const ClassSums& sums, Row& row) {
  row.put(sums.count > 0 ? std::log1p(sums.count) : kNan);
  row.put(sums.last_age);
  for (const double mass : sums.mass) row.put(std::log(mass));
  for (const ValueSums& values : sums.values) put_values(values, row);
}

class Summary {
 public:
  Summary(const Cases& cases, const SummarySettings& settings) : cases_(cases), settings_(settings) {
    const std::size_t taus = settings.half_lives.size();
    const ValueSums values{.weighted = std::vector<double>(taus), .weights = std::vector<double>(taus)};
    empty_.assign(std::max<std::size_t>(1, cases.classes.size()),
                  {.mass = std::vector<double>(taus), .values = std::vector(cases.features.size(), values)});
  }

  /// sums: room that rows of a thread share.
  void write(Index item, double at, std::vector<ClassSums>& sums, float* entries) const {
    sums = empty_;
    std::vector<double> decay(settings_.half_lives.size());
    const auto first = cases_.offsets[item];
    for (Index i = first; i < first + cases_.size(item); ++i) add(i, at, decay, sums);
    Row row(entries);
    for (const ClassSums& of_class : sums) put_class(of_class, row);
    row.put(at);
  }

 private:
  void add(std::size_t i, double at, std::vector<double>& decay, std::vector<ClassSums>& sums) const {
    const double age = cases_.times.empty() ? kNan : at - cases_.times[i];
    if (age < 0) return;
    ClassSums& own = sums[cases_.classes.empty() ? 0 : cases_.kinds[i]];
    ++own.count;
    own.last_age = std::isnan(own.last_age) ? age : std::min(own.last_age, age);
    for (std::size_t k = 0; k < decay.size(); ++k) own.mass[k] += decay[k] = std::exp2(-age / settings_.half_lives[k]);
    for (std::size_t f = 0; f < own.values.size(); ++f) {
      const float x = cases_.values(static_cast<Index>(i), static_cast<Index>(f));
      if (!std::isnan(x)) own.values[f].add(x, age, age <= settings_.recent, decay);
    }
  }

  const Cases& cases_;
  const SummarySettings& settings_;
  std::vector<ClassSums> empty_;
};

}  // namespace

Index summary_width(Index classes, Index features, const SummarySettings& settings) {
  const auto taus = static_cast<Index>(settings.half_lives.size());
  return std::max<Index>(1, classes) * (kCountColumns + taus + features * (kValueColumns + taus)) + 1;
}

Matrix<float> summary_columns(const Cases& cases, std::span<const Index> items, std::span<const double> at,
                              const SummarySettings& settings) {
  const Index each = std::max<Index>(1, static_cast<Index>(at.size()));
  Matrix<float> columns(
      static_cast<Index>(items.size()) * each,
      summary_width(static_cast<Index>(cases.classes.size()), static_cast<Index>(cases.features.size()), settings));
  const Summary summary(cases, settings);
  const Index rows = columns.rows();
  for_each_task((rows + kSummariesTogether - 1) / kSummariesTogether, rows >= kWorthwhileRows, [&](Index part) {
    std::vector<ClassSums> sums;
    for (Index row = part * kSummariesTogether; row < std::min(rows, (part + 1) * kSummariesTogether); ++row) {
      const Index item = items[row / each];
      const double time = at.empty() ? end_of(cases, item) : at[row % each];
      summary.write(item, time, sums, columns.row(row).data());
    }
  });
  return columns;
}

}  // namespace fovea::study
