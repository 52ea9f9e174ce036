#include "fovea/core/statistics/distributions/tails.hpp"

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

namespace policies = boost::math::policies;

/// In double, no long double behind it: the same on every machine, and several times faster. What is too small is 0.
using TailPolicy =
    policies::policy<policies::promote_double<false>, policies::underflow_error<policies::ignore_error>,
                     policies::denorm_error<policies::ignore_error>,
                     policies::overflow_error<policies::ignore_error>>;  // of the gamma function, in its tail

/// Below it a double has fewer digits, or is 0.
constexpr double kLeast = std::numeric_limits<double>::min();

/// The fraction 1 / (1 + d1 / (1 + d2 / ...)) of I_x(a, b), by Lentz's method; for x < (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  constexpr int kMostTerms = 1'000'000;  // sqrt(max(a, b)) are needed
  double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), fraction = d;
  const auto take = [&](double term) {
    d = 1 / (1 + term * d);
    c = 1 + term / c;
    fraction *= c * d;
  };
  for (int m = 1; m < kMostTerms; ++m) {
    take(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    take(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)));
    if (std::abs(c * d - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return fraction;
}

/// log10 of I_x(a, b) for x = 1 / (1 + odds), far below its middle.
double log10_beta_tail(double odds, double a, double b) {
  const double whole = boost::math::beta(a, b, TailPolicy());
  const double log_whole = whole >= kLeast
                               ? std::log(whole)
                               : boost::math::lgamma(a, TailPolicy()) + boost::math::lgamma(b, TailPolicy()) -
                                     boost::math::lgamma(a + b, TailPolicy());
  return (-a * std::log1p(odds) - b * std::log1p(1 / odds) - std::log(a) - log_whole +
          std::log(beta_fraction(1 / (1 + odds), a, b))) /
         std::numbers::ln10;
}

/// log10 of P(|Z| >= z) for z > 30.
double log10_normal_tail(double z) {
  double fraction = z;
  for (int k = 30; k > 0; --k) fraction = z + k / fraction;
  return std::log10(2 * std::numbers::inv_sqrtpi / std::numbers::sqrt2 / fraction) - z * z / 2 / std::numbers::ln10;
}

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

double log10_student_two_sided(double t, double degrees) {
  const double p = student_two_sided(t, degrees), square = t * t;
  if (p >= kLeast || std::isinf(square)) return std::log10(p);
  return std::isinf(degrees) ? log10_normal_tail(std::abs(t)) : log10_beta_tail(square / degrees, 0.5 * degrees, 0.5);
}

double log10_fisher_upper(double f, double numerator, double denominator) {
  const double p = fisher_upper(f, numerator, denominator), odds = numerator / denominator * f;
  if (p >= kLeast || std::isinf(odds)) return std::log10(p);
  return log10_beta_tail(odds, 0.5 * denominator, 0.5 * numerator);
}

}  // namespace fovea
