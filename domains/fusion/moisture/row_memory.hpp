#pragma once
/// Attention over the rows that taught: what was measured under the same weather, in the same season, nearby.
///
///   y(x) = sum_j w_j y_j,   w_j = softmax_j(-|x - x_j|^2 / (2 h^2))
///
/// (Nadaraya 1964; Watson 1964). x: what tokens of both sensors have in common that is a number (weather, relief,
/// season, place) in each month, in standard deviations of the rows that taught; a number that never changes within a
/// row stands once, a missing one is the mean. Dry spells strike whole regions at once, so the right key is a row of
/// another site.

#include "fovea/core/study/cases/cases.hpp"

namespace fovea::fusion::moisture {

struct RowMemory {
  std::vector<std::int64_t> columns;    ///< of columns_of_moisture()
  std::vector<double> mean, deviation;  ///< one a column
  Matrix<double> keys;                  ///< rows x columns, scaled
  std::vector<double> values;           ///< moisture, one a row
  double width = 0.5;                   ///< h
};

/// From these rows, whose targets are known. No columns where the cases have none in common: then it answers nothing.
RowMemory row_memory(const study::Cases& cases, const std::vector<Index>& items, Index months, double width);

/// One answer a case.
std::vector<double> answers_of(const RowMemory& memory, const study::Cases& cases, Index months);

}  // namespace fovea::fusion::moisture
