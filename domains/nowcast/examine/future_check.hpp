#pragma once
/// Whether anything in a nowcast was known only later.

#include "fovea/domains/nowcast/examine/answers.hpp"

namespace fovea::nowcast {

struct FutureCheck {
  Index drawn = 0;     ///< months
  Index compared = 0;  ///< nowcasts up to a drawn month, of its block
  Index changed = 0;   ///< of which a bit is another
};

/// Draws scored months. For each all values released and labels known later become noise, cases and folds are made
/// again, and the model of the month's block learns and is calibrated again, on earlier blocks' nowcasts, of which
/// those behind the month are noise. Its nowcasts up to the month must have the same bits.
FutureCheck check_future(const study::LearnedTask& task, const study::StudyOutcome& outcome, const ScoredMonths& scored,
                         const RecessionSettings& settings, Index months);

}  // namespace fovea::nowcast
