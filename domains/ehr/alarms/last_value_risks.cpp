#include "fovea/domains/ehr/alarms/last_value_risks.hpp"

#include "fovea/core/study/baselines/baselines.hpp"

namespace fovea::ehr::alarms {

namespace {

constexpr std::size_t kTimesLearned = 8;

std::vector<double> some_times(const std::vector<double>& times) {
  if (times.size() <= kTimesLearned) return times;
  std::vector<double> some;
  for (std::size_t k = 1; k <= kTimesLearned; ++k) some.push_back(times[k * times.size() / kTimesLearned - 1]);
  return some;
}

/// The rows of these cases, the times of a case side by side.
Matrix<double> rows_at(const study::Cases& cases, const Matrix<float>& inputs, const std::vector<Index>& items,
                       const std::vector<double>& times) {
  const auto each = static_cast<Index>(times.size());
  Matrix<double> rows(static_cast<Index>(items.size()) * each, 2 * static_cast<Index>(cases.classes.size()));
  for (std::size_t k = 0; k < items.size(); ++k)
    rows.middleRows(static_cast<Index>(k) * each, each) = last_values_at(cases, inputs, items[k], times);
  return rows;
}

}  // namespace

Matrix<double> last_values_at(const study::Cases& cases, const Matrix<float>& inputs, Index item,
                              const std::vector<double>& times) {
  const auto each = static_cast<Index>(times.size());
  Matrix<double> rows = Matrix<double>::Zero(each, 2 * static_cast<Index>(cases.classes.size()));
  const Index first = cases.offsets[item], end = first + cases.size(item);
  for (Index i = first; i < end; ++i) {  // tokens of a class ascend by time: the last up to a time stays
    const Index column = 2 * static_cast<Index>(cases.kinds[i]);
    for (Index k = each; k-- > 0 && cases.times[i] <= times[k];) {
      if (inputs(i, 1) == 0) rows(k, column) = static_cast<double>(inputs(i, 0));
      rows(k, column + 1) = 1;
    }
  }
  return rows;
}

Matrix<double> last_value_risks(const study::StudyOutcome& outcome, const std::vector<double>& times) {
  const study::Cases& cases = outcome.cases;
  const std::vector<double> learned_at = some_times(times);
  const auto each = static_cast<Index>(times.size());
  Matrix<double> risks(cases.count(), each);
  for (const study::FoldModel& fold : outcome.folds->models) {
    const Matrix<float> inputs = study::prepared(fold.preparation, cases);
    const Matrix<double> training = rows_at(cases, inputs, fold.split.training, learned_at);
    std::vector<double> targets;
    for (const Index item : fold.split.training) targets.insert(targets.end(), learned_at.size(), cases.targets[item]);
    const Matrix<double> told = study::ridge(outcome.target, training, targets, Matrix<double>(0, training.cols()), {},
                                             rows_at(cases, inputs, fold.split.test, times))
                                    .mean;
    for (std::size_t k = 0; k < fold.split.test.size(); ++k)
      for (Index t = 0; t < each; ++t) risks(fold.split.test[k], t) = told(static_cast<Index>(k) * each + t, 0);
  }
  return risks;
}

}  // namespace fovea::ehr::alarms
