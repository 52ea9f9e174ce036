/// What a risk must not rest on: what comes later, and the order of the stays.

#include "fovea/core/config/config.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/study/predict/prediction_rows.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/domains/ehr/risk/examined.hpp"
#include "fovea/tests/domains/ehr/ward_files.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::ehr::risk {
namespace {

using datasets::events::Stays;

Stays small_ward(Index stays) {
  return datasets::simulated::made_stays(datasets::simulated::ward_plan(stays), Random(12)).stays;
}

study::TrainedModel quick_model(const study::Study& mortality) {
  const Results results = support::run_of(
      mortality, {"data.simulated=120", "split.folds=2", "split.validation=0", "training.epochs=2",
                  "training.patience=0", "ensemble.members=2", "half_lives.level=0", "trajectory.hours=[]",
                  "calibration.method=line", "contributions.stays=0", "explain.cases=0"});
  return study::read_model("m.h5", *results.model(), mortality.task());
}

std::string risks_of(const study::Study& mortality, const study::TrainedModel& model, const std::string& file,
                     std::vector<double> at) {
  study::PredictOptions options;
  options.times.at = std::move(at);
  std::string rows;
  mortality.predict(model, file, options, [&](const study::PredictedBlock& block) {
    rows += study::prediction_rows(mortality.task().target(model.config), block.cases, block.predictions, block.asked);
  });
  return rows;
}

/// Noise: for each stay events of all variables after some hours, with values far off.
std::string noise_after(const Stays& stays, double hours) {
  std::string rows;
  const Random random(77);
  for (std::size_t s = 0; s < stays.ids.size(); ++s)
    for (std::uint64_t k = 0; k < 20; ++k) {
      const double u = random.uniform(s, 3 * k), hour = hours + 0.01 + 30 * random.uniform(s, 3 * k + 1);
      const auto variable = static_cast<std::size_t>(u * 12);
      rows += stays.ids[s] + ',' + exact_text(hour) + ',' + stays.variables[variable] + ',' +
              exact_text(1000 * random.normal(s, 3 * k + 2)) + '\n';
    }
  return rows;
}

/// 400 cases; the outcome is likelier the later they stand, by `slope` in log-odds from end to end.
study::Cases ordered_cases(double slope, std::vector<double>& outcomes) {
  study::Cases cases;
  const Random random(31);
  for (Index b = 0; b < 400; ++b) {
    const double odds = slope * (static_cast<double>(b) / 400 - 0.5);
    cases.ids.push_back(std::to_string(100000 + (b * 149) % 400));
    outcomes.push_back(random.uniform(static_cast<std::uint64_t>(b), 9) < 1 / (1 + std::exp(-odds)) ? 1 : 0);
    cases.offsets.push_back(0);
  }
  return cases;
}

Results probed(const study::Cases& cases, const std::vector<double>& outcomes) {
  const study::Target target;
  Examined examined{target, cases, {}, outcomes, {}, {}, {}};
  for (Index b = 0; b < cases.count(); ++b) examined.items.push_back(b), examined.groups.push_back(b);
  Results results;
  write_order_probes(examined, Random(5), results);
  return results;
}

}  // namespace

TEST_CASE("events after the hour of asking, replaced by noise, change no bit of a risk", "[ehr][leak]") {
  const std::unique_ptr<Experiment> made = make_mortality();
  const auto& mortality = dynamic_cast<const study::Study&>(*made);
  const study::TrainedModel model = quick_model(mortality);
  const Stays stays = small_ward(80);
  const support::TemporaryFolder folder;
  const std::string whole = support::write_events(folder, "whole.csv", stays);
  for (const double hour : {12.0, 48.0}) {
    const std::string noised = support::write_events(folder, "noised.csv", stays, noise_after(stays, hour),
                                                     [&](double h) { return h <= hour; });
    const std::string before = risks_of(mortality, model, whole, {6, hour});
    CHECK(risks_of(mortality, model, noised, {6, hour}) == before);
    CHECK(std::count(before.begin(), before.end(), '\n') == 160);
  }
  CHECK(risks_of(mortality, model, support::write_events(folder, "late.csv", stays, noise_after(stays, 48)), {}) ==
        risks_of(mortality, model, whole, {}));
  CHECK(risks_of(mortality, model, support::write_events(folder, "early.csv", stays, noise_after(stays, 11)), {12}) !=
        risks_of(mortality, model, whole, {12}));
}

TEST_CASE("an outcome that follows the order of the rows is noticed, and one by chance is not", "[ehr][leak]") {
  std::vector<double> outcomes;
  study::Cases cases = ordered_cases(3, outcomes);
  Results results = probed(cases, outcomes);
  REQUIRE(results.data.at("probe_auroc").size() == 2);
  CHECK(view(results.data, "probe_auroc_low").first() > 0.55);
  REQUIRE(results.notes().size() == 1);
  CHECK(results.notes()[0].find("The outcome can be predicted from the order of the rows (AUROC 0.") == 0);
  outcomes.clear();
  cases = ordered_cases(0, outcomes);
  CHECK(probed(cases, outcomes).notes().empty());
  for (std::size_t b = 0; b < cases.ids.size(); ++b) cases.ids[b] = std::to_string(b + 5);
  results = probed(cases, outcomes);  // numbered in the order of the rows: one probe
  CHECK(results.data.at("probe_auroc").size() == 1);
  std::fill(outcomes.begin(), outcomes.end(), 0);
  std::fill_n(outcomes.begin(), 9, 1);
  CHECK_FALSE(probed(cases, outcomes).data.has("probe_auroc"));  // nine outcomes are too few to tell of
}

TEST_CASE("record numbers are ordered by size, and other ids as text", "[ehr][leak]") {
  CHECK(places_of_ids({"10", "9", "009", "123456789012345678901"}) == std::vector<Index>{2, 0, 0, 3});
  CHECK(places_of_ids({"10", "9", "a"}) == std::vector<Index>{0, 1, 2});
  CHECK(places_of_ids({"0", "", "00"}) == std::vector<Index>{1, 0, 2});
  CHECK(places_of_ids({"0", "1", "00"}) == std::vector<Index>{0, 2, 0});
}

}  // namespace fovea::ehr::risk
