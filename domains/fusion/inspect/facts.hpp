#pragma once
/// What images hold, as a tree of names and texts.

#include <string>
#include <utility>
#include <vector>

#include "fovea/core/base/json_text.hpp"

namespace fovea::fusion::inspect {

/// What one scene, file or stack holds.
struct ImageFacts {
  std::string name;
  std::vector<std::pair<std::string, std::string>> lines;  ///< "s1" and a text
  std::vector<std::string> notes;                          ///< assumed, left out, not possible
};

bool is_stack(const std::string& path);  ///< HDF5 or netCDF-4 with images of one of the sensors; never throws

/// Each reads its file to the end, in windows. Throws DataError.
std::vector<ImageFacts> facts_of_scenes(const std::string& list);
ImageFacts facts_of_geotiff(const std::string& path);
ImageFacts facts_of_stack(const std::string& path);

}  // namespace fovea::fusion::inspect
