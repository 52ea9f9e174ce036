/// The oracle on crowds in bulk: Gaussian (E3) and evenly spread (E4).

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"
#include "fovea/domains/opinion/oracle/crowds.hpp"
#include "fovea/domains/opinion/oracle/oracle.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"

namespace fovea::opinion::oracle {

namespace {

constexpr Index kPerPeriod = 4000;

/// Three periods of length 1 side by side: the middle one sees no edge, the kernel being far shorter than a period.
Matrix<double> three_periods() {
  Matrix<double> crowd(3 * kPerPeriod, 1);
  for (Index i = 0; i < crowd.rows(); ++i) crowd(i, 0) = static_cast<double>(i) / static_cast<double>(kPerPeriod);
  return crowd;
}

Matrix<double> ripple(const Matrix<double>& places, double wave_number) {
  return (wave_number * places.array()).sin().matrix();
}

/// By which factor a step multiplies the ripple sin(k x): its part in the middle period's answer.
double ripple_growth(dynamics::Dynamics& dynamics, double wave_number, double height) {
  const Matrix<double>& places = dynamics.agents().start;
  const Matrix<double> wave = ripple(places, wave_number);
  const Matrix<double> answer = pushed(dynamics, places, wave, height);
  const auto middle = [](const Matrix<double>& m) { return m.middleRows(kPerPeriod, kPerPeriod).col(0); };
  return middle(answer).dot(middle(wave)) / middle(wave).squaredNorm();
}

struct Ripple {
  double wave, growth, theory;
};

void write_ripples(const std::string& entry, const std::string& wave, const std::string& theory,
                   const std::vector<Ripple>& ripples, Results& results) {
  rows(entry + "_wave", ripples, &Ripple::wave, wave)
      .prefix(entry)
      .number("_growth", &Ripple::growth, "growth of a ripple in one step")
      .number("_theory", &Ripple::theory, theory)
      .write(results);
}

Figure growth_figure(const std::string& entry, const std::string& title, const std::string& caption) {
  return {.name = entry,
          .title = title,
          .caption = caption,
          .variables = {entry + "_growth"},
          .references = {entry + "_theory"},
          .x = entry + "_wave"};
}

}  // namespace

void measure_gaussian_crowd(OracleSheet& sheet) {
  constexpr double kQuantileTails = 1e-3;  // quantiles lack the tails of a Gaussian
  constexpr double kTemperature = 0.5;
  constexpr int kSteps = 4;
  double sd = 1;
  for (int step = 0; step < kSteps; ++step) sd = theory::next_gaussian_sd(sd, kTemperature);
  const std::vector<double> sizes{250, 1000, 4000, 16000, 64000, 256000};
  std::vector<double> deviations;
  for (const double size : sizes) {
    const auto dynamics = free_crowd({.temperature = kTemperature}, quantile_crowd(static_cast<Index>(size)));
    Matrix<double> opinions = dynamics->agents().start;
    for (int step = 0; step < kSteps; ++step) dynamics->step(opinions, step);
    const double measured = std::sqrt(measures::variance(opinions));
    deviations.push_back(std::abs(measured / sd - 1));
    if (size == 4000)
      sheet.compare("sd", "sd of 4000 quantiles of a Gaussian after 4 steps, T = 0.5", sd, measured,
                    relative(kQuantileTails));
    if (size == sizes.back())
      sheet.compare("sd_many", "sd of 256,000 quantiles of a Gaussian after 4 steps, T = 0.5", sd, measured,
                    relative(1e-2 * kQuantileTails));
  }
  sheet.results().coordinate("e3_agents", sizes, "1", "agents");
  sheet.results().add("e3_deviation", {"e3_agents"}, deviations, "1", "relative deviation of the sd after 4 steps");
}

void measure_ripples(OracleSheet& sheet) {
  constexpr double kTemperature = 4e-4, kRipples = 1e-6;
  const auto dynamics = free_crowd({.temperature = kTemperature}, three_periods());
  std::vector<Ripple> ripples;
  for (int mode = 1; mode <= 32; ++mode) {
    const double k = 2 * std::numbers::pi * mode;
    ripples.push_back({k * std::sqrt(kTemperature), ripple_growth(*dynamics, k, 1e-5 * std::sqrt(kTemperature)),
                       theory::uniform_growth(k, kTemperature)});
    if (mode == 4 || mode == 8 || mode == 11 || mode == 15)
      sheet.compare(concat("mode_", mode), concat("growth of ripple ", mode, " of 4000 agents a period, T = 4e-4"),
                    ripples.back().theory, ripples.back().growth, relative(kRipples));
  }
  const auto slower = [](const Ripple& a, const Ripple& b) { return a.growth < b.growth; };
  const auto fastest = std::max_element(ripples.begin(), ripples.end(), slower);
  sheet.compare("fastest", "largest growth of a ripple: 1 + 2 / e, up to the spacing of the modes",
                theory::fastest_uniform_ripple(kTemperature).growth, fastest->growth, relative(1e-3));
  write_ripples("e4", "wave number k sqrt(T)", "1 + T k^2 exp(-T k^2 / 2)", ripples, sheet.results());
  sheet.results().figure(growth_figure("e4", "E4: spacing of the first camps",
                                       "Growth of sinusoidal perturbations (ripples) of a uniform crowd in one step of "
                                       "the model, and the curve 1 + T k^2 exp(-T k^2 / 2). The fastest mode, k "
                                       "sqrt(T) = sqrt(2), sets the spacing of the first camps: 4.44 sqrt(T)."));
}

void measure_window_ripples(OracleSheet& sheet) {
  // A bound is a jump: a ripple must move many agents over it, and yet be far smaller than it. So 400,000 agents.
  constexpr Index kAgents = 400000;
  constexpr double kBound = 0.05, kHeight = 2e-3 * kBound, kGrain = 2e-3;
  const auto dynamics = free_crowd({.model = "hegselmann_krause", .confidence = kBound}, even_crowd(kAgents, 0, 3));
  const Matrix<double>& places = dynamics->agents().start;
  std::vector<Ripple> ripples;
  for (int mode = 1; mode <= 24; ++mode) {
    const double k = 2 * std::numbers::pi * mode;
    const Matrix<double> wave = ripple(places, k);
    const Matrix<double> answer = pushed(*dynamics, places, wave, kHeight);
    const auto middle = [](const Matrix<double>& m) { return m.middleRows(kAgents / 3, kAgents / 3).col(0); };
    ripples.push_back(
        {k * kBound, middle(answer).dot(middle(wave)) / middle(wave).squaredNorm(), theory::window_growth(k, kBound)});
    const Ripple& last = ripples.back();
    if (mode == 3 || mode == 9 || mode == 14)
      sheet.compare(concat("mode_", mode), concat("Hegselmann and Krause: growth of a ripple with k eps = ", last.wave),
                    last.theory, last.growth, relative(kGrain));
  }
  write_ripples("e4_window", "wave number k eps", "1 + sin z / z - cos z", ripples, sheet.results());
  sheet.results().figure(
      growth_figure("e4_window", "E4: spacing of the first camps in the Hegselmann-Krause model",
                    "Growth of ripples of a uniform crowd that averages within a bound eps, and the curve 1 + sin z / "
                    "z - cos z, z = k eps. The fastest mode, z = 2.74, gives camps 2.29 eps apart."));
}

}  // namespace fovea::opinion::oracle
