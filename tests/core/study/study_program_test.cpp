/// What tests/experiments/study_test.py starts, kills and measures: a learned question that is run, or that predicts,
/// in a process of its own. The environment says where; without it the cases do nothing.

#include <cstdlib>

#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/core/study/predict/prediction_rows.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/tasks/toy_task.hpp"
#include "fovea/tests/support/test.hpp"

TEST_CASE("a study runs where FOVEA_STUDY_RUNS says", "[study][program]") {
  const char* folder = std::getenv("FOVEA_STUDY_RUNS");
  if (folder == nullptr) return;
  const study::Study study(support::toy_task());
  const std::vector<std::string> given{"data.cases=400", "training.epochs=6", "training.batch_tokens=128",
                                       "ensemble.members=3", "explain.cases=40"};
  RunOptions options;
  options.output = folder;
  options.checkpoint_seconds = 0;
  const RunSummary summary = run_experiment(study, support::config_of(study, given), "", options, silent_narrator());
  CHECK(summary.has_result);
}

TEST_CASE("a model predicts the cases that FOVEA_STUDY_CASES names", "[study][program]") {
  const char *path = std::getenv("FOVEA_STUDY_CASES"), *file = std::getenv("FOVEA_STUDY_MODEL");
  if (path == nullptr || file == nullptr) return;
  const study::Study study(support::toy_task());
  const study::TrainedModel model = study::read_model(file, read_dataset(file), study.task());
  const study::Target target = study.task().target(model.config);
  std::ofstream rows(std::string(path) + ".predicted");
  const study::PredictionSummary summary = study.predict(model, path, {}, [&](const study::PredictedBlock& block) {
    rows << study::prediction_rows(target, block.cases, block.predictions);
  });
  CHECK(rows.good());
  CHECK(summary.cases > 0);
}
