#pragma once
/// The features of the manual by family: their tags, in the order of the initiative's reference table, and their
/// values.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/domains/imaging/radiomics/region.hpp"

namespace fovea::imaging::radiomics {

/// How matrices of slices and directions become one value (manual, 3.6): by slice ("2D"), merged over the slices
/// ("2_5D") or in the volume; averaged over the directions or merged.
enum class Variant {
  whole,  ///< a family without matrices
  slice,
  slice_average,
  slice_merged,
  slices,
  slices_average,
  slices_merged,
  volume,
  volume_average,
  volume_merged
};

/// Which variants are asked for.
struct Dimensions {
  bool slice = true, slices = true, volume = true;  ///< 2D, 2_5D, 3D
};

struct Feature {
  std::string tag;  ///< "cm_contrast_3D_avg"
  double value;     ///< NaN where the definition has no value, such as the skewness of equal intensities
};

struct Family {
  std::string_view prefix, name;  ///< "cm", "grey level co-occurrence"
  std::span<const std::string_view> names;
  std::span<const Variant> variants;
  std::vector<double> (*values)(const Region& region, Variant variant);  ///< as many as names
};

/// In the order of the reference table.
std::span<const Family> families();

/// The suffix of a variant: "_2D_avg", or nothing.
std::string_view suffix(Variant variant);

/// All features of a region with at least one voxel in each mask.
std::vector<Feature> features(const Region& region, const Dimensions& dimensions = {});

}  // namespace fovea::imaging::radiomics
