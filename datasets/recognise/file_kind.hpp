#pragma once
/// What a file holds, by its first bytes and the names of its columns: for messages to whoever brought it to the wrong
/// reader, and for `fovea inspect`. Formats that nobody reads are named by text/file_format.hpp.

#include <string>

namespace fovea::datasets {

enum class FileKind {
  unknown,
  config,  ///< of an experiment
  edges,   ///< a table of edges: source and target, or from and to
  events,  ///< dated events of stays or patients: columns of stays and times
  graph,   ///< GraphML, GEXF, GML or Pajek
  image,   ///< NIfTI, NRRD, PNG or DICOM
  raster,  ///< TIFF
  scenes,  ///< a list of scenes of two sensors: scene, and files in s1 or s2
  series,  ///< times that ascend, and numbers beside them; or series, t and y
  survey,  ///< answers: columns of waves or respondents, or q1, q2, ...
  table,   ///< any other text with named columns
};

/// A guess; never throws. A folder and a file that cannot be read are unknown.
FileKind kind_of_file(const std::string& path) noexcept;
/// The same, but throws DataError for a table whose header or rows cannot be read.
FileKind kind_or_fault(const std::string& path);

}  // namespace fovea::datasets
