#pragma once
/// Where a jump lies for infinitely many agents, and how well the sizes know it.

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
  bool converges = false;     ///< the changes shrink with b >= 1/4, or are smaller than the brackets
  std::vector<Index> sizes;   ///< those that have the jump, ascending
};

/// The main jump of a direction (main_jump() in known.hpp) over the sizes. Without one: NaN. One size: its own bracket,
/// which says nothing of other sizes.
SizeLimit size_limit(const PhaseFindings& findings, Direction direction);

/// Of one jump: in each size that in its direction, with the same camps before and after, which is nearest to it.
SizeLimit size_limit(const PhaseFindings& findings, const FoundJump& jump);

/// places: T(N) of ascending sizes; half_widths: of their brackets.
SizeLimit size_limit(const std::vector<Index>& sizes, const std::vector<double>& places,
                     const std::vector<double>& half_widths);

}  // namespace fovea::opinion::phase
