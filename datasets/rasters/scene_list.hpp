#pragma once
/// The list of scenes: CSV with the columns scene,s1,s2[,labels][,split][,mask], the cells behind the first being paths
/// of GeoTIFFs relative to the list. An empty cell: this sensor, or this map, is not there.

#include <string>
#include <vector>

namespace fovea::datasets::rasters {

struct SceneEntry {
  std::string name;                         ///< of the scene, and of the files that are made of it
  std::string s1, s2, labels, split, mask;  ///< paths; "" if there is none
};

/// Throws DataError FILE:row N, column 'x': for columns that are unknown or missing, a name that is empty, given twice
/// or no name of a file, a scene without any sensor, a file that is not there; StorageError if the list cannot be read.
std::vector<SceneEntry> read_scene_list(const std::string& path);

}  // namespace fovea::datasets::rasters
