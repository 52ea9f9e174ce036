/// Risks of simulated stays: what one run reports holds together.

#include "fovea/core/config/config.hpp"
#include "fovea/core/study/explain/value_shares.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/domains/ehr/risk/half_life_findings.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

/// Of a small run with this config.
Results mortality_results(const std::string& text) {
  return support::run_of("ehr.mortality",
                         "split.folds = 2\nsplit.validation = 0\ntraining.patience = 0\nensemble.members = 2\n"
                         "calibration.method = \"line\"\nmodel.hidden = [16]\n" +
                             text,
                         3);
}

}  // namespace

TEST_CASE("mortality: records over years are told in years", "[ehr][long]") {
  const Results results = mortality_results(
      "data.unit = \"years\"\ndata.at = 0\ndata.simulated = 400\ntraining.epochs = 3\ncontributions.stays = 100\n"
      "trajectory.times = [-5, 0]\n");
  CHECK(results.data.at("half_life").units == "yr");
  CHECK(results.data.at("year").reals() == std::vector<double>{-5, 0});
  CHECK_FALSE(results.data.has("hour"));
  const auto& figures = results.figures();
  const auto reliability =
      std::find_if(figures.begin(), figures.end(), [](const Figure& one) { return one.name == "reliability"; });
  REQUIRE(reliability != figures.end());
  CHECK(reliability->caption.find("tenths of the records by predicted") != std::string::npos);
  for (const double gap : results.data.at("measuring_gap").reals()) CHECK((gap > 0.2 && gap < 10));
  CHECK(results.found<ehr::risk::HalfLivesLearned>().has_value() !=
        results.found<ehr::risk::NoHalfLifeLearned>().has_value());
}

TEST_CASE("mortality: contributions add up to the logit, and what they point at matters", "[ehr][long]") {
  const Results results = mortality_results(
      "data.simulated = 1500\ntraining.epochs = 14\ntraining.batch_tokens = 5000\ncontributions.stays = 1500\n");
  const auto real = [&](const char* name, std::size_t k) { return results.data.at(name).reals()[k]; };

  CHECK(real("contribution_remainder", 0) < 0.05);
  CHECK(real("contribution_agreement", 0) > 0.3);
  const double all = real("auroc_of_events_seen", 0), random = real("auroc_of_events_seen", 1),
               top = real("auroc_of_events_seen", 2), measured = real("auroc_of_events_seen", 3);
  CHECK(all > 0.6);
  CHECK(top < random);
  CHECK(measured < all);

  const std::unique_ptr<Experiment> mortality = ehr::risk::make_mortality();
  const auto& study = dynamic_cast<const study::Study&>(*mortality);
  const study::TrainedModel model = study::read_model("m.h5", *results.model(), study.task());
  const study::Cases cases =
      study::selected(study::read_all(*study.task().open(model.config, Random(4))), {0, 1, 2, 3, 4});
  for (const study::ExplainedPrediction& one :
       study::explained_predictions(model, study.task().target(model.config), cases))
    CHECK(std::abs(one.remainder) < 0.01);  // logit, by the points of `fovea predict --explain`

  CHECK(results.data.at("auroc_at").reals().size() == 5);
  CHECK(real("auroc_at", 4) > real("auroc_at", 0));
  const auto& low = results.data.at("half_life_low").reals();
  const auto& high = results.data.at("half_life_high").reals();
  const auto& claims = std::get<std::vector<std::string>>(results.data.at("half_life_claim").values);
  for (std::size_t v = 0; v < low.size(); ++v) {
    CHECK(claims[v].empty() == (low[v] <= real("half_life", v) && real("half_life", v) <= high[v]));
    CHECK(claims[v].empty() != (std::isnan(low[v]) && std::isnan(high[v]) && std::isnan(real("half_life", v))));
  }
}
