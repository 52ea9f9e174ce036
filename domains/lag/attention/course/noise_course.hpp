#pragma once
/// The course of the size of the noise that all series share, and a table in which every row tells as much as the
/// others.

#include "fovea/datasets/series/series.hpp"

namespace fovea::lag::attention {

/// sigma(t)^2 = sum_s k(t - s) r(s) / sum_s k(t - s) with r(s) the mean over the series of their squared residuals (in
/// units of their variance, at most 4 deviations each) and k(t) = exp(-|t| / bandwidth) inside a recording.
struct NoiseCourse {
  bool found = false;
  Vector<double> size;  ///< sigma(t), one a step of the table; empty where not found
  double ratio = 1;     ///< of the largest to the smallest
  /// Log likelihood of the residuals, each row given the others, over that of one size for all; divided by the
  /// dispersion of the rows' squares where that is above a normal variable's.
  double gain = 0;
  double bandwidth = 0;  ///< steps
};

/// The bandwidth is the best by leave-one-out likelihood of a quarter of the steps and its halves, down to `shortest`:
/// a course that is slow against every lag, so that x(t - lag) / sigma(t) and x(t - lag) / sigma(t - lag) agree. Found
/// where gain > 10 and ratio > 1.25: a smaller one moves no test.
/// residuals: a row for each of `steps` of the table, NaN where unknown.
NoiseCourse noise_course(const Matrix<double>& residuals, const std::vector<Index>& steps,
                         const datasets::series::SeriesTable& table, Index shortest);

/// (x - mean) / sigma(t): least squares on it are weighted least squares on the table (Aitken 1936).
datasets::series::SeriesTable in_units_of_noise(const datasets::series::SeriesTable& table, const Vector<double>& size);

/// The conditions in the same units, and the mean's own column 1 / sigma(t).
Matrix<double> conditions_in_units_of_noise(const Matrix<double>& conditions, const Vector<double>& size);

}  // namespace fovea::lag::attention
