#include "fovea/core/study/fitting.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/training/ensemble.hpp"
#include "fovea/core/study/hazards/hazard_target.hpp"
#include "fovea/core/study/model/set_model.hpp"

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

/// Targets and weights of some rows; what is not known has weight 0.
struct Aims {
  Matrix<float> targets;
  std::vector<Index> classes;
  std::vector<float> weights;
  learning::HazardTargets hazards;
};

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
  void gather(const std::vector<Index>& rows, Aims& aims) const {
    aims.targets.resize(static_cast<Index>(rows.size()), 1);
    aims.classes.clear();
    aims.weights.clear();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double y = cases.targets[rows[k]];
      const bool known = !std::isnan(y);
      aims.weights.push_back(static_cast<float>(weight(rows[k])));
      aims.classes.push_back(known && target.kind != TargetKind::number ? static_cast<Index>(y) : 0);
      aims.targets(static_cast<Index>(k), 0) = !known ? 0.0F : static_cast<float>((y - mean) / deviation);
    }
    if (target.kind == TargetKind::hazards) aims.hazards = hazards_of_codes(target, entries(rows));
  }
};

Float loss_of(const Target& target, Float outputs, const Aims& aims, float total) {
  const std::span<const float> weights(aims.weights);
  switch (target.kind) {
    case TargetKind::binary:
      return learning::logistic_loss<float>(outputs, aims.targets, weights, total);
    case TargetKind::classes:
      return learning::cross_entropy_loss<float>(outputs, aims.classes, weights, total);
    case TargetKind::hazards:
      return learning::hazard_loss<float>(outputs, ends_of(target), aims.hazards, weights, total);
    case TargetKind::number:
      return learning::gaussian_loss<float>(outputs, aims.targets, weights, total);
  }
  throw ArgumentError("loss_of: no such kind of target.");
}

/// The loss of a model's own outputs, and of whatever learns beside them. Weights live on the tape.
Float loss_to_learn(Tape<float>& tape, const Target& target, const StudyModel& model, const Batch& batch,
                    const Aims& aims, float total) {
  std::vector<FurtherOutputs> further;
  const Float outputs = model.outputs_to_learn(tape, batch, further);
  Float loss = loss_of(target, outputs, aims, total);
  if (model.has_penalty()) loss = learning::add(loss, model.penalty(batch, outputs, aims.classes, aims.weights));
  for (const FurtherOutputs& one : further) {
    Aims& mine = tape.kept<Aims>();
    mine = aims;
    for (std::size_t row = 0; row < one.rows.size(); ++row) mine.weights[row] *= one.rows[row];
    loss = learning::add(loss, learning::scale(loss_of(target, one.outputs, mine, total), one.weight));
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

learning::TrainingSettings settings_of(const Config& config) {
  learning::TrainingSettings settings;
  settings.epochs = config.integer("training.epochs");
  settings.patience = config.integer("training.patience");
  learning::AdamW adam;
  adam.decay = config.real("training.weight_decay");
  settings.optimizer = adam;
  settings.schedule.learning_rate = config.real("training.learning_rate");
  settings.schedule.warm_up_steps = 50;
  settings.schedule.course = learning::RateCourse::cosine;
  const Index tokens = config.integer("training.batch_tokens");
  settings.batches = {tokens, std::max<Index>(1, tokens / 4), true, 0,
                      static_cast<Index>(config.integer("training.batch_cases"))};
  return settings;
}

}  // namespace

void declare_fitting(Schema& schema) {
  schema.integer("training.epochs", 30, Range::between(1, 10000), "",
                 "largest number of passes through the training part");
  schema.integer("training.patience", 6, Range::between(0, 10000), "",
                 "epochs without a lower validation loss after which training stops; 0: never");
  schema.real("training.learning_rate", 3e-3, Range::positive(), "",
              "highest learning rate, after a warm-up; then it falls as a cosine");
  schema.real("training.weight_decay", 0.01, Range::at_least(0), "", "weight decay of AdamW, in each step");
  schema.integer("training.batch_tokens", 2048, Range::between(1, 1e7), "", "largest number of tokens in a batch");
  schema
      .integer("training.batch_cases", 0, Range::between(0, 1e7), "",
               "cases in a batch, whatever their tokens; 0: as many as batch_tokens lets in")
      .added_later();
  schema.integer("ensemble.members", 3, Range::between(1, 64), "", "models trained from different random starts");
}

ModelShape shape_of(const Preparation& preparation, const Target& target) {
  return {preparation.inputs(),
          preparation.coordinates,
          !preparation.time_unit.empty(),
          target.outputs(),
          target.level,
          preparation.classes,
          target.kind};
}

std::vector<Member> make_members(const LearnedTask& task, const Config& config, const ModelShape& shape,
                                 const Random& random) {
  std::vector<Member> members(config.integer("ensemble.members"));
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
                                                  const Config& config, const Random& random,
                                                  learning::TrainingSeries& series) {
  const AimsOfCases aims{target, cases, preparation.target_mean, preparation.target_deviation};
  learning::TrainingProblem problem;
  problem.tokens = cases.sizes();
  problem.weights = case_weights(aims);
  problem.training = with_weight(split.training, problem.weights);
  problem.validation = with_weight(split.validation, problem.weights);
  std::vector<learning::TrainingReport> reports;
  for (std::size_t m = 0; m < members.size(); ++m) {
    problem.loss = [&, model = members[m].model.get()](Tape<float>& tape, std::span<const Index> items, float total) {
      Aims& mine = tape.kept<Aims>();
      aims.gather(target_rows(cases, target, {items.begin(), items.end()}), mine);
      return loss_to_learn(tape, target, *model, packed(tape, cases, inputs, items), mine, total);
    };
    members[m].model->look(
        members[m].parameters, problem.training,
        [&](Tape<float>& tape, std::span<const Index> items) { return packed(tape, cases, inputs, items); });
    learning::TrainingSettings settings = settings_of(config);
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
  learning::BatchSettings batches{batch_tokens, std::max<Index>(1, batch_tokens / 4), false, 0};
  return learning::predict(
             member.parameters, cases.sizes(), items,
             [&](Tape<float>& tape, std::span<const Index> some) {
               return member.model->outputs(tape, packed(tape, cases, inputs, some, at), nullptr);
             },
             batches)
      .cast<double>();
}

Matrix<double> sides_of(const std::vector<Member>& members, const Cases& cases, const Matrix<float>& inputs,
                        const std::vector<Index>& items, Index batch_tokens) {
  require(!members.empty(), "sides_of: there are no members.");
  const std::vector<std::string> names = members.front().model->side_columns();
  Matrix<double> mean;
  if (names.empty() || items.empty()) return mean;
  const learning::BatchSettings batches{batch_tokens, std::max<Index>(1, batch_tokens / 4), false, 0};
  for (const Member& member : members) {
    const Matrix<double> one = learning::predict(
                                   member.parameters, cases.sizes(), items,
                                   [&](Tape<float>& tape, std::span<const Index> some) {
                                     return member.model->sides(tape, packed(tape, cases, inputs, some));
                                   },
                                   batches)
                                   .cast<double>();
    mean = mean.size() == 0 ? one : Matrix<double>(mean + one);
  }
  return mean / static_cast<double>(members.size());
}

Matrix<double> scores_of_tokens(const Member& member, const Cases& cases, const Matrix<float>& inputs,
                                const std::vector<Index>& items, Index batch_tokens) {
  require(member.model->has_weights(), "scores_of_tokens: this model has no weights of tokens.");
  if (items.empty()) return Matrix<double>(0, 1);
  learning::BatchSettings batches{batch_tokens, std::max<Index>(1, batch_tokens / 4), false, 0};
  return learning::predict(
             member.parameters, cases.sizes(), items,
             [&](Tape<float>& tape, std::span<const Index> some) {
               const Batch batch = packed(tape, cases, inputs, some);
               Float scores = batch.x;
               member.model->outputs(tape, batch, &scores);
               return scores;
             },
             batches)
      .cast<double>();
}

}  // namespace fovea::study
