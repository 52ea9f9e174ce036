/// The oracle on the circle and the sphere without noise (E8).

#include <algorithm>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/oracle/crowds.hpp"
#include "fovea/domains/opinion/oracle/oracle.hpp"
#include "fovea/domains/opinion/theory/circle.hpp"

namespace fovea::opinion::oracle {

namespace {

constexpr Index kTokens = 720;
constexpr int kModes = 24;

Matrix<double> even_angles() {
  Matrix<double> angles(kTokens, 1);
  for (Index i = 0; i < kTokens; ++i) angles(i, 0) = 2 * std::numbers::pi * static_cast<double>(i) / kTokens;
  return angles;
}

/// Rates of modes 1 to kModes about the uniform crowd: with steps of length 1, (growth - 1).
std::vector<double> measured_rates(double beta, const std::string& model) {
  const auto dynamics = free_crowd({.model = model, .temperature = 1 / beta, .time_step = 1}, even_angles());
  const Matrix<double> places = dynamics->agents().start;
  std::vector<double> rates;
  for (int k = 1; k <= kModes; ++k) {
    const Matrix<double> wave = (k * places.array()).sin().matrix();
    const Matrix<double> answer = pushed(*dynamics, places, wave, 1e-5);
    rates.push_back(answer.col(0).dot(wave.col(0)) / wave.squaredNorm() - 1);
  }
  return rates;
}

/// Common cosine of n orthonormal tokens after `time` in Euler steps.
double euler_cosine(int tokens, double beta, double time, int steps) {
  const auto dynamics = free_crowd({.model = "transformer_sphere", .temperature = 1 / beta, .time_step = time / steps},
                                   Matrix<double>::Identity(tokens, tokens));
  Matrix<double> x = dynamics->agents().start;
  for (int step = 0; step < steps; ++step) dynamics->step(x, step);
  return x.row(0).dot(x.row(1)) / (x.row(0).norm() * x.row(1).norm());
}

/// Euler's answers for 64, 128, ... steps extrapolated to steps of length 0 (Richardson 1911): their error is a series
/// in powers of dt, of which each column takes one off.
double extrapolated_cosine(int tokens, double beta, double time) {
  constexpr int kLevels = 8;
  std::vector<double> row;
  std::vector<double> euler(kLevels);
  side_by_side(kLevels, [&](std::size_t level) { euler[level] = euler_cosine(tokens, beta, time, 64 << level); });
  for (const double coarse : euler) {
    std::vector<double> next{coarse};
    double power = 1;
    for (const double before : row) {
      power *= 2;
      next.push_back(next.back() + (next.back() - before) / (power - 1));
    }
    row = std::move(next);
  }
  return row.back();
}

}  // namespace

void measure_circle_modes(OracleSheet& sheet) {
  constexpr double kRates = 1e-6;
  const std::vector<double> betas{1, 2, 5, 9, 16, 25, 100};
  std::vector<double> modes, rates, theory;
  for (int k = 1; k <= kModes; ++k) modes.push_back(k);
  for (const double beta : betas) {
    const std::vector<double> measured = measured_rates(beta, "transformer_circle");
    for (int k = 1; k <= kModes; ++k) {
      rates.push_back(measured[k - 1]);
      theory.push_back(theory::circle_growth(k, beta, theory::CircleWeights::softmax));
      if (beta == 5 && k <= 5)
        sheet.compare(concat("rate_", k), concat("rate of mode ", k, " from the uniform crowd, beta = 5"),
                      theory.back(), rates.back(), relative(kRates));
    }
    const auto top = std::max_element(measured.begin(), measured.end());
    sheet.compare(concat("fastest_beta_", beta), concat("fastest mode at beta = ", beta),
                  theory::fastest_circle_mode(beta), static_cast<double>(top - measured.begin()) + 1, absolute(0.0));
  }
  const std::vector<double> unnormalised = measured_rates(5, "transformer_circle_unnormalised");
  for (const int k : {1, 3})
    sheet.compare(concat("unnormalised_", k), concat("rate of mode ", k, ", unnormalised weights, beta = 5"),
                  theory::circle_growth(k, 5, theory::CircleWeights::unnormalised), unnormalised[k - 1],
                  relative(kRates));
  Results& results = sheet.results();
  results.coordinate("e8_mode", modes, "1", "mode k: number of camps on the circle");
  results.coordinate("e8_beta", betas, "1", "beta = 1 / T");
  results.add("e8_rate", {"e8_beta", "e8_mode"}, rates, "1 / time", "growth rate");
  results.add("e8_theory", {"e8_beta", "e8_mode"}, theory, "1 / time", "k^2 I_k / (beta I_0)");
  results.figure({.name = "circle_modes",
                  .title = "E8: number of camps that form on the circle",
                  .caption = "Growth rates of the modes of 720 evenly spread tokens: the model, and k^2 I_k / (beta "
                             "I_0) (dashed). The fastest mode gives the number of camps that appear first.",
                  .variables = {"e8_rate"},
                  .references = {"e8_theory"},
                  .x = "e8_mode",
                  .hue = "e8_beta"});
}

void measure_orthonormal_tokens(OracleSheet& sheet) {
  constexpr double kExtrapolated = 1e-10;  // 8 levels from 64 steps on
  for (const double time : {1.5, 3.0, 4.5})
    sheet.compare(concat("cosine_", time),
                  concat("cosine of 8 orthonormal tokens at time ", time, ", beta = 3: model, extrapolated to dt = 0"),
                  theory::orthonormal_cosine(8, 3, time), extrapolated_cosine(8, 3, time), relative(kExtrapolated));
}

}  // namespace fovea::opinion::oracle
