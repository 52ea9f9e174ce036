#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/fit/model.hpp"

namespace fovea::opinion::fit {

double AnswerGrid::step() const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k < points.size(); ++k) least = std::min(least, points[k] - points[k - 1]);
  return least;
}

double AnswerGrid::lower_edge(std::size_t k) const {
  if (k == 0) return -std::numeric_limits<double>::infinity();
  return k < points.size() ? (points[k - 1] + points[k]) / 2 : std::numeric_limits<double>::infinity();
}

std::size_t AnswerGrid::nearest(double answer) const {
  const double close = 1e-9 * step();
  std::size_t k = 0;
  while (k + 1 < points.size() && answer > lower_edge(k + 1) + close) ++k;
  return k;
}

std::vector<double> answer_counts(std::size_t count, std::span<const double> weights) {
  std::vector<double> counts(count, 1.0);
  if (weights.empty()) return counts;
  double sum = 0, square = 0;
  for (const double weight : weights) {
    sum += weight;
    square += weight * weight;
  }
  for (std::size_t k = 0; k < count; ++k) counts[k] = weights[k] * sum / square;
  return counts;
}

double MeasuredPeriod::total() const {
  double sum = 0;
  for (const double count : counts) sum += count;
  return sum;
}

Index FitModel::steps_before(std::size_t period) const {
  if (period == 0) return 0;
  return steps_per_period * (gaps.empty() ? 1 : gaps.at(period - 1));
}

MeasuredPeriod measured_period(std::span<const double> values, double width, std::span<const double> weights) {
  require(width > 0, "measured_period: the width is ", width, "; it must be > 0.");
  const std::vector<double> counted = answer_counts(values.size(), weights);
  std::map<double, double> merged;
  for (std::size_t k = 0; k < values.size(); ++k) merged[std::round(values[k] / width) * width] += counted[k];
  MeasuredPeriod period;
  for (const auto& [value, count] : merged) {
    period.values.push_back(value);
    period.counts.push_back(count);
  }
  return period;
}

MeasuredPeriod measured_cells(std::span<const double> values, const AnswerGrid& grid, std::span<const double> weights) {
  require(grid.points.size() > 1, "measured_cells: the grid has ", grid.points.size(), " points; it needs 2.");
  const std::vector<double> counted = answer_counts(values.size(), weights);
  std::vector<double> counts(grid.points.size(), 0.0);
  const double close = 1e-9 * grid.step();
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t cell = grid.nearest(values[k]);
    const bool on_edge = std::abs(values[k] - grid.lower_edge(cell + 1)) <= close;
    counts[cell] += (on_edge ? 0.5 : 1.0) * counted[k];
    if (on_edge) counts[cell + 1] += 0.5 * counted[k];
  }
  MeasuredPeriod period;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) continue;
    period.values.push_back(grid.points[k]);
    period.counts.push_back(counts[k]);
    period.low.push_back(grid.lower_edge(k));
    period.high.push_back(grid.lower_edge(k + 1));
  }
  return period;
}

}  // namespace fovea::opinion::fit
