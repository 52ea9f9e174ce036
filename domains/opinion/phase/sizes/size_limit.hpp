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

}  // namespace fovea::opinion::phase
