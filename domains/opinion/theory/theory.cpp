#include "fovea/domains/opinion/theory/theory.hpp"

#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"

namespace fovea::opinion::theory {

namespace {

constexpr int kHighestDegree = 400;  // the growth of degree n peaks at r = n / (n + 1): 400 covers r < 0.9975
constexpr int kBisections = 200;     // more than the bits of a double: ends where no number lies between

void require_stubbornness(double s) {
  require(s > 0 && s < 1, "Gaussian state: stubbornness = ", s, ", but must be in (0, 1); with 0 it does not exist.");
}

/// u of a state at rest whose attention pulls with r: u = (1 - s) r u + s.
double u_of_pull(double r, double s) { return s / (1 - (1 - s) * r); }

/// tau of that state, from r = u^2 / (u^2 + tau).
double tau_of_pull(double r, double s) {
  const double u = u_of_pull(r, s);
  return u * u * (1 - r) / r;
}

bool is_unstable(double r, double s) {
  for (int degree = 1; degree <= kHighestDegree; ++degree)
    if ((1 - s) * displacement_growth(degree, r) >= 1) return true;
  return false;
}

Fold fold(double s, double sign) {
  if (!(s > 0 && s <= 1.0 / 9.0)) return {kNan, kNan};
  const double root = std::sqrt(std::fmax(0.0, (9 * s - 1) * (s - 1)));
  const double u = ((1 + 3 * s) + sign * root) / 4;
  return {u, gaussian_state_tau(u, s)};
}

}  // namespace

double next_gap(double gap, double temperature, double first_size, double second_size) {
  require(temperature > 0, "next_gap: temperature = ", temperature, ", but must be > 0.");
  require(first_size > 0 && second_size > 0, "next_gap: sizes ", first_size, " and ", second_size, " must be > 0.");
  const double a = std::exp(-gap * gap / (2 * temperature));
  const double p1 = second_size * a / (first_size + second_size * a);
  const double p2 = first_size * a / (second_size + first_size * a);
  return gap * (1 - p1 - p2);
}

double camp_lifetime(double gap, double temperature, double first_size, double second_size) {
  require(gap > 0 && temperature > 0, "camp_lifetime: gap = ", gap, " and temperature = ", temperature,
          ", but both must be > 0.");
  require(first_size > 0 && second_size > 0, "camp_lifetime: sizes ", first_size, " and ", second_size,
          " must be > 0.");
  const double exponent = gap * gap / (2 * temperature);
  return std::exp(exponent) / (2 * exponent * (first_size / second_size + second_size / first_size));
}

double next_gaussian_sd(double sd, double temperature) { return sd * sd * sd / (sd * sd + temperature); }

double gaussian_state_tau(double u, double stubbornness) {
  require_stubbornness(stubbornness);
  require(u > stubbornness && u <= 1, "gaussian_state_tau: u = ", u, ", but must be in (s, 1] with s = ", stubbornness,
          ".");
  return stubbornness * u * u * (1 - u) / (u - stubbornness);
}

Fold lower_fold(double stubbornness) { return fold(stubbornness, -1.0); }

Fold upper_fold(double stubbornness) { return fold(stubbornness, +1.0); }

double gaussian_state_u(double tau, double stubbornness) {
  require_stubbornness(stubbornness);
  require(tau > 0, "gaussian_state_u: tau = ", tau, ", but must be > 0.");
  const Fold end = lower_fold(stubbornness);
  if (!std::isnan(end.tau) && tau < end.tau) return kNan;
  // tau falls with r from infinity at r = 0 to the fold (or to 0 at r = 1), so bisecting r finds the one root.
  double low = 0;
  double high = std::isnan(end.u) ? 1 : end.u * end.u / (end.u * end.u + end.tau);
  for (int round = 0; round < kBisections; ++round) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (tau_of_pull(middle, stubbornness) > tau ? low : high) = middle;
  }
  return u_of_pull(0.5 * (low + high), stubbornness);
}

double displacement_growth(int degree, double r) { return r + (degree + 1) * (1 - r) * std::pow(r, degree); }

Transition consensus_ends(double stubbornness) {
  require_stubbornness(stubbornness);
  constexpr int kGrid = 4000;  // every mode's unstable interval in r is far wider than 1 / 4000
  int first = 1;
  while (first < kGrid && !is_unstable(static_cast<double>(first) / kGrid, stubbornness)) ++first;
  if (first == kGrid) return {kNan, 0};
  double stable = static_cast<double>(first - 1) / kGrid;
  double unstable = static_cast<double>(first) / kGrid;
  for (int round = 0; round < kBisections; ++round) {
    const double middle = 0.5 * (stable + unstable);
    if (middle <= stable || middle >= unstable) break;
    (is_unstable(middle, stubbornness) ? unstable : stable) = middle;
  }
  int degree = 1;
  while (degree < kHighestDegree && (1 - stubbornness) * displacement_growth(degree, unstable) < 1) ++degree;
  return {tau_of_pull(unstable, stubbornness), degree};
}

double two_camps_end(double stubbornness) {
  require_stubbornness(stubbornness);
  const double s = stubbornness;
  const double farthest = std::sqrt(2 / std::numbers::pi), nearest = s * farthest;  // the places at tau = 0, infinity
  const auto tau = [&](double a) { return a * a / std::atanh((1 - nearest / a) / (1 - s)); };
  // tau falls to 0 at the farthest place; near the nearest it grows without a bound where camps merge smoothly.
  constexpr int kGrid = 20000;
  double largest = 0;
  bool falls = false;
  for (int k = 1; k < kGrid; ++k) {
    const double here = tau(farthest + (nearest - farthest) * k / kGrid);
    falls = falls || here < largest;
    if (falls) break;
    largest = here;
  }
  return falls ? largest : kNan;
}

}  // namespace fovea::opinion::theory
