#pragma once
/// The tests of one kind of effect: what was tested, what may count, and which of it does.

#include <functional>
#include <vector>

#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::further {

/// 2 e^3 / 9: for sums of any numbers whose signs are independent and even, the tails of the self-normalised sum, and
/// of the length of a vector of such sums, exceed those of the normal and of chi by at most this factor (Pinelis 1994).
inline constexpr double kSignBound = 4.4634529843916125;

struct Family {
  std::vector<methods::Link> candidates;  ///< whose p-value is at most the level, each with kind, strength, statistic
  Index tested = 0;                       ///< candidates and all others
};

/// Two-sided p-value of sum / sqrt(squares), by Pinelis's bound; 1 where there are no squares.
double self_normalised_p(double sum, double squares);

/// 1 for independent products in time; more where neighbours within `reach` rows are correlated (Newey & West 1987).
double variance_inflation(const Vector<double>& products, Index reach);

/// What the level lets count (Benjamini & Hochberg 1995 over all that were tested), without echoes: of each effect the
/// surest candidate is accepted and handed to remove(); what is then left of the others, retest(), must still pass.
/// By effect, then in the order of acceptance.
std::vector<methods::Link> without_echoes(const Family& family, double level,
                                          const std::function<void(const methods::Link&)>& remove,
                                          const std::function<double(const methods::Link&)>& retest);

}  // namespace fovea::lag::further
