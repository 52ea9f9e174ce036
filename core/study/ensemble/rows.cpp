#include "fovea/core/study/ensemble/rows.hpp"

#include <cmath>

namespace fovea::study {

std::vector<double> targets_of(const Cases& cases, const Target& target, const std::vector<Index>& items) {
  return entries_of(cases.targets, target_rows(cases, target, items));
}

std::vector<Index> cases_of_rows(const Cases& cases, const Target& target, const std::vector<Index>& items) {
  if (target.level == TargetLevel::per_case) return items;
  std::vector<Index> owners;
  for (const Index item : items) owners.insert(owners.end(), cases.size(item), item);
  return owners;
}

std::vector<Index> groups_of_rows(const Cases& cases, const Target& target, const std::vector<Index>& items) {
  return entries_of(group_numbers(cases), cases_of_rows(cases, target, items));
}

std::vector<Index> known_rows_of(std::span<const double> targets) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (!std::isnan(targets[i])) rows.push_back(static_cast<Index>(i));
  return rows;
}

Matrix<double> rows_of(const Matrix<double>& values, const std::vector<Index>& rows) {
  Matrix<double> some(static_cast<Index>(rows.size()), values.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) some.row(static_cast<Index>(k)) = values.row(rows[k]);
  return some;
}

Predictions rows_of(const Predictions& predictions, const std::vector<Index>& rows) {
  Predictions some{rows_of(predictions.mean, rows), rows_of(predictions.spread, rows), {}, {}};
  if (!predictions.deviation.empty()) some.deviation = entries_of(predictions.deviation, rows);
  if (!predictions.decisions.empty()) some.decisions = entries_of(predictions.decisions, rows);
  if (!predictions.low.empty()) some.low = entries_of(predictions.low, rows);
  if (!predictions.high.empty()) some.high = entries_of(predictions.high, rows);
  return some;
}

std::vector<Matrix<double>> all_outputs(const std::vector<Member>& members, const Target& target, const Cases& cases,
                                        const Matrix<float>& inputs, const std::vector<Index>& items,
                                        Index batch_tokens, std::span<const double> at) {
  std::vector<Matrix<double>> outputs;
  for (const Member& member : members)
    outputs.push_back(outputs_of(member, target, cases, inputs, items, batch_tokens, at));
  return outputs;
}

std::vector<Index> first_numbers(Index count) {
  std::vector<Index> numbers(count);
  for (Index i = 0; i < count; ++i) numbers[i] = i;
  return numbers;
}

}  // namespace fovea::study
