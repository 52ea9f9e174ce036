#include "fovea/core/study/explain/value_shares.hpp"

#include <array>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/learning/explanation.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/study/cases/target_rule.hpp"

namespace fovea::study {

namespace {

constexpr Index kFinePoints = 32;  // of the integral, where each prediction is to be read

/// Every number at 0 and no category; marks of missing values stay.
Matrix<float> values_at_middle(const Preparation& preparation, Matrix<float> x) {
  Index column = 0;
  for (std::size_t f = 0; f < preparation.features.size(); ++f) {
    const Index width = preparation.width(f);
    const bool category = !preparation.features[f].categories.empty();
    x.middleCols(column, category ? width : 1).setZero();
    column += width;
  }
  return x;
}

ExplainedPrediction explained_case(const TrainedModel& model, const Target& target, const Cases& cases, Index item) {
  const TargetScale scale{model.preparation.target_mean, model.preparation.target_deviation};
  const AnswerLine line = target.rule().answer_line(model.calibration, scale);
  ExplainedCases one(cases, model.preparation, {item});
  ExplainedPrediction found;
  found.shares.assign(one.cases().tokens(), 0);
  const double own = line.slope * (model.trees ? model.trees->own() : 1);
  const auto count = static_cast<double>(model.members.size());
  for (const Member& member : model.members) {
    found.answer += one.answers(member, one.x())[0] / count;
    found.base += one.answers(member, one.at_middle())[0] / count;
    if (found.shares.empty()) continue;
    const std::vector<double> shares = one.shares(member, kFinePoints);
    for (std::size_t i = 0; i < shares.size(); ++i) found.shares[i] += own * shares[i] / count;
  }
  found.answer = line.intercept + own * found.answer;
  found.base = line.intercept + own * found.base;
  found.remainder = found.answer - found.base - std::accumulate(found.shares.begin(), found.shares.end(), 0.0);
  if (!model.trees) return found;
  const auto of_trees = outputs_of(*model.trees, target, cases, std::array{item});
  found.trees = 0;
  for (std::size_t p = 0; p < of_trees.size(); ++p)
    *found.trees += line.slope * model.trees->parts[p].weight * of_trees[p](0, 0);
  found.answer += *found.trees;
  return found;
}

}  // namespace

ExplainedCases::ExplainedCases(const Cases& all, const Preparation& preparation, const std::vector<Index>& items)
    : cases_(selected(all, items)), x_(prepared(preparation, cases_)), middle_(values_at_middle(preparation, x_)) {
  tokens_.offsets = cases_.offsets;
  tokens_.times = cases_.times;
  if (cases_.coordinates.rows() > 0) tokens_.coordinates = cases_.coordinates;
}

Batch ExplainedCases::batch(learning::Variable<float> x) const {
  return {x, &tokens_, cases_.kinds, cases_.ends, {}, {}};
}

std::vector<double> ExplainedCases::answers(const Member& member, const Matrix<float>& x) {
  tape_.begin(&member.parameters, {});
  const Matrix<double> values =
      member.model->outputs(tape_, batch(tape_.input(x)), nullptr).value().leftCols(1).template cast<double>();
  return {values.data(), values.data() + values.rows()};
}

std::vector<double> ExplainedCases::shares(const Member& member, Index points) {
  const std::array<Index, 2> all{0, cases_.count()};
  const learning::Answer<float> answer = [&](learning::Variable<float> x) {
    const auto outputs = member.model->outputs(x.tape(), batch(x), nullptr);
    return learning::sum_of_sets(outputs.value().cols() == 1 ? outputs : learning::take_columns(outputs, 0, 1),
                                 learning::Offsets(all));
  };
  const Vector<float> found =
      learning::integrated_gradients<float>(tape_, member.parameters, answer, x_, middle_, points).shares;
  return {found.data(), found.data() + found.size()};
}

bool can_be_taken_apart(const Target& target) {
  return target.level == TargetLevel::per_case && !target.rule().named();
}

std::vector<ExplainedPrediction> explained_predictions(const TrainedModel& model, const Target& target,
                                                       const Cases& cases) {
  require(can_be_taken_apart(target), "explained_predictions: '", target.name,
          "' is a target of tokens or of several classes; only a number or a "
          "target of two classes, one a case, can be taken apart.");
  std::vector<ExplainedPrediction> found(cases.count());
  for_each_task(cases.count(), true, [&](Index item) { found[item] = explained_case(model, target, cases, item); });
  return found;
}

}  // namespace fovea::study
