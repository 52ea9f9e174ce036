#pragma once
/// The blocks of a question, at the first row of which a peer learns anew.

#include "fovea/domains/nowcast/peers/peers.hpp"

namespace fovea::nowcast::peers {

struct Block {
  Index begin = 0, end = 0;
};

std::vector<Block> blocks_of(const PeerQuestion& question);

/// Throws ArgumentError where shapes do not fit or a value is out of range.
void check_question(const PeerQuestion& question);

}  // namespace fovea::nowcast::peers
