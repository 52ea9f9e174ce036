#include "fovea/core/study/study.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/baselines.hpp"
#include "fovea/core/study/report/explanation.hpp"
#include "fovea/core/study/report/study_report.hpp"
#include "fovea/core/study/study_keys.hpp"
#include "fovea/core/study/token_classes.hpp"

namespace fovea::study {

namespace {

constexpr Index kDraws = 1000, kBatchTokens = 8192;

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

std::vector<double> targets_of(const Cases& cases, const Target& target, const std::vector<Index>& items) {
  std::vector<double> targets;
  for (const Index row : target_rows(cases, target, items))
    targets.push_back(cases.targets[static_cast<std::size_t>(row)]);
  return targets;
}

/// The group of each row of the outputs.
std::vector<Index> row_groups(const Cases& cases, const Target& target, const std::vector<Index>& items) {
  const std::vector<Index> of_case = group_numbers(cases);
  std::vector<Index> groups;
  for (const Index item : items)
    groups.insert(groups.end(), static_cast<std::size_t>(target.level == TargetLevel::per_case ? 1 : cases.size(item)),
                  of_case[static_cast<std::size_t>(item)]);
  return groups;
}

std::vector<Matrix<double>> all_outputs(const std::vector<Member>& members, const Target& target, const Cases& cases,
                                        const Matrix<float>& inputs, const std::vector<Index>& items, Index tokens) {
  std::vector<Matrix<double>> outputs;
  for (const Member& member : members) outputs.push_back(outputs_of(member, target, cases, inputs, items, tokens));
  return outputs;
}

Predictions rows_of(const Predictions& predictions, const std::vector<Index>& rows) {
  Predictions some;
  some.mean.resize(static_cast<Index>(rows.size()), predictions.mean.cols());
  some.spread = some.mean;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    some.mean.row(static_cast<Index>(k)) = predictions.mean.row(rows[k]);
    some.spread.row(static_cast<Index>(k)) = predictions.spread.row(rows[k]);
    if (!predictions.deviation.empty())
      some.deviation.push_back(predictions.deviation[static_cast<std::size_t>(rows[k])]);
  }
  return some;
}

std::vector<Index> known_rows(const std::vector<double>& targets) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (!std::isnan(targets[i])) rows.push_back(static_cast<Index>(i));
  return rows;
}

void note_unused(const std::string& name, Difference& difference) {
  if (std::find(difference.unused.begin(), difference.unused.end(), name) == difference.unused.end())
    difference.unused.push_back(name);
}

template <typename Value>
std::vector<Value> entries(const std::vector<Value>& all, const std::vector<Index>& rows) {
  std::vector<Value> some;
  for (const Index row : rows) some.push_back(all[static_cast<std::size_t>(row)]);
  return some;
}

Examination examine_test(const StudyOutcome& outcome, const Random& random) {
  const Cases& cases = outcome.cases;
  const Target& target = outcome.target;
  const Split& split = outcome.split;
  const std::vector<double> training = targets_of(cases, target, split.training);
  const std::vector<Index> known = known_rows(outcome.test_targets);
  Examination examined;
  examined.targets = entries(outcome.test_targets, known);
  examined.predictions.push_back(rows_of(outcome.predictions, known));
  examined.predictions.push_back(rows_of(
      ridge(target, mean_inputs(cases, outcome.inputs, target, split.training), training,
            mean_inputs(cases, outcome.inputs, target, split.validation), targets_of(cases, target, split.validation),
            mean_inputs(cases, outcome.inputs, target, split.test)),
      known));
  examined.predictions.push_back(
      base_rate(target, entries(training, known_rows(training)), static_cast<Index>(known.size())));
  const std::vector<Index> groups = entries(row_groups(cases, target, split.test), known);
  for (const Predictions& predictions : examined.predictions)
    examined.scores.push_back(
        scored(target, predictions, examined.targets, groups, kDraws, random.stream("bootstrap of scores")));
  return examined;
}

void check_targets(const std::string& source, const Target& target, const Cases& cases) {
  const auto classes = target.kind == TargetKind::binary ? 2.0 : static_cast<double>(target.classes.size());
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
  return std::make_shared<Cases>(for_model(task, std::move(cases)));
}

Split checked_split(const LearnedTask& task, const Config& config, const Cases& cases, const Random& random) {
  const std::string source = source_of(task, config);
  const Target target = task.target(config);
  check_targets(source, target, cases);
  return split_cases(source, cases, target, config, random.stream("split"));
}

TrainedModel trained(const LearnedTask& task, const Target& target, const Config& config, const Cases& cases,
                     const Split& split, const Random& random) {
  TrainedModel model{config, prepare(cases, split.training, target), {}, {}};
  model.members = make_members(task, config, shape_of(model.preparation, target), random.stream("members"));
  return model;
}

}  // namespace

Study::Study(std::unique_ptr<LearnedTask> task) : task_(std::move(task)) {}

Schema Study::schema() const { return study_schema(*task_); }

void Study::check(const Config& config, Complaints& complaints) const { check_study(*task_, config, complaints); }

Inputs Study::open(const Config& config) const {
  if (paths_of(config, data_parameter(*task_, config)).empty()) return {};
  Cases cases = read_all(*task_->open(config, Random(0)));
  check_cases(source_of(*task_, config), cases);
  return as_inputs(for_model(*task_, std::move(cases)));
}

void Study::check_inputs(const Config& config, const Inputs& inputs) const {
  checked_split(*task_, config, *inputs.as<Cases>(), Random(config.seed.value_or(1)));
}

void Study::run(const Config& config, Inputs opened, const Random& random, Results& results, Workbench& bench) const {
  const Target target = task_->target(config);
  const std::shared_ptr<const Cases> held = cases_of(*task_, config, opened, random);
  const Cases& cases = *held;
  const Split split = checked_split(*task_, config, cases, random);
  TrainedModel model = trained(*task_, target, config, cases, split, random);
  const Preparation& preparation = model.preparation;
  const Matrix<float> inputs = prepared(preparation, cases);
  const auto reports =
      fit_members(model.members, target, preparation, cases, inputs, split, config, random.stream("training"), bench);
  const auto outputs = [&](const std::vector<Index>& items) {
    return all_outputs(model.members, target, cases, inputs, items, kBatchTokens);
  };
  model.calibration =
      calibrated(target, outputs(split.validation), targets_of(cases, target, split.validation),
                 config.text("calibration.method"), preparation.target_mean, preparation.target_deviation);
  const Predictions predictions =
      combined(target, outputs(split.test), model.calibration, preparation.target_mean, preparation.target_deviation);
  const std::vector<double> test_targets = targets_of(cases, target, split.test);
  const StudyOutcome outcome{config, target, cases, split, inputs, model, predictions, test_targets};
  const Explanation explanation = explain(model.members, target, preparation, cases, inputs, split.test, config);
  write_study(outcome, examine_test(outcome, random), explanation, reports, results);
  task_->examine(outcome, results);
  Dataset file = model_dataset(*task_, model);
  results.data.add(
      {"model_hash", {}, std::vector<std::string>{content_hash(file)}, "", "content hash of model.h5", {}});
  results.keep_model(std::move(file));
}

void Study::conclude(Results& merged) const { conclude_study(merged); }

PredictionSummary Study::predict(const TrainedModel& model, const std::string& data, const PredictOptions& options,
                                 const std::function<void(const PredictedBlock&)>& write) const {
  Config config = model.config;
  set_paths(config, data_parameter(*task_, config), {data}, {data, 0, 0});
  const Target target = task_->target(config);
  const Preparation& preparation = model.preparation;
  const std::unique_ptr<CaseReader> reader = task_->open(config, Random(0));
  PredictionSummary summary;
  summary.features = preparation.features;
  Predictions all;
  std::vector<double> targets;
  std::vector<Index> groups;
  std::vector<double> means, deviations;
  while (true) {
    Cases cases = reader->read(options.block);
    if (cases.count() == 0) break;
    check_cases(data, cases);
    check_targets(data, target, cases);
    for (const Feature& feature : cases.features)
      if (std::none_of(preparation.features.begin(), preparation.features.end(),
                       [&](const Feature& known) { return known.name == feature.name; }))
        note_unused(feature.name, summary.difference);
    cases = for_model(*task_, matched(data, preparation, std::move(cases), summary.difference));
    const Matrix<float> inputs = prepared(preparation, cases);
    std::vector<Index> items(static_cast<std::size_t>(cases.count()));
    for (std::size_t b = 0; b < items.size(); ++b) items[b] = static_cast<Index>(b);
    const Predictions predictions =
        combined(target, all_outputs(model.members, target, cases, inputs, items, options.batch_tokens),
                 model.calibration, preparation.target_mean, preparation.target_deviation);
    write({cases, predictions});
    summary.cases += cases.count();
    summary.rows += predictions.mean.rows();
    if (cases.targets.empty()) continue;
    const std::vector<double> here = targets_of(cases, target, items);
    for (const Index row : known_rows(here)) {
      targets.push_back(here[static_cast<std::size_t>(row)]);
      for (Index c = 0; c < predictions.mean.cols(); ++c) means.push_back(predictions.mean(row, c));
      if (!predictions.deviation.empty()) deviations.push_back(predictions.deviation[static_cast<std::size_t>(row)]);
    }
  }
  for (const std::string& name : reader->unused()) note_unused(name, summary.difference);
  if (summary.cases == 0) throw DataError(concat(data, ": has no cases; at least one is needed."));
  summary.known = static_cast<Index>(targets.size());
  if (targets.empty()) return summary;
  const Index columns = static_cast<Index>(means.size()) / summary.known;
  all.mean = Eigen::Map<const Matrix<double>>(means.data(), summary.known, columns);
  all.spread = Matrix<double>::Zero(summary.known, columns);
  all.deviation = std::move(deviations);
  for (Index i = 0; i < summary.known; ++i) groups.push_back(i);
  summary.scores = scores_of(target);
  summary.values = scored(target, all, targets, groups, 10, Random(1));
  return summary;
}

std::unique_ptr<Experiment> make_study(std::unique_ptr<LearnedTask> task) {
  return std::make_unique<Study>(std::move(task));
}

}  // namespace fovea::study
