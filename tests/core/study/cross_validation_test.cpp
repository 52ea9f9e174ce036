#include "fovea/core/study/folds/cross_validation.hpp"

#include "fovea/core/learning/operations.hpp"
#include "fovea/core/linear/calibration_line.hpp"
#include "fovea/core/statistics/decisions.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/predict/prediction_rows.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/tests/support/runs/bench.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/tasks/looking_task.hpp"
#include "fovea/tests/support/tasks/record_task.hpp"
#include "fovea/tests/support/tasks/toy_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

const std::vector<std::string> kFolded{"data.cases=90",      "training.epochs=2",      "training.batch_tokens=64",
                                       "ensemble.members=2", "explain.cases=3",        "split.folds=3",
                                       "split.validation=0", "calibration.method=line"};

/// With a value of its own for some of kFolded.
std::vector<std::string> folded_with(const std::vector<std::string>& changed) {
  std::vector<std::string> set = changed;
  for (const std::string& words : kFolded)
    if (std::none_of(changed.begin(), changed.end(), [&](const std::string& other) {
          return other.substr(0, other.find('=')) == words.substr(0, words.find('='));
        }))
      set.push_back(words);
  return set;
}

Results run_folded(const Study& study, const std::vector<std::string>& set = kFolded) {
  return support::run_of(study, set);
}

using support::LookingTask;

/// Its logit is a learned number, and how far from hour 8 it is asked.
class HourModel final : public StudyModel {
 public:
  explicit HourModel(learning::Parameters<float>& parameters)
      : bias_(parameters.add("bias", Matrix<float>::Zero(1, 1))) {}
  learning::Variable<float> outputs(learning::Tape<float>& tape, const Batch& batch,
                                    learning::Variable<float>*) const override {
    const Index times = std::max<Index>(1, static_cast<Index>(batch.at.size())), rows = batch.tokens->sets() * times;
    const auto hours = tape.constant(rows, 1);
    for (Index r = 0; r < rows; ++r)
      hours.data()[r] = static_cast<float>((batch.at.empty() ? batch.ends[r] : batch.at[r % times]) - 8);
    Index* const first = tape.index_room(rows);
    std::fill_n(first, rows, Index{0});
    return learning::add(hours, learning::gather_rows(tape.parameter(bias_), {first, static_cast<std::size_t>(rows)}));
  }

 private:
  learning::ParameterPlace bias_;
};

/// Records with that model.
class HourTask final : public LearnedTask {
 public:
  explicit HourTask(LookingTask::Look look) : inner_(std::move(look), support::record_task()) {}
  std::string_view name() const override { return inner_.name(); }
  std::string_view summary() const override { return inner_.summary(); }
  int result_version() const override { return 1; }
  std::string data_key() const override { return inner_.data_key(); }
  void keys(Schema& schema) const override { inner_.keys(schema); }
  Target target(const Config& config) const override { return inner_.target(config); }
  std::unique_ptr<CaseReader> open(const Config& config, const Random& random) const override {
    return inner_.open(config, random);
  }
  std::unique_ptr<StudyModel> model(const Config&, const ModelShape&, learning::Parameters<float>& parameters,
                                    const Random&) const override {
    return std::make_unique<HourModel>(parameters);
  }
  bool has_own_model() const override { return true; }
  void examine(const StudyOutcome& outcome, Results& results) const override { inner_.examine(outcome, results); }

 private:
  LookingTask inner_;
};

/// The toy with its target as a number of 100 and 300.
class LevelTask final : public LearnedTask {
 public:
  explicit LevelTask(LookingTask::Look look) : inner_(std::move(look)) {}
  std::string_view name() const override { return inner_.name(); }
  std::string_view summary() const override { return inner_.summary(); }
  int result_version() const override { return 1; }
  void keys(Schema& schema) const override { inner_.keys(schema); }
  Target target(const Config&) const override { return {.kind = TargetKind::number, .name = "level", .classes = {}}; }
  std::unique_ptr<CaseReader> open(const Config& config, const Random& random) const override {
    Cases cases = read_all(*inner_.open(config, random));
    for (double& y : cases.targets) y = 100 + 200 * y;
    return reader_of(std::move(cases));
  }
  void examine(const StudyOutcome& outcome, Results& results) const override { inner_.examine(outcome, results); }

 private:
  LookingTask inner_;
};

double value_of(const Results& results, const std::string& score) {
  const auto& names = std::get<std::vector<std::string>>(results.data.at("score").values);
  const auto place = std::find(names.begin(), names.end(), score) - names.begin();
  return results.data.at("score_value").reals().at(place);
}

}  // namespace

TEST_CASE("every fold is predicted, calibrated and decided by what was fitted without it", "[study][folds][twin]") {
  bool looked = false;
  const Study study(std::make_unique<LookingTask>([&](const StudyOutcome& found) {
    looked = true;
    const Cases& cases = found.cases;
    const CrossValidation& folds = *found.folds;
    REQUIRE(folds.folds() == 3);
    CHECK(found.predictions.mean.rows() == cases.count());
    for (Index f = 0; f < 3; ++f) {
      const FoldModel& fold = folds.models[f];
      CHECK(fold.preparation == prepare(cases, fold.split.training, found.target));
      std::vector<double> logits, risks;
      std::vector<Index> outcomes;
      for (Index b = 0; b < cases.count(); ++b) {
        if (folds.fold_of_case[b] == f) continue;
        logits.push_back((folds.outputs[0](b, 0) + folds.outputs[1](b, 0)) / 2);
        outcomes.push_back(static_cast<Index>(cases.targets[b]));
      }
      const CalibrationLine line = fit_calibration_line(logits, outcomes);
      CHECK(fold.calibration.line);
      CHECK(fold.calibration.intercept == line.intercept);
      CHECK(fold.calibration.slope == line.slope);
      for (const double z : logits) risks.push_back(line.probability(z));
      CHECK(*fold.threshold == balanced_threshold(risks, outcomes));
      const Matrix<double> own =
          outputs_of(fold.members[1], found.target, cases, prepared(fold.preparation, cases), fold.split.test, 50);
      for (std::size_t k = 0; k < fold.split.test.size(); ++k) {
        const Index b = fold.split.test[k];
        CHECK(folds.outputs[1](b, 0) == own(static_cast<Index>(k), 0));
        const double p = line.probability((folds.outputs[0](b, 0) + folds.outputs[1](b, 0)) / 2);
        CHECK(found.predictions.mean(b, 0) == p);
        CHECK(found.predictions.decisions[b] == (p >= *fold.threshold ? 1 : 0));
        const double p0 = line.probability(folds.outputs[0](b, 0)), p1 = line.probability(folds.outputs[1](b, 0));
        CHECK(std::abs(found.predictions.spread(b, 0) - std::abs(p0 - p1) / std::sqrt(2.0)) < 1e-12);
      }
    }
    CHECK(found.split.training.size() == static_cast<std::size_t>(cases.count()));
    CHECK(found.predicted(found.outputs({})).mean == found.predictions.mean);
  }));
  const Results results = run_folded(study);
  CHECK(looked);
  CHECK(results.data.at("fold_auroc").reals().size() == 3);
  CHECK(std::isfinite(value_of(results, "smaller of sensitivity and precision")));
  CHECK(std::isfinite(results.data.at("event_2_floor").reals()[0]));
}

TEST_CASE("pooled scores are the metrics of the pooled predictions", "[study][folds][twin]") {
  std::vector<double> risks;
  std::vector<Index> outcomes, decisions;
  const Study study(std::make_unique<LookingTask>([&](const StudyOutcome& found) {
    for (Index b = 0; b < found.cases.count(); ++b) {
      risks.push_back(found.predictions.mean(b, 0));
      outcomes.push_back(static_cast<Index>(found.test_targets[b]));
    }
    decisions = found.predictions.decisions;
  }));
  const Results results = run_folded(study);
  CHECK(std::abs(value_of(results, "AUROC") - auroc(risks, outcomes)) < 1e-12);
  CHECK(std::abs(value_of(results, "Hosmer-Lemeshow H over range of risks") -
                 hosmer_lemeshow(risks, outcomes).event_2) < 1e-9);
  CHECK(std::abs(value_of(results, "observed over expected") - observed_over_expected(risks, outcomes)) < 1e-12);
  std::vector<double> log_odds, decided;
  for (const Index decision : decisions) decided.push_back(static_cast<double>(decision));
  for (const double p : risks) log_odds.push_back(log_odds_of(p));
  const CalibrationLine line = fit_calibration_line(log_odds, outcomes);
  constexpr double kAtRest = 1e-5;  // of a standard error, where the fit of the score stops
  CHECK(std::abs(value_of(results, "calibration slope") - line.slope) < kAtRest * line.slope_error);
  CHECK(std::abs(value_of(results, "calibration intercept") - line.intercept) < kAtRest * line.intercept_error);
  CHECK(value_of(results, "smaller of sensitivity and precision") == decide(decided, outcomes, 0.5).event_1());
}

TEST_CASE("the model file of a cross-validated study keeps its line and threshold", "[study][folds]") {
  const Study study(support::toy_task());
  const Results results = run_folded(study);
  const TrainedModel model = read_model("m.h5", *results.model(), study.task());
  CHECK(content_hash(model_dataset(study.task(), model)) == content_hash(*results.model()));
  CHECK(model.calibration.line);
  CHECK(model.threshold == results.data.at("threshold").reals()[0]);
  const auto refusal = [&](const std::string& name, double value) {
    Dataset data = *results.model();
    std::get<std::vector<double>>(data.at(name).values)[0] = value;
    data.attributes.erase("model_hash");
    data.attributes["model_hash"] = content_hash(data);
    return support::refusal_of<DataError>([&] { read_model("m.h5", data, study.task()); });
  };
  CHECK(refusal("threshold", 1.5) == "m.h5: /threshold has the value 1.5, but must be in [0, 1].");
  CHECK(refusal("calibration_slope", NAN).find("/calibration_slope has the value nan") != std::string::npos);
  CHECK(refusal("calibration_intercept", HUGE_VAL).find("/calibration_intercept has the value inf") !=
        std::string::npos);
}

TEST_CASE("a cross-validation that is stopped again and again ends with the same model", "[study][folds][resume]") {
  const Study study(support::toy_task());
  const Results whole = run_folded(study, folded_with({"split.validation=0.2"}));
  support::StoppingBench bench;
  const Config config = support::config_of(study, folded_with({"split.validation=0.2"}));
  int stops = 0;
  for (int step = 1;; step = 1 + step % 7) {
    bench.begin_again(step);
    try {
      const Results results = support::run_of(study, config, bench);
      CHECK(content_hash(*results.model()) == content_hash(*whole.model()));
      CHECK(results.data.at("score_value").reals() == whole.data.at("score_value").reals());
      break;
    } catch (const Interrupted&) {
      REQUIRE(++stops < 500);
    }
  }
  CHECK(stops >= 5);
}

TEST_CASE("a cross-validation has the same bits for any number of threads", "[study][folds][threads]") {
  const Study study(support::record_task());
  const int before = omp_get_max_threads();
  std::vector<double> scores;
  std::string hash;
  for (const int threads : {1, 2, 3, 5}) {
    omp_set_num_threads(threads);
    const Results results = run_folded(study);
    if (hash.empty()) hash = content_hash(*results.model()), scores = results.data.at("score_value").reals();
    CHECK(content_hash(*results.model()) == hash);
    CHECK(results.data.at("score_value").reals() == scores);
  }
  omp_set_num_threads(before);
}

TEST_CASE("a cross-validated study learns, and its verdict says how it was tested", "[study][folds][long]") {
  const Study study(support::record_task());
  const Results results = run_folded(study, folded_with({"data.cases=1200", "training.epochs=12"}));
  CHECK(value_of(results, "AUROC") > 0.7);
  CHECK(std::abs(value_of(results, "calibration slope") - 1) < 0.25);
  CHECK(std::abs(value_of(results, "observed over expected") - 1) < 0.05);
  CHECK(results.verdict().find("over all cases, each predicted by models that did not learn from it") !=
        std::string::npos);
  CHECK(std::abs(results.data.at("auroc_over_folds").reals()[0] - value_of(results, "AUROC")) < 0.05);
}

TEST_CASE("without a validation part every epoch is done, and the last one stays", "[study][folds]") {
  const Study study(support::toy_task());
  const Results results = run_folded(study, folded_with({"training.epochs=5", "training.patience=1"}));
  const std::vector<double>& losses = results.data.at("final_training_loss").reals();
  CHECK(losses.size() == 5 * results.data.at("final_best_epoch").reals().size());
  for (const double loss : losses) CHECK(std::isfinite(loss));
}

TEST_CASE("all cases can be asked at other times, each by the fold that did not learn from it", "[study][folds]") {
  bool looked = false;
  const Study study(std::make_unique<HourTask>([&](const StudyOutcome& found) {
    looked = true;
    const std::vector<double> at{6, 12, 24};
    const std::vector<Matrix<double>> outputs = found.outputs(at);
    const Predictions predicted = found.predicted(outputs);
    REQUIRE(outputs.size() == 2);
    REQUIRE(outputs[1].rows() == 3 * found.cases.count());
    for (Index b = 0; b < found.cases.count(); ++b) {
      const std::size_t f = found.folds->fold_of_case[b];
      const FoldModel& fold = found.folds->models[f];
      const auto bias = static_cast<double>(fold.members[1].parameters.values()[0]);
      for (Index k = 0; k < 3; ++k) {
        CHECK(std::abs(outputs[1](3 * b + k, 0) - (at[k] - 8 + bias)) < 1e-5);
        CHECK(predicted.decisions[3 * b + k] == (predicted.mean(3 * b + k, 0) >= *fold.threshold ? 1 : 0));
      }
    }
  }));
  run_folded(study, folded_with({"calibration.method=temperature"}));
  CHECK(looked);
}

TEST_CASE("predictions of a model with a threshold say what it decides", "[study][folds][predict]") {
  const Study study(support::record_task());
  const TrainedModel model = read_model("m.h5", *run_folded(study).model(), study.task());
  const Target target = study.task().target(model.config);
  CHECK(prediction_header(target, true) == "id,probability,spread,low,high,decision\n");
  const support::TemporaryFolder folder;
  std::ofstream file(folder.file("a.csv"));
  for (int b = 0; b < 20; ++b) file << 'x' << b << ",1,lactate," << b << ',' << (b > 9 ? 1 : 0) << '\n';
  file.close();
  Index decided = 0;
  const PredictionSummary summary = study.predict(model, folder.file("a.csv"), {}, [&](const PredictedBlock& block) {
    for (Index b = 0; b < 20; ++b) {
      const Index decision = block.predictions.decisions.at(b);
      CHECK(decision == (block.predictions.mean(b, 0) >= *model.threshold ? 1 : 0));
      decided += decision;
    }
    const std::string rows = prediction_rows(target, block.cases, block.predictions);
    CHECK(rows.substr(0, 3) == "x0,");
    CHECK(std::count(rows.begin(), rows.end(), ',') == 100);
  });
  CHECK(summary.cases == 20);
  CHECK(summary.scores.size() == scores_of(target, true).size());
  CHECK(decided <= 20);
}

TEST_CASE("numbers are cross-validated in their own unit, however each fold scales them", "[study][folds]") {
  bool looked = false;
  const Study study(std::make_unique<LevelTask>([&](const StudyOutcome& found) {
    looked = true;
    for (Index b = 0; b < found.cases.count(); ++b) {
      const std::size_t f = found.folds->fold_of_case[b];
      const FoldModel& fold = found.folds->models[f];
      const Matrix<float> inputs = prepared(fold.preparation, found.cases);
      std::vector<Matrix<double>> outputs;
      for (const Member& member : fold.members)
        outputs.push_back(outputs_of(member, found.target, found.cases, inputs, {b}, 100));
      const Predictions own = combined(found.target, outputs, fold.calibration, fold.preparation.target_mean,
                                       fold.preparation.target_deviation);
      CHECK(std::abs(found.predictions.mean(b, 0) - own.mean(0, 0)) < 1e-9);
      CHECK(std::abs(found.predictions.deviation[b] - own.deviation[0]) < 1e-9);
      CHECK(found.predictions.mean(b, 0) > 50);
      CHECK(found.predictions.mean(b, 0) < 350);
    }
  }));
  run_folded(study, folded_with({"calibration.method=temperature"}));
  CHECK(looked);
}

}  // namespace fovea::study
