#pragma once
/// Rows of targets, groups and predictions: one a case, or one a token, as the target's level has it.

#include <vector>

#include "fovea/core/study/ensemble/fitting.hpp"
#include "fovea/core/study/ensemble/predictions.hpp"

namespace fovea::study {

/// The targets of these cases, NaN where not known.
std::vector<double> targets_of(const Cases& cases, const Target& target, const std::vector<Index>& items);
/// The group of each row of the outputs of these cases.
std::vector<Index> groups_of_rows(const Cases& cases, const Target& target, const std::vector<Index>& items);
/// The case of each row.
std::vector<Index> cases_of_rows(const Cases& cases, const Target& target, const std::vector<Index>& items);

/// Rows whose target is known.
std::vector<Index> known_rows_of(std::span<const double> targets);
Predictions rows_of(const Predictions& predictions, const std::vector<Index>& rows);
Matrix<double> rows_of(const Matrix<double>& values, const std::vector<Index>& rows);
template <typename Value>
std::vector<Value> entries_of(const std::vector<Value>& all, const std::vector<Index>& rows) {
  std::vector<Value> some;
  some.reserve(rows.size());
  for (const Index row : rows) some.push_back(all[row]);
  return some;
}

/// The outputs of each member for these cases.
std::vector<Matrix<double>> all_outputs(const std::vector<Member>& members, const Target& target, const Cases& cases,
                                        const Matrix<float>& inputs, const std::vector<Index>& items,
                                        Index batch_tokens, std::span<const double> at = {});

/// 0, 1, ..., count - 1.
std::vector<Index> first_numbers(Index count);

}  // namespace fovea::study
