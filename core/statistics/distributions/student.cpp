#include "fovea/core/statistics/distributions/student.hpp"

#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"

namespace fovea {

double student_within(double t, int degrees) {
  require(degrees >= 1, "student_within: there are ", degrees, " degrees of freedom, but must be at least 1.");
  require(t >= 0, "student_within: t = ", t, ", but must be >= 0.");
  const double n = degrees, theta = std::atan(t / std::sqrt(n)), cosine = std::cos(theta), sine = std::sin(theta);
  const bool odd = degrees % 2 == 1;
  double term = odd ? cosine : 1.0, sum = degrees > 1 ? term : 0.0;
  for (int k = odd ? 3 : 2; k <= degrees - 2; k += 2) {
    term *= cosine * cosine * (k - 1) / k;
    sum += term;
  }
  constexpr double kHalfPi = 1.57079632679489661923;
  return odd ? (theta + sine * sum) / kHalfPi : sine * sum;
}

double student_width(double level, int degrees) {
  require(level >= 0 && level < 1, "student_width: level = ", level, ", but must be in [0, 1).");
  double low = 0, high = 1;
  while (student_within(high, degrees) < level) high *= 2;
  while (high - low > 4 * std::numeric_limits<double>::epsilon() * high) {
    const double middle = 0.5 * (low + high);
    (student_within(middle, degrees) < level ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace fovea
