/// The oracle on the kind of the transition to order on the circle (E9): continuous or with a jump, from the stationary
/// states of infinitely many tokens.

#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/oracle/oracle.hpp"
#include "fovea/domains/opinion/theory/circle.hpp"

namespace fovea::opinion::oracle {

namespace {

constexpr int kHarmonics = 12;
constexpr int kAngles = 64;  // of half the circle; the densities are smooth and even: exact to rounding

/// Infinitely many tokens with unnormalised weights and noise D rest in the density
///   rho ~ exp(V / D),   V(theta) = (1 / beta) int exp(beta cos(theta - phi)) rho(phi) dphi
///                                = const + (2 / beta) sum_k I_k(beta) a_k cos(k theta),   a_k = <cos(k theta)>.
/// With a_1 given, the other a_k are iterated to rest, and the noise at which a_1 reproduces itself is what is asked.
class OrderedState {
 public:
  explicit OrderedState(double beta) {
    for (int k = 1; k <= kHarmonics; ++k) strength_[k] = 2 * theory::bessel_i(k, beta) / beta;
  }

  double noise_for(double order) {
    double noise = 0.5 * strength_[1];
    double a[kHarmonics + 1] = {1, order};
    for (int round = 0; round < 400; ++round) {
      double next[kHarmonics + 1];
      averages(a, noise, next);
      // a_1 out of a_1 falls with the noise as 1 / D, nearly: the secant is a plain rescaling
      const double changed = noise * next[1] / order;
      double moved = std::abs(changed / noise - 1);
      for (int k = 2; k <= kHarmonics; ++k) {
        moved = std::max(moved, std::abs(next[k] - a[k]));
        a[k] = next[k];
      }
      noise = changed;
      if (moved < 1e-15) break;
    }
    return noise;
  }

 private:
  void averages(const double* a, double noise, double* next) const {
    double sums[kHarmonics + 1] = {};
    for (int p = 0; p < kAngles; ++p) {
      const double theta = (p + 0.5) * std::numbers::pi / kAngles;
      double potential = 0;
      for (int k = 1; k <= kHarmonics; ++k) potential += strength_[k] * a[k] * std::cos(k * theta);
      const double weight = std::exp(potential / noise);
      for (int k = 0; k <= kHarmonics; ++k) sums[k] += weight * std::cos(k * theta);
    }
    for (int k = 0; k <= kHarmonics; ++k) next[k] = sums[k] / sums[0];
  }

  double strength_[kHarmonics + 1] = {};
};

/// How the noise of a weakly ordered state departs from D_c with the square of its order: < 0: order sets in
/// continuously, > 0: it exists above D_c already, so there is a jump.
double onset_slope(double beta) {
  OrderedState state(beta);
  const double onset = theory::critical_noise(beta, theory::CircleWeights::unnormalised);
  const auto slope = [&](double order) { return (state.noise_for(order) / onset - 1) / (order * order); };
  return (4 * slope(0.02) - slope(0.04)) / 3;  // the next power taken off
}

}  // namespace

void measure_tricritical(OracleSheet& sheet) {
  double low = 2, high = 3;
  while (high - low > 1e-9) {
    const double middle = 0.5 * (low + high);
    (onset_slope(middle) < 0 ? low : high) = middle;
  }
  sheet.compare("beta_star", "beta where ordered states first exist above D_c, from states of infinitely many tokens",
                theory::tricritical_beta(2), 0.5 * (low + high), relative(1e-6));
  for (const auto& [d, published] : {std::pair{2, 2.4469183}, {3, 1.8161545}, {4, 1.5752572}, {8, 1.2665530}})
    sheet.compare(concat("root_d_", d), concat("published root of I_{d/2+1} / I_{d/2} = 1 / d on the sphere of R^", d),
                  published, theory::tricritical_beta(d), relative(5e-8));
  std::vector<double> orders, betas{1, 2, 2.4469183, 3, 4}, noise;
  for (int k = 1; k <= 45; ++k) orders.push_back(0.02 * k);
  for (const double beta : betas) {
    OrderedState state(beta);
    for (const double order : orders)
      noise.push_back(state.noise_for(order) / theory::critical_noise(beta, theory::CircleWeights::unnormalised));
  }
  Results& results = sheet.results();
  results.coordinate("e9_order", orders, "1", "order R");
  results.coordinate("e9_beta", betas, "1", "beta");
  results.add("e9_state_noise", {"e9_beta", "e9_order"}, noise, "1", "noise over D_c");
  results.figure({.name = "ordered_states",
                  .title = "E9: ordered states on the circle",
                  .caption = "Noise, over D_c = I_1 / beta, at which infinitely many tokens are at rest with order R. "
                             "A curve that falls from the left is a continuous transition; one that rises first is a "
                             "first-order transition with hysteresis.",
                  .variables = {"e9_state_noise"},
                  .x = "e9_order",
                  .hue = "e9_beta"});
}

}  // namespace fovea::opinion::oracle
