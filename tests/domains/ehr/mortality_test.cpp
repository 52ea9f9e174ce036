/// Risks of simulated stays: what one run reports holds together.

#include <cmath>
#include <memory>
#include <string>

#include "fovea/core/config/config.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/tests/support/catch.hpp"

using namespace fovea;

TEST_CASE("mortality: contributions add up to the logit, and what they point at matters", "[ehr][long]") {
  const std::unique_ptr<Experiment> mortality = ehr::risk::make_mortality();
  const Schema schema = mortality->schema();
  const Config config = parse_config(
      "experiment = \"ehr.mortality\"\ndata.simulated = 1500\nsplit.folds = 2\nsplit.validation = 0\n"
      "training.epochs = 14\ntraining.patience = 0\ntraining.batch_tokens = 5000\nensemble.members = 2\n"
      "calibration.method = \"line\"\nhalf_lives.members = 2\ncontributions.stays = 1500\nmodel.hidden = [16]\n",
      "test.toml", ".", [&](std::string_view) { return &schema; }, {"ehr.mortality"}, {});
  Results results;
  const auto bench = plain_workbench();
  mortality->run(config, {}, Random(3), results, *bench);
  const auto real = [&](const char* name, std::size_t k) { return results.data.at(name).reals()[k]; };

  CHECK(real("contribution_remainder", 0) < 0.05);
  CHECK(real("contribution_agreement", 0) > 0.3);
  const double all = real("auroc_of_events_seen", 0), random = real("auroc_of_events_seen", 1),
               top = real("auroc_of_events_seen", 2), measured = real("auroc_of_events_seen", 3);
  CHECK(all > 0.6);
  CHECK(top < random);
  CHECK(measured < all);

  CHECK(results.data.at("auroc_at").reals().size() == 5);
  CHECK(real("auroc_at", 4) > real("auroc_at", 0));
  const auto& low = results.data.at("half_life_low").reals();
  const auto& high = results.data.at("half_life_high").reals();
  for (std::size_t v = 0; v < low.size(); ++v) CHECK((low[v] < real("half_life", v) && real("half_life", v) < high[v]));
}
