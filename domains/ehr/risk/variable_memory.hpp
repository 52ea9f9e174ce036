#pragma once
/// How often a variable is measured, and how long its own values resemble each other: what a learned half-life is to be
/// compared with.

#include <vector>

#include "fovea/core/study/cases/cases.hpp"

namespace fovea::ehr::risk {

struct VariableMemory {
  double gap = 0;  ///< median time between two successive values of a stay; NaN: none, or in too few stays
  /// Time after which the correlation of two values of a stay has halved; NaN: fewer than kFewestPairs pairs in a bin
  /// of ages, infinity: not within the record.
  double half_time = 0;
};

inline constexpr Index kFewestPairs = 200;  ///< of a bin of ages, so that its correlation has an error below .1

/// One for each class, in the unit of the cases; NaN where fewer than Cases::smallest_cell stays have two values.
/// window: how far a case reaches back, at most. inputs: prepared() of the cases, whose first column has normal scores,
/// and whose second marks tokens without a value. The correlation of values at ages a apart is the mean product over
/// the mean square, in bins of a factor 2 from window / 96 on; halved against the first bin, found on the line through
/// the two bins about it. At most 50 pairs of a stay are looked at for each value, the nearest in time.
std::vector<VariableMemory> memories(const study::Cases& cases, const Matrix<float>& inputs, double window);

}  // namespace fovea::ehr::risk
