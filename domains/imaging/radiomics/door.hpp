#pragma once
/// The command `fovea radiomics`: features of regions of images, as rows of CSV, and their check against references.

#include "fovea/core/lab/door.hpp"

namespace fovea::imaging::radiomics {

Door door();

}  // namespace fovea::imaging::radiomics
