#pragma once
/// What opinion.fit says of a single window of one run: whether anything moves, which of the rivals accounts for it,
/// and the estimates where they mean something.

#include <span>

#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/fit/window.hpp"

namespace fovea::opinion::fit {

/// Log likelihood that two more parameters must add: half the chi-square with 2 degrees of freedom at 95 %.
inline constexpr double kTwoMoreAtLevel = 5.99 / 2;

/// What accounts for the motion. Attention and a drift have 2 parameters each, both together 4; each is asked whether
/// it improves on the other alone by more than chance (likelihood ratio, chi-square with 2 degrees of freedom, 5 %).
enum class Account {
  none,       ///< neither improves on the frozen model
  either,     ///< each does as well as both: the data do not tell them apart
  attention,  ///< attention does as well as both, the drift does not
  drift,      ///< the drift does as well as both, attention does not
  both,       ///< each is needed beside the other
};

/// gains: log likelihood above that of the frozen model, in the order of kExplanations.
Account account_of(std::span<const double> gains);
Account account_of(double drift, double attention, double both);

/// Whether the estimates of T and s say something of influence: something moves, and attention is not idle beside a
/// drift. gains: empty where the rivals were not fitted.
bool tells_influence(bool moves, std::span<const double> gains);

/// Whose fit is drawn: what describes the window best; frozen where nothing moves. gains: as above.
Explanation drawn_explanation(bool moves, std::span<const double> gains, Explanation reported);

/// Verdict, headlines and the table of the rivals. has_truth: the crowd was simulated, and moves.
void conclude_one(Results& merged, bool has_truth);

}  // namespace fovea::opinion::fit
