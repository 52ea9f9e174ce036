#pragma once
/// The digital phantom of the image biomarker standardisation initiative and its reference values (tests/golden/ibsi1).

#include "fovea/datasets/images/images.hpp"
#include "fovea/domains/imaging/radiomics/processing.hpp"

namespace fovea::imaging::radiomics {

inline const std::string kPhantomFolder = FOVEA_SOURCE_DIR "/tests/golden/ibsi1/";

inline Region phantom() {
  const auto image = datasets::images::read_volume(kPhantomFolder + "phantom.nii.gz");
  const auto mask = datasets::images::read_mask(kPhantomFolder + "mask.nii.gz");
  return processed(image, mask, *preset("none"));
}

}  // namespace fovea::imaging::radiomics
