#include "fovea/domains/imaging/radiomics/families.hpp"

#include <sstream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/domains/imaging/radiomics/intensities.hpp"
#include "fovea/domains/imaging/radiomics/kernels/textures.hpp"
#include "fovea/domains/imaging/radiomics/morphology.hpp"

namespace fovea::imaging::radiomics {

namespace {

constexpr std::array kWhole{Variant{""}};
constexpr std::array kDirections{Variant{"_2D_avg", Variant::slice, true},    Variant{"_2D_comb", Variant::slice},
                                 Variant{"_2_5D_avg", Variant::slices, true}, Variant{"_2_5D_comb", Variant::slices},
                                 Variant{"_3D_avg", Variant::volume, true},   Variant{"_3D_comb", Variant::volume}};
constexpr std::array kPlaces{Variant{"_2D", Variant::slice}, Variant{"_2_5D", Variant::slices},
                             Variant{"_3D", Variant::volume}};

constexpr std::array kFamilies{
    Family{"morph", "morphology",
           "volume vol_approx area_mesh av comp_1 comp_2 sph_dispr sphericity asphericity com diam pca_maj_axis "
           "pca_min_axis pca_least_axis pca_elongation pca_flatness vol_dens_aabb area_dens_aabb vol_dens_aee "
           "area_dens_aee vol_dens_conv_hull area_dens_conv_hull integ_int moran_i geary_c",
           kWhole, &morphology},
    Family{"loc", "local intensity", "peak_loc peak_glob", kWhole, &local_intensity},
    Family{"stat", "intensity statistics",
           "mean var skew kurt median min p10 p90 max iqr range mad rmad medad cov qcod energy rms", kWhole,
           &intensity_statistics},
    Family{
        "ih", "intensity histogram",
        "mean var skew kurt median min p10 p90 max mode iqr range mad rmad medad cov qcod entropy uniformity max_grad "
        "max_grad_g min_grad min_grad_g",
        kWhole, &intensity_histogram},
    Family{"ivh", "intensity-volume histogram", "v10 v90 i10 i90 diff_v10_v90 diff_i10_i90", kWhole, &volume_histogram},
    Family{
        "cm", "grey level co-occurrence",
        "joint_max joint_avg joint_var joint_entr diff_avg diff_var diff_entr sum_avg sum_var sum_entr energy contrast "
        "dissimilarity inv_diff inv_diff_norm inv_diff_mom inv_diff_mom_norm inv_var corr auto_corr clust_tend "
        "clust_shade clust_prom info_corr1 info_corr2",
        kDirections, &co_occurrence},
    Family{"rlm", "grey level run length",
           "sre lre lgre hgre srlge srhge lrlge lrhge glnu glnu_norm rlnu rlnu_norm r_perc gl_var rl_var rl_entr",
           kDirections, &run_length},
    Family{"szm", "grey level size zone",
           "sze lze lgze hgze szlge szhge lzlge lzhge glnu glnu_norm zsnu zsnu_norm z_perc gl_var zs_var zs_entr",
           kPlaces, &size_zone},
    Family{"dzm", "grey level distance zone",
           "sde lde lgze hgze sdlge sdhge ldlge ldhge glnu glnu_norm zdnu zdnu_norm z_perc gl_var zd_var zd_entr",
           kPlaces, &distance_zone},
    Family{"ngt", "neighbourhood grey tone difference", "coarseness contrast busyness complexity strength", kPlaces,
           &tone_difference},
    Family{"ngl", "neighbouring grey level dependence",
           "lde hde lgce hgce ldlge ldhge hdlge hdhge glnu glnu_norm dcnu dcnu_norm dc_perc gl_var dc_var dc_entr "
           "dc_energy",
           kPlaces, &dependence}};

bool asked_for(const Variant& variant, const Dimensions& dimensions) {
  return variant.place == Variant::whole || (variant.place == Variant::slice && dimensions.slice) ||
         (variant.place == Variant::slices && dimensions.slices) ||
         (variant.place == Variant::volume && dimensions.volume);
}

struct Part {
  const Family* family;
  const Variant* variant;
  std::vector<double> values;
};

}  // namespace

std::span<const Family> families() { return kFamilies; }

std::vector<Feature> features(const Region& region, const Dimensions& dimensions) {
  require(!region.voxels.empty(), "features: the intensity mask has no voxel; it must have at least one.");
  std::vector<Part> parts;
  for (const Family& family : kFamilies)
    for (const Variant& variant : family.variants)
      if (asked_for(variant, dimensions)) parts.push_back({&family, &variant, {}});
  for_each_task(static_cast<Index>(parts.size()), region.voxels.size() > 1000, [&](Index k) {
    Part& part = parts[static_cast<std::size_t>(k)];
    part.values = part.family->values(region, *part.variant);
  });
  std::vector<Feature> all;
  for (const auto& [family, variant, values] : parts) {
    std::istringstream names{std::string(family->features)};
    std::string name;
    for (std::size_t k = 0; names >> name; ++k)
      all.push_back({concat(family->prefix, '_', name, variant->suffix), values[k]});
  }
  return all;
}

}  // namespace fovea::imaging::radiomics
