/// Few stays of which little is measured: the settings of experiments/ehr/mortality.toml must suffice for them, too.

#include "fovea/core/config/config.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/tests/domains/ehr/ward_files.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::ehr {
namespace {

/// Two to six values a stay of two variables that decide and two that do not.
datasets::simulated::EventPlan sparse_plan(Index stays) {
  datasets::simulated::EventPlan plan;
  plan.stays = stays;
  plan.fewest = 2, plan.most = 6;
  plan.prevalence = 0.3;
  plan.variables = {{.name = "a", .half_life = 24, .effect = 1.5, .memory = 48},
                    {.name = "b", .half_life = 24, .effect = -1, .memory = 48},
                    {.name = "c", .memory = 48},
                    {.name = "d", .memory = 48}};
  return plan;
}

}  // namespace

TEST_CASE("300 stays of a few values each are learned about as well as by the ridge model", "[ehr][long]") {
  constexpr double kBehind = 0.03;  // of the AUROC: half of its 95 % interval at 300 stays is .05
  const support::TemporaryFolder folder;
  const datasets::events::Stays stays = datasets::simulated::made_stays(sparse_plan(300), Random(21)).stays;
  const std::unique_ptr<Experiment> mortality = risk::make_mortality();
  const Schema schema = mortality->schema();
  Overrides overrides;
  overrides.set = {"data.events=[\"" + support::write_events(folder, "e.csv", stays) + "\"]",
                   "data.outcomes=[\"" + support::write_outcomes(folder, "o.csv", stays) + "\"]",
                   "half_lives.level=0",
                   "contributions.stays=0",
                   "explain.cases=0",
                   "trajectory.hours=[]"};
  const Config config = parse_config(
      support::text_of(support::source("../experiments/ehr/mortality.toml")), "mortality.toml", folder.path(),
      [&](std::string_view) { return &schema; }, {"ehr.mortality"}, overrides);
  Results results;
  mortality->run(config, mortality->open(config), Random(1), results, *plain_workbench());
  const auto scalar = [&](const char* name) { return results.data.at(name).reals()[0]; };
  CHECK(scalar("ridge_auroc") > 0.7);
  CHECK(scalar("auroc") > scalar("ridge_auroc") - kBehind);
}

}  // namespace fovea::ehr
