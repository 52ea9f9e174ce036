#pragma once
/// How well patches of one sensor are found by those of the other, and the page about it.

#include "fovea/core/data/results.hpp"
#include "fovea/domains/fusion/match/match_model.hpp"

namespace fovea::fusion::match {

/// The patches that are examined, side by side.
struct ExaminedPatches {
  std::vector<std::size_t> scenes;
  std::vector<Index> pixels;
  std::vector<Index> blocks;  ///< groups of neighbours, for intervals
  Matrix<float> s1, s2;       ///< embeddings
};
ExaminedPatches examine_patches(const MatchModel& model, const std::vector<PairScene>& scenes, Index block);

/// recall over "places" (1, 5, 10), both ways, with intervals; a picture of queries with their best five.
void report_retrieval(const ExaminedPatches& patches, const std::vector<PairScene>& scenes, const MatchPlan& plan,
                      const Random& random, Results& results);

}  // namespace fovea::fusion::match
