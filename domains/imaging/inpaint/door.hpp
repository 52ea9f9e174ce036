#pragma once
/// `fovea inpaint IMAGE`: the image with its holes filled.

#include <optional>
#include <string>
#include <vector>

#include "fovea/core/lab/door.hpp"
#include "fovea/datasets/images/images.hpp"
#include "fovea/domains/imaging/inpaint/inpaint.hpp"

namespace fovea::imaging::inpaint {

/// Numbers outside are set to the nearer end before an image is filled.
struct Window {
  double low = 0, high = 0;
};

/// The files of a picture; holes "": its NaN voxels.
struct PictureFiles {
  std::string image, holes;
  std::vector<std::string> contexts;
  std::optional<double> label;
  std::optional<Window> window;
};

struct ReadPicture {
  datasets::images::Volume image;  ///< as the file has it
  Picture picture;
  std::vector<std::string> notes;
};

/// Throws DataError: no hole where there must be one, nothing but holes, values that are not finite outside of them.
ReadPicture read_picture(const PictureFiles& files, bool needs_hole = true);

Door door();

}  // namespace fovea::imaging::inpaint
