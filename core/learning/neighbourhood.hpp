#pragma once
/// Which tokens are near which: found once a pass, for all layers and heads.

#include <memory>

#include "fovea/core/attention/modifier.hpp"
#include "fovea/core/learning/tokens.hpp"

namespace fovea::learning {

/// Exactly one of radius and nearest is above 0.
struct Neighbourhood {
  double radius = 0;              ///< a token sees those at this distance or nearer
  Index nearest = 0;              ///< a token sees so many, itself included: the nearest; of equals the lowest rows
  bool class_tokens_seen = true;  ///< whether all tokens see the class tokens of their set
};

/// The lists of queries and keys, by their coordinates and the keys' periods, within each set (distances:
/// CheckedCoordinates). A token sees itself always, also among more than `nearest` at its place; class tokens see all
/// and count as nobody's neighbour. O(N log N) for few dimensions. The same thread finds the lists of its last few
/// searches again by comparing coordinates. Throws ArgumentError where a token has no coordinates.
std::shared_ptr<const NeighbourLists> neighbours_of(const Tokens& queries, const Tokens& keys,
                                                    const Neighbourhood& neighbourhood);
/// Of tokens among themselves.
inline std::shared_ptr<const NeighbourLists> neighbours_of(const Tokens& tokens, const Neighbourhood& neighbourhood) {
  return neighbours_of(tokens, tokens, neighbourhood);
}

}  // namespace fovea::learning
