#include "fovea/domains/fusion/moisture/moisture_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/statistics/folds.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/model/shared_keys.hpp"
#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/core/study/trees/packed_trees.hpp"
#include "fovea/core/study/trees/stacking.hpp"
#include "fovea/core/study/trees/tree_settings.hpp"
#include "fovea/domains/fusion/model/fusion_task.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"
#include "fovea/domains/fusion/moisture/moisture_cases.hpp"

namespace fovea::fusion::moisture {

namespace {

using study::Cases;

constexpr Index kTokensAtATime = 8192;
constexpr double kBeyond = 0.05;  // of the truths on either side of an interval

class MoistureTask final : public model::FusionTask<MoistureSettings> {
 public:
  MoistureTask() : FusionTask(moisture_keys()) {}
  std::string_view name() const override { return "fusion.moisture"; }
  std::string_view summary() const override { return "how much water is in living fuel, from S1, S2 and the weather?"; }
  int result_version() const override { return 2; }
  void adjust(study::StudySettings& defaults) const override { defaults.split.folds = 5; }
  void check_settings(const MoistureSettings& settings, const Complain& complain) const override {
    if (settings.forest_share + settings.rows_share > 1)
      complain("rows.share", "forest.share and rows.share together must be at most 1.");
  }
  std::string id_column() const override { return "row"; }
  study::Target target_of(const MoistureSettings&) const override {
    return {.kind = study::TargetKind::number, .name = "moisture", .unit = "%", .classes = {}};
  }
  std::unique_ptr<study::CaseReader> open_cases(const MoistureSettings&, const Random&) const override {
    throw ArgumentError("fusion.moisture opens its table itself.");
  }
};

/// The rows of a forest: each case, and again with a sensor lost.
struct Lesson {
  Matrix<float> rows;
  std::vector<float> targets, weights;
};

Lesson lesson_of(const Cases& cases, const std::vector<Index>& items, Index months, double lost, const Random& random) {
  const Cases chosen = study::selected(cases, items);
  const Matrix<float> whole = columns_of_moisture(chosen, months);
  const Index count = whole.rows();
  Lesson lesson{Matrix<float>((lost > 0 ? 2 : 1) * count, whole.cols()), {}, {}};
  lesson.rows.topRows(count) = whole;
  for (const double y : chosen.targets) lesson.targets.push_back(static_cast<float>(y)), lesson.weights.push_back(1);
  if (!(lost > 0)) return lesson;
  const std::array<Matrix<float>, model::kSensors> without{
      columns_of_moisture(model::without_sensor(chosen, 0), months),
      columns_of_moisture(model::without_sensor(chosen, 1), months)};
  for (Index i = 0; i < count; ++i) {
    const auto item = static_cast<std::uint64_t>(items[i]);
    lesson.rows.row(count + i) = without[random.below(model::kSensors, item)].row(i);
    lesson.targets.push_back(lesson.targets[i]);
    lesson.weights.push_back(static_cast<float>(lost));
  }
  return lesson;
}

study::BoostedTrees forest_of(const MoistureSettings& settings, const Cases& cases, const std::vector<Index>& items,
                              Index months, const Random& random) {
  const Lesson lesson = lesson_of(cases, items, months, settings.lost, random.stream("lost sensors"));
  study::BaggingSettings bagging;
  bagging.trees = settings.trees, bagging.least_weight = settings.least_rows;
  return study::bagged_trees(lesson.rows, lesson.targets, lesson.weights, bagging, random.bits(0));
}

std::vector<double> answers_of(const study::BoostedTrees& forest, const Cases& cases, Index months) {
  const Matrix<float> rows = columns_of_moisture(cases, months);
  std::vector<double> answers(rows.rows());
  study::PackedTrees(forest).log_odds(rows, answers);
  return answers;
}

double mixed(const MoistureAnswers& answers, std::size_t i, const MoistureModel& model, double constant) {
  const double f = model.forest_share, r = model.rows_share;
  return model.own() * answers.arbiter[i] + (f > 0 ? f * answers.forest[i] : 0) + (r > 0 ? r * answers.rows[i] : 0) +
         model.constant_share * constant;
}

void add_intervals(MoistureAnswers& answers, const MoistureModel& model) {
  for (std::size_t i = 0; i < answers.mean.size(); ++i) {
    answers.lower.push_back(std::max(0.0, answers.mean[i] - model.low * answers.deviation[i]));
    answers.upper.push_back(answers.mean[i] + model.high * answers.deviation[i]);
  }
}

MoistureAnswers arbiter_alone(const study::Predictions& predictions) {
  MoistureAnswers answers;
  answers.arbiter.assign(predictions.mean.data(), predictions.mean.data() + predictions.mean.rows());
  answers.deviation = predictions.deviation;
  return answers;
}

/// What stands beside the arbiter's model, learned from these rows.
struct Beside {
  std::optional<study::BoostedTrees> forest;
  std::optional<RowMemory> rows;
};

Beside beside_of(const MoistureSettings& settings, const Cases& cases, const std::vector<Index>& items, Index months,
                 const Random& random) {
  Beside beside;
  if (settings.forest_share > 0) beside.forest = forest_of(settings, cases, items, months, random.stream("forest"));
  if (settings.rows_share > 0) {
    beside.rows = row_memory(cases, items, months, settings.rows_width);
    if (beside.rows->columns.empty()) beside.rows.reset();
  }
  return beside;
}

/// Of each fold, and last of all cases.
std::vector<Beside> all_beside(const MoistureSettings& settings, const Cases& cases,
                               const study::CrossValidation& folds, Index months, const Random& random) {
  const std::size_t count = folds.folds();
  std::vector<Beside> all(count + 1);
  for_each_task(std::ssize(all), true, [&](Index k) {
    const std::size_t place = k;
    std::vector<Index> items = study::first_numbers(cases.count());
    if (place < count) std::erase_if(items, [&](Index item) { return folds.fold_of_case[item] == k; });
    all[place] = beside_of(settings, cases, items, months, random);
  });
  return all;
}

/// Puts the answers of some rows where they belong among `count`.
void put(std::vector<double>& all, const std::vector<double>& some, const std::vector<Index>& items, Index count) {
  all.resize(count);
  for (std::size_t k = 0; k < items.size(); ++k) all[items[k]] = some[k];
}

/// The mean target of the rows that taught each fold.
std::vector<double> constants_of(const study::CrossValidation& folds, const std::vector<double>& targets) {
  std::vector<double> constants;
  for (Index fold = 0; fold < folds.folds(); ++fold) {
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (folds.fold_of_case[i] != fold) sum += targets[i], ++count;
    constants.push_back(sum / count);
  }
  return constants;
}

/// Sets the shares of least squared error of these rows, whose sites did not teach.
void weigh(const MoistureAnswers& answers, const study::CrossValidation& folds, const std::vector<double>& constants,
           const std::vector<double>& targets, const std::vector<Index>& items, MoistureModel& model) {
  std::vector<Matrix<double>> parts;
  const auto add = [&](const auto& answer) {
    Matrix<double>& part = parts.emplace_back(std::ssize(items), 1);
    for (std::size_t k = 0; k < items.size(); ++k) part(static_cast<Index>(k), 0) = answer(items[k]);
  };
  add([&](std::size_t i) { return answers.arbiter[i]; });
  if (model.forest) add([&](std::size_t i) { return answers.forest[i]; });
  if (model.rows) add([&](std::size_t i) { return answers.rows[i]; });
  add([&](std::size_t i) { return constants[folds.fold_of_case[i]]; });
  const std::vector<double> weights = study::stacked_numbers(parts, study::entries_of(targets, items));
  model.forest_share = model.forest ? weights[1] : 0;
  model.rows_share = model.rows ? weights[weights.size() - 2] : 0;
  model.constant_share = weights.back();
}

/// What is predicted of each row by parts, and with shares, of other folds; the shares of the model by all rows.
void mix_out_of_fold(MoistureAnswers& answers, const study::CrossValidation& folds, const std::vector<double>& targets,
                     bool fixed, MoistureModel& model) {
  const std::vector<double> constants = constants_of(folds, targets);
  answers.mean.resize(targets.size());
  for (Index fold = 0; fold < folds.folds(); ++fold) {
    const FoldSplit sides = fovea::split_of_fold(folds.fold_of_case, fold);
    if (!fixed) weigh(answers, folds, constants, targets, sides.training, model);
    for (const Index item : sides.validation) answers.mean[item] = mixed(answers, item, model, constants[fold]);
  }
  if (!fixed) weigh(answers, folds, constants, targets, study::first_numbers(std::ssize(targets)), model);
}

/// -q_low and q_high. A site more than there are lies beyond them, and each site counts alike.
void set_quantiles(const MoistureAnswers& out_of_fold, const Cases& cases, MoistureModel& model) {
  const std::vector<Index> sites = study::group_numbers(cases);
  std::map<Index, double> rows;
  for (const Index site : sites) ++rows[site];
  const double count = static_cast<double>(rows.size()), beyond = (kBeyond * (count + 1) - 0.5) / count;
  std::vector<std::pair<double, double>> errors;  // and weight
  for (std::size_t i = 0; i < sites.size(); ++i)
    errors.emplace_back((cases.targets[i] - out_of_fold.mean[i]) / out_of_fold.deviation[i],
                        1 / (count * rows[sites[i]]));
  std::sort(errors.begin(), errors.end());
  const auto end = [&](auto first, auto last) {
    double sum = 0, found = first->first;
    for (; first != last && sum <= beyond; ++first) sum += first->second, found = first->first;
    return found;
  };
  model.low = std::max(0.0, -end(errors.begin(), errors.end()));
  model.high = std::max(0.0, end(errors.rbegin(), errors.rend()));
}

}  // namespace

const DataKeys<MoistureSettings>& moisture_keys() {
  using S = MoistureSettings;
  static const auto simulated =
      Keys<S>()
          .key("data.sites", &S::sites, Range::between(10, 1e5), "", "simulated sites, of twelve rows each")
          .key("data.noise", &S::noise, Range::between(0.1, 100), "%", "simulated: deviation of the measurement");
  static const DataKeys<S> keys{
      Keys<S>()
          .file(study::kDataFile, &S::file,
                "a table of moisture (HDF5, datasets/fields/moisture_table.hpp); none: simulated")
          .also([](Schema& schema) { simulated.declare(schema); })
          .key("forest.share", &S::forest_share, Range::between(0, 1), "",
               "weight of the forest where trees.mixing = \"fixed\"; 0: no forest")
          .key("forest.trees", &S::trees, Range::between(1, 10'000), "", "trees of the forest")
          .key("forest.least_rows", &S::least_rows, Range::between(1, 1e6), "", "fewest rows of a leaf")
          .key("forest.lost", &S::lost, Range::between(0, 10), "",
               "weight of a training row repeated for the forest with one sensor lost; 0: no repetition")
          .key("rows.share", &S::rows_share, Range::between(0, 1), "",
               "weight of the attention over training rows where trees.mixing = \"fixed\"; 0: none")
          .key("rows.width", &S::rows_width, Range::between(1e-3, 1e3), "",
               "width of its Gaussian scores, in standard deviations")
          .choice(study::kDataBad, &S::leave_out_bad)
          .added_later(),
      simulated};
  return keys;
}

std::unique_ptr<study::LearnedTask> moisture_task() { return std::make_unique<MoistureTask>(); }

LearnedMoisture learn_moisture(const std::string& source, const study::LearnedTask& task, const Cases& cases,
                               const Config& config, const Random& random, learning::TrainingSeries& trainings) {
  const MoistureSettings settings = moisture_keys().read(config);
  const study::Target target = task.target(config);
  study::CrossValidated made = study::cross_validated(
      task, target, cases,
      study::plan_folds(source, cases, target, study::split_keys().read(config), random.stream("split")), config,
      random, trainings);
  LearnedMoisture learned{
      {std::move(made.final_model.model), {}, {}, 0, 0, 0, 0, 0, 0}, {}, made.final_model.reports, made.folds.folds()};
  MoistureModel& model = learned.model;
  for (const double month : cases.times) model.months = std::max(model.months, static_cast<Index>(month) + 1);
  MoistureAnswers& answers = learned.out_of_fold;
  answers = arbiter_alone(made.folds.predictions);
  std::vector<Beside> beside = all_beside(settings, cases, made.folds, model.months, random);
  for (std::size_t f = 0; f + 1 < beside.size(); ++f) {
    const std::vector<Index>& items = made.folds.models[f].split.test;
    const Cases held = study::selected(cases, items);
    if (beside[f].forest) put(answers.forest, answers_of(*beside[f].forest, held, model.months), items, cases.count());
    if (beside[f].rows) put(answers.rows, answers_of(*beside[f].rows, held, model.months), items, cases.count());
  }
  model.forest = std::move(beside.back().forest), model.rows = std::move(beside.back().rows);
  if (model.forest) model.forest_share = settings.forest_share;
  if (model.rows) model.rows_share = settings.rows_share;
  const bool fixed = study::tree_keys().read(config).mixing == study::TreeMixing::fixed;
  mix_out_of_fold(answers, made.folds, cases.targets, fixed, model);
  set_quantiles(answers, cases, model);
  add_intervals(answers, model);
  return learned;
}

MoistureAnswers answers_of(const MoistureModel& model, const study::LearnedTask& task, const Cases& cases) {
  const study::TrainedModel& trained = model.attention;
  const study::Target target = task.target(trained.config);
  const Matrix<float> inputs = study::prepared(trained.preparation, cases);
  const std::vector<Index> items = study::first_numbers(cases.count());
  MoistureAnswers answers = arbiter_alone(
      study::combined(target, study::all_outputs(trained.members, target, cases, inputs, items, kTokensAtATime),
                      trained.calibration, trained.preparation.target_mean, trained.preparation.target_deviation));
  if (model.forest) answers.forest = answers_of(*model.forest, cases, model.months);
  if (model.rows) answers.rows = answers_of(*model.rows, cases, model.months);
  for (std::size_t i = 0; i < answers.arbiter.size(); ++i)
    answers.mean.push_back(mixed(answers, i, model, model.constant()));
  add_intervals(answers, model);
  answers.trust = study::sides_of(trained.members, cases, inputs, items, kTokensAtATime);
  return answers;
}

Cases cases_for(const MoistureModel& model, const std::string& source, const datasets::fields::MoistureTable& table) {
  Cases cases = cases_of_moisture(table);
  std::array<bool, model::kSensors> seen{};
  for (const std::uint16_t kind : cases.kinds) seen[kind] = true;
  const Cases reference = cases;
  for (const study::Feature& feature : model.attention.preparation.features) {
    const bool known = std::any_of(reference.features.begin(), reference.features.end(),
                                   [&](const study::Feature& one) { return one.name == feature.name; });
    const Index sensor = sensor_of_feature(feature.name);
    if (known || sensor < 0 || seen[sensor]) continue;
    cases.features.push_back(feature);
    cases.values.conservativeResize(Eigen::NoChange, cases.values.cols() + 1);
    cases.values.col(cases.values.cols() - 1).setConstant(static_cast<float>(kNan));
  }
  study::check_cases(source, cases);
  study::Difference difference;
  return study::matched(source, model.attention.preparation, std::move(cases), difference);
}

}  // namespace fovea::fusion::moisture
