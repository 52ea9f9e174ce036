/// What runs of crowds are expected to take.

#include <ctime>

#include "fovea/core/base/parallel.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/cost.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/sanitizers.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::opinion::cost {
namespace {

RunCost cost_of(const std::string& name, const std::string& toml) {
  const Experiment& experiment = support::experiment_of(name);
  const Config config = support::config_of(experiment, toml);
  return experiment.cost(config, experiment.open(config));
}

/// Of a call that takes so many seconds of the processor with so many agents.
double seconds_of(Index agents, const std::function<double(double agents)>& seconds, Index& largest) {
  const auto wait = [](double some) {
    for (const std::clock_t start = std::clock(); static_cast<double>(std::clock() - start) < some * CLOCKS_PER_SEC;) {
    }
  };
  return work_cost(agents,
                   [&](Index count) {
                     largest = std::max(largest, count);
                     return [&, some = seconds(static_cast<double>(count))] { wait(some); };
                   })
      .seconds;
}

}  // namespace

TEST_CASE("work on many agents is told from work on few, as it grows", "[opinion][cost]") {
  constexpr Index kMany = 4000000;
  Index largest = 0;
  const double linear = seconds_of(
      kMany, [](double n) { return 1e-6 * n; }, largest);
  CHECK(largest == 65536);
  CHECK(linear > 4);
  CHECK(linear < 6);
  const double square = seconds_of(
      kMany, [](double n) { return 1e-8 * n * n; }, largest = 0);
  CHECK(largest <= 4096);
  CHECK(square > 1.6e5);
  CHECK(square < 2.4e5);
  CHECK(seconds_of(
            100, [](double) { return 0.01; }, largest) < 0.05);  // all of them: as it is
}

TEST_CASE("runs that take years or more memory than there is are told from their configs", "[opinion][cost]") {
  // 9e14 pairs a step, at 0.1 ns to 100 ns each and on up to 1000 threads.
  const RunCost pairs = cost_of("opinion.simulate",
                                "agents.count = 30000000\nmodel.name = \"formula\"\nrun.steps = 100\n"
                                "formula.influence = \"d < T\"\nrest.tolerance = 0.0\n");
  CHECK(pairs.least_seconds > 9e16 * 1e-13);
  CHECK(pairs.most_seconds < 9e16 * 1e-7);
  const bool own_allocator = support::any_sanitizer();  // whose memory mallinfo2() does not see
  CHECK((own_allocator || pairs.bytes > 3e7 * 8));
  // A thousand replicas of three sizes and two directions, each with its opinions.
  const RunCost replicas = cost_of("opinion.phase",
                                   "phase.replicas = 1000\nmodel.name = \"attention\"\nmodel.noise = 0.1\n"
                                   "phase.sizes = [500, 1000, 2000]\n");
  CHECK((own_allocator || replicas.bytes > 2e3 * 3500 * 8));
  CHECK(replicas.most_seconds > 3600);
  CHECK(cost_of("opinion.simulate", "agents.count = 100\nrun.steps = 50\n").most_seconds < 60);
  CHECK(cost_of("opinion.measure", "").most_seconds < 60);
  const RunCost draws = cost_of("opinion.measure", "bootstrap.draws = 100000\nnull.draws = 100000\n");
  CHECK(draws.least_seconds > 60 / static_cast<double>(thread_count()));  // 2e5 random walks and 1e5 rewired networks
}

TEST_CASE("steps are those until a crowd of some agents is at rest", "[opinion][cost]") {
  dynamics::ModelSettings settings;
  settings.temperature = 1;
  const auto make = [&](Index agents) {
    dynamics::Agents some;
    some.start.resize(agents, 1);
    for (Index i = 0; i < agents; ++i) some.start(i, 0) = Random(3).normal(static_cast<std::uint64_t>(i));
    return std::shared_ptr<dynamics::Dynamics>(dynamics::make_dynamics(settings, some, nullptr, Random(1)));
  };
  const CrowdCost rests = crowd_cost(100000, make, 1e6, 1e-6);
  CHECK(rests.most_steps < 1000);
  CHECK(rests.least_steps == rests.most_steps);
  CHECK(crowd_cost(100000, make, 1e6, 0).least_steps == 1e6);
  settings.noise = 0.1;
  CHECK(crowd_cost(100000, make, 1e6, 1e-6).least_steps == 1e6);
  CHECK(crowd_cost(10, make, 100, 1e-6).seconds == 0);  // not worth a look
}

}  // namespace fovea::opinion::cost
