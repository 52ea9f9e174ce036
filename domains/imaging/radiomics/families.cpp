#include "fovea/domains/imaging/radiomics/families.hpp"

#include <array>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/domains/imaging/radiomics/intensities.hpp"
#include "fovea/domains/imaging/radiomics/kernels/textures.hpp"
#include "fovea/domains/imaging/radiomics/morphology.hpp"

namespace fovea::imaging::radiomics {

namespace {

using Names = std::string_view;

constexpr std::array kWhole{Variant::whole};
constexpr std::array kDirections{Variant::slice_average, Variant::slice_merged,   Variant::slices_average,
                                 Variant::slices_merged, Variant::volume_average, Variant::volume_merged};
constexpr std::array kPlaces{Variant::slice, Variant::slices, Variant::volume};

constexpr std::array<Names, 25> kMorphology{"volume",
                                            "vol_approx",
                                            "area_mesh",
                                            "av",
                                            "comp_1",
                                            "comp_2",
                                            "sph_dispr",
                                            "sphericity",
                                            "asphericity",
                                            "com",
                                            "diam",
                                            "pca_maj_axis",
                                            "pca_min_axis",
                                            "pca_least_axis",
                                            "pca_elongation",
                                            "pca_flatness",
                                            "vol_dens_aabb",
                                            "area_dens_aabb",
                                            "vol_dens_aee",
                                            "area_dens_aee",
                                            "vol_dens_conv_hull",
                                            "area_dens_conv_hull",
                                            "integ_int",
                                            "moran_i",
                                            "geary_c"};
constexpr std::array<Names, 2> kLocal{"peak_loc", "peak_glob"};
constexpr std::array<Names, 18> kStatistics{"mean", "var",   "skew", "kurt", "median", "min", "p10",  "p90",    "max",
                                            "iqr",  "range", "mad",  "rmad", "medad",  "cov", "qcod", "energy", "rms"};
constexpr std::array<Names, 23> kHistogram{"mean",       "var",      "skew",       "kurt",     "median",    "min",
                                           "p10",        "p90",      "max",        "mode",     "iqr",       "range",
                                           "mad",        "rmad",     "medad",      "cov",      "qcod",      "entropy",
                                           "uniformity", "max_grad", "max_grad_g", "min_grad", "min_grad_g"};
constexpr std::array<Names, 6> kVolumeHistogram{"v10", "v90", "i10", "i90", "diff_v10_v90", "diff_i10_i90"};
constexpr std::array<Names, 25> kCoOccurrence{
    "joint_max",     "joint_avg",    "joint_var",         "joint_entr", "diff_avg", "diff_var",      "diff_entr",
    "sum_avg",       "sum_var",      "sum_entr",          "energy",     "contrast", "dissimilarity", "inv_diff",
    "inv_diff_norm", "inv_diff_mom", "inv_diff_mom_norm", "inv_var",    "corr",     "auto_corr",     "clust_tend",
    "clust_shade",   "clust_prom",   "info_corr1",        "info_corr2"};
constexpr std::array<Names, 16> kRunLength{"sre",    "lre",    "lgre",   "hgre",      "srlge", "srhge",
                                           "lrlge",  "lrhge",  "glnu",   "glnu_norm", "rlnu",  "rlnu_norm",
                                           "r_perc", "gl_var", "rl_var", "rl_entr"};
constexpr std::array<Names, 16> kSizeZone{"sze",    "lze",    "lgze",   "hgze",      "szlge", "szhge",
                                          "lzlge",  "lzhge",  "glnu",   "glnu_norm", "zsnu",  "zsnu_norm",
                                          "z_perc", "gl_var", "zs_var", "zs_entr"};
constexpr std::array<Names, 16> kDistanceZone{"sde",    "lde",    "lgze",   "hgze",      "sdlge", "sdhge",
                                              "ldlge",  "ldhge",  "glnu",   "glnu_norm", "zdnu",  "zdnu_norm",
                                              "z_perc", "gl_var", "zd_var", "zd_entr"};
constexpr std::array<Names, 5> kToneDifference{"coarseness", "contrast", "busyness", "complexity", "strength"};
constexpr std::array<Names, 17> kDependence{"lde",     "hde",    "lgce",   "hgce",      "ldlge",    "ldhge",
                                            "hdlge",   "hdhge",  "glnu",   "glnu_norm", "dcnu",     "dcnu_norm",
                                            "dc_perc", "gl_var", "dc_var", "dc_entr",   "dc_energy"};

constexpr std::array kFamilies{
    Family{"morph", "morphology", kMorphology, kWhole, &morphology},
    Family{"loc", "local intensity", kLocal, kWhole, &local_intensity},
    Family{"stat", "intensity statistics", kStatistics, kWhole, &intensity_statistics},
    Family{"ih", "intensity histogram", kHistogram, kWhole, &intensity_histogram},
    Family{"ivh", "intensity-volume histogram", kVolumeHistogram, kWhole, &volume_histogram},
    Family{"cm", "grey level co-occurrence", kCoOccurrence, kDirections, &co_occurrence},
    Family{"rlm", "grey level run length", kRunLength, kDirections, &run_length},
    Family{"szm", "grey level size zone", kSizeZone, kPlaces, &size_zone},
    Family{"dzm", "grey level distance zone", kDistanceZone, kPlaces, &distance_zone},
    Family{"ngt", "neighbourhood grey tone difference", kToneDifference, kPlaces, &tone_difference},
    Family{"ngl", "neighbouring grey level dependence", kDependence, kPlaces, &dependence}};

bool asked_for(Variant variant, const Dimensions& dimensions) {
  switch (variant) {
    case Variant::whole:
      return true;
    case Variant::slice:
    case Variant::slice_average:
    case Variant::slice_merged:
      return dimensions.slice;
    case Variant::slices:
    case Variant::slices_average:
    case Variant::slices_merged:
      return dimensions.slices;
    default:
      return dimensions.volume;
  }
}

struct Part {
  const Family* family;
  Variant variant;
  std::vector<double> values;
};

}  // namespace

std::span<const Family> families() { return kFamilies; }

std::string_view suffix(Variant variant) {
  switch (variant) {
    case Variant::whole:
      return "";
    case Variant::slice:
      return "_2D";
    case Variant::slice_average:
      return "_2D_avg";
    case Variant::slice_merged:
      return "_2D_comb";
    case Variant::slices:
      return "_2_5D";
    case Variant::slices_average:
      return "_2_5D_avg";
    case Variant::slices_merged:
      return "_2_5D_comb";
    case Variant::volume:
      return "_3D";
    case Variant::volume_average:
      return "_3D_avg";
    case Variant::volume_merged:
      return "_3D_comb";
  }
  return "";
}

std::vector<Feature> features(const Region& region, const Dimensions& dimensions) {
  require(!region.voxels.empty(), "features: the intensity mask has no voxel; it must have at least one.");
  std::vector<Part> parts;
  for (const Family& family : kFamilies)
    for (const Variant variant : family.variants)
      if (asked_for(variant, dimensions)) parts.push_back({&family, variant, {}});
  for_each_task(static_cast<Index>(parts.size()), region.voxels.size() > 1000, [&](Index k) {
    Part& part = parts[static_cast<std::size_t>(k)];
    part.values = part.family->values(region, part.variant);
  });
  std::vector<Feature> all;
  for (const Part& part : parts)
    for (std::size_t k = 0; k < part.family->names.size(); ++k)
      all.push_back({concat(part.family->prefix, '_', part.family->names[k], suffix(part.variant)), part.values[k]});
  return all;
}

}  // namespace fovea::imaging::radiomics
