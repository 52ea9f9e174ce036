#include "fovea/domains/opinion/phase/lifetimes.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/domains/opinion/phase/control.hpp"
#include "fovea/domains/opinion/phase/outcome.hpp"
#include "fovea/domains/opinion/phase/searches.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"

namespace fovea::opinion::phase {

namespace {

constexpr Index kTemperatures = 10;
constexpr std::int64_t kShortest = 10;

double iterated_lifetime(double gap, double temperature, std::int64_t longest) {
  std::int64_t steps = 0;
  while (gap >= kMergedGap && steps <= longest) {
    gap = theory::next_gap(gap, temperature);
    ++steps;
  }
  return static_cast<double>(steps);
}

double crowd_lifetime(dynamics::Dynamics& crowd, Matrix<double> opinions, std::int64_t longest) {
  std::int64_t steps = 0;
  while (opinions.maxCoeff() - opinions.minCoeff() >= kMergedGap && steps <= longest) crowd.step(opinions, steps++);
  return static_cast<double>(steps);
}

}  // namespace

Lifetimes measure_lifetimes(const Config& config, std::int64_t longest, const Random& random) {
  Lifetimes lifetimes;
  const Index size = phase_settings(config, {}).sizes.front() / 2 * 2;
  const double spread = config.real("start.spread"), gap = 2 * spread;
  Matrix<double> start(size, 1);
  for (Index i = 0; i < size; ++i) start(i, 0) = 2 * i < size ? -spread : spread;
  // Where the asymptote lies between the two limits; it is monotonous there.
  std::vector<double> fit;
  for (const double temperature : evenly_spaced(config.real("phase.low"), config.real("phase.high"), 400, true)) {
    const double expected = theory::camp_lifetime(gap, temperature);
    if (expected >= static_cast<double>(kShortest) && expected <= static_cast<double>(longest))
      fit.push_back(temperature);
  }
  if (fit.size() < 2) return lifetimes;
  for (const double temperature : evenly_spaced(fit.front(), fit.back(), kTemperatures, true)) {
    const auto crowd = phase_crowd(config, {}, temperature, size, 0, 0, random);
    lifetimes.temperatures.push_back(temperature);
    lifetimes.measured.push_back(crowd_lifetime(*crowd, start, 2 * longest));
    lifetimes.mapped.push_back(iterated_lifetime(gap, temperature, 2 * longest));
    lifetimes.asymptotic.push_back(theory::camp_lifetime(gap, temperature));
  }
  return lifetimes;
}

void write_lifetimes(const Config& config, const Lifetimes& lifetimes, Results& results) {
  if (lifetimes.temperatures.empty()) return;
  results.coordinate("camp_temperature", lifetimes.temperatures, phase_control_unit(config), "temperature");
  results.add("lifetime", {"camp_temperature"}, lifetimes.measured, "step", "steps until two camps have merged");
  results.add("lifetime_mapped", {"camp_temperature"}, lifetimes.mapped, "step",
              "lifetime from the recursion of the gap");
  results.add("lifetime_asymptotic", {"camp_temperature"}, lifetimes.asymptotic, "step", "(T / 2d^2) exp(d^2 / 2T)");
  double worst = 0;
  for (std::size_t k = 0; k < lifetimes.measured.size(); ++k)
    worst = std::max(worst, std::abs(lifetimes.measured[k] - lifetimes.mapped[k]) / lifetimes.mapped[k]);
  // rounding moves the last step by one
  results.check({"lifetimes", "largest relative deviation of a lifetime from that of d <- d tanh(d^2 / 4T)",
                 "derived in domains/opinion/theory.md (E2)", 0.0, worst, absolute(1e-3)});
}

}  // namespace fovea::opinion::phase
