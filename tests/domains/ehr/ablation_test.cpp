/// What ehr.ablation says of simulated stays of which it is known what their outcome depends on.

#include "fovea/core/config/config.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::ehr {
namespace {

const std::string kSmallAblation =
    "split.folds = 3\nsplit.validation = 0\ntraining.patience = 0\ntraining.batch_tokens = 4000\n"
    "training.learning_rate = 2e-3\ntraining.weight_decay = 0.7\nmodel.hidden = [16]\ncalibration.method = \"line\"\n"
    "explain.cases = 0\n";

std::string ablation_refusal(const std::string& more) {
  return support::complaints_of("ehr.ablation", kSmallAblation + more);
}

}  // namespace

TEST_CASE("ablation: values add most, and decay adds where the outcome depends on what is recent", "[ehr][long]") {
  const Results results = support::run_of(
      "ehr.ablation", kSmallAblation + "data.simulated = 1500\ntraining.epochs = 8\nensemble.members = 2\n", 5);
  const auto& names = std::get<std::vector<std::string>>(results.data.at("part").values);
  const auto place = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  const std::vector<double>& adds = results.data.at("auroc_added").reals();
  const std::vector<double>& low = results.data.at("auroc_added_low").reals();
  const std::vector<double>& high = results.data.at("auroc_added_high").reals();
  const double whole = results.data.at("auroc_of_a_member").reals()[0];
  for (std::size_t p = 0; p < names.size(); ++p) {
    INFO(names[p]);
    CHECK(low[p] < adds[p]);
    CHECK(adds[p] < high[p]);
    CHECK(std::abs(whole - adds[p] - results.data.at("auroc_without").reals()[p]) < 1e-12);
  }
  CHECK(low.at(place("values, against presence alone")) > 0.02);
  CHECK(adds.at(place("the times of values, against shuffled ones")) > 0.01);
  CHECK(low.at(place("decay, against none")) > 0);
  CHECK(adds.at(place("decay, against none")) > adds.at(place("exponential decay, against a power law")));
  CHECK(results.verdict().find("values, against presence alone: adds 0.") != std::string::npos);
}

TEST_CASE("ablation: what cannot be compared is refused with the way out", "[ehr][errors]") {
  CHECK(ablation_refusal("").empty());
  CHECK(ablation_refusal("ensemble.members = 1\n").find("set it to 4") != std::string::npos);
  CHECK(ablation_refusal("model.kernel = \"none\"\n").find("leave model.kernel") != std::string::npos);
  CHECK(ablation_refusal("trees.rounds = 10\n").find("about attention alone; use trees.rounds = 0") !=
        std::string::npos);
}

TEST_CASE("ablation: the parts that are asked for are tried, and no other", "[ehr]") {
  const Results results = support::run_of("ehr.ablation",
                                          kSmallAblation +
                                              "data.simulated = 200\nensemble.members = 2\ntraining.epochs = 2\n"
                                              "ablation.parts = [\"no decay\", \"one softmax\"]\n",
                                          5);
  CHECK(std::get<std::vector<std::string>>(results.data.at("part").values) ==
        std::vector<std::string>{"attention within variables, against over all events", "decay, against none"});
  CHECK(ablation_refusal("ensemble.members = 2\nablation.parts = [\"decay\"]\n").find("no decay") != std::string::npos);
}

}  // namespace fovea::ehr
