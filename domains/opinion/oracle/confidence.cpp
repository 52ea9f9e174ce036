/// The oracle on bounded confidence: Hegselmann and Krause's flips (E10) and Deffuant's consensus (E11).

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"
#include "fovea/domains/opinion/oracle/crowds.hpp"
#include "fovea/domains/opinion/oracle/oracle.hpp"

namespace fovea::opinion::oracle {

namespace {

/// Neighbours are either together or out of each other's reach.
bool is_frozen(const Matrix<double>& opinions, double bound) {
  for (Index i = 1; i < opinions.rows(); ++i) {
    const double gap = opinions(i, 0) - opinions(i - 1, 0);
    if (gap > 1e-9 && gap <= bound * (1 + 1e-9)) return false;
  }
  return true;
}

struct Frozen {
  double camps = 0;
  double steps = 0;
};

/// Agents evenly on [0, length], bound 1. The bound is a rounding error longer, so that agents exactly 1 apart hear
/// each other as they should. The order of agents never changes, so neighbours stay neighbours.
Frozen frozen_camps(double length, Index per_unit) {
  const auto agents = static_cast<Index>(std::llround(length * static_cast<double>(per_unit))) + 1;
  const auto dynamics =
      free_crowd({.model = "hegselmann_krause", .confidence = 1 + 1e-12}, even_crowd(agents, 0, length));
  Matrix<double> opinions = dynamics->agents().start;
  constexpr int kMost = 100000;
  int step = 0;
  while (step < kMost && !is_frozen(opinions, 1.0)) dynamics->step(opinions, step++);
  return {static_cast<double>(measures::find_camps(opinions, 0.5).sizes.size()), static_cast<double>(step)};
}

double largest_share(const Matrix<double>& opinions, double gap) {
  return static_cast<double>(measures::find_camps(opinions, gap).sizes.front()) / static_cast<double>(opinions.rows());
}

/// Deffuant's pairs on [0, 1], uniform by chance, after `sweeps` meetings an agent.
Matrix<double> after_meetings(double bound, Index agents, int sweeps, const Random& random) {
  Matrix<double> start(agents, 1);
  for (Index i = 0; i < agents; ++i) start(i, 0) = random.uniform(static_cast<std::uint64_t>(i));
  const auto dynamics = free_crowd({.model = "deffuant", .confidence = bound}, start, random);
  Matrix<double> opinions = start;
  for (int sweep = 0; sweep < sweeps; ++sweep) dynamics->step(opinions, sweep);
  return opinions;
}

}  // namespace

void measure_confidence_flips(OracleSheet& sheet) {
  constexpr Index kPerUnit = 1000;
  const std::vector<std::pair<double, double>> published{{5.23, 1}, {5.24, 3}, {5.66, 3}, {5.68, 1}};
  std::vector<Frozen> ends(published.size());
  side_by_side(ends.size(), [&](std::size_t k) { ends[k] = frozen_camps(published[k].first, kPerUnit); });
  for (std::size_t k = 0; k < ends.size(); ++k)
    sheet.compare(
        concat("length_", published[k].first),
        concat("camps at length ", published[k].first, ", 1000 agents a unit (frozen after ", ends[k].steps, " steps)"),
        published[k].second, ends[k].camps, absolute(0.0));
  sheet.progress(0.4);
  std::vector<double> lengths;
  for (int k = 0; k <= 140; ++k) lengths.push_back(2 + 0.05 * k);
  std::vector<Frozen> frozen(lengths.size());
  side_by_side(lengths.size(), [&](std::size_t k) { frozen[k] = frozen_camps(lengths[k], 400); });
  Results& results = sheet.results();
  results.coordinate("e10_length", lengths, "confidence bounds", "length L of the interval");
  rows("e10_length", frozen)
      .number("e10_camps", &Frozen::camps, "camps at rest")
      .number("e10_steps", &Frozen::steps, "steps to rest", "steps")
      .write(results);
  results.scalar("e10_first", 5.235, "confidence bounds", "length where consensus first ends");
  results.scalar("e10_second", 5.67, "confidence bounds", "length where consensus returns");
  results.figure(
      {.name = "confidence_flips",
       .title = "E10: number of camps against the length of the interval",
       .caption =
           "Camps at rest of evenly spread agents, 400 per unit, bound 1, against the length of the interval (eps = 1 "
           "/ L on [0, 1]). Between the marks there are several camps; above the second mark there is consensus again.",
       .variables = {"e10_camps"},
       .x = "e10_length",
       .marks = {"e10_first", "e10_second"}});
}

void measure_deffuant(OracleSheet& sheet) {
  constexpr Index kAgents = 20000;
  constexpr int kSweeps = 400;
  std::vector<double> bounds{0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6}, shares;
  for (std::size_t k = 0; k < bounds.size(); ++k) {
    shares.push_back(largest_share(after_meetings(bounds[k], kAgents, kSweeps, sheet.random()), 0.5 * bounds[k]));
    sheet.progress(static_cast<double>(k + 1) / static_cast<double>(bounds.size()));
    if (bounds[k] >= 0.5)
      sheet.compare(concat("consensus_eps_", bounds[k]),
                    concat("share of 20,000 agents in the largest camp after 400 meetings each, eps = ", bounds[k]),
                    1.0, shares.back(), relative(1e-3));
  }
  // information: from memory in the sources, and for an infinite interval
  const double eps = 0.02;
  const measures::Camps camps = measures::find_camps(after_meetings(eps, kAgents, kSweeps, sheet.random()), 0.5 * eps);
  const double major = static_cast<double>(camps.at_least(0.005));
  sheet.results().note(
      concat("E11, not a check: at eps = 0.02 the Deffuant model ends with ", major,
             " camps of 0.5 % or more on [0, 1], ", 1 / (major * eps),
             " eps of the range for each; Ben-Naim, Krapivsky and Redner (2003) give 2.155 eps between major camps."));
  sheet.results().coordinate("e11_bound", bounds, "1", "confidence bound eps");
  sheet.results().add("e11_share", {"e11_bound"}, shares, "1", "share of agents in the largest camp");
}

}  // namespace fovea::opinion::oracle
