/// Records without their history, and what the comparison says where it adds something and where it does not.

#include "fovea/core/config/config.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/domains/ehr/record/last_values.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::ehr {
namespace {

/// Two cases; "sex" is a static, "drug" happens once but not at the first time.
study::Cases two_records() {
  study::Cases cases;
  cases.features = {{"value", "1", {}}};
  cases.classes = {"drug", "hdl", "sbp", "sex"};
  cases.time_unit = "yr";
  cases.kinds = {0, 1, 1, 1, 2, 3, 1, 3};
  cases.times = {-2, -9, -3, -3, -1, -9, -4, -4};
  cases.values.resize(8, 1);
  cases.values.col(0) << 0, 10, 11, 12, 120, 1, 13, 0;
  cases.offsets = {0, 6, 8};
  cases.ends = {0, 0};
  cases.ids = {"a", "b"};
  return cases;
}

TEST_CASE("of each variable the last events are left, and a static no longer tells the record's length",
          "[ehr][record]") {
  const study::Cases last = record::latest_alone(two_records(), record::Latest::of_each_variable);
  CHECK(last.offsets == std::vector<Index>{0, 5, 7});
  CHECK(last.kinds == std::vector<std::uint16_t>{0, 1, 1, 2, 3, 1, 3});
  CHECK(last.times == std::vector<double>{-2, -3, -3, -1, -3, -4, -4});
  CHECK(last.values.col(0) == Vector<float>{{0, 11, 12, 120, 1, 13, 0}});
  CHECK_NOTHROW(study::check_cases("f", last));
}

TEST_CASE("of the last visit the events at the latest time are left, and the statics", "[ehr][record]") {
  const study::Cases last = record::latest_alone(two_records(), record::Latest::visit);
  CHECK(last.offsets == std::vector<Index>{0, 2, 4});
  CHECK(last.kinds == std::vector<std::uint16_t>{2, 3, 1, 3});
  CHECK(last.times == std::vector<double>{-1, -1, -4, -4});
}

/// What ehr.control says of simulated records whose outcome depends on values of this half-life.
Results control_of(const std::string& half_life) {
  return support::run_of(
      "ehr.control",
      "data.simulated = 1200\ndata.unit = \"years\"\nsplit.folds = 3\nsplit.validation = 0\n"
      "training.epochs = 14\ntraining.patience = 0\ntraining.batch_tokens = 2000\n"
      "training.learning_rate = 2e-3\ntraining.weight_decay = 0.7\nmodel.half_lives = [0.1, 0.5, 2, 8]\n"
      "model.hidden = [16]\nensemble.members = 2\ncalibration.method = \"line\"\ncontrol.half_life = " +
          half_life + "\n",
      5);
}

TEST_CASE(
    "control: where the last values tell all, no gain is shown, and the verdict says how large a one is ruled out",
    "[ehr][long]") {
  const Results results = control_of("0.1");
  CHECK(results.data.at("with_history").reals()[0] > 0.7);
  CHECK(results.data.at("history_adds_low").reals()[0] < 0);
  CHECK(results.data.at("history_adds_high").reals()[0] < 0.05);
  CHECK(results.verdict().find("No gain from the history can be shown: AUROC 0.") == 0);
  CHECK(results.verdict().find("], so that a gain of more than 0.") != std::string::npos);
}

TEST_CASE("control: where the outcome depends on the history, it adds", "[ehr][long]") {
  const Results results = control_of("8");
  CHECK(results.data.at("history_adds_low").reals()[0] > 0);
  CHECK(results.verdict().find("The history adds to what was measured last") == 0);
}

}  // namespace
}  // namespace fovea::ehr
