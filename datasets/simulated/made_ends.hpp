#pragma once
/// Ends of made records with known hazards: when each ends, how, and who is lost before.
///
///   z = log odds of the record's risk less their mean,  h_k = exp(a_k + b_k z) / (1 + sum_l exp(a_l + b_l z))
///
/// h_k: end k comes within an interval, if none came before; the same in each interval. Within it, it comes at a
/// uniform time. Lost: at an exponential time with this rate.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::datasets::simulated {

struct EndsPlan {
  std::vector<double> edges{0, 1, 2, 3, 4, 5};  ///< T + 1 rising, from 0
  std::vector<double> rates{-3.2, -3.6};        ///< a_k of each end
  std::vector<double> slopes{1, 0.3};           ///< b_k, as many
  double lost = 0.06;                           ///< per unit of time, >= 0
};

struct MadeEnds {
  std::vector<double> times;  ///< a record: until its end, or until it was lost or the last edge passed
  std::vector<double> ends;   ///< 0: none was seen, 1 .. K
  Matrix<double> incidence;   ///< records x T K: the known F_k(t), column t K + k - 1
};

/// risks: in (0, 1), one a record. Throws ArgumentError.
MadeEnds made_ends(std::span<const double> risks, const EndsPlan& plan, const Random& random);

}  // namespace fovea::datasets::simulated
