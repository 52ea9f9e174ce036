/// The oracle on models in which opinions are taken over (E13): voters, q-voters, majorities and agreeing pairs.

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/domains/opinion/oracle/crowds.hpp"
#include "fovea/domains/opinion/oracle/oracle.hpp"

namespace fovea::opinion::oracle {

namespace {

/// +1 for the first `positive` agents, -1 for the others: of everybody the order means nothing.
Matrix<double> two_opinions(Index agents, Index positive) {
  Matrix<double> crowd = Matrix<double>::Constant(agents, 1, -1);
  crowd.topRows(positive).setOnes();
  return crowd;
}

bool of_one_mind(const Matrix<double>& crowd) { return (crowd.array() == crowd(0, 0)).all(); }

struct Consensus {
  std::vector<double> positive, steps;  ///< of each run: 1 where all end with +1; steps until then
};

/// Runs until all agree, each with draws of its own.
Consensus runs_to_consensus(const std::string& model, std::size_t runs, const society::Graph* graph,
                            const Random& random, const std::function<Matrix<double>(std::size_t)>& start) {
  constexpr std::int64_t kMost = 1000000;
  Consensus all{std::vector<double>(runs, 0.0), std::vector<double>(runs, 0.0)};
  const dynamics::ModelSettings settings{.model = model};
  side_by_side(runs, [&](std::size_t run) {
    dynamics::Agents agents;
    agents.start = start(run);
    Matrix<double> crowd = agents.start;
    const auto voters = dynamics::make_dynamics(settings, std::move(agents), graph, random.stream(concat("run ", run)));
    std::int64_t step = 0;
    while (step < kMost && !of_one_mind(crowd)) voters->step(crowd, step++);
    all.positive[run] = crowd(0, 0) > 0 ? 1 : 0;
    all.steps[run] = static_cast<double>(step);
  });
  return all;
}

/// Steps of N updates until N voters of everybody agree, from k of one opinion: a walk over k that moves up and down
/// with the probability k (N - k) / (N (N - 1)) each.
double voter_consensus_steps(Index agents, Index k) {
  const auto n = static_cast<double>(agents), positive = static_cast<double>(k);
  double sum = 0;
  for (Index j = 1; j <= k; ++j) sum += (n - positive) / (n - static_cast<double>(j));
  for (Index j = k + 1; j < agents; ++j) sum += positive / static_cast<double>(j);
  return (n - 1) * sum / n;
}

/// The mean opinion of q-voters in the stationary state, from a crowd that nearly agrees.
MeanWithError stationary_order(double independence, const Random& random) {
  constexpr Index kAgents = 20000;
  constexpr int kBurnIn = 200, kMeasured = 400;
  const auto voters = free_crowd({.model = "q_voter", .panel = 3, .independence = independence},
                                 two_opinions(kAgents, kAgents * 9 / 10), random);
  Matrix<double> crowd = voters->agents().start;
  std::vector<double> means;
  for (int step = 0; step < kBurnIn + kMeasured; ++step) {
    voters->step(crowd, step);
    if (step >= kBurnIn) means.push_back(crowd.mean());
  }
  return mean_with_error(means);
}

/// The mean opinion after `steps` steps.
double mean_after(const std::string& model, Index agents, double share, int steps, const Random& random) {
  const auto positive = static_cast<Index>(std::llround(share * static_cast<double>(agents)));
  const auto dynamics = free_crowd({.model = model}, two_opinions(agents, positive), random);
  Matrix<double> crowd = dynamics->agents().start;
  for (int step = 0; step < steps; ++step) dynamics->step(crowd, step);
  return crowd.mean();
}

constexpr double kErrors = 4;  // standard errors: once in 16,000

}  // namespace

void measure_voters(OracleSheet& sheet) {
  constexpr Index kAgents = 64, kPositive = 20;
  constexpr std::size_t kRuns = 2000;
  const Consensus ends = runs_to_consensus("voter", kRuns, nullptr, sheet.random(),
                                           [](std::size_t) { return two_opinions(kAgents, kPositive); });
  const double share = static_cast<double>(kPositive) / kAgents, runs = kRuns;
  sheet.compare("exit", "share of 2000 crowds of 64 voters, 20 of them at +1, that end at +1", share,
                moments(ends.positive).mean, absolute(kErrors * std::sqrt(share * (1 - share) / runs)));
  const Moments steps = moments(ends.steps);
  sheet.compare("time", "mean steps until they agree; seen at the end of a step, half a step late",
                voter_consensus_steps(kAgents, kPositive) + 0.5, steps.mean,
                absolute(kErrors * std::sqrt(steps.variance / runs)));
}

void measure_q_voters(OracleSheet& sheet) {
  // 20,000 agents, 400 steps: standard error of the mean below 0.003 where it is ordered, 0.007 at p = 0.38
  constexpr double kOrder = 0.015, kThreshold = 0.01, kDisorder = 0.035;
  const double ps[] = {0.2, 0.28};
  double orders[2];
  for (int k = 0; k < 2; ++k) {
    orders[k] = stationary_order(ps[k], sheet.random().stream(concat("p ", ps[k]))).mean;
    sheet.compare(concat("order_p_", ps[k]), concat("mean opinion of 20,000 q-voters, q = 3, independence p = ", ps[k]),
                  std::sqrt((1 - 3 * ps[k]) / (1 - ps[k])), orders[k], absolute(kOrder));
    sheet.progress(0.3 * (k + 1));
  }
  const double first = orders[0] * orders[0] * (1 - ps[0]), second = orders[1] * orders[1] * (1 - ps[1]);
  sheet.compare("threshold", "independence where order ends: the root of the line through (1 - p) m^2 of both", 1.0 / 3,
                ps[0] + first * (ps[1] - ps[0]) / (first - second), absolute(kThreshold));
  sheet.compare("disorder", "mean opinion at p = 0.38, above the threshold", 0.0,
                stationary_order(0.38, sheet.random().stream("p 0.38")).mean, absolute(kDisorder));
}

void measure_majorities(OracleSheet& sheet) {
  constexpr Index kAgents = 600000;
  constexpr int kSteps = 3;
  constexpr double kMean = 0.2, kChance = 0.025;  // 1 / sqrt(N) of the first step grows by e^(t / 2): 0.006
  const double odds = kMean * kMean / (1 - kMean * kMean) * std::exp(kSteps);
  const double predicted = std::sqrt(odds / (1 + odds));
  sheet.compare("majority", "mean opinion of 600,000 agents after 3 steps of groups of three, from 0.2", predicted,
                mean_after("majority", kAgents, 0.5 * (1 + kMean), kSteps, sheet.random()), absolute(kChance));
  sheet.progress(0.3);
  sheet.compare("sznajd", "the same where two that agree win over a third", predicted,
                mean_after("sznajd", kAgents, 0.5 * (1 + kMean), kSteps, sheet.random()), absolute(kChance));
  sheet.progress(0.5);
  constexpr Index kRing = 40;
  constexpr std::size_t kRuns = 2000;
  constexpr double kShare = 0.4;
  society::Graph graph{kRing, {}, {}};
  for (Index i = 0; i + 1 < kRing; ++i) graph.edges.push_back({i, i + 1});
  graph.edges.push_back({0, kRing - 1});
  const Random starts = sheet.random().stream("starts");
  const Consensus ends = runs_to_consensus("sznajd", kRuns, &graph, sheet.random(), [&](std::size_t run) {
    Matrix<double> crowd(kRing, 1);
    for (Index i = 0; i < kRing; ++i)
      crowd(i, 0) = starts.uniform(static_cast<std::uint64_t>(i), run) < kShare ? 1 : -1;
    return crowd;
  });
  const double exit = kShare * kShare / (kShare * kShare + (1 - kShare) * (1 - kShare));
  sheet.compare("sznajd_ring", "share of 2000 rings of 40 that end at +1, each agent at +1 with probability 0.4", exit,
                moments(ends.positive).mean, absolute(kErrors * std::sqrt(exit * (1 - exit) / kRuns)));
}

}  // namespace fovea::opinion::oracle
