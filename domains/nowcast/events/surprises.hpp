#pragma once
/// How far each value is from what its past let expect.

#include <vector>

namespace fovea::nowcast {

/// Of each value its error in deviations of earlier errors: the forecast is m + a (y_before - m), m the median of the
/// values before, a the slope of least squares through (m, m) and the deviation that of its residuals, all fitted on
/// the values before, clipped at 3 robust deviations (1.4826 times the median of |y - m|) about m. Values that are
/// empty are left out as if they were not there. NaN for the first 36 values and where the past does not vary.
std::vector<double> forecast_errors(const std::vector<double>& values);

}  // namespace fovea::nowcast
