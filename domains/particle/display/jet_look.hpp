#pragma once
/// What the members of an ensemble of taggers look at in one jet.

#include <vector>

#include "fovea/core/study/ensemble/fitting.hpp"

namespace fovea::particle::display {

/// Numbers of the constituents, means over the members.
struct JetLook {
  std::vector<double> attention;  ///< of the class token, shares of what all constituents get; empty without one
  std::vector<double> gradient;   ///< gradient x input of the logit
  std::vector<double> deletion;   ///< the logit less that without the constituent; NaN where it is the only one. The
                                  ///< inputs of the others stay as they are. Empty for more than 400 constituents
  Matrix<double> weights;         ///< query x key in the first block, mean over its heads; no rows without blocks
};

/// inputs: prepared() of the cases; the members are taggers of a target of two classes.
JetLook look_at(const std::vector<study::Member>& members, const study::Target& target, const study::Cases& cases,
                const Matrix<float>& inputs, Index jet);

struct Edge {
  Index query = 0, key = 0;
  double weight = 0;
};

/// From each query to the `each` keys other than itself that have the largest weights above 0: query after query, by
/// falling weight, equal ones by number.
std::vector<Edge> strongest_edges(const Matrix<double>& weights, Index each);

}  // namespace fovea::particle::display
