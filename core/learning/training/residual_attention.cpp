#include "fovea/core/learning/training/residual_attention.hpp"

#include "fovea/core/attention/scores.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/attention_operation.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::learning {

namespace {

Variable<float> residual_loss(Tape<float>& tape, const ResidualLesson<float>& lesson, const Variable<float>& widths,
                              float least_square) {
  AttentionSpec<float> spec;
  spec.score = {gaussian_widths_score<float>(), std::vector<float>(widths.columns(), 0)};
  AttentionInputs<float> inputs{tape.input(lesson.queries), tape.input(lesson.keys), tape.input(lesson.left), &widths};
  const Variable<float> said = attention(inputs, spec);
  const auto count = static_cast<float>(lesson.wanted.size());
  return log(scale(squared_loss(said, lesson.wanted, {}, count), 1.0F, least_square));
}

/// 1 where the column is of the group: [groups x columns]
Matrix<float> membership(const WidthPlan& plan) {
  Matrix<float> belongs = Matrix<float>::Zero(std::ssize(plan.log_widths), std::ssize(plan.groups));
  for (Index c = 0; c < belongs.cols(); ++c) {
    require(plan.groups[c] >= 0 && plan.groups[c] < belongs.rows(), "learn_widths: group ", plan.groups[c], " of ",
            belongs.rows(), " groups; number them from 0.");
    belongs(plan.groups[c], c) = 1;
  }
  return belongs;
}

}  // namespace

template <typename Real>
Matrix<Real> attended_residuals(const ResidualLesson<Real>& lesson, const std::vector<Real>& log_widths,
                                Matrix<Real>* log_sum_exp) {
  const Index columns = lesson.left.cols();
  Matrix<Real> values(lesson.left.rows(), 2 * columns);
  values << lesson.left, lesson.left.cwiseProduct(lesson.left);
  AttentionSpec<Real> spec;
  spec.score = {gaussian_widths_score<Real>(), log_widths};
  AttentionResult<Real> result = attend<Real>(lesson.queries, lesson.keys, values, spec);
  if (log_sum_exp != nullptr) *log_sum_exp = std::move(result.log_sum_exp);
  Matrix<Real>& outputs = result.outputs;
  outputs.rightCols(columns) =
      (outputs.rightCols(columns) - outputs.leftCols(columns).cwiseProduct(outputs.leftCols(columns)))
          .cwiseMax(Real(0));
  return std::move(result.outputs);
}
template Matrix<float> attended_residuals(const ResidualLesson<float>&, const std::vector<float>&, Matrix<float>*);
template Matrix<double> attended_residuals(const ResidualLesson<double>&, const std::vector<double>&, Matrix<double>*);

LearnedWidths learn_widths(std::span<const ResidualLesson<float>* const> lessons, const std::vector<Index>& training,
                           const std::vector<Index>& validating, const WidthPlan& plan, const std::string& name,
                           const Random& random, TrainingSeries& series) {
  Parameters<float> parameters;
  const ParameterPlace place = parameters.add(
      "log_widths", Eigen::Map<const Matrix<float>>(plan.log_widths.data(), 1, std::ssize(plan.log_widths)), Decay::no);
  const Matrix<float> belongs = membership(plan);
  TrainingProblem problem;
  for (const ResidualLesson<float>* lesson : lessons) problem.tokens.push_back(lesson->keys.rows());
  problem.training = training, problem.validation = validating;
  problem.loss = [&](Tape<float>& tape, std::span<const Index> examples, float total) {
    Variable<float> widths = tape.parameter(place);
    if (!plan.groups.empty()) widths = linear(widths, tape.input(belongs));
    Variable<float> sum = tape.constant(1, 1);
    sum.value().setZero();
    for (const Index k : examples) sum = add(sum, residual_loss(tape, *lessons[k], widths, plan.least_square));
    return scale(sum, 1 / total);
  };
  TrainingSettings settings;
  settings.name = name;
  settings.epochs = plan.epochs;
  settings.schedule.learning_rate = plan.learning_rate;
  settings.schedule.course = RateCourse::cosine;
  settings.batches.examples = plan.batch;
  settings.restore_best = !validating.empty();
  LearnedWidths learned{{}, series.train(parameters, problem, settings, random)};
  const Eigen::Map<const Matrix<float>> found(parameters.values().data(), 1, std::ssize(plan.log_widths));
  Matrix<float> each = found;
  if (!plan.groups.empty()) each = found * belongs;
  learned.log_widths.assign(each.data(), each.data() + each.size());
  return learned;
}

}  // namespace fovea::learning
