#include "fovea/core/statistics/line_fit.hpp"

#include <cmath>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/distributions/student.hpp"

namespace fovea {

LineFit fit_line(std::span<const double> x, std::span<const double> y) {
  require(x.size() == y.size(), "fit_line: there are ", x.size(), " x but ", y.size(), " y; each point needs both.");
  LineFit fit;
  double mean_x = 0, mean_y = 0;
  const auto is_there = [&](std::size_t i) { return !std::isnan(x[i]) && !std::isnan(y[i]); };
  for (std::size_t i = 0; i < x.size(); ++i)
    if (is_there(i)) mean_x += x[i], mean_y += y[i], ++fit.count;
  mean_x /= fit.count;
  mean_y /= fit.count;
  double xx = 0, xy = 0, residual = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (is_there(i)) xx += (x[i] - mean_x) * (x[i] - mean_x), xy += (x[i] - mean_x) * (y[i] - mean_y);
  require(fit.count >= 2 && xx > 0, "fit_line: a line needs points at two different x at least.");
  fit.slope = xy / xx;
  fit.intercept = mean_y - fit.slope * mean_x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double off = y[i] - fit.intercept - fit.slope * x[i];
    if (is_there(i)) residual += off * off;
  }
  const int degrees = fit.count - 2;
  fit.slope_error = degrees > 0 ? std::sqrt(residual / degrees / xx) : kNan;
  fit.half_width = degrees > 0 ? student_width(0.95, degrees) * fit.slope_error : kNan;
  return fit;
}

LineFit fit_power(std::span<const double> x, std::span<const double> y) {
  require(x.size() == y.size(), "fit_power: there are ", x.size(), " x but ", y.size(), " y; each point needs both.");
  std::vector<double> log_x, log_y;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool both = x[i] > 0 && y[i] > 0;
    log_x.push_back(both ? logarithm(x[i]) : kNan);
    log_y.push_back(both ? logarithm(y[i]) : kNan);
  }
  return fit_line(log_x, log_y);
}

}  // namespace fovea
