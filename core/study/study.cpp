#include "fovea/core/study/study.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/baselines/baselines.hpp"
#include "fovea/core/study/folds/rows.hpp"
#include "fovea/core/study/predict/attended_tokens.hpp"
#include "fovea/core/study/predict/map_maker.hpp"
#include "fovea/core/study/report/explanation.hpp"
#include "fovea/core/study/report/fold_report.hpp"
#include "fovea/core/study/report/study_report.hpp"
#include "fovea/core/study/study_keys.hpp"
#include "fovea/core/study/token_classes.hpp"

namespace fovea::study {

namespace {

constexpr Index kDraws = 1000, kBatchTokens = 8192;
constexpr Index kTimedBlock = 64;  // cases, each of which may have thousands of rows

/// The key that names the files of the cases.
const Parameter& data_parameter(const LearnedTask& task, const Config& config) {
  const Parameter* const found = config.parameter(task.data_key());
  require(found != nullptr && found->names_inputs(), "study: ", task.name(), " gives data_key() = '", task.data_key(),
          "', but its schema has no such key of files.");
  return *found;
}

/// How messages name the cases: their file; of several the first, and how many there are.
std::string source_of(const LearnedTask& task, const Config& config) {
  const std::vector<std::string> paths = paths_of(config, data_parameter(task, config));
  if (paths.empty()) return "the simulated cases";
  return paths.size() == 1 ? paths[0] : concat(paths[0], " and ", paths.size() - 1, " more");
}

void note_unused(const std::string& name, Difference& difference) {
  if (std::find(difference.unused.begin(), difference.unused.end(), name) == difference.unused.end())
    difference.unused.push_back(name);
}

/// Scores of predictions of the tested cases: ours, the ridge model's, the base rate's, in this order.
Examination examined(const StudyOutcome& outcome, const std::vector<Predictions>& all, const Random& random) {
  const std::vector<Index> known = known_rows_of(outcome.test_targets);
  const std::vector<Index> groups =
      entries_of(groups_of_rows(outcome.cases, outcome.target, outcome.split.test), known);
  Examination found;
  found.targets = entries_of(outcome.test_targets, known);
  for (const Predictions& predictions : all) {
    found.predictions.push_back(rows_of(predictions, known));
    found.scores.push_back(scored(outcome.target, found.predictions.back(), found.targets, groups, kDraws,
                                  random.stream("bootstrap of scores")));
  }
  return found;
}

/// others: predictions of parts of the model, after the baselines.
Examination examine_test(const StudyOutcome& outcome, const std::vector<Predictions>& others, const Random& random) {
  const Cases& cases = outcome.cases;
  const Target& target = outcome.target;
  const Split& split = outcome.split;
  const std::vector<double> training = targets_of(cases, target, split.training);
  std::vector<Predictions> all{
      outcome.predictions,
      ridge(target, mean_inputs(cases, outcome.inputs, target, split.training), training,
            mean_inputs(cases, outcome.inputs, target, split.validation), targets_of(cases, target, split.validation),
            mean_inputs(cases, outcome.inputs, target, split.test)),
      base_rate(target, entries_of(training, known_rows_of(training)), outcome.predictions.mean.rows())};
  all.insert(all.end(), others.begin(), others.end());
  return examined(outcome, all, random);
}

void keep(const LearnedTask& task, const TrainedModel& model, Results& results) {
  Dataset file = model_dataset(task, model);
  results.data.add(
      {"model_hash", {}, std::vector<std::string>{content_hash(file)}, "", "content hash of model.h5", {}});
  results.keep_model(std::move(file));
}

void check_targets(const std::string& source, const Target& target, const Cases& cases) {
  const auto classes = target.kind == TargetKind::binary    ? 2.0
                       : target.kind == TargetKind::hazards ? static_cast<double>(target.outputs() + 1)
                                                            : static_cast<double>(target.classes.size());
  for (const double y : cases.targets) {
    if (std::isnan(y)) continue;
    if (target.kind == TargetKind::number ? std::isfinite(y) : y >= 0 && y < classes && y == std::floor(y)) continue;
    throw DataError(concat(
        source, ": a target is ", y, ", but must be ",
        target.kind == TargetKind::number ? std::string("finite") : concat("a whole number in [0, ", classes - 1, "]"),
        "; leave it empty if it is not known."));
  }
}

/// As the task's model may see them: the standard one has no eye for ends.
Cases for_model(const LearnedTask& task, Cases cases) {
  return task.has_own_model() ? std::move(cases) : until_ends(std::move(cases));
}

/// Those of a file, which were opened, or simulated ones.
std::shared_ptr<const Cases> cases_of(const LearnedTask& task, const Config& config, const Inputs& opened,
                                      const Random& random) {
  if (!opened.empty()) return opened.as<Cases>();
  Cases cases = read_all(*task.open(config, random.stream("cases")));
  check_cases(source_of(task, config), cases);
  return std::make_shared<Cases>(for_model(task, without_rare_classes(std::move(cases))));
}

Split checked_split(const LearnedTask& task, const Config& config, const Cases& cases, const Random& random) {
  const std::string source = source_of(task, config);
  const Target target = task.target(config);
  check_targets(source, target, cases);
  return split_cases(source, cases, target, config, random.stream("split"));
}

FoldPlan checked_folds(const LearnedTask& task, const Config& config, const Cases& cases, const Random& random) {
  const std::string source = source_of(task, config);
  const Target target = task.target(config);
  check_targets(source, target, cases);
  return plan_folds(source, cases, target, config, random.stream("split"));
}

/// The model's config with the files of new cases, and none of the training data's.
Config config_of_files(const LearnedTask& task, Config config, const std::string& data, const std::string& targets) {
  const Schema schema = study_schema(task);
  for (const Parameter& parameter : schema.parameters())
    if (parameter.names_inputs()) set_paths(config, parameter, {}, {data, 0, 0});
  set_paths(config, data_parameter(task, config), {data}, {data, 0, 0});
  if (targets.empty()) return config;
  const Parameter* const key = config.parameter(task.targets_key());
  if (key == nullptr)
    throw DataError(concat(targets, ": the targets of ", task.name(),
                           " stand in the file of its cases; give no other file of them."));
  set_paths(config, *key, {targets}, {targets, 0, 0});
  return config;
}

/// Keys of how files are read stand beside the key of the files.
void check_is_of_reading(const LearnedTask& task, const Config& config, const std::string& setting) {
  const std::string key = setting.substr(0, setting.find('=')), files = task.data_key();
  const std::string table = files.substr(0, files.find('.') + 1);
  const Parameter* const found = config.parameter(key);
  if (found != nullptr && found->names_inputs())
    throw ConfigError(concat("--set ", setting, ": names a file, but the cases are those of DATA; leave it out."));
  if (!key.starts_with(table))
    throw ConfigError(concat("--set ", setting, ": is not about how the cases are read, but the rest is the model's; ",
                             "only keys of ", table, "* can be set."));
}

}  // namespace

Config config_of_new_files(const LearnedTask& task, const Config& config, const std::string& data,
                           const PredictOptions& options) {
  Config files = config_of_files(task, config, data, options.targets);
  if (options.set.empty()) return files;
  for (const std::string& setting : options.set) check_is_of_reading(task, files, setting);
  const Schema schema = study_schema(task);
  Overrides given;
  given.set = options.set;
  Config changed = parse_config(
      to_toml(files), "the model's config", "", [&](std::string_view) { return &schema; }, {}, given);
  changed = config_of_files(task, std::move(changed), data, options.targets);  // with their names as they were given
  Complaints complaints;
  check_study(task, changed, complaints);
  complaints.raise();
  if (task.target(changed) != task.target(config))
    throw ConfigError(concat("--set ", options.set.back(), ": changes what is predicted; train another model for it."));
  return changed;
}

Study::Study(std::unique_ptr<LearnedTask> task) : task_(std::move(task)) {}

Schema Study::schema() const { return study_schema(*task_); }

void Study::check(const Config& config, Complaints& complaints) const { check_study(*task_, config, complaints); }

Inputs Study::open(const Config& config) const {
  if (paths_of(config, data_parameter(*task_, config)).empty()) return {};
  Cases cases = read_all(*task_->open(task_->resolved(config), Random(0)));
  check_cases(source_of(*task_, config), cases);
  return as_inputs(for_model(*task_, without_rare_classes(std::move(cases))));
}

void Study::check_inputs(const Config& given, const Inputs& inputs) const {
  const Config config = task_->resolved(given);
  const std::shared_ptr<const Cases> cases = inputs.as<Cases>();
  const Random random(config.seed.value_or(1));
  if (has_folds(config, *cases))
    checked_folds(*task_, config, *cases, random);
  else
    checked_split(*task_, config, *cases, random);
}

void Study::run(const Config& given, Inputs opened, const Random& random, Results& results, Workbench& bench) const {
  const Config config = task_->resolved(given);
  const std::shared_ptr<const Cases> cases = cases_of(*task_, config, opened, random);
  if (has_folds(config, *cases))
    run_folds(config, *cases, random, results, bench);
  else
    run_split(config, *cases, random, results, bench);
}

void Study::run_split(const Config& config, const Cases& cases, const Random& random, Results& results,
                      Workbench& bench) const {
  const Target target = task_->target(config);
  const Split split = checked_split(*task_, config, cases, random);
  TrainedModel model{config, prepare(cases, split.training, target), {}, {}, {}};
  const Preparation& preparation = model.preparation;
  model.members = make_members(*task_, config, shape_of(preparation, target), random.stream("members"));
  const Matrix<float> inputs = prepared(preparation, cases);
  learning::TrainingSeries trainings(bench, config.integer("ensemble.members") + task_->further_trainings(config));
  const auto reports = fit_members(model.members, "member", target, preparation, cases, inputs, split, config,
                                   random.stream("training"), trainings);
  if (has_trees(config))
    model.trees = std::move(kept_companions("", source_of(*task_, config), config, cases, {split.training},
                                            {&preparation}, random.stream("trees"), trainings)
                                .front());
  using Outputs = std::vector<Matrix<double>>;
  const auto alone = [&](const std::vector<Index>& items, std::span<const double> at = {}) {
    return all_outputs(model.members, target, cases, inputs, items, kBatchTokens, at);
  };
  const auto outputs = [&](const std::vector<Index>& items, std::span<const double> at = {}) {
    Outputs found = alone(items, at);
    if (model.trees) mix(found, outputs_of(*model.trees, cases, items, at), model.trees->share);
    return found;
  };
  const auto calibrated_on = [&](const Outputs& validation) {
    return calibrated(target, validation, targets_of(cases, target, split.validation),
                      config.text("calibration.method"), preparation.target_mean, preparation.target_deviation);
  };
  const auto predicted = [&](const std::vector<Matrix<double>>& of_members) {
    return combined(target, of_members, model.calibration, preparation.target_mean, preparation.target_deviation);
  };
  model.calibration = calibrated_on(outputs(split.validation));
  const Predictions predictions = predicted(outputs(split.test));
  const std::vector<double> test_targets = targets_of(cases, target, split.test);
  const StudyOutcome outcome{config,      target,
                             cases,       split,
                             inputs,      model,
                             predictions, test_targets,
                             nullptr,     [&](std::span<const double> at) { return outputs(split.test, at); },
                             predicted,   trainings};
  const Explanation explanation = explain(model.members, target, preparation, cases, inputs, split.test, config);
  std::vector<Predictions> parts;
  if (model.trees)
    for (const bool trees : {false, true}) {
      const auto of = [&](const std::vector<Index>& items) {
        return trees ? Outputs{outputs_of(*model.trees, cases, items)} : alone(items);
      };
      parts.push_back(combined(target, of(split.test), calibrated_on(of(split.validation)), preparation.target_mean,
                               preparation.target_deviation));
    }
  if (task_->examines_first()) task_->examine(outcome, results);
  write_study(outcome, examine_test(outcome, parts, random), explanation, reports, results);
  if (!task_->examines_first()) task_->examine(outcome, results);
  keep(*task_, model, results);
}

void Study::run_folds(const Config& config, const Cases& cases, const Random& random, Results& results,
                      Workbench& bench) const {
  const Target target = task_->target(config);
  FoldPlan plan = checked_folds(*task_, config, cases, random);
  learning::TrainingSeries trainings(
      bench,
      static_cast<Index>(plan.splits.size()) * config.integer("ensemble.members") + task_->further_trainings(config));
  CrossValidated made = cross_validated(*task_, target, cases, std::move(plan), config, random, trainings);
  const CrossValidation& folds = made.folds;
  const TrainedModel& model = made.final_model.model;
  Split& split = made.final_model.split;
  split.test = first_numbers(cases.count());
  const Matrix<float> inputs = prepared(model.preparation, cases);
  const std::vector<double> targets = targets_of(cases, target, split.test);
  const StudyOutcome outcome{
      config,
      target,
      cases,
      split,
      inputs,
      model,
      folds.predictions,
      targets,
      &folds,
      [&](std::span<const double> at) { return outputs_at(folds, target, cases, at); },
      [&](const std::vector<Matrix<double>>& outputs) { return predictions_at(folds, target, cases, outputs); },
      trainings};
  const FoldModel& first = folds.models.front();  // explained on cases that it did not learn from
  const Explanation explanation = explain(first.members, target, first.preparation, cases,
                                          prepared(first.preparation, cases), first.split.test, config);
  std::vector<Predictions> all{folds.predictions};
  all.insert(all.end(), folds.baselines.begin(), folds.baselines.end());
  const Examination found = examined(outcome, all, random);
  if (task_->examines_first()) task_->examine(outcome, results);
  write_study(outcome, found, explanation, made.final_model.reports, results);
  write_folds(outcome, found, random, results);
  if (!task_->examines_first()) task_->examine(outcome, results);
  keep(*task_, model, results);
}

void Study::conclude(Results& merged) const { conclude_study(merged); }

PredictionSummary Study::predict(const TrainedModel& model, const std::string& data, const PredictOptions& options,
                                 const std::function<void(const PredictedBlock&)>& write) const {
  const Config config = config_of_new_files(*task_, model.config, data, options);
  const Target target = task_->target(config);
  const Preparation& preparation = model.preparation;
  const bool timed = options.times.asked();
  if (timed) check_can_be_asked(std::string(name()), target, preparation, model.members);
  if (options.attention) check_has_attention(std::string(name()), model.members);
  const Index batch_tokens =
      options.batch_tokens > 0 ? options.batch_tokens : model.members.front().model->handy_tokens();
  const std::unique_ptr<CaseReader> reader = task_->open(config, Random(0));
  PredictionSummary summary;
  summary.features = preparation.features;
  Predictions all;
  std::vector<double> targets;
  std::vector<double> means, deviations;
  while (true) {
    Cases cases = reader->read(timed ? std::min(options.block, kTimedBlock) : options.block);
    if (cases.count() == 0) break;
    check_cases(data, cases);
    check_targets(data, target, cases);
    for (const Feature& feature : cases.features)
      if (std::none_of(preparation.features.begin(), preparation.features.end(),
                       [&](const Feature& known) { return known.name == feature.name; }))
        note_unused(feature.name, summary.difference);
    cases = for_model(*task_, matched(data, preparation, std::move(cases), summary.difference));
    const Matrix<float> inputs = prepared(preparation, cases);
    const std::vector<Index> items = first_numbers(cases.count());
    const AskedTimes asked = timed ? asked_times(data, cases, options.times) : AskedTimes{};
    std::vector<Matrix<double>> outputs = timed
                                              ? outputs_when(asked, model.members, target, cases, inputs, batch_tokens)
                                              : all_outputs(model.members, target, cases, inputs, items, batch_tokens);
    if (model.trees)
      mix(outputs, timed ? outputs_when(asked, *model.trees, cases) : outputs_of(*model.trees, cases, items),
          model.trees->share);
    Predictions predictions =
        combined(target, outputs, model.calibration, preparation.target_mean, preparation.target_deviation);
    if (model.threshold) decide_rows(predictions, *model.threshold);
    if (!timed) predictions.sides = sides_of(model.members, cases, inputs, items, batch_tokens);
    const std::vector<double> attention =
        options.attention ? attention_of(model.members, cases, inputs, batch_tokens) : std::vector<double>{};
    write({cases, predictions, timed ? &asked : nullptr, outputs, attention});
    if (timed) summary.late += late_rows(asked, cases);
    summary.cases += cases.count();
    summary.rows += predictions.mean.rows();
    if (cases.targets.empty()) continue;
    if (timed) predictions = rows_of(predictions, asked.last_rows());
    const std::vector<double> here = targets_of(cases, target, items);
    for (const Index row : known_rows_of(here)) {
      targets.push_back(here[row]);
      for (Index c = 0; c < predictions.mean.cols(); ++c) means.push_back(predictions.mean(row, c));
      if (!predictions.deviation.empty()) deviations.push_back(predictions.deviation[row]);
    }
  }
  for (const std::string& name : reader->unused()) note_unused(name, summary.difference);
  summary.notes = reader->notes();
  if (summary.cases == 0) throw DataError(concat(data, ": has no cases; at least one is needed."));
  summary.known = static_cast<Index>(targets.size());
  if (targets.empty()) return summary;
  const Index columns = static_cast<Index>(means.size()) / summary.known;
  all.mean = Eigen::Map<const Matrix<double>>(means.data(), summary.known, columns);
  all.spread = Matrix<double>::Zero(summary.known, columns);
  all.deviation = std::move(deviations);
  if (model.threshold) decide_rows(all, *model.threshold);
  summary.scores = scores_of(target, model.threshold.has_value());
  summary.values = scored_once(target, all, targets);
  return summary;
}

std::unique_ptr<Experiment> make_study(std::unique_ptr<LearnedTask> task) {
  return std::make_unique<Study>(std::move(task));
}

}  // namespace fovea::study
