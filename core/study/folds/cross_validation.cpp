#include "fovea/core/study/folds/cross_validation.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/linear/calibration_line.hpp"
#include "fovea/core/study/baselines/baselines.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/folds/blocks.hpp"
#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/core/study/trees/companion_file.hpp"

namespace fovea::study {

namespace {

constexpr Index kFoldBatchTokens = 8192;
constexpr double kPlainThreshold = 0.5;  // where nothing is left to choose one by

/// Of rows that no fold tests.
Matrix<double> untested(Index rows, Index columns) { return Matrix<double>::Constant(rows, columns, kNan); }

/// Outputs of a number from standard deviations of the training part to its own unit; others as they are.
Matrix<double> in_own_unit(Matrix<double> outputs, const Target& target, const Preparation& preparation) {
  target.rule().to_own_unit(outputs, {preparation.target_mean, preparation.target_deviation});
  return outputs;
}

/// Where the rows of these cases stand among those of all cases; of each, `each` rows.
std::vector<Index> places_of(const Cases& cases, const Target& target, const std::vector<Index>& items, Index each) {
  std::vector<Index> places;
  for (const Index row : target_rows(cases, target, items))
    for (Index k = 0; k < each; ++k) places.push_back(row * each + k);
  return places;
}

void put_rows(Matrix<double>& all, const Matrix<double>& rows, const std::vector<Index>& places) {
  for (std::size_t k = 0; k < places.size(); ++k) all.row(places[k]) = rows.row(static_cast<Index>(k));
}

/// Puts predictions of some rows where they belong among `rows` of them.
void put_predictions(Predictions& all, const Predictions& some, const std::vector<Index>& places, Index rows) {
  if (all.mean.rows() == 0) {
    all.mean = untested(rows, some.mean.cols());
    all.spread = untested(rows, some.spread.cols());
    if (!some.deviation.empty()) all.deviation.assign(static_cast<std::size_t>(rows), kNan);
    if (!some.decisions.empty()) all.decisions.resize(rows);
  }
  put_rows(all.mean, some.mean, places);
  put_rows(all.spread, some.spread, places);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::size_t place = places[k];
    if (!some.deviation.empty()) all.deviation[place] = some.deviation[k];
    if (!some.decisions.empty()) all.decisions[place] = some.decisions[k];
  }
}

std::vector<Matrix<double>> rows_of_all(const std::vector<Matrix<double>>& outputs, const std::vector<Index>& rows) {
  std::vector<Matrix<double>> some;
  for (const Matrix<double>& output : outputs) some.push_back(rows_of(output, rows));
  return some;
}

Index rows_in_all(const Cases& cases, const Target& target) {
  return target.level == TargetLevel::per_case ? cases.count() : cases.tokens();
}

/// Out-of-fold outputs of each kind of trees for all cases, at these times.
std::vector<Matrix<double>> outputs_of_trees(const CrossValidation& folds, const Target& target, const Cases& cases,
                                             std::span<const double> at) {
  const Index each = std::max<Index>(1, static_cast<Index>(at.size()));
  std::vector<Matrix<double>> outputs(folds.models.front().trees->parts.size(),
                                      untested(rows_in_all(cases, target) * each, target.outputs()));
  for (const FoldModel& fold : folds.models) {
    const auto some = outputs_of(*fold.trees, target, cases, fold.split.test, at);
    for (std::size_t p = 0; p < some.size(); ++p)
      put_rows(outputs[p], in_own_unit(some[p], target, fold.preparation),
               places_of(cases, target, fold.split.test, each));
  }
  return outputs;
}

/// Mixes them into the outputs of the members, each fold with its weights.
void mix_folds(std::vector<Matrix<double>>& outputs, const std::vector<Matrix<double>>& trees,
               const CrossValidation& folds, const Target& target, const Cases& cases, Index each) {
  for (const FoldModel& fold : folds.models) {
    const std::vector<Index> places = places_of(cases, target, fold.split.test, each);
    mix(outputs, trees, *fold.trees, &places);
  }
}

/// The log-odds of class 1 among all cases. Flat lines have them in common: the share of the other folds falls where
/// that of a fold rises, so that shares of their own would order the folds the wrong way round.
double log_odds_of_all(const Target& target, const Cases& cases) {
  double ones = 0, known = 0;
  for (const double y : targets_of(cases, target, first_numbers(cases.count())))
    if (!std::isnan(y)) ones += y, known += 1;
  return log_odds_of(ones / known);
}

bool can_be_fitted(const Target& target, const Cases& cases, const std::vector<Index>& items) {
  return different_targets(cases, target, items) >= least_targets(target);
}

/// Calibration and threshold of a fold from the outputs of its cases for that. in_time: nothing of later cases.
void calibrate(FoldModel& fold, const std::vector<Matrix<double>>& outputs, const Target& target, const Cases& cases,
               CalibrationMethod method, bool in_time) {
  const std::vector<Index>& items = fold.split.calibration;
  fold.fitted_on_others = can_be_fitted(target, cases, items);
  fold.calibration = {};
  if (target.rule().binary()) fold.threshold = kPlainThreshold;
  if (!fold.fitted_on_others) return;
  const std::vector<Matrix<double>> rows = rows_of_all(outputs, target_rows(cases, target, items));
  const std::vector<double> targets = targets_of(cases, target, items);
  fold.calibration = calibrated(target, rows, targets, method, 0, 1);
  if (fold.calibration.line && fold.calibration.slope == 0 && !in_time)
    fold.calibration.intercept = log_odds_of_all(target, cases);
  if (target.rule().binary()) fold.threshold = threshold_of(combined(target, rows, fold.calibration, 0, 1), targets);
}

/// Calibrates and decides each fold from such outputs of the other folds; what they then predict.
Predictions calibrated_by_others(CrossValidation& folds, const std::vector<Matrix<double>>& outputs,
                                 const Target& target, const Cases& cases, CalibrationMethod method) {
  for (FoldModel& fold : folds.models) calibrate(fold, outputs, target, cases, method, folds.in_time());
  return predictions_at(folds, target, cases, outputs);
}

/// Gives every fold and the final model their trees.
void grow_trees(const std::string& prefix, const std::string& source, CrossValidation& folds, FoldModel& last,
                const Target& target, const Cases& cases, const TreeSettings& settings, const Random& random,
                learning::TrainingSeries& trainings) {
  std::vector<const std::vector<Index>*> training;
  std::vector<const Preparation*> preparations;
  for (const FoldModel& fold : folds.models)
    training.push_back(&fold.split.training), preparations.push_back(&fold.preparation);
  training.push_back(&last.split.training), preparations.push_back(&last.preparation);
  std::vector<Companion> grown =
      kept_companions(prefix, source, settings, target, cases, training, preparations, random, trainings);
  last.trees = std::move(grown.back());
  for (std::size_t f = 0; f < folds.models.size(); ++f) folds.models[f].trees = std::move(grown[f]);
  trainings.log(concat("trees: ", grown.size(), " models"));
}

/// Adds attention alone and the trees alone to the baselines, then mixes them: each fold with the weights that the
/// other folds ask for, the final model with those of all.
void mix_trees(CrossValidation& folds, FoldModel& last, const Target& target, const Cases& cases,
               const StudySettings& settings) {
  const std::vector<Matrix<double>> trees = outputs_of_trees(folds, target, cases, {});
  folds.baselines.push_back(calibrated_by_others(folds, folds.outputs, target, cases, settings.calibration));
  for (const Matrix<double>& part : trees)
    folds.baselines.push_back(calibrated_by_others(folds, {part}, target, cases, settings.calibration));
  const auto weigh_parts = [&](FoldModel& fold) {
    const std::vector<Index>& items = fold.split.calibration;
    if (!can_be_fitted(target, cases, items)) return;
    const std::vector<Index> rows = target_rows(cases, target, items);
    weigh(*fold.trees, settings.trees, target, rows_of_all(folds.outputs, rows), rows_of_all(trees, rows),
          targets_of(cases, target, items));
  };
  for (FoldModel& fold : folds.models) weigh_parts(fold);
  weigh_parts(last);
  mix_folds(folds.outputs, trees, folds, target, cases, 1);
}

/// What the ridge model and the base rate say of a fold.
void add_baselines(CrossValidation& folds, const FoldModel& fold, const Target& target, const Cases& cases,
                   const Matrix<float>& inputs) {
  const Split& split = fold.split;
  const std::vector<double> training = targets_of(cases, target, split.training);
  const std::vector<Index> places = target_rows(cases, target, split.test);
  const Index rows = rows_in_all(cases, target);
  put_predictions(folds.baselines[0],
                  ridge(target, mean_inputs(cases, inputs, target, split.training), training,
                        mean_inputs(cases, inputs, target, split.validation),
                        targets_of(cases, target, split.validation), mean_inputs(cases, inputs, target, split.test)),
                  places, rows);
  put_predictions(folds.baselines[1],
                  base_rate(target, entries_of(training, known_rows_of(training)), static_cast<Index>(places.size())),
                  places, rows);
}

/// Decides each fold's rows by the threshold that the other folds' rows have.
void decide_by_others(Predictions& predictions, const CrossValidation& folds, const Target& target,
                      const Cases& cases) {
  std::vector<Index> decisions(predictions.mean.rows());
  for (const FoldModel& fold : folds.models) {
    const std::vector<Index>& items = fold.split.calibration;
    const double threshold =
        fold.fitted_on_others
            ? threshold_of(rows_of(predictions, target_rows(cases, target, items)), targets_of(cases, target, items))
            : kPlainThreshold;
    for (const Index row : target_rows(cases, target, fold.split.test))
      decisions[row] = predictions.mean(row, 0) >= threshold ? 1 : 0;
  }
  predictions.decisions = std::move(decisions);
}

/// Prepares, trains, and puts what it says of its test part into `folds`; returns the reports.
std::vector<learning::TrainingReport> train_fold(const LearnedTask& task, const Target& target, const Cases& cases,
                                                 const Config& config, const std::string& name, const Random& random,
                                                 learning::TrainingSeries& series, FoldModel& fold,
                                                 CrossValidation& folds) {
  fold.preparation = prepare(cases, fold.split.training, target);
  const Matrix<float> inputs = prepared(fold.preparation, cases);
  fold.members = make_members(task, config, shape_of(fold.preparation, target), random.stream("start of " + name));
  auto reports = fit_members(fold.members, name + "_member", target, fold.preparation, cases, inputs, fold.split,
                             fitting_keys().read(config), random.stream("training"), series);
  if (fold.split.test.empty()) return reports;
  const std::vector<Index> places = target_rows(cases, target, fold.split.test);
  for (std::size_t m = 0; m < fold.members.size(); ++m)
    put_rows(folds.outputs[m],
             in_own_unit(outputs_of(fold.members[m], target, cases, inputs, fold.split.test, kFoldBatchTokens), target,
                         fold.preparation),
             places);
  add_baselines(folds, fold, target, cases, inputs);
  return reports;
}

}  // namespace

FoldPlan plan_folds(const std::string& source, const Cases& cases, const Target& target, const SplitSettings& wanted,
                    const Random& random) {
  FoldPlan plan{folds_of(source, cases, target, wanted, random), {}, source};
  const Index count = 1 + *std::max_element(plan.fold_of_case.begin(), plan.fold_of_case.end());
  for (Index fold = 0; fold <= count; ++fold)
    plan.splits.push_back(split_of_fold(source, cases, target, wanted, plan.fold_of_case, fold, random));
  return plan;
}

CrossValidated cross_validated(const LearnedTask& task, const Target& target, const Cases& cases, FoldPlan plan,
                               const Config& config, const Random& random, learning::TrainingSeries& trainings,
                               const std::string& prefix) {
  CrossValidated made{{std::move(plan.fold_of_case), {}, {}, {}, {}}, {{config, {}, {}, {}, {}}, {}, {}}};
  CrossValidation& folds = made.folds;
  const std::size_t count = plan.splits.size() - 1;
  const StudySettings settings = study_keys().read(config);
  folds.wanted = settings.split;
  folds.outputs.assign(settings.fitting.members, untested(rows_in_all(cases, target), target.outputs()));
  folds.baselines.resize(2);
  for (std::size_t f = 0; f < count; ++f) {
    FoldModel& fold = folds.models.emplace_back();
    fold.split = std::move(plan.splits[f]);
    train_fold(task, target, cases, config, concat(prefix, "fold_", f + 1), random, trainings, fold, folds);
  }
  FoldModel last;
  last.split = std::move(plan.splits[count]);
  made.final_model.reports = train_fold(task, target, cases, config, prefix + "final", random, trainings, last, folds);

  const CalibrationMethod method = settings.calibration;
  if (settings.trees.any()) {
    grow_trees(prefix, plan.source, folds, last, target, cases, settings.trees, random.stream("trees"), trainings);
    mix_trees(folds, last, target, cases, settings);
  }
  folds.predictions = calibrated_by_others(folds, folds.outputs, target, cases, method);
  calibrate(last, folds.outputs, target, cases, method, folds.in_time());
  if (target.rule().binary())
    for (Predictions& baseline : folds.baselines) decide_by_others(baseline, folds, target, cases);
  made.final_model.model = {config,         std::move(last.preparation), last.calibration,    std::move(last.members),
                            last.threshold, std::move(last.trees),       data_of_model(cases)};
  made.final_model.split = std::move(last.split);
  return made;
}

Index CrossValidation::tested() const {
  return std::ssize(fold_of_case) - std::count(fold_of_case.begin(), fold_of_case.end(), kNeverTested);
}

std::vector<double> tested_targets(const CrossValidation& folds, const Target& target, const Cases& cases,
                                   FoldMethod method) {
  std::vector<double> targets(static_cast<std::size_t>(rows_in_all(cases, target)), kNan);
  for (const FoldModel& fold : folds.models)
    for (const Index row : target_rows(cases, target, fold.split.test)) targets[row] = cases.targets[row];
  if (method == FoldMethod::time && !cases.parts.empty())
    for (Index item = 0; item < cases.count(); ++item)
      if (cases.parts[item] == "validation")
        for (const Index row : target_rows(cases, target, {item})) targets[row] = kNan;
  return targets;
}

std::vector<Matrix<double>> outputs_at(const CrossValidation& folds, const Target& target, const Cases& cases,
                                       std::span<const double> at) {
  if (at.empty()) return folds.outputs;
  const auto times = static_cast<Index>(at.size());
  std::vector<Matrix<double>> outputs(folds.outputs.size(), untested(cases.count() * times, target.outputs()));
  for (const FoldModel& fold : folds.models) {
    const Matrix<float> inputs = prepared(fold.preparation, cases);
    const std::vector<Index> places = places_of(cases, target, fold.split.test, times);
    for (std::size_t m = 0; m < fold.members.size(); ++m)
      put_rows(outputs[m],
               in_own_unit(outputs_of(fold.members[m], target, cases, inputs, fold.split.test, kFoldBatchTokens, at),
                           target, fold.preparation),
               places);
  }
  if (folds.models.front().trees)
    mix_folds(outputs, outputs_of_trees(folds, target, cases, at), folds, target, cases, times);
  return outputs;
}

Predictions predictions_at(const CrossValidation& folds, const Target& target, const Cases& cases,
                           const std::vector<Matrix<double>>& outputs) {
  const Index rows = rows_in_all(cases, target);
  require(!outputs.empty() && rows > 0 && outputs[0].rows() % rows == 0, "predictions_at: there are ",
          outputs.empty() ? 0 : outputs[0].rows(), " rows of outputs for ", rows,
          " rows of cases; there must be as many, or as many for each time.");
  Predictions all;
  for (const FoldModel& fold : folds.models) {
    const std::vector<Index> places = places_of(cases, target, fold.split.test, outputs[0].rows() / rows);
    Predictions some = combined(target, rows_of_all(outputs, places), fold.calibration, 0, 1);
    if (fold.threshold) decide_rows(some, *fold.threshold);
    put_predictions(all, some, places, outputs[0].rows());
  }
  return all;
}

}  // namespace fovea::study
