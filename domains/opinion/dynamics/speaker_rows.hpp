#pragma once
/// Compressed rows: whom each agent of a network hears, itself included.

#include <cstdint>
#include <vector>

#include "fovea/domains/opinion/society/graph.hpp"

namespace fovea::opinion::dynamics {

struct SpeakerRows {
  std::vector<Index> offsets;  ///< row i is [offsets[i], offsets[i + 1]), itself first
  std::vector<std::uint32_t> speakers;
  std::vector<double> weights;  ///< empty: all 1
};

/// self_weight: W_ii, where the graph has none of its own.
SpeakerRows speaker_rows(const society::Graph& graph, double self_weight);

}  // namespace fovea::opinion::dynamics
