/// What a crowd keeps in memory: what nobody looks at again is given up, and nothing else changes by that.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/core/lab/cost/run_cost.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/measures/gap_camps.hpp"
#include "fovea/domains/opinion/simulate/crowd.hpp"
#include "fovea/tests/support/peak_memory.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/sanitizers.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::opinion {

namespace {

dynamics::Agents drawn_agents(Index count) {
  dynamics::Agents agents;
  agents.start.resize(count, 1);
  for (Index i = 0; i < count; ++i) agents.start(i, 0) = Random(7).normal(static_cast<std::uint64_t>(i));
  return agents;
}

simulate::Crowd crowd_of(const dynamics::ModelSettings& model, const dynamics::Agents& agents) {
  return {model, agents, nullptr, {}, Random(3)};
}

}  // namespace

TEST_CASE("a crowd gives up its start where nobody is stubborn, and moves as before", "[opinion][memory]") {
  const dynamics::Agents agents = drawn_agents(300);
  for (const char* name : {"attention", "degroot", "saturation"}) {
    for (const double stubbornness : {0.0, 0.3}) {
      CAPTURE(name, stubbornness);
      dynamics::ModelSettings model;
      model.model = name;
      model.stubbornness = stubbornness;
      const bool anchored = stubbornness > 0 && dynamics::find_model(name).needs("stubbornness");
      simulate::Crowd crowd = crowd_of(model, agents);
      CHECK(crowd.opinions() == agents.start);
      CHECK(crowd.agents().count() == 300);
      CHECK(crowd.agents().start.rows() == (anchored ? 300 : 0));
      CHECK(crowd.anchor_range() == std::pair(agents.start.minCoeff(), agents.start.maxCoeff()));
      const auto kept = dynamics::make_dynamics(model, agents, nullptr, Random(3));
      Matrix<double> opinions = agents.start, before;
      for (std::int64_t step = 0; step < 3; ++step) {
        before = opinions;
        kept->step(opinions, step);
        crowd.dynamics().step(crowd.opinions(), step);
        if (step == 1) crowd.dynamics().end_steps();  // another step takes the memory again
      }
      CHECK(crowd.opinions() == opinions);
      REQUIRE(kept->previous() != nullptr);
      CHECK(*kept->previous() == before);
    }
  }
}

TEST_CASE("one stubborn agent, a network or a model that looks back keep the start", "[opinion][memory]") {
  dynamics::Agents agents = drawn_agents(20);
  dynamics::ModelSettings model;
  model.model = "deffuant";
  CHECK(crowd_of(model, agents).agents().start == agents.start);
  model.model = "attention";
  const society::Graph ring{20, {{0, 1}, {1, 2}}, {}};
  CHECK(simulate::Crowd(model, agents, &ring, {}, Random(3)).agents().start == agents.start);
  agents.stubbornness.assign(20, 0.0);
  agents.stubbornness[4] = 1;
  simulate::Crowd crowd = crowd_of(model, agents);
  crowd.dynamics().step(crowd.opinions(), 0);
  CHECK(crowd.opinions()(4, 0) == agents.start(4, 0));
}

TEST_CASE("camps by cells are those of the sorted opinions", "[opinion][memory]") {
  for (const double gap : {1e-9, 0.001, 0.02, 0.4, 10.0})
    for (const Index count : {1, 2, 30, 3000, 70000}) {
      Matrix<double> x(count, 1);
      for (Index i = 0; i < count; ++i)
        x(i, 0) = std::round(1e4 * Random(count).normal(static_cast<std::uint64_t>(i))) * (i % 2 == 0 ? 1e-4 : 0.02);
      CAPTURE(gap, count);
      std::vector<double> sorted(x.data(), x.data() + count);
      std::sort(sorted.begin(), sorted.end());
      std::vector<double> tops;
      for (Index k = 1; k <= count; ++k)
        if (k == count || sorted[k] - sorted[k - 1] > gap) tops.push_back(sorted[k - 1]);
      const measures::GapCamps camps({x.data(), static_cast<std::size_t>(count)}, gap);
      REQUIRE(camps.camps().sizes.size() == tops.size());
      std::vector<Index> of_top;
      for (const double top : tops) of_top.push_back(camps.camp_of(top));
      bool alike = true;
      std::vector<Index> sizes(tops.size(), 0);
      for (Index i = 0; i < count; ++i) {
        const Index camp = of_top[std::lower_bound(tops.begin(), tops.end(), x(i, 0)) - tops.begin()];
        alike = alike && camps.camp_of(x(i, 0)) == camp;
        ++sizes[camp];
      }
      CHECK(alike);
      CHECK(sizes == camps.camps().sizes);
      CHECK(std::is_sorted(sizes.rbegin(), sizes.rend()));
    }
}

TEST_CASE("a large crowd on the line takes few bytes an agent", "[opinion][memory]") {
  if (support::any_sanitizer()) return;
  constexpr double kAgents = 2e6, kMebibyte = 1024 * 1024, kOther = 8;  // bytes an agent for all else: 16 MB
  struct Case {
    const char* keys;
    double bytes;  ///< opinions and the next ones; the start where it holds agents back; what camps hear of another
  };
  for (const auto& [keys, bytes] :
       {Case{"start.kind = \"uniform\"\n", 16},
        Case{"start.kind = \"uniform\"\nmodel.noise = 0.01\nmodel.stubbornness = 0.2\n", 24},
        Case{"start.kind = \"two_camps\"\nmodel.temperature = 0.001\n", 24}}) {
    CAPTURE(keys);
    const double before = test::peak_mebibytes(true);
    support::run_of("opinion.simulate", concat("agents.count = 2000000\nmodel.name = \"attention\"\nrun.steps = 2\n"
                                               "record.states = 2\nrecord.agents = 100\n",
                                               keys));
    CHECK((test::peak_mebibytes(false) - before) * kMebibyte < kAgents * (bytes + kOther));
  }
  const Experiment& experiment = support::experiment_of("opinion.simulate");
  const Config config = support::config_of(experiment, "agents.count = 100000000000\n");
  CHECK_THROWS_WITH(cost_sentence(experiment.cost(config, {}), 1e12),
                    Catch::Contains("of memory, but only 1000 GB are left"));
}

}  // namespace fovea::opinion
