#include "fovea/domains/opinion/theory/theory.hpp"

#include <algorithm>
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

/// Asks the degrees about the largest growth alone: (n + 1) r^n rises until n + 1 = r / (1 - r), and falls from there.
bool is_unstable(double r, double s) {
  const int peak = std::max(1, static_cast<int>(std::fmin(r / (1 - r), kHighestDegree)));
  for (int degree = std::max(1, peak - 2); degree <= std::min(peak + 2, kHighestDegree); ++degree)
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

double uniform_growth(double wave_number, double temperature) {
  require(temperature > 0, "uniform_growth: temperature = ", temperature, ", but must be > 0.");
  const double stretch = temperature * wave_number * wave_number;
  return 1 + stretch * std::exp(-0.5 * stretch);
}

double window_growth(double wave_number, double bound) {
  require(bound > 0, "window_growth: bound = ", bound, ", but must be > 0.");
  const double z = wave_number * bound;
  return z == 0 ? 1 : 1 + std::sin(z) / z - std::cos(z);
}

FastestRipple fastest_uniform_ripple(double temperature) {
  require(temperature > 0, "fastest_uniform_ripple: temperature = ", temperature, ", but must be > 0.");
  return {std::sqrt(2 / temperature), 1 + 2 / std::numbers::e};
}

namespace {

/// Coefficients of E (r x + z)^n, z ~ N(0, q), in powers of x: from E y^n = r x E y^(n-1) + q (n - 1) E y^(n-2).
std::vector<std::vector<double>> blurred_powers(int highest, double r, double q) {
  std::vector<std::vector<double>> powers{{1.0}};
  for (int n = 1; n <= highest; ++n) {
    std::vector<double> next(n + 1, 0.0);
    const auto& before = powers[n - 1];
    for (std::size_t k = 0; k < before.size(); ++k) next[k + 1] += r * before[k];
    if (n >= 2) {
      const auto& second = powers[n - 2];
      for (std::size_t k = 0; k < second.size(); ++k) next[k] += q * (n - 1) * second[k];
    }
    powers.push_back(std::move(next));
  }
  return powers;
}

/// M x^n as coefficients.
std::vector<double> moved_power(int n, double r, double temperature, const std::vector<std::vector<double>>& blurred) {
  std::vector<double> image(n + 1, 0.0);
  const auto add = [&](int power, std::size_t shift, double factor) {
    const auto& from = blurred[static_cast<std::size_t>(power)];
    for (std::size_t k = 0; k < from.size(); ++k) image[k + shift] += factor * from[k];
  };
  image.back() += r;
  add(n, 0, 1 - r);
  if (n >= 1) add(n - 1, 1, r * (1 - r) * n);
  if (n >= 2) add(n - 2, 0, -r * r * temperature * n * (n - 1));
  return image;
}

}  // namespace

std::vector<double> displacement_mode(int degree, double variance, double temperature) {
  require(degree >= 0 && degree <= 40, "displacement_mode: degree = ", degree, ", but must be in [0, 40].");
  require(variance > 0 && temperature > 0, "displacement_mode: variance = ", variance,
          " and temperature = ", temperature, ", but both must be > 0.");
  const double r = variance / (variance + temperature), growth = displacement_growth(degree, r);
  const auto blurred = blurred_powers(degree, r, r * temperature);
  const std::size_t n = degree;
  std::vector<double> mode(n + 1, 0.0), image = moved_power(degree, r, temperature, blurred);
  mode[n] = 1;
  // image holds M of what is known so far: at power k it lacks only mode[k] mu_k, and must be mu_n mode[k]
  for (int k = degree - 2; k >= 0; k -= 2) {
    const std::size_t place = k;
    mode[place] = image[place] / (growth - displacement_growth(k, r));
    const std::vector<double> moved = moved_power(k, r, temperature, blurred);
    for (std::size_t j = 0; j < moved.size(); ++j) image[j] += mode[place] * moved[j];
  }
  return mode;
}

double noisy_crowd_variance(double temperature, double coupling, double noise, double time_step) {
  require(temperature > 0 && coupling > 0 && noise > 0, "noisy_crowd_variance: temperature = ", temperature,
          ", coupling = ", coupling, ", noise = ", noise, ", but all must be > 0.");
  require(time_step >= 0 && time_step < 1, "noisy_crowd_variance: time_step = ", time_step, ", but must be in [0, 1).");
  const double inside = 1 - 4 * coupling * noise / temperature;
  if (inside < 0) return kNan;
  double variance = temperature / (2 * coupling) * (1 - std::sqrt(inside));
  // Euler's variance is near; its equation is solved from the continuous one's answer (Newton)
  for (int round = 0; round < 50 && time_step > 0; ++round) {
    const double pull = coupling * variance / temperature - 1;
    const double excess = variance * (2 * pull + time_step * pull * pull) + 2 * noise;
    const double slope =
        2 * pull + time_step * pull * pull + variance * (2 + 2 * time_step * pull) * coupling / temperature;
    variance -= excess / slope;
  }
  return variance;
}

double mean_drifts_below(double coupling, double noise, double time_step) {
  require(coupling > 0.5 && coupling < 1, "mean_drifts_below: coupling = ", coupling, ", but must be in (1/2, 1).");
  return noise / ((1 - coupling) * (1 - 0.5 * coupling * time_step));
}

double noisy_crowd_growth(int degree, double coupling, double a) {
  require(degree >= 1, "noisy_crowd_growth: degree = ", degree, ", but must be >= 1.");
  return degree * (-1 + coupling * a + coupling * std::pow(a, degree - 1));
}

double saturated_consensus(double coupling, double steepness) {
  require(coupling > 0 && steepness > 0, "saturated_consensus: coupling = ", coupling, " and steepness = ", steepness,
          ", but both must be > 0.");
  if (coupling * steepness <= 1) return 0;
  double low = 0, high = coupling;  // K tanh(alpha a) - a is positive below the root, negative above
  for (double middle = 0.5 * high; low < middle && middle < high; middle = 0.5 * (low + high))
    (coupling * std::tanh(steepness * middle) > middle ? low : high) = middle;
  return 0.5 * (low + high);
}

double saturated_camps_temperature(double place, double coupling, double steepness) {
  require(place > 0 && place < saturated_consensus(coupling, steepness), "saturated_camps_temperature: place = ", place,
          ", but must be between 0 and the consensus ", saturated_consensus(coupling, steepness), ".");
  return place * place / std::atanh(place / (coupling * std::tanh(steepness * place)));
}

CampsEnd saturated_camps_end(double coupling, double steepness) {
  const double farthest = saturated_consensus(coupling, steepness);
  require(farthest > 0, "saturated_camps_end: coupling x steepness = ", coupling * steepness,
          ", but must be > 1; else there are no camps.");
  const auto temperature = [&](double a) { return saturated_camps_temperature(a, coupling, steepness); };
  // the curve is 0 at both ends with one maximum between: golden section
  const double kGolden = 1 / std::numbers::phi;
  double low = 1e-6 * farthest, high = (1 - 1e-9) * farthest;
  for (int round = 0; round < 100; ++round) {
    const double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
    (temperature(left) < temperature(right) ? low : high) = temperature(left) < temperature(right) ? left : right;
  }
  const double place = 0.5 * (low + high);
  return {temperature(place), place};
}

}  // namespace fovea::opinion::theory
