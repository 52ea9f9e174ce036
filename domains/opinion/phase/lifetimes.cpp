#include <algorithm>
#include <cmath>

#include "fovea/core/data/rows.hpp"
#include "fovea/domains/opinion/phase/outcome.hpp"
#include "fovea/domains/opinion/phase/searches.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"

namespace fovea::opinion::phase {

namespace {

// Measured, and tried: on the finer grid lie the ends of the range in which camps live neither too short nor too long.
constexpr Index kTemperatures = 10, kTried = 400;
// Steps. Below them the first gap has hardly shrunk when it is gone, and the asymptote (E2), which needs d^2 >> T, is
// of no use to compare with.
constexpr std::int64_t kShortest = 10;
// Lifetimes beyond follow the same formula, and grow as exp(d^2 / 2T).
constexpr std::int64_t kLongest = 20000;
constexpr double kMergedGap = 1e-3;

struct Lifetime {
  double temperature;
  double measured;    ///< steps of the crowd until its camps are nearer than kMergedGap
  double mapped;      ///< the same of the gap alone, d <- d tanh(d^2 / 4T)
  double asymptotic;  ///< (T / 2 d^2) exp(d^2 / 2T), d the first gap
};

double iterated_lifetime(double gap, double temperature) {
  std::int64_t steps = 0;
  while (gap >= kMergedGap && steps <= 2 * kLongest) {
    gap = theory::next_gap(gap, temperature);
    ++steps;
  }
  return static_cast<double>(steps);
}

double crowd_lifetime(dynamics::Dynamics& crowd, Matrix<double> opinions) {
  std::int64_t steps = 0;
  while (opinions.maxCoeff() - opinions.minCoeff() >= kMergedGap && steps <= 2 * kLongest)
    crowd.step(opinions, steps++);
  return static_cast<double>(steps);
}

std::vector<Lifetime> lifetimes_of(const PhaseQuestion& question, const CrowdMaker& make) {
  std::vector<Lifetime> lifetimes;
  if (question.starts(society::StartKind::file)) return lifetimes;
  const Index size = question.search.sizes.front() / 2 * 2;
  const double spread = question.spread(), gap = 2 * spread;
  Matrix<double> start(size, 1);
  for (Index i = 0; i < size; ++i) start(i, 0) = 2 * i < size ? -spread : spread;
  // Where the asymptote lies between the two limits; it is monotonous there.
  std::vector<double> fit;
  for (const double temperature : evenly_spaced(question.search.low, question.search.high, kTried, true)) {
    const double expected = theory::camp_lifetime(gap, temperature);
    if (expected >= static_cast<double>(kShortest) && expected <= static_cast<double>(kLongest))
      fit.push_back(temperature);
  }
  if (fit.size() < 2) return lifetimes;
  for (const double temperature : evenly_spaced(fit.front(), fit.back(), kTemperatures, true))
    lifetimes.push_back({temperature, crowd_lifetime(*make(temperature, size, 0, 0), start),
                         iterated_lifetime(gap, temperature), theory::camp_lifetime(gap, temperature)});
  return lifetimes;
}

}  // namespace

void write_lifetimes(const PhaseQuestion& question, const CrowdMaker& make, Results& results) {
  const std::vector<Lifetime> lifetimes = lifetimes_of(question, make);
  if (lifetimes.empty()) return;
  rows("camp_temperature", lifetimes, &Lifetime::temperature, "temperature", "opinion^2")
      .number("lifetime", &Lifetime::measured, "steps until two camps have merged", "step")
      .number("lifetime_mapped", &Lifetime::mapped, "lifetime from the recursion of the gap", "step")
      .number("lifetime_asymptotic", &Lifetime::asymptotic, "(T / 2d^2) exp(d^2 / 2T)", "step")
      .write(results);
  double worst = 0;
  for (const Lifetime& one : lifetimes) worst = std::max(worst, std::abs(one.measured - one.mapped) / one.mapped);
  // rounding moves the last step by one
  results.check({"lifetimes", "largest relative deviation of a lifetime from that of d <- d tanh(d^2 / 4T)",
                 "derived in domains/opinion/theory.md (E2)", 0.0, worst, absolute(1e-3)});
}

}  // namespace fovea::opinion::phase
