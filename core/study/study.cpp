#include "fovea/core/study/study.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/cases/case_hash.hpp"
#include "fovea/core/study/cases/reading_findings.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/cases/token_classes.hpp"
#include "fovea/core/study/ensemble/explanation.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/report/examination.hpp"
#include "fovea/core/study/report/one_input.hpp"
#include "fovea/core/study/report/reading_report.hpp"
#include "fovea/core/study/report/study_report.hpp"
#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/core/study/trees/companion_file.hpp"

namespace fovea::study {

namespace {

constexpr Index kBatchTokens = 8192;

std::string named(const std::vector<std::string>& paths) {
  return paths.size() == 1 ? paths[0] : concat(paths[0], " and ", paths.size() - 1, " more");
}

/// How messages name the cases: their file; of several the first, and how many there are.
std::string source_of(const LearnedTask& task, const Config& config) {
  const std::vector<std::string> paths = paths_of(config, data_parameter(task, config));
  return paths.empty() ? "the simulated cases" : named(paths);
}

/// The same of their targets, which may have files of their own.
std::string source_of_targets(const LearnedTask& task, const Config& config) {
  const Parameter* const key = config.parameter(task.targets_key());
  const std::vector<std::string> paths = key == nullptr ? std::vector<std::string>{} : paths_of(config, *key);
  return paths.empty() ? source_of(task, config) : named(paths);
}

void keep(const LearnedTask& task, const TrainedModel& model, Results& results) {
  Dataset file = model_dataset(task, model);
  results.data.add(
      {"model_hash", {}, std::vector<std::string>{identity_of_model(file)}, "", "content hash of model.h5", {}});
  results.keep_model(std::move(file));
}

/// All files that the config names, those of the cases first.
std::vector<std::string> paths_of_inputs(const LearnedTask& task, const Config& config) {
  std::vector<std::string> all = paths_of(config, data_parameter(task, config));
  for (const Parameter& parameter : config.schema().parameters()) {
    if (!parameter.names_inputs() || parameter.key == task.data_key()) continue;
    const std::vector<std::string> more = paths_of(config, parameter);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

/// The cases as the model may see them, with the record of what was read and what was not.
Cases studied_cases(const LearnedTask& task, const Config& config, CaseReader& reader) {
  const std::string source = source_of(task, config);
  const Target target = task.target(config);
  Cases cases = read_all(reader);
  check_cases(source, cases);
  check_targets(source, target, cases);
  Reading reading = reader.reading();
  reading.files = paths_of_inputs(task, config);
  const auto classes = static_cast<Index>(cases.classes.size());
  cases = without_rare_classes(std::move(cases));
  const Index rare = classes - static_cast<Index>(cases.classes.size()), tokens = cases.tokens();
  cases = seen_by_model(task, std::move(cases));
  if (rare > 0)
    reading.left_out.push_back(
        {"variable", rare, concat("fewer than ", cases.smallest_cell, ' ', reading.noun, "s have it")});
  if (tokens > cases.tokens())
    reading.left_out.push_back(
        {reading.token, tokens - cases.tokens(), concat("later than its ", reading.noun, " is asked")});
  cases.reading = std::move(reading);
  cases.reading.without_folders();
  count_cases(cases.reading, cases, target);
  for (const LeftOut& one : std::vector<LeftOut>(cases.reading.left_out))
    if (one.what == cases.reading.token)
      cases.reading.finding(MostLeftOut{one.what, one.reason, one.count, cases.reading.tokens});
  look_for_giveaways(cases, target);
  return cases;
}

/// Those of a file, which were opened, or simulated ones.
std::shared_ptr<const Cases> cases_of(const LearnedTask& task, const Config& config, const Inputs& opened,
                                      const Random& random) {
  if (!opened.empty()) return opened.as<Cases>();
  return std::make_shared<Cases>(studied_cases(task, config, *task.open(config, random.stream("cases"))));
}

/// part: split_cases() or plan_folds().
template <typename Part>
auto checked(Part part, const LearnedTask& task, const Config& config, const Cases& cases, const Random& random) {
  const std::string source = source_of(task, config);
  const Target target = task.target(config);
  check_targets(source, target, cases);
  check_outcomes_differ(source_of_targets(task, config), target, cases);
  return part(source, cases, target, split_keys().read(config), random.stream("split"));
}

using Outputs = std::vector<Matrix<double>>;

/// A run with one test part: an ensemble, and what it says of the other parts.
struct SplitRun {
  const StudySettings settings;
  const Cases& cases;
  const Target target;
  const Split split;
  TrainedModel model;
  const Matrix<float> inputs;

  SplitRun(const LearnedTask& task, const Config& config, const Cases& all, Split parts, const Random& random)
      : settings(study_keys().read(config)),
        cases(all),
        target(task.target(config)),
        split(std::move(parts)),
        model{config, prepare(cases, split.training, target), {}, {}, {}, {}, data_of_model(cases, split)},
        inputs(prepared(model.preparation, cases)) {
    model.members = make_members(task, config, shape_of(model.preparation, target), random.stream("members"));
  }

  std::vector<learning::TrainingReport> train(const std::string& source, const Random& random,
                                              learning::TrainingSeries& trainings) {
    auto reports = fit_members(model.members, "member", target, model.preparation, cases, inputs, split,
                               settings.fitting, random.stream("training"), trainings);
    if (settings.trees.any()) {
      model.trees = std::move(kept_companions("", source, settings.trees, target, cases, {&split.training},
                                              {&model.preparation}, random.stream("trees"), trainings)
                                  .front());
      weigh(*model.trees, settings.trees, target, alone(split.validation), of_trees(split.validation),
            targets_of(cases, target, split.validation));
    }
    model.calibration = calibrated_on(outputs(split.validation));
    return reports;
  }
  Outputs alone(const std::vector<Index>& items, std::span<const double> at = {}) const {
    return all_outputs(model.members, target, cases, inputs, items, kBatchTokens, at);
  }
  Outputs outputs(const std::vector<Index>& items, std::span<const double> at = {}) const {
    Outputs found = alone(items, at);
    if (model.trees) mix(found, of_trees(items, at), *model.trees);
    return found;
  }
  Outputs of_trees(const std::vector<Index>& items, std::span<const double> at = {}) const {
    return outputs_of(*model.trees, target, cases, items, at);
  }
  Calibration calibrated_on(const Outputs& validation) const {
    return calibrated(target, validation, targets_of(cases, target, split.validation), settings.calibration,
                      model.preparation.target_mean, model.preparation.target_deviation);
  }
  Predictions predicted(const Outputs& of_members) const { return predicted(of_members, model.calibration); }
  Predictions predicted(const Outputs& of_members, const Calibration& calibration) const {
    return combined(target, of_members, calibration, model.preparation.target_mean, model.preparation.target_deviation);
  }
  /// Attention alone and each kind of trees alone, calibrated for itself; nothing without trees.
  std::vector<Predictions> parts() const {
    if (!model.trees) return {};
    std::vector<Predictions> found{predicted(alone(split.test), calibrated_on(alone(split.validation)))};
    const Outputs validation = of_trees(split.validation), test = of_trees(split.test);
    for (std::size_t p = 0; p < test.size(); ++p) found.push_back(predicted({test[p]}, calibrated_on({validation[p]})));
    return found;
  }
};

/// The task's own part before or behind the study's, as it wishes.
void write_all(const LearnedTask& task, const StudyOutcome& outcome, const Examination& found,
               const Explanation& explanation, const std::vector<learning::TrainingReport>& reports,
               const Random& random, Results& results) {
  if (task.examines_first()) task.examine(outcome, results);
  write_study(outcome, found, explanation, reports, random, results);
  results.finding(TreesNotCompared{outcome.model.trees.has_value(), task.refuses_trees(outcome.config)});
  if (!task.examines_first()) task.examine(outcome, results);
  keep(task, outcome.model, results);
}

}  // namespace

Study::Study(std::unique_ptr<LearnedTask> task) : task_(std::move(task)), rows_(*task_) {}

Schema Study::schema() const { return study_schema(*task_); }

void Study::check(const Config& config, Complaints& complaints) const { check_study(*task_, config, complaints); }

Inputs Study::open(const Config& config) const {
  if (paths_of(config, data_parameter(*task_, config)).empty()) return {};
  const Config resolved = task_->resolved(config);
  return as_inputs(studied_cases(*task_, resolved, *task_->open(resolved, Random(0))));
}

void Study::check_inputs(const Config& given, const Inputs& inputs) const {
  const Config config = task_->resolved(given);
  const std::shared_ptr<const Cases> cases = inputs.as<Cases>();
  const Random random(config.seed.value_or(1));
  if (has_folds(split_keys().read(config), *cases))
    checked(plan_folds, *task_, config, *cases, random);
  else
    checked(split_cases, *task_, config, *cases, random);
}

void Study::run(const Config& given, Inputs opened, const Random& random, Results& results, Workbench& bench) const {
  const Config config = task_->resolved(given);
  const std::shared_ptr<const Cases> cases = cases_of(*task_, config, opened, random);
  if (has_folds(split_keys().read(config), *cases))
    run_folds(config, *cases, random, results, bench);
  else
    run_split(config, *cases, random, results, bench);
}

void Study::run_split(const Config& config, const Cases& cases, const Random& random, Results& results,
                      Workbench& bench) const {
  SplitRun run(*task_, config, cases, checked(split_cases, *task_, config, cases, random), random);
  report_reading(cases, {run.split}, results, bench);
  learning::TrainingSeries trainings(bench, run.settings.fitting.members + task_->further_trainings(config));
  const auto reports = run.train(source_of(*task_, config), random, trainings);
  const Predictions predictions = run.predicted(run.outputs(run.split.test));
  const std::vector<double> test_targets = targets_of(cases, run.target, run.split.test);
  const StudyOutcome outcome{config,
                             run.target,
                             cases,
                             run.split,
                             run.inputs,
                             run.model,
                             predictions,
                             test_targets,
                             nullptr,
                             [&](std::span<const double> at) { return run.outputs(run.split.test, at); },
                             [&](const Outputs& of_members) { return run.predicted(of_members); },
                             trainings};
  const Explanation explanation = explain(run.model.members, run.target, run.model.preparation, cases, run.inputs,
                                          run.split.test, run.settings.explained_cases);
  const std::vector<Predictions> parts = run.parts();
  write_all(*task_, outcome, examine_test(outcome, parts, random), explanation, reports, random, results);
}

void Study::run_folds(const Config& config, const Cases& cases, const Random& random, Results& results,
                      Workbench& bench) const {
  const StudySettings settings = study_keys().read(config);
  const Target target = task_->target(config);
  FoldPlan plan = checked(plan_folds, *task_, config, cases, random);
  report_reading(cases, plan.splits, results, bench);
  learning::TrainingSeries trainings(
      bench, static_cast<Index>(plan.splits.size()) * settings.fitting.members + task_->further_trainings(config));
  CrossValidated made = cross_validated(*task_, target, cases, std::move(plan), config, random, trainings);
  const CrossValidation& folds = made.folds;
  const TrainedModel& model = made.final_model.model;
  Split& split = made.final_model.split;
  split.test = first_numbers(cases.count());
  const Matrix<float> inputs = prepared(model.preparation, cases);
  const std::vector<double> targets = tested_targets(folds, target, cases, settings.split.method);
  const StudyOutcome outcome{config,
                             target,
                             cases,
                             split,
                             inputs,
                             model,
                             folds.predictions,
                             targets,
                             &folds,
                             [&](std::span<const double> at) { return outputs_at(folds, target, cases, at); },
                             [&](const Outputs& outputs) { return predictions_at(folds, target, cases, outputs); },
                             trainings};
  // Explained on cases that it did not learn from; in time the latest has learned most.
  const FoldModel& first = settings.split.method == FoldMethod::time ? folds.models.back() : folds.models.front();
  const Explanation explanation =
      explain(first.members, target, first.preparation, cases, prepared(first.preparation, cases), first.split.test,
              settings.explained_cases);
  std::vector<Predictions> all{folds.predictions};
  all.insert(all.end(), folds.baselines.begin(), folds.baselines.end());
  write_all(*task_, outcome, examined(outcome, all, random), explanation, made.final_model.reports, random, results);
}

const Predictor* Study::predictor(std::string_view) const { return &rows_; }

void Study::conclude(Results& merged) const { conclude_study(merged); }

PredictionSummary Study::predict(const TrainedModel& model, const std::string& data, const PredictOptions& options,
                                 const std::function<void(const PredictedBlock&)>& write) const {
  return predict_cases(*task_, model, data, options, write);
}

std::unique_ptr<Experiment> make_study(std::unique_ptr<LearnedTask> task) {
  return std::make_unique<Study>(std::move(task));
}

}  // namespace fovea::study
