#pragma once
/// Where a jump lies for infinitely many agents, and how well the sizes know it.

#include <utility>
#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/domains/opinion/phase/phase.hpp"

namespace fovea::opinion::phase {

/// A jump in crowds of rising size: T(N) = T_inf + a N^-b through the three largest, b found, not assumed (Fisher and
/// Barber 1972 for the form; as for Binder crossings the sizes decide).
struct SizeLimit {
  double value = kNan;  ///< T_inf; of the largest crowd where the sizes do not converge
  double error = kNan;  ///< the bracket and the whole step from the largest crowd to T_inf, in squares; where they do
                        ///< not converge, the bracket and the last change
  double last_change = kNan;  ///< between the two largest crowds; NaN for one
  bool converges = false;     ///< the changes shrink with 1/4 <= b <= 2, or are below the brackets
  std::vector<Index> sizes;   ///< those that have the jump, ascending
};

/// Numbers of agents, ascending.
std::vector<Index> sizes_of(const PhaseFindings& findings);

/// Whether states were carried from value to value of the control, up and down; otherwise each value has its own start.
bool is_carried(const PhaseFindings& findings);

/// A transition as each size shows it, sizes ascending; nullptr where a size does not.
using JumpOfSizes = std::vector<std::pair<Index, const FoundJump*>>;

/// The transition of a direction that says most. Carried states: the main jump of each size (main_jump() in known.hpp),
/// the end of its branch. Otherwise a range may hold several transitions, and which of them is largest may change with
/// the size: the main jump of the largest crowd, and what the other sizes show of it.
JumpOfSizes over_sizes(const PhaseFindings& findings, Direction direction);

/// Of one jump: in each size the nearest of its direction with the same camps before and after (camps are not compared
/// where it is a mean over replicas, or no jump but smooth).
JumpOfSizes over_sizes(const PhaseFindings& findings, const FoundJump& jump);

/// Sizes without the jump are left out. Without any: NaN. One size: its own bracket, which says nothing of other sizes.
SizeLimit size_limit(const JumpOfSizes& jumps);

/// places: T(N) of ascending sizes; half_widths: of their brackets.
SizeLimit size_limit(const std::vector<Index>& sizes, const std::vector<double>& places,
                     const std::vector<double>& half_widths);

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
