#pragma once
/// The features of the manual by family: their tags, in the order of the initiative's reference table, and their
/// values.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/domains/imaging/radiomics/region.hpp"

namespace fovea::imaging::radiomics {

/// How matrices of slices and directions become one value (manual, 3.6).
struct Variant {
  enum Place { whole, slice, slices, volume };  ///< without matrices; by slice; merged over the slices; in the volume
  std::string_view suffix;                      ///< "_2D_avg"
  Place place = whole;
  bool averages = false;  ///< a matrix for each direction; else the directions are merged
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
  std::string_view features;      ///< their names, with blanks between
  std::span<const Variant> variants;
  std::vector<double> (*values)(const Region& region, const Variant& variant);  ///< as many as features
};

/// In the order of the reference table.
std::span<const Family> families();

/// All features of a region with at least one voxel in each mask.
std::vector<Feature> features(const Region& region, const Dimensions& dimensions = {});

}  // namespace fovea::imaging::radiomics
