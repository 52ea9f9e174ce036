#include "fovea/domains/nowcast/events/surprises.hpp"

#include "fovea/tests/domains/nowcast/small_panels.hpp"

namespace fovea::nowcast {

namespace {

double plain_median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

/// The error of the last value after the others, written down from the definition.
double plain_error(const std::vector<double>& all) {
  const std::vector<double> past(all.begin(), all.end() - 1);
  const double m = plain_median(past);
  std::vector<double> distances, clipped;
  for (const double y : past) distances.push_back(std::abs(y - m));
  const double most = 3 * 1.4826 * plain_median(distances);
  for (const double y : past) clipped.push_back(std::max(-most, std::min(most, y - m)));
  double above = 0, below = 0;
  for (std::size_t i = 1; i < clipped.size(); ++i) {
    above += clipped[i] * clipped[i - 1];
    below += clipped[i - 1] * clipped[i - 1];
  }
  const double a = above / below;
  std::vector<double> residuals;
  for (std::size_t i = 1; i < clipped.size(); ++i) residuals.push_back(clipped[i] - a * clipped[i - 1]);
  double mean = 0, variance = 0;
  for (const double r : residuals) mean += r / static_cast<double>(residuals.size());
  for (const double r : residuals) variance += (r - mean) * (r - mean) / static_cast<double>(residuals.size());
  return (all.back() - m - a * clipped.back()) / std::sqrt(variance);
}

/// An autoregression with an outlier now and then.
std::vector<double> made_changes(Index n, std::uint64_t seed) {
  const Random random = Random(seed).stream("changes");
  std::vector<double> values;
  double y = 0;
  for (Index i = 0; i < n; ++i) {
    y = 0.5 * y + random.normal(i);
    values.push_back(0.3 + y + (random.uniform(i, 1) < 0.03 ? 20 : 0));
  }
  return values;
}

}  // namespace

TEST_CASE("a surprise is the error of a forecast from the past, in deviations of the past", "[nowcast][events][twin]") {
  const std::vector<double> values = made_changes(120, 1);
  const std::vector<double> errors = forecast_errors(values);
  REQUIRE(errors.size() == values.size());
  for (Index i = 0; i < 120; ++i) {
    CHECK(std::isnan(errors[i]) == (i < 36));
    if (i >= 36) CHECK(std::abs(errors[i] - plain_error({values.begin(), values.begin() + i + 1})) < 1e-9);
  }
}

TEST_CASE("empty values are passed over as if they were not there", "[nowcast][events]") {
  const std::vector<double> values = made_changes(90, 2);
  std::vector<double> gaps;
  for (const double value : values) gaps.insert(gaps.end(), {kNan, value, kNan});
  const std::vector<double> dense = forecast_errors(values), sparse = forecast_errors(gaps);
  for (std::size_t i = 0; i < values.size(); ++i) {
    CHECK((std::isnan(sparse[3 * i]) && std::isnan(sparse[3 * i + 2])));
    CHECK((dense[i] == sparse[3 * i + 1] || (std::isnan(dense[i]) && std::isnan(sparse[3 * i + 1]))));
  }
}

TEST_CASE("nothing surprises after a past that does not vary", "[nowcast][events]") {
  std::vector<double> flat(60, 2.5);
  flat[50] = 9;
  for (const double error : forecast_errors(flat)) CHECK(std::isnan(error));
  CHECK(forecast_errors({}).empty());
  const std::vector<double> scaled = made_changes(80, 3);
  std::vector<double> other;
  for (const double y : scaled) other.push_back(7 - 1000 * y);  // another unit and sign
  const std::vector<double> a = forecast_errors(scaled), b = forecast_errors(other);
  for (std::size_t i = 36; i < a.size(); ++i) CHECK(std::abs(a[i] + b[i]) < 1e-8);
}

}  // namespace fovea::nowcast
