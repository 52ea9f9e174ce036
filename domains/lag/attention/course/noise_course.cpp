#include "fovea/domains/lag/attention/course/noise_course.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/domains/lag/attention/columns.hpp"

namespace fovea::lag::attention {

namespace {

// Of one residual, in deviations: a single outlier is no course.
constexpr double kMostDeviations = 4;
// Nats: theory.md, The attention model.
constexpr double kEnoughGain = 10;
constexpr double kLeastRatio = 1.25;

/// Mean of the squared residuals at each step of the table, and how many of these there are.
struct Squares {
  Vector<double> mean, count;
};

Squares squares_of(const Matrix<double>& residuals, const std::vector<Index>& steps, Index all) {
  Squares squares{Vector<double>::Zero(all), Vector<double>::Zero(all)};
  for (Index s = 0; s < residuals.cols(); ++s) {
    double sum = 0, count = 0;
    for (Index r = 0; r < residuals.rows(); ++r)
      if (!std::isnan(residuals(r, s))) sum += residuals(r, s) * residuals(r, s), ++count;
    if (!(sum > 0)) continue;
    for (Index r = 0; r < residuals.rows(); ++r) {
      if (std::isnan(residuals(r, s))) continue;
      const double square = residuals(r, s) * residuals(r, s) * count / sum;
      squares.mean[steps[r]] += std::min(square, kMostDeviations * kMostDeviations);
      squares.count[steps[r]] += 1;
    }
  }
  for (Index t = 0; t < all; ++t) squares.mean[t] /= std::max(squares.count[t], 1.0);
  return squares;
}

/// sum over the other steps of one recording of k(t - s) count(s) x(s), in two passes.
void add_neighbours(const Squares& of, Index first, Index end, double fade, Vector<double>& sums,
                    Vector<double>& weights) {
  const auto pass = [&](Index begin, Index stop, Index step) {
    double sum = 0, weight = 0;
    for (Index t = begin; t != stop; t += step) {
      sums[t] += sum, weights[t] += weight;
      sum = fade * (sum + of.count[t] * of.mean[t]);
      weight = fade * (weight + of.count[t]);
    }
  };
  pass(first, end, 1);
  pass(end - 1, first - 1, -1);
}

/// The course at one bandwidth. The gain is that of squares as spread out as chi^2 of one degree; where they are more
/// so, as of rain or of shocks that series share, it is in their own units (quasi-likelihood, Pearson's dispersion:
/// McCullagh & Nelder 1989, section 9.2).
NoiseCourse course_at(const Squares& of, const datasets::series::SeriesTable& table, double bandwidth) {
  const Index n = of.mean.size();
  Vector<double> sums = Vector<double>::Zero(n), weights = Vector<double>::Zero(n);
  for (const auto& [first, end] : recordings_of(table))
    add_neighbours(of, first, end, std::exp(-1 / bandwidth), sums, weights);
  const double mean = of.mean.dot(of.count) / of.count.sum();
  double spread = 0, rows = 0;
  NoiseCourse course{.size = Vector<double>::Constant(n, std::sqrt(mean)), .bandwidth = bandwidth};
  for (Index t = 0; t < n; ++t) {
    if (!(weights[t] > 0)) continue;
    const double others = sums[t] / weights[t], r = of.mean[t];
    if (!(others > 0)) return {};
    course.gain += 0.5 * of.count[t] * (std::log(mean / others) + r / mean - r / others);
    if (of.count[t] > 0) spread += 0.5 * of.count[t] * (r / others - 1) * (r / others - 1), ++rows;
    course.size[t] = std::sqrt((sums[t] + of.count[t] * r) / (weights[t] + of.count[t]));
  }
  course.gain /= std::max(spread / std::max(rows, 1.0), 1.0);
  course.ratio = course.size.maxCoeff() / course.size.minCoeff();
  return course;
}

}  // namespace

NoiseCourse noise_course(const Matrix<double>& residuals, const std::vector<Index>& steps,
                         const datasets::series::SeriesTable& table, Index shortest) {
  const Squares squares = squares_of(residuals, steps, table.steps());
  NoiseCourse best;
  if (!(squares.count.sum() > 0)) return best;
  for (double width = static_cast<double>(table.steps()) / 4; width >= static_cast<double>(shortest); width /= 2) {
    NoiseCourse course = course_at(squares, table, width);
    if (course.gain > best.gain) best = std::move(course);
  }
  best.found = best.gain > kEnoughGain && best.ratio > kLeastRatio;
  if (!best.found) best.size.resize(0);
  return best;
}

datasets::series::SeriesTable in_units_of_noise(const datasets::series::SeriesTable& table,
                                                const Vector<double>& size) {
  datasets::series::SeriesTable weighed = table;
  for (Index s = 0; s < table.series(); ++s) {
    double sum = 0, count = 0;
    for (Index t = 0; t < table.steps(); ++t)
      if (!std::isnan(table.values(t, s))) sum += table.values(t, s), ++count;
    weighed.values.col(s) = (table.values.col(s).array() - sum / std::max(count, 1.0)) / size.array();
  }
  return weighed;
}

Matrix<double> conditions_in_units_of_noise(const Matrix<double>& conditions, const Vector<double>& size) {
  Matrix<double> weighed(size.size(), conditions.cols() + 1);
  for (Index c = 0; c < conditions.cols(); ++c) weighed.col(c) = conditions.col(c).cwiseQuotient(size);
  weighed.col(conditions.cols()) = size.cwiseInverse();
  return weighed;
}

}  // namespace fovea::lag::attention
