#pragma once
/// Whether the data say how long a value stays informative, and within which limits.
///
/// The likelihood is that of decay_regression.hpp, all variables at once. For each variable:
///
///   Does it add anything?   S(s) = U^2 / V, the score statistic of its mean at speed s, all others fitted without it.
///                           Its largest value M over s has P(max S >= M) <= P(chi^2_1 >= M) + v exp(-M / 2) / sqrt(2
///                           pi), v the total variation of sqrt(S) over s, as no half-life exists without an effect
///                           (Davies 1987). Half-lives are claimed of variables whose false discovery rate over all
///                           variables is at most kFalseClaims (Benjamini & Hochberg 1995).
///   Which half-lives fit?   { s : 2 (loss(s) - least loss) <= q f },   loss(s) with all other parameters fitted again,
///                           half-lives of others included (profile likelihood: Wilks 1938; Venzon & Moolgavkar 1988);
///                           q the quantile of chi^2_1; f >= 1 the overdispersion of the score over groups (Royall &
///                           Tsou 2003)
///
/// Where s = 0 is among them the half-life is open upwards: the data fit a plain mean as well. The profile is walked
/// over the whole range of s from the best of two starts far apart, and a maximum that is found on the way is the new
/// start.

#include <vector>

#include "fovea/domains/ehr/decay/kernels/decay_regression.hpp"

namespace fovea::ehr::decay {

/// What is known of a variable's half-life. Only `learned` is a claim.
enum class HalfLifeClaim {
  learned,        ///< bounded, or open at one end
  adds_nothing,   ///< no effect can be shown at any half-life
  any_fits,       ///< it adds, but the interval holds every half-life
  older_count,    ///< it adds, and older values more than newer ones: no half-life describes that
  several,        ///< half-lives fit that are apart, and between them none does: no interval describes that
  too_few_cases,  ///< too few outcomes for so many variables: it was not examined
  undated,        ///< cases have no two values of it
};

struct ProfiledHalfLife {
  HalfLifeClaim claim = HalfLifeClaim::undated;
  double likely = 0, low = 0, high = 0;  ///< NaN unless learned; likely and high may be infinite, low 0
  double discovery = 0;                  ///< false discovery rate at which it adds something; NaN: not examined
};

inline constexpr double kFalseClaims = 0.05;
/// Outcomes of the rarer kind for each parameter: below 5, intervals of logistic regression hold too seldom
/// (Vittinghoff & McCulloch 2007). The variables with the largest scores alone are kept, of the others nothing is
/// claimed.
inline constexpr double kOutcomesPerParameter = 5;

/// One a variable of the data, in the unit of the ages. level: in (0, 1), of the intervals. smallest: cases that must
/// have two values of a variable.
std::vector<ProfiledHalfLife> profiled_half_lives(const DecayData& data, double level, Index smallest = 1);

}  // namespace fovea::ehr::decay
