#include "fovea/core/study/ensemble/fitting.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/training/ensemble.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/model/shared_keys.hpp"

namespace fovea::study {

namespace {

using learning::Tape;
using Float = learning::Variable<float>;

/// What a Batch points to.
struct PackedCases {
  learning::Tokens tokens;
  std::vector<std::uint16_t> kinds;
  std::vector<double> ends;
};

template <typename Value>
void put_tokens(std::vector<Value>& packed, const std::vector<Value>& all, Index first, Index count) {
  if (!all.empty()) packed.insert(packed.end(), all.begin() + first, all.begin() + first + count);
}

/// The tokens of these cases on a tape, which keeps them until its next begin().
Batch packed(Tape<float>& tape, const Cases& cases, const Matrix<float>& inputs, std::span<const Index> items,
             std::span<const double> at = {}) {
  PackedCases& kept = tape.kept<PackedCases>();
  learning::Tokens& tokens = kept.tokens;
  tokens.offsets.assign(1, 0);
  tokens.times.clear();
  kept.kinds.clear();
  kept.ends.clear();
  for (const Index item : items) tokens.offsets.push_back(tokens.offsets.back() + cases.size(item));
  tokens.coordinates.resize(cases.coordinates.rows() > 0 ? tokens.count() : 0, cases.coordinates.cols());
  const Float x = tape.constant(tokens.count(), inputs.cols());
  for (std::size_t k = 0; k < items.size(); ++k) {
    const Index first = cases.offsets[items[k]], count = cases.size(items[k]);
    x.value().middleRows(tokens.offsets[k], count) = inputs.middleRows(first, count);
    put_tokens(tokens.times, cases.times, first, count);
    put_tokens(kept.kinds, cases.kinds, first, count);
    if (!cases.ends.empty()) kept.ends.push_back(cases.ends[items[k]]);
    if (tokens.coordinates.rows() > 0)
      tokens.coordinates.middleRows(tokens.offsets[k], count) = cases.coordinates.middleRows(first, count);
  }
  return {x, &tokens, kept.kinds, kept.ends, at, items};
}

struct AimsOfCases {
  const Target& target;
  const Cases& cases;
  double mean, deviation;

  double weight(Index row) const {
    if (std::isnan(cases.targets[row])) return 0;
    return cases.weights.empty() ? 1 : cases.weights[row];
  }
  std::vector<double> entries(const std::vector<Index>& rows) const {
    std::vector<double> some;
    for (const Index row : rows) some.push_back(cases.targets[row]);
    return some;
  }
  double scaled(Index row) const { return (cases.targets[row] - mean) / deviation; }
  void gather(const std::vector<Index>& rows, Aims& aims) const {
    aims.targets.resize(static_cast<Index>(rows.size()), 1);
    aims.classes.clear();
    aims.weights.clear();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double y = cases.targets[rows[k]];
      const bool known = !std::isnan(y);
      aims.weights.push_back(static_cast<float>(weight(rows[k])));
      aims.classes.push_back(known && !target.rule().real() ? static_cast<Index>(y) : 0);
      aims.targets(static_cast<Index>(k), 0) = !known ? 0.0F : static_cast<float>(scaled(rows[k]));
    }
    target.rule().complete(target, entries(rows), aims);
  }
};

/// The loss of a model's own outputs, and of whatever learns beside them. Weights live on the tape.
Float loss_to_learn(Tape<float>& tape, const Target& target, const StudyModel& model, const Batch& batch,
                    const Aims& aims, float total) {
  std::vector<FurtherOutputs> further;
  const Float outputs = model.outputs_to_learn(tape, batch, further);
  const TargetRule& rule = target.rule();
  Float loss = rule.loss(target, outputs, aims, total);
  if (model.has_penalty()) loss = learning::add(loss, model.penalty(batch, outputs, aims.classes, aims.weights));
  for (const FurtherOutputs& one : further) {
    Aims& mine = tape.kept<Aims>();
    mine = aims;
    for (std::size_t row = 0; row < one.rows.size(); ++row) mine.weights[row] *= one.rows[row];
    loss = learning::add(loss, learning::scale(rule.loss(target, one.outputs, mine, total), one.weight));
  }
  return loss;
}

std::vector<double> case_weights(const AimsOfCases& aims) {
  std::vector<double> weights(aims.cases.count());
  for (Index item = 0; item < aims.cases.count(); ++item)
    for (const Index row : target_rows(aims.cases, aims.target, {item})) weights[item] += aims.weight(row);
  return weights;
}

/// Only cases that say something: a batch without a known target has no loss.
std::vector<Index> with_weight(const std::vector<Index>& items, const std::vector<double>& weights) {
  std::vector<Index> kept;
  for (const Index item : items)
    if (weights[item] > 0) kept.push_back(item);
  return kept;
}

learning::TrainingSettings settings_of(const FittingSettings& fitting) {
  learning::TrainingSettings settings;
  settings.epochs = fitting.epochs;
  settings.patience = fitting.patience;
  learning::AdamW adam;
  adam.decay = fitting.weight_decay;
  settings.optimizer = adam;
  settings.schedule.learning_rate = fitting.learning_rate;
  settings.schedule.warm_up_steps = 50;
  settings.schedule.course = learning::RateCourse::cosine;
  const Index tokens = fitting.batch_tokens;
  settings.batches = {tokens, std::max<Index>(1, tokens / 4), true, 0, fitting.batch_cases};
  return settings;
}

/// What a member computes of batches of these cases.
template <typename Compute>
Matrix<double> computed_by(const Member& member, const Cases& cases, const Matrix<float>& inputs,
                           const std::vector<Index>& items, Index batch_tokens, const Compute& compute,
                           std::span<const double> at = {}) {
  const Matrix<float> outputs = learning::predict(member.parameters, cases.sizes(), items,
                                                  [&](Tape<float>& tape, std::span<const Index> some) {
                                                    return compute(tape, packed(tape, cases, inputs, some, at));
                                                  },
                                                  {batch_tokens, std::max<Index>(1, batch_tokens / 4), false, 0});
  return outputs.cast<double>();
}

}  // namespace

const Keys<FittingSettings>& fitting_keys() {
  static const auto keys =
      Keys<FittingSettings>()
          .key(kTrainingEpochs, &FittingSettings::epochs, "largest number of passes through the training part")
          .key("training.patience", &FittingSettings::patience, Range::between(0, 10000), "",
               "epochs without a lower validation loss after which training stops; 0: never")
          .key(kTrainingLearningRate, &FittingSettings::learning_rate,
               "highest learning rate, after a warm-up; then it falls as a cosine")
          .key("training.weight_decay", &FittingSettings::weight_decay, Range::at_least(0), "",
               "weight decay of AdamW, in each step")
          .key("training.batch_tokens", &FittingSettings::batch_tokens, Range::between(1, 1e7), "",
               "largest number of tokens in a batch")
          .key("training.batch_cases", &FittingSettings::batch_cases, Range::between(0, 1e7), "",
               "cases in a batch, whatever their tokens; 0: as many as batch_tokens lets in")
          .added_later()
          .key(kEnsembleMembers, &FittingSettings::members);
  return keys;
}

void declare_fitting(Schema& schema) { fitting_keys().declare(schema); }

ModelShape shape_of(const Preparation& preparation, const Target& target) {
  return {preparation.inputs(), preparation.coordinates, !preparation.time_unit.empty(), target.outputs(), target.level,
          preparation.classes,  &target.rule()};
}

std::vector<Member> make_members(const LearnedTask& task, const Config& config, const ModelShape& shape,
                                 const Random& random) {
  std::vector<Member> members(fitting_keys().read(config).members);
  for (std::size_t m = 0; m < members.size(); ++m)
    members[m].model =
        task.model(config, shape, members[m].parameters, random.stream(concat("start of member ", m + 1)));
  return members;
}

std::vector<Index> target_rows(const Cases& cases, const Target& target, const std::vector<Index>& items) {
  if (target.level == TargetLevel::per_case) return items;
  std::vector<Index> rows;
  for (const Index item : items)
    for (Index i = 0; i < cases.size(item); ++i) rows.push_back(cases.offsets[item] + i);
  return rows;
}

std::vector<learning::TrainingReport> fit_members(std::vector<Member>& members, const std::string& name,
                                                  const Target& target, const Preparation& preparation,
                                                  const Cases& cases, const Matrix<float>& inputs, const Split& split,
                                                  const FittingSettings& fitting, const Random& random,
                                                  learning::TrainingSeries& series) {
  const AimsOfCases aims{target, cases, preparation.target_mean, preparation.target_deviation};
  learning::TrainingProblem problem;
  problem.tokens = cases.sizes();
  problem.weights = case_weights(aims);
  problem.training = with_weight(split.training, problem.weights);
  problem.validation = with_weight(split.validation, problem.weights);
  std::vector<double> targets, weights;
  for (const Index row : target_rows(cases, target, problem.training))
    targets.push_back(aims.scaled(row)), weights.push_back(aims.weight(row));
  std::vector<learning::TrainingReport> reports;
  for (std::size_t m = 0; m < members.size(); ++m) {
    problem.loss = [&, model = members[m].model.get()](Tape<float>& tape, std::span<const Index> items, float total) {
      Aims& mine = tape.kept<Aims>();
      aims.gather(target_rows(cases, target, {items.begin(), items.end()}), mine);
      return loss_to_learn(tape, target, *model, packed(tape, cases, inputs, items), mine, total);
    };
    members[m].model->look(
        members[m].parameters, {problem.training, targets, weights},
        [&](Tape<float>& tape, std::span<const Index> items) { return packed(tape, cases, inputs, items); });
    learning::TrainingSettings settings = settings_of(fitting);
    settings.name = concat(name, '_', m + 1);
    settings.batches.whole = members[m].model->has_penalty();
    if (split.validation.empty()) settings.patience = 0, settings.restore_best = false;
    reports.push_back(series.train(members[m].parameters, problem, settings, random.stream(settings.name)));
  }
  return reports;
}

Matrix<double> outputs_of(const Member& member, const Target& target, const Cases& cases, const Matrix<float>& inputs,
                          const std::vector<Index>& items, Index batch_tokens, std::span<const double> at) {
  require(at.empty() || target.level == TargetLevel::per_case,
          "outputs_of: times are given at which cases are asked, but this target is one a token.");
  if (items.empty()) return Matrix<double>(0, target.outputs());
  return computed_by(
      member, cases, inputs, items, batch_tokens,
      [&](Tape<float>& tape, const Batch& batch) { return member.model->outputs(tape, batch, nullptr); }, at);
}

Matrix<double> sides_of(const std::vector<Member>& members, const Cases& cases, const Matrix<float>& inputs,
                        const std::vector<Index>& items, Index batch_tokens) {
  require(!members.empty(), "sides_of: there are no members.");
  const std::vector<std::string> names = members.front().model->side_columns();
  Matrix<double> mean;
  if (names.empty() || items.empty()) return mean;
  for (const Member& member : members) {
    const Matrix<double> one =
        computed_by(member, cases, inputs, items, batch_tokens,
                    [&](Tape<float>& tape, const Batch& batch) { return member.model->sides(tape, batch); });
    mean = mean.size() == 0 ? one : Matrix<double>(mean + one);
  }
  return mean / static_cast<double>(members.size());
}

Matrix<double> scores_of_tokens(const Member& member, const Cases& cases, const Matrix<float>& inputs,
                                const std::vector<Index>& items, Index batch_tokens) {
  require(member.model->has_weights(), "scores_of_tokens: this model has no weights of tokens.");
  if (items.empty()) return Matrix<double>(0, 1);
  return computed_by(member, cases, inputs, items, batch_tokens, [&](Tape<float>& tape, const Batch& batch) {
    Float scores = batch.x;
    member.model->outputs(tape, batch, &scores);
    return scores;
  });
}

}  // namespace fovea::study
