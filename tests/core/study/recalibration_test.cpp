#include "fovea/core/study/predict/recalibration.hpp"

#include "fovea/core/linear/calibration_line.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/tasks/record_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

/// A model of records that has learned nothing, calibrated as given.
TrainedModel model_of_records(const Study& study, const Calibration& calibration) {
  const Config config = support::config_of(study.task(), {"ensemble.members=3"});
  const Target target = study.task().target(config);
  const Cases cases = support::simulated_records(60, Random(3));
  std::vector<Index> items(60);
  for (std::size_t b = 0; b < items.size(); ++b) items[b] = static_cast<Index>(b);
  TrainedModel model{config, prepare(cases, items, target), calibration, {}, 0.5};
  model.members = make_members(study.task(), config, shape_of(model.preparation, target), Random(4));
  return model;
}

/// Cases of which every third has an unknown target, the first `ones` of the others the target 1.
std::string labelled_cases(int count, int ones) {
  std::string text;
  int known = 0;
  for (int b = 0; b < count; ++b) {
    const std::string target = b % 3 == 2 ? "" : ++known <= ones ? "1" : "0";
    text += concat('s', b, ",1,lactate,", (b * 7) % 10, ',', target, "\ns", b, ",2,albumin,", 25 + (b * 3) % 11, ',',
                   target, '\n');
  }
  return text;
}

std::vector<double> risks_of(const Study& study, const TrainedModel& model, const std::string& path,
                             std::vector<double>* spread = nullptr) {
  std::vector<double> risks;
  study.predict(model, path, {}, [&](const PredictedBlock& block) {
    for (Index b = 0; b < block.cases.count(); ++b) {
      risks.push_back(block.predictions.mean(b, 0));
      if (spread != nullptr) spread->push_back(block.predictions.spread(b, 0));
    }
  });
  return risks;
}

}  // namespace

TEST_CASE(
    "after recalibration as many are expected as happened, and all "
    "log-odds have moved alike",
    "[study][predict][recalibration]") {
  const Study study(support::record_task());
  const support::TemporaryFolder folder;
  const std::string path = folder.file("a.csv");
  std::ofstream(path) << labelled_cases(90, 17);
  for (const Calibration& calibration : {Calibration{1, true, 0.4, 0.8}, Calibration{2, false, 0, 1}}) {
    TrainedModel model = model_of_records(study, calibration);
    TrainedModel as_line = model_of_records(study, calibration.line ? calibration : Calibration{1, true, 0, 0.5});
    const std::vector<double> before = risks_of(study, as_line, path);
    const Recalibration found = recalibrate(study.task(), model, path, {});
    CHECK(found.ones == 17);
    CHECK(found.zeros == 43);
    CHECK(found.shift < -0.1);
    CHECK(found.error > 0);
    std::vector<double> spread;
    const std::vector<double> after = risks_of(study, model, path, &spread);
    double expected = 0;
    for (std::size_t b = 0; b < after.size(); ++b) {
      if (b % 3 != 2) expected += after[b];
      CHECK(std::abs(log_odds_of(after[b]) - log_odds_of(before[b]) - found.shift) < 1e-9);
      CHECK(spread[b] > 0);
    }
    CHECK(std::abs(expected - 17) < 1e-6);
    CHECK(std::abs(recalibrate(study.task(), model, path, {}).shift) < 1e-6);  // it is right there already
  }
}

TEST_CASE("too few outcomes, and targets without log-odds, are refused", "[study][predict][recalibration][error]") {
  const Study study(support::record_task());
  const support::TemporaryFolder folder;
  const std::string path = folder.file("a.csv");
  const auto refusal = [&](int ones) {
    std::ofstream(path) << labelled_cases(60, ones);
    TrainedModel model = model_of_records(study, {1, true, 0, 1});
    return support::refusal_of<DataError>([&] { recalibrate(study.task(), model, path, {}); });
  };
  CHECK(refusal(9) == path +
                          ": has 9 outcomes of 1 and 31 of 0, but at least "
                          "10 of either are needed to refit the "
                          "intercept; add cases, or leave it as it is.");
  CHECK(refusal(31).find("31 outcomes of 1 and 9 of 0") != std::string::npos);
  CHECK(refusal(10).empty());
}

}  // namespace fovea::study
