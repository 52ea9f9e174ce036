#pragma once
/// What a learned space says of scenes, as a file.

#include <string>
#include <vector>

#include "fovea/domains/fusion/match/match_model.hpp"

namespace fovea::fusion::match {

/// Writes the embeddings of the patches of 16 x 16 pixels of each scene of a list, those side by side from the upper
/// left: embedding_s1, embedding_s2 [patch, d] (those sensors that some scene has; NaN where a pixel of the patch is
/// not seen), row, column of the upper left pixel, scene. Scenes are read in strips. Returns sentences about the
/// scenes. Throws DataError, StorageError.
std::vector<std::string> write_embeddings(const MatchModel& model, const std::string& list, const std::string& output);

}  // namespace fovea::fusion::match
