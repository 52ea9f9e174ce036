#pragma once
/// What the smallest and the largest crowd with noise say of a range in which no common crossing was located.

#include "fovea/core/base/missing.hpp"
#include "fovea/domains/opinion/phase/phase.hpp"

namespace fovea::opinion::phase {

struct SizeComparison {
  std::size_t small = 0, large = 0;                 ///< agents
  double reverses_from = kNan, reverses_to = kNan;  ///< U4 of one is above the other's up to here, below from here
  double least = kNan, most = kNan;                 ///< <m> of the largest crowd
  bool changes = false;                             ///< these differ by more than their errors
  bool ordered = false;  ///< at every control <m> hardly falls with N: nearer to N^0 than to N^(-1/4)
  bool disordered =
      false;  ///< at every control nearer to N^(-1/2) than to N^(-1/4), that of a transition in mean field
  double peak_below = kNan,
         peak_above = kNan;  ///< beside the largest fluctuations of the largest crowd; NaN: at an end
  /// The sizes show that there is no transition.
  bool absent() const { return std::isnan(reverses_from) && (disordered || (ordered && !changes)); }
};

/// Of all rounds and both directions, at the controls that both sizes have; the peak of the coarse grid. At least two
/// sizes. Orders of cumulants and changes of <m> count from 4 standard errors on (the clearest of many is looked for),
/// powers of N from 2 on, as each control must have its.
SizeComparison compare_sizes(const PhaseFindings& findings);

/// The controls of the coarse grid beside that of the largest fluctuations of a size; NaN where there is none.
std::pair<double, double> around_peak(const PhaseFindings& findings, Index size);

}  // namespace fovea::opinion::phase
