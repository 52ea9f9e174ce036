#include "fovea/core/statistics/distributions/tails.hpp"

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

namespace policies = boost::math::policies;

/// In double, no long double behind it: the same on every machine, and several times faster. What is too small is 0.
using TailPolicy = policies::policy<policies::promote_double<false>, policies::underflow_error<policies::ignore_error>,
                                    policies::denorm_error<policies::ignore_error>>;

}  // namespace

double student_two_sided(double t, double degrees) {
  require(degrees > 0 && !std::isnan(t), "student_two_sided: t = ", t, " with ", degrees,
          " degrees of freedom; t must be a number, and the degrees > 0.");
  const double square = t * t;
  if (std::isinf(square) || std::isinf(degrees)) return std::isinf(square) ? 0.0 : normal_two_sided(t);
  // P = I_x(d/2, 1/2), x = d / (d + t^2); near x = 1 the complement keeps the digits of t
  const double sum = degrees + square;
  return square < degrees ? boost::math::ibetac(0.5, 0.5 * degrees, square / sum, TailPolicy())
                          : boost::math::ibeta(0.5 * degrees, 0.5, degrees / sum, TailPolicy());
}

double fisher_upper(double f, double numerator, double denominator) {
  require(numerator > 0 && denominator > 0 && f >= 0, "fisher_upper: F = ", f, " with ", numerator, " and ",
          denominator, " degrees of freedom; F must be >= 0, and the degrees > 0.");
  if (std::isinf(f)) return 0;
  const double a = numerator * f, sum = a + denominator;
  return a < denominator ? boost::math::ibetac(0.5 * numerator, 0.5 * denominator, a / sum, TailPolicy())
                         : boost::math::ibeta(0.5 * denominator, 0.5 * numerator, denominator / sum, TailPolicy());
}

double chi_squared_upper(double x, double degrees) {
  require(degrees > 0 && x >= 0, "chi_squared_upper: x = ", x, " with ", degrees,
          " degrees of freedom; x must be >= 0, and the degrees > 0.");
  return std::isinf(x) ? 0.0 : boost::math::gamma_q(0.5 * degrees, 0.5 * x, TailPolicy());
}

double normal_two_sided(double z) {
  require(!std::isnan(z), "normal_two_sided: z is not a number.");
  return std::erfc(std::abs(z) / 1.41421356237309504880);
}

}  // namespace fovea
