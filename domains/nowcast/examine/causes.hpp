#pragma once
/// What made each nowcast: its columns and events by what the probability would be without them.

#include <string>
#include <vector>

#include "fovea/domains/nowcast/examine/answers.hpp"

namespace fovea::nowcast {

inline constexpr Index kCausesShown = 10;

/// A column or an event of a month.
struct Cause {
  std::string name;        ///< of its class; empty: the month has fewer
  std::string released;    ///< YYYY-MM
  double weight = kNan;    ///< of attention, mean over heads and members; NaN of a column
  double gradient = kNan;  ///< gradient x input, log-odds
  double deletion = kNan;  ///< log-odds that go with it where it is taken out
  double without = kNan;   ///< the probability without it
};

/// Of a scored month: the kCausesShown of largest deletion, ascending in rank.
struct MonthCauses {
  std::vector<Cause> causes;
  double logit = kNan;       ///< mean over members, before calibration
  double sum_deletions = 0;  ///< of all causes that were deleted
};

/// Of every scored month. Deleted are all its columns, and of its events the twelve of largest gradient x input.
std::vector<MonthCauses> causes_of(const study::StudyOutcome& outcome, const ScoredMonths& scored);

/// A sentence on a month: from what to what the probability went since the month before (NaN: there is none), and what
/// it would be without up to three causes, each named only if taking it out moves the probability by kNamed or more
/// against the change (where it hardly changed, towards .5).
std::string story_of(Index month, double before, double now, const std::vector<Cause>& causes);
inline constexpr double kNamed = 0.02;

}  // namespace fovea::nowcast
