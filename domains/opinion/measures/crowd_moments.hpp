#pragma once
/// The moments of opinions with one component, of which each rank holds its own agents.

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/ranks/ranks.hpp"

namespace fovea::opinion::measures {

struct CrowdMoments {
  double mean = 0;
  double variance = 0;    ///< as variance() has it
  double bimodality = 0;  ///< as bimodality() has it
};

/// opinions: N x 1, finite. Summed by blocks of kRankBlock agents: the bits do not depend on the numbers of ranks and
/// threads, and of one block they are those of the sums in order. No copy of the opinions is made.
CrowdMoments crowd_moments(const Matrix<double>& opinions, const Ranks& ranks);

}  // namespace fovea::opinion::measures
