#pragma once
/// How good the answers are: over all scored months, and around each recession.

#include <optional>
#include <vector>

#include "fovea/core/statistics/bootstrap.hpp"
#include "fovea/domains/nowcast/examine/answers.hpp"

namespace fovea::nowcast {

/// A value with its 95 % interval by drawing recessions, each with the months nearest to it; without one where there
/// are fewer than two.
struct Drawn {
  double value = kNan, low = kNan, high = kNan;
};

/// Scores of one answer over the months that all probabilities answer.
struct Standing {
  std::string name;
  Drawn auroc, average_precision, brier, log_loss;
  double calibration_error = kNan;  ///< expected, 10 bins
  Index false_months = 0;           ///< called, but not in recession
  Drawn less_brier;                 ///< its Brier score less ours; above 0: ours is better
  bool tie = false;  ///< the interval of the difference holds 0, is of too few recessions, or there is none
};

std::vector<Standing> standings(const ScoredMonths& scored, const Random& random);

/// One recession of the scored months.
struct AroundEpisode {
  Index first = 0, last = 0;           ///< months
  std::vector<double> auroc;           ///< of each answer, within kAround months; NaN: not defined
  std::vector<double> months_to_call;  ///< from the first month until it calls; NaN: not within a year of its end
};
std::vector<AroundEpisode> around_episodes(const ScoredMonths& scored);

}  // namespace fovea::nowcast
