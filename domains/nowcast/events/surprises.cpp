#include "fovea/domains/nowcast/events/surprises.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/missing.hpp"

namespace fovea::nowcast {

namespace {

constexpr std::size_t kFewest = 36;  ///< three years: a deviation is then known to an eighth

double middle(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/// The error of `value` after this past, in deviations.
double error_of(double value, const std::vector<double>& past, const std::vector<double>& sorted) {
  const double m = middle(sorted);
  std::vector<double> distances;
  for (const double y : sorted) distances.push_back(std::abs(y - m));
  std::sort(distances.begin(), distances.end());
  const double reach = 3 * 1.4826 * middle(distances);
  const auto from_middle = [&](double y) { return std::clamp(y - m, -reach, reach); };
  double products = 0, squares = 0;
  for (std::size_t i = 0; i + 1 < past.size(); ++i) {
    const double before = from_middle(past[i]);
    products += before * from_middle(past[i + 1]);
    squares += before * before;
  }
  if (!(squares > 0)) return kNan;
  const double slope = products / squares;
  double sum = 0, left = 0;
  const auto count = static_cast<double>(past.size() - 1);
  for (std::size_t i = 0; i + 1 < past.size(); ++i) sum += from_middle(past[i + 1]) - slope * from_middle(past[i]);
  for (std::size_t i = 0; i + 1 < past.size(); ++i) {
    const double residual = from_middle(past[i + 1]) - slope * from_middle(past[i]) - sum / count;
    left += residual * residual;
  }
  const double deviation = std::sqrt(left / count);
  return deviation > 0 ? (value - m - slope * from_middle(past.back())) / deviation : kNan;
}

}  // namespace

std::vector<double> forecast_errors(const std::vector<double>& values) {
  std::vector<double> errors(values.size(), kNan), past, sorted;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    if (past.size() >= kFewest) errors[i] = error_of(values[i], past, sorted);
    past.push_back(values[i]);
    sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), values[i]), values[i]);
  }
  return errors;
}

}  // namespace fovea::nowcast
