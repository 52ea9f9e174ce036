#include "fovea/domains/opinion/theory/imitation.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea::opinion::theory {

namespace {

void require_panel(int q, int least) {
  require(q >= least && q <= 64, "q_voter: q = ", q, ", but must be in [", least, ", 64].");
}

/// The p at which a share c above 1/2 rests.
double resting_independence(int q, double c) {
  const double drive = std::pow(c, q) * (1 - c) - c * std::pow(1 - c, q);
  return drive / (drive + c - 0.5);
}

/// The share c at which the largest p rests: p(c) has one maximum, which for q <= 5 is at its lower end.
double most_independent_share(int q) {
  constexpr double kGolden = 0.6180339887498949;
  double low = 0.5 + 1e-4, high = 1 - 1e-9;
  for (int k = 0; k < 80; ++k) {
    const double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    const bool left = resting_independence(q, a) >= resting_independence(q, b);
    (left ? high : low) = left ? b : a;
  }
  return 0.5 * (low + high);
}

/// int_least^1 a^power da.
double power_integral(double power, double least) {
  return power == -1 ? -std::log(least) : (1 - std::pow(least, power + 1)) / (power + 1);
}

}  // namespace

double q_voter_threshold(int q) {
  require_panel(q, 1);
  return (q - 1) / (q - 1 + std::ldexp(1.0, q - 1));
}

double q_voter_order_ends(int q) {
  require_panel(q, 2);
  return std::fmax(q_voter_threshold(q), resting_independence(q, most_independent_share(q)));
}

double q_voter_order(int q, double p) {
  require_panel(q, 2);
  if (p >= q_voter_order_ends(q)) return 0;
  double low = most_independent_share(q), high = 1;  // between them p falls with the share
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (resting_independence(q, middle) > p ? low : high) = middle;
  }
  return low + high - 1;
}

double contact_gain(double exponent, double least, double reciprocity) {
  require(least > 0 && least < 1 && reciprocity >= 0 && reciprocity <= 1, "contact_gain: least = ", least,
          ", reciprocity = ", reciprocity, ", but least must be in (0, 1) and reciprocity in [0, 1].");
  const double all = power_integral(-exponent, least);
  const double mean = power_integral(1 - exponent, least) / all, square = power_integral(2 - exponent, least) / all;
  const double r = reciprocity;
  return 0.5 * ((1 + r) * mean + std::sqrt((1 - r) * (1 - r) * mean * mean + 4 * r * square));
}

}  // namespace fovea::opinion::theory
