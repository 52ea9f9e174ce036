/// The oracle on the score x y (E7): a Gaussian crowd stays one, and with noise it has a temperature where it drifts.

#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"
#include "fovea/domains/opinion/oracle/crowds.hpp"
#include "fovea/domains/opinion/oracle/oracle.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"

namespace fovea::opinion::oracle {

namespace {

constexpr Index kNoisy = 50000;
constexpr double kLambda = 0.8, kDiffusion = 1, kStep = 0.02;
constexpr int kBurnIn = 300, kMeasured = 300;  // steps; a disturbance of the variance has died after 250

dynamics::ModelSettings noisy_settings(double temperature) {
  return {.model = "transformer_line",
          .temperature = temperature,
          .coupling = kLambda,
          .time_step = kStep,
          .noise = kDiffusion};
}

struct NoisyCrowd {
  MeanWithError variance;
  std::array<double, 3> rates{};  ///< of disturbances along the first three Hermite polynomials
};

/// He_{n-1}(x / s): a displacement along it disturbs the density along He_n.
double displacement(int degree, double x) { return degree == 1 ? 1 : degree == 2 ? x : x * x - 1; }

/// E He_n of the difference of two crowds is read off as the change of a moment: x, x^2 / 2, (x^3 - 3 x) / 3.
double moment(int degree, double x) { return degree == 1 ? x : degree == 2 ? 0.5 * x * x : x * x * x / 3 - x; }

double moment_difference(int degree, const Matrix<double>& a, const Matrix<double>& b, double sd) {
  double sum = 0;
  for (Index i = 0; i < a.rows(); ++i) sum += moment(degree, a(i, 0) / sd) - moment(degree, b(i, 0) / sd);
  return sum / static_cast<double>(a.rows());
}

/// A crowd and copies of it that began displaced and feel the same noise: their differences grow as theory says, and
/// the noise they share drops out.
NoisyCrowd noisy_crowd(double temperature, const Random& random) {
  const double sd = std::sqrt(theory::noisy_crowd_variance(temperature, kLambda, kDiffusion, kStep));
  const auto dynamics = free_crowd(noisy_settings(temperature), quantile_crowd(kNoisy, sd), random);
  Matrix<double> opinions = dynamics->agents().start;
  std::vector<double> variances;
  for (int step = 0; step < kBurnIn; ++step) dynamics->step(opinions, step);
  std::array<Matrix<double>, 3> displaced;
  std::array<double, 3> began{};
  constexpr double kHeight = 1e-4;
  for (int n = 1; n <= 3; ++n) {
    auto& copy = displaced[n - 1];
    copy = opinions;
    for (Index i = 0; i < kNoisy; ++i) copy(i, 0) += kHeight * sd * displacement(n, opinions(i, 0) / sd);
    began[n - 1] = moment_difference(n, copy, opinions, sd);
  }
  NoisyCrowd found;
  const int last = kBurnIn + kMeasured;
  for (int step = kBurnIn; step < last; ++step) {
    dynamics->step(opinions, step);
    variances.push_back(measures::variance(opinions));
    for (int n = 1; n <= 3; ++n) {
      // the higher ones die sooner: their rate is read before they have sunk into what is left of the noise
      if (step >= kBurnIn + kMeasured / (n * n)) continue;
      auto& copy = displaced[n - 1];
      dynamics->step(copy, step);
      if (step + 1 < kBurnIn + kMeasured / (n * n)) continue;
      const double ratio = moment_difference(n, copy, opinions, sd) / began[n - 1];
      found.rates[n - 1] = std::log(ratio) / (kStep * (kMeasured / (n * n)));
    }
  }
  found.variance = mean_with_error(variances);
  return found;
}

/// A rate of the equation as Euler's steps show it: (1 + dt (lambda a - 1))^n and so on, per step.
double euler_rate(int degree, double temperature) {
  const double a = theory::noisy_crowd_variance(temperature, kLambda, kDiffusion, kStep) / temperature;
  const double own = 1 + kStep * (kLambda * a - 1);  // an agent's distance from the mean
  const double heard = kStep * kLambda * std::pow(a, degree - 1);
  return std::log(std::pow(own, degree) + degree * std::pow(own, degree - 1) * heard) / kStep;
}

}  // namespace

void measure_dot_product_crowd(OracleSheet& sheet) {
  // a = 1/2 moves the attention of the outermost agents considered, 3 sd, by 1.5 sd: the quantiles reach to 5
  constexpr Index kQuantiles = 1000000;
  constexpr double kMean = 0.3, kSpread = 0.7, kTemperature = 2 * kSpread * kSpread, kTails = 1e-3;
  Matrix<double> crowd = quantile_crowd(kQuantiles, kSpread);
  crowd.array() += kMean;
  const auto dynamics = free_crowd(
      {.model = "transformer_line", .temperature = kTemperature, .time_step = 1},  // a step is the attention itself
      crowd);
  const Matrix<double> heard = stepped(*dynamics, crowd);
  double worst = 0;
  for (Index i = 0; i < kQuantiles; ++i) {
    const double x = crowd(i, 0);
    if (std::abs(x - kMean) > 2 * kSpread) continue;
    worst = std::max(worst, std::abs(heard(i, 0) - (kMean + kSpread * kSpread * x / kTemperature)));
  }
  sheet.compare("attention",
                "largest distance of the attention from m + s^2 x / T within 2 sd, 1e6 quantiles, s^2 / T = 1/2", 0.0,
                worst, absolute(kTails));
}

void measure_noisy_crowd(OracleSheet& sheet) {
  constexpr double kVariance = 0.01;  // 50,000 agents: sqrt(2 / N) = 0.6 % at a time, less over the run
  constexpr double kRate = 0.02;      // per unit of time
  const std::vector<double> temperatures{4.2, 4.6, 5.0, 5.6, 6.5};
  struct Measured {
    double temperature, variance, variance_theory, growth, growth_theory;
  };
  std::vector<Measured> all;
  for (std::size_t k = 0; k < temperatures.size(); ++k) {
    const double t = temperatures[k];
    const NoisyCrowd crowd = noisy_crowd(t, sheet.random());
    all.push_back({t, crowd.variance.mean, theory::noisy_crowd_variance(t, kLambda, kDiffusion, kStep), crowd.rates[0],
                   euler_rate(1, t)});
    sheet.compare(concat("variance_T_", t), concat("stationary variance, lambda = 0.8, D = 1, T = ", t),
                  all.back().variance_theory, all.back().variance, relative(kVariance));
    if (t == 5.6)
      for (int n = 1; n <= 3; ++n)
        sheet.compare(concat("mode_", n), concat("rate at which Hermite mode ", n, " of the crowd grows, T = ", t),
                      euler_rate(n, t), crowd.rates[n - 1], absolute(kRate * n));
    sheet.progress(static_cast<double>(k + 1) / static_cast<double>(temperatures.size()));
  }
  // the growth of the mean crosses 0: by a straight line in 1 / T between its neighbours
  double turn = std::nan("");
  for (std::size_t k = 0; k + 1 < all.size(); ++k)
    if (all[k].growth > 0 && all[k + 1].growth <= 0) {
      const double share = all[k].growth / (all[k].growth - all[k + 1].growth);
      turn = 1 / ((1 - share) / temperatures[k] + share / temperatures[k + 1]);
    }
  sheet.compare("drift", "temperature below which the mean is unstable: D / (1 - lambda), with Euler's dt",
                theory::mean_drifts_below(kLambda, kDiffusion, kStep), turn, relative(0.02));
  Results& results = sheet.results();
  rows("e7_temperature", all, &Measured::temperature, "temperature T", "opinion^2")
      .prefix("e7_")
      .number("variance", &Measured::variance, "stationary variance", "opinion^2")
      .number("variance_theory", &Measured::variance_theory, "theory", "opinion^2")
      .number("growth", &Measured::growth, "rate of the mean", "1 / time")
      .number("growth_theory", &Measured::growth_theory, "-1 + lambda + lambda s^2 / T", "1 / time")
      .write(results);
  results.figure({.name = "drift",
                  .title = "E7: instability of the mean of a noisy crowd",
                  .caption = "Growth rate of a displaced mean in a crowd of 50,000 under the score x y with noise, and "
                             "theory (dashed). Below T = D / (1 - lambda) = 5 the mean is unstable.",
                  .variables = {"e7_growth"},
                  .references = {"e7_growth_theory"},
                  .x = "e7_temperature"});
}

}  // namespace fovea::opinion::oracle
