#pragma once
/// Whether anything moves at all: a test that knows no model, and so no model can mislead it.

#include "fovea/core/base/random.hpp"
#include "fovea/domains/opinion/fit/window.hpp"

namespace fovea::opinion::fit {

/// p at or below which "something moves" is claimed. The question is asked of every window, so it is not 5 %.
inline constexpr double kMovesLevel = 0.01;

/// p of the hypothesis that the samples of all waves have one distribution.
///
/// Answers become mid-ranks among all of them, these the first four Legendre polynomials, whitened over all answers
/// (fewer where there are fewer different answers). With m_tj the weighted mean of polynomial j in wave t of T,
/// N_t = (sum w)^2 / sum w^2, and m_j the mean over all waves,
///   S = sum_j [ sum_t N_t (m_tj - m_j)^2 / (T - 1)  +  (sum_t N_t u_t (m_tj - m_j))^2 / sum_t N_t u_t^2 ] / v_j,
/// u_t the centred time, v_j the variance of polynomial j within persons (all of it for those who answered once): any
/// difference between waves counts, and a trend counts twice. p is the share of permutations whose S is at least as
/// large. If nothing moves, persons are drawn alike, and a person's answers are alike whenever asked; so those with the
/// same number of answers exchange them all, with their weights, and each exchanges his own. Hence P(p <= a) <= a for
/// any distribution, grid, heaping, weights and any part of persons asked again. Stops after 20 permutations that reach
/// S (Besag and Clifford 1991), at the latest after `permutations`: the least p is 1 / (permutations + 1). 1 where all
/// answers agree.
double unchanging_p(const WindowSample& sample, std::span<const double> times, int permutations, const Random& random);

}  // namespace fovea::opinion::fit
