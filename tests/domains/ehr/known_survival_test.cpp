/// ehr.survival: ends from columns of outcomes, and known hazards found again.

#include "fovea/core/config/config.hpp"
#include "fovea/core/study/cases/cases.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::ehr::survival {
namespace {

const std::string kYears = "data.unit = \"years\"\ndata.at = 0\n";

std::vector<double> codes_of(const std::string& outcomes, const std::string& text) {
  const support::TemporaryFolder folder;
  std::ofstream(folder.file("events.csv"))
      << "id,days,variable,value\na,-3,hdl,50\nb,-4,hdl,40\nc,-5,hdl,60\nd,-5,hdl,60\n";
  std::ofstream(folder.file("outcomes.csv")) << outcomes;
  const Config config =
      support::config_of("ehr.survival", kYears + "data.events = [\"" + folder.file("events.csv") +
                                             "\"]\ndata.outcomes = [\"" + folder.file("outcomes.csv") + "\"]\n" + text);
  std::vector<double> codes = make_survival()->open(config).as<study::Cases>()->targets;
  for (double& code : codes) code = std::floor(code);
  return codes;
}

TEST_CASE("survival: days and ends are columns of the outcomes", "[ehr][survival]") {
  const std::string outcomes = "id,futime_days,status\na,100,1\nb,400,0\nc,5000,1\nd,800,1\n";
  // A death in the first year; lost in the second; beyond the horizon; a death in the third.
  CHECK(codes_of(outcomes, "survival.ends = [\"died\"]\n") == std::vector<double>{1, 2, 10, 5});
  CHECK(support::refusal_of<DataError>([&] {
          codes_of(outcomes, "survival.days = \"nothing\"\n");
        }).find("data.outcomes: has no column 'nothing', which survival.days names; there are: ") == 0);
}

TEST_CASE("survival: in hospital one dies or is discharged", "[ehr][survival]") {
  const std::vector<double> codes =
      codes_of("id,length_of_stay_days,survival_days,in_hospital_death\na,9,5,1\nb,6,-1,0\nc,-1,-1,0\nd,40,-1,1\n",
               "survival.rule = \"hospital\"\nsurvival.unit = \"days\"\nsurvival.times = [3, 7, 14]\n");
  CHECK(std::vector<double>(codes.begin(), codes.begin() + 2) == std::vector<double>{4, 5});
  CHECK(std::isnan(codes[2]));
  CHECK(codes[3] == 9);
}

TEST_CASE("survival: what contradicts itself is refused", "[ehr][survival][errors]") {
  const std::string said = support::complaints_of(
      "ehr.survival", kYears +
                          "survival.times = [2, 1]\nsurvival.ends = [\"died\"]\nsurvival.rule = \"hospital\"\n"
                          "split.folds = 2\n");
  REQUIRE(std::count(said.begin(), said.end(), '\n') == 2);
  CHECK(said.substr(0, said.find('\n')).find("survival.times must be one or more numbers that rise.") !=
        std::string::npos);
}

TEST_CASE("survival: known hazards are found in spite of censoring", "[ehr][survival][long]") {
  const Results results = support::run_of(
      "ehr.survival",
      kYears +
          "data.simulated = 1500\nsplit.folds = 2\nsplit.validation = 0\ntraining.epochs = 20\ntraining.patience = 0\n"
          "training.learning_rate = 4e-3\ntraining.weight_decay = 0.7\ntraining.batch_tokens = 1000\nensemble.members "
          "= 2\n"
          "model.half_lives = [0.5, 2, 8]\nmodel.hidden = [16]\nmodel.earlier = 0\nexplain.cases = 0\n",
      5);
  const auto scalar = [&](const char* name) { return results.data.at(name).reals()[0]; };
  CHECK(scalar("truth_concordance") > 0.7);
  CHECK(scalar("truth_concordance") - scalar("concordance") < 0.06);
  CHECK(scalar("truth_error") < 0.08);
  CHECK(std::abs(scalar("truth_bias")) < 0.04);
  CHECK(results.data.at("half_life").units == "yr");
  CHECK(results.verdict().find("Of these simulated records the truth is known") != std::string::npos);
}

}  // namespace
}  // namespace fovea::ehr::survival
