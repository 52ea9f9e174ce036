/// The oracle on plain averaging: it always ends in consensus (E1), and how long camps wait for it (E2).

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/line_fit.hpp"
#include "fovea/domains/opinion/oracle/crowds.hpp"
#include "fovea/domains/opinion/oracle/oracle.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"

namespace fovea::opinion::oracle {

namespace {

constexpr double kCampRounding = 1e-12;

double diameter_of(const Matrix<double>& opinions) { return opinions.maxCoeff() - opinions.minCoeff(); }

/// `first` agents at 0 and `second` at the gap.
Matrix<double> two_camps(Index first, Index second, double gap) {
  Matrix<double> crowd = Matrix<double>::Zero(first + second, 1);
  crowd.bottomRows(second).setConstant(gap);
  return crowd;
}

double gap_after_step(Index first, Index second, double gap, double temperature) {
  const auto dynamics = free_crowd({.temperature = temperature}, two_camps(first, second, gap));
  return diameter_of(stepped(*dynamics, dynamics->agents().start));
}

/// Steps of two agents until they are 1e-3 apart, as the theory's map and as the model does them.
int mapped_lifetime(double gap, double temperature) {
  int steps = 0;
  for (double d = gap; d > 1e-3; ++steps) d = theory::next_gap(d, temperature);
  return steps;
}

int modelled_lifetime(double gap, double temperature) {
  const auto dynamics = free_crowd({.temperature = temperature}, two_camps(1, 1, gap));
  Matrix<double> opinions = dynamics->agents().start;
  int steps = 0;
  for (; opinions(1, 0) - opinions(0, 0) > 1e-3; ++steps) dynamics->step(opinions, steps);
  return steps;
}

}  // namespace

void measure_contraction(OracleSheet& sheet) {
  constexpr Index kAgents = 500;
  const std::vector<double> temperatures{0.02, 0.05, 0.1, 0.2, 0.5};
  constexpr int kSteps = 30;
  double worst = -1;
  std::vector<double> factors, bounds, steps;
  for (const double temperature : temperatures) {
    Matrix<double> opinions(kAgents, 1);
    for (Index i = 0; i < kAgents; ++i) opinions(i, 0) = sheet.random().uniform(static_cast<std::uint64_t>(i));
    const auto dynamics = free_crowd({.temperature = temperature}, opinions);
    for (int step = 0; step < kSteps; ++step) {
      const double before = diameter_of(opinions);
      dynamics->step(opinions, step);
      const double bound = 1 - std::exp(-before * before / (2 * temperature));
      worst = std::max(worst, diameter_of(opinions) - bound * before);
      const bool settled = before < 1e-9;  // a factor of rounding errors means nothing
      factors.push_back(settled ? std::nan("") : diameter_of(opinions) / before);
      bounds.push_back(settled ? std::nan("") : bound);
    }
  }
  for (int step = 0; step < kSteps; ++step) steps.push_back(step);
  sheet.compare("excess", "largest excess of a diameter over its bound, 5 temperatures x 30 steps, 500 random agents",
                0.0, std::max(0.0, worst), absolute(kCampRounding));
  Results& results = sheet.results();
  results.coordinate("e1_step", steps, "1", "step");
  results.coordinate("e1_temperature", temperatures, "opinion^2", "temperature T");
  results.add("e1_factor", {"e1_temperature", "e1_step"}, factors, "1", "diameter after over before");
  results.add("e1_bound", {"e1_temperature", "e1_step"}, bounds, "1", "bound");
}

void measure_two_camps(OracleSheet& sheet) {
  for (const double temperature : {0.4, 0.1, 0.05})
    sheet.compare(concat("equal_T_", temperature), concat("gap of two agents after a step, d = 1, T = ", temperature),
                  std::tanh(1 / (4 * temperature)), gap_after_step(1, 1, 1.0, temperature), relative(kCampRounding));
  sheet.compare("unequal_3_1", "gap of 3 agents to 1 after a step, d = 1, T = 0.3", theory::next_gap(1.0, 0.3, 3, 1),
                gap_after_step(3, 1, 1.0, 0.3), relative(kCampRounding));
  sheet.compare("unequal_700_300", "gap of 700 agents to 300 after a step, d = 0.8, T = 0.2",
                theory::next_gap(0.8, 0.2, 700, 300), gap_after_step(700, 300, 0.8, 0.2), relative(kCampRounding));
}

void measure_lifetimes(OracleSheet& sheet) {
  const std::vector<double> temperatures{0.1, 0.08, 0.06, 0.05, 0.04, 0.03};
  std::vector<double> inverse, measured(temperatures.size()), asymptote, reduced, cold;
  side_by_side(measured.size(), [&](std::size_t k) { measured[k] = modelled_lifetime(1.0, temperatures[k]); });
  for (std::size_t k = 0; k < temperatures.size(); ++k) {
    const double temperature = temperatures[k];
    inverse.push_back(1 / temperature);
    asymptote.push_back(theory::camp_lifetime(1.0, temperature));
    if (temperature > 0.05) continue;
    // the model rounds otherwise than the map, which may move the last step
    sheet.compare(concat("steps_T_", temperature), concat("lifetime of two camps at d = 1, T = ", temperature),
                  mapped_lifetime(1.0, temperature), measured[k], absolute(1.0));
    cold.push_back(inverse.back());
    reduced.push_back(std::log(measured[k] / temperature));
  }
  // ln(lifetime / T) rises by d^2 / 2 per 1 / T; the next term of the asymptote still bends it at these temperatures
  sheet.compare("slope", "slope of ln(lifetime / T) in 1 / T from T = 0.05 to 0.03: d^2 / 2", 0.5,
                fit_line(cold, reduced).slope, relative(0.02));
  Results& results = sheet.results();
  results.coordinate("e2_inverse_temperature", inverse, "1 / opinion^2", "1 / T");
  results.add("e2_lifetime", {"e2_inverse_temperature"}, measured, "steps",
              "steps until two camps at d = 1 have merged");
  results.add("e2_asymptote", {"e2_inverse_temperature"}, asymptote, "steps", "(T / 2) exp(1 / 2T)");
  results.figure({.name = "lifetimes",
                  .title = "E2: lifetime of two camps",
                  .caption =
                      "Steps of the model until two camps at distance 1 have merged. Dashed: (T / 2 d^2) exp(d^2 / "
                      "2T), Arrhenius' law with the barrier d^2 / 2. The camps are metastable, not stable.",
                  .variables = {"e2_lifetime"},
                  .references = {"e2_asymptote"},
                  .x = "e2_inverse_temperature",
                  .log_y = true});
}

}  // namespace fovea::opinion::oracle
