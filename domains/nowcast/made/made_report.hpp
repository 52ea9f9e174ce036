#pragma once
/// Arrays, checks, figures and findings of what was learned of a simulated economy.

#include "fovea/core/data/results.hpp"
#include "fovea/core/study/report/study_outcome.hpp"
#include "fovea/domains/nowcast/made/made_found.hpp"

namespace fovea::nowcast::made {

/// The same question asked where one cause is hidden.
struct Hidden {
  std::string cause, follower;  ///< kinds; the follower has the same cause behind it, and no effect
  const Asked& asked;
};

/// Over `kind`: known and learned effect, delay and half-life; shares of events, of attention and of deletions in the
/// tested recession months, and of deletions where the cause is hidden. Over `kind` and `age`: known and learned
/// effect; of the follower alone, where its cause is known and where it is hidden. auroc and bayes_auroc of the tested
/// months; cause_first.
void report_made(const Asked& asked, const Hidden& hidden, Index window, const study::StudyOutcome& outcome,
                 Results& results);

}  // namespace fovea::nowcast::made
