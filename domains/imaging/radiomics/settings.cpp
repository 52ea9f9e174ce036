#include "fovea/domains/imaging/radiomics/settings.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::imaging::radiomics {

namespace {

struct Preset {
  std::string_view name;
  Settings settings;
};

const std::vector<Preset>& presets() {
  using enum Interpolation;
  using enum BinKind;
  const std::vector<double> cube{2, 2, 2}, soft{-500, 400}, all{-1000, 400};
  const std::vector<std::string> slices{"2D", "2_5D"}, volume{"3D"};
  const Bins plain{as_is, 25, 32};
  static const std::vector<Preset> table{
      {"none", {{}, linear, linear, false, {}, 0, plain, plain}},
      {"ibsi_a", {{}, linear, linear, false, soft, 0, {width, 25, 32}, plain, slices}},
      {"ibsi_b", {{2, 2, 0}, linear, linear, true, soft, 0, {number, 25, 32}, plain, slices}},
      {"ibsi_c", {cube, linear, linear, true, all, 0, {width, 25, 32}, {width, 2.5, 32}, volume}},
      {"ibsi_d", {cube, linear, linear, true, {}, 3, {number, 25, 32}, plain, volume}},
      {"ibsi_e", {cube, cubic, linear, true, all, 3, {number, 25, 32}, {number, 25, 1000}, volume}}};
  return table;
}

bool names_texture(const Settings& settings, std::string_view name) {
  return std::find(settings.textures.begin(), settings.textures.end(), name) != settings.textures.end();
}

}  // namespace

Dimensions Settings::dimensions() const {
  return {names_texture(*this, "2D"), names_texture(*this, "2_5D"), names_texture(*this, "3D")};
}

const Keys<Settings>& settings_keys() {
  static const KeyWords<BinKind> kinds{
      {"as_is", BinKind::as_is}, {"width", BinKind::width}, {"number", BinKind::number}};
  static const auto bins = [](Bins Settings::*which, auto Bins::*member) { return inside(which, member); };
  static const auto keys =
      Keys<Settings>()
          .key("spacing", &Settings::spacing, Range::at_least(0), "mm",
               "new distances of voxels along x, y and z; 0: as in the image; []: all three")
          .choice("image_interpolation", &Settings::image,
                  {{"linear", Interpolation::linear}, {"cubic", Interpolation::cubic}},
                  "of intensities: trilinear or by cubic B-splines")
          .choice("mask_interpolation", &Settings::mask,
                  {{"nearest", Interpolation::nearest}, {"linear", Interpolation::linear}},
                  "of the mask, which is there where 0.5 is reached")
          .key("round", &Settings::round, "interpolated intensities become whole numbers")
          .key("range", &Settings::range, Range::any(), "", "the lowest and the highest intensity; []: all")
          .key("outlier_sd", &Settings::outlier_sd, Range::at_least(0), "sd",
               "intensities further from the mean are left out; 0: none")
          .choice("levels.kind", bins(&Settings::levels, &Bins::kind), kinds,
                  "grey levels: whole numbers as they are, bins of a width, or a number of bins")
          .key("levels.width", bins(&Settings::levels, &Bins::width), Range::positive(), "", "of a bin of grey levels")
          .key("levels.number", bins(&Settings::levels, &Bins::number), Range::between(2, 4096), "",
               "of bins of grey levels")
          .choice("volume_histogram.kind", bins(&Settings::volume, &Bins::kind), kinds,
                  "bins of the intensity-volume histogram")
          .key("volume_histogram.width", bins(&Settings::volume, &Bins::width), Range::positive(), "", "of a bin of it")
          .key("volume_histogram.number", bins(&Settings::volume, &Bins::number), Range::between(2, 1e6), "",
               "of bins of it")
          .key("textures", &Settings::textures,
               "texture matrices by slice (2D), of all slices (2_5D), of the volume (3D)");
  return keys;
}

void check_settings(const Settings& settings, const Complain& complain) {
  if (!settings.spacing.empty() && settings.spacing.size() != 3)
    complain("spacing", concat("spacing has ", counted(static_cast<Index>(settings.spacing.size()), "number"),
                               ", but must have 3, of x, y and z, or none."));
  if (!settings.range.empty() && (settings.range.size() != 2 || settings.range[0] >= settings.range[1]))
    complain("range", "range must be [] or [lowest, highest], the lowest below the highest.");
  for (const std::string& name : settings.textures)
    if (name != "2D" && name != "2_5D" && name != "3D")
      complain("textures", concat("textures names '", name, "', but must name 2D, 2_5D or 3D."));
}

std::optional<Settings> preset(std::string_view name) {
  for (const Preset& one : presets())
    if (one.name == name) return one.settings;
  return {};
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& one : presets()) names.emplace_back(one.name);
  return names;
}

}  // namespace fovea::imaging::radiomics
