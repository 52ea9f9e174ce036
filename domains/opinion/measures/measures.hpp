#pragma once
/// Measures of polarization of a crowd. Opinions are an N x D matrix, one row an agent. NaN where a measure is not
/// defined for the crowd at hand.

#include <vector>

#include "fovea/core/attention/attend.hpp"

namespace fovea::opinion::measures {

/// Mean square distance from the mean, for each component: sum_i |x_i - m|^2 / (N D). Range [0, inf).
/// Two equal camps at -1 and +1: 1. Uniform on [0, 1]: 1/12.
double variance(const Matrix<double>& opinions);

/// Below this spread, relative to the size of the opinions, the higher moments are made of rounding errors.
constexpr double kRoundingSpread = 1e-12;

/// The opinions along their leading principal axis, less the mean; for D = 1 the opinions less the mean.
/// The axis points so that its largest component is positive.
std::vector<double> principal_positions(const Matrix<double>& opinions);

/// Bimodality coefficient (skewness^2 + 1) / kurtosis of the positions along the principal axis, population moments
/// (Sarle; Pfister et al. 2013 without the small-sample correction). Range (0, 1]. Two equal points: 1; uniform: 5/9;
/// normal: 1/3. Above 5/9 it suggests two camps. NaN where all agree.
double bimodality(const Matrix<double>& opinions);

/// Length of the mean direction (Kuramoto's order parameter), of angles in radians or of unit vectors. Range [0, 1]: 1
/// one direction, 0 all directions alike.
double order(const Matrix<double>& opinions, bool angles);

/// Agents joined into camps: two agents belong together if a chain of agents leads from one to the other with no step
/// longer than the gap (single linkage). Camps are numbered by size, largest first; equal sizes by their first agent.
struct Camps {
  std::vector<Index> camp;             ///< of each agent; empty where nobody asks
  std::vector<Index> sizes;            ///< of each camp
  Matrix<double> centres;              ///< camps x D: mean opinion of each
  Index agents() const;                ///< in all camps
  Index at_least(double share) const;  ///< number of camps that hold at least this share of the agents
};
/// gap > 0. D = 1: O(N); D = 2, 3: O(N log N) while few agents are near without being in a camp; D > 3: O(N^2). Throws
/// ArgumentError for no agents or gap <= 0.
Camps find_camps(const Matrix<double>& opinions, double gap);

/// Esteban and Ray (1994, eq. 3) with K = 1:  sum_a sum_b pi_a^(1 + alpha) pi_b |y_a - y_b|  over camps with shares pi
/// and centres y. alpha in [0, 1.6], 1 and more for polarization, 0 the Gini index. Two equal camps at distance d:
/// 2 (1/2)^(2 + alpha) d; one camp: 0.
double esteban_ray(const Camps& camps, double alpha);

/// Distance between the centres of the two largest camps; 0 for one camp.
double camp_distance(const Camps& camps);

/// Distance between the centres of the two camps nearest to each other: those that merge first; 0 for one camp.
double nearest_camps(const Camps& camps);

/// Echo chamber index: (e - p) / (1 - p), e the share of attention that stays inside the camp of the one who attends,
/// mean over agents, p what it would be if everybody attended to all alike: the sum of squared shares of the camps. As
/// inbreeding homophily (Coleman 1958): 1 when nobody attends to another camp, 0 when camps do not matter and in one
/// camp, below 0 when other camps are preferred.
/// opinions: what the forward pass was computed for.
double echo_chamber_index(const Matrix<double>& opinions, const AttentionSpec<double>& spec,
                          const AttentionResult<double>& forward, const Camps& camps);

/// Agents in `groups` equal parts by their position along the principal axis, lowest first; ties by agent number.
std::vector<Index> rank_groups(const Matrix<double>& opinions, Index groups);

}  // namespace fovea::opinion::measures
