// A mirrored or turned region has the same features where the definitions have no direction.

#include "fovea/domains/imaging/radiomics/processing.hpp"
#include "fovea/tests/domains/imaging/radiomics/simulated_region.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::imaging::radiomics;

namespace {

constexpr double kOtherOrder = 1e-9;  // relative: the same terms in another order; clusters are fourth powers

/// The image with axis k where axis order[k] was, and with these axes mirrored.
SimulatedImage turned_image(const SimulatedImage& from, std::array<std::size_t, 3> order,
                            std::array<bool, 3> mirrored) {
  SimulatedImage made = from;
  const auto& old = from.image.grid;
  for (std::size_t k = 0; k < 3; ++k) {
    made.image.grid.size[k] = old.size[order[k]];
    made.image.grid.spacing[k] = old.spacing[order[k]];
  }
  made.mask.grid = made.image.grid;
  const auto& grid = made.image.grid;
  for (Index z = 0; z < grid.size[2]; ++z)
    for (Index y = 0; y < grid.size[1]; ++y)
      for (Index x = 0; x < grid.size[0]; ++x) {
        const std::array<Index, 3> at{x, y, z};
        std::array<Index, 3> source{};
        for (std::size_t k = 0; k < 3; ++k) source[order[k]] = mirrored[k] ? grid.size[k] - 1 - at[k] : at[k];
        const auto to = static_cast<std::size_t>(grid.at(x, y, z));
        const auto there = static_cast<std::size_t>(old.at(source[0], source[1], source[2]));
        made.image.values[to] = from.image.values[there];
        made.mask.inside[to] = from.mask.inside[there];
      }
  return made;
}

void check_same_features(const SimulatedImage& image, const SimulatedImage& other, const Settings& settings) {
  const auto expected = features(processed(image.image, image.mask, settings), settings.dimensions());
  const auto found = features(processed(other.image, other.mask, settings), settings.dimensions());
  REQUIRE(expected.size() == found.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    INFO(found[k].tag << " " << found[k].value << ", before " << expected[k].value);
    CHECK(std::abs(found[k].value - expected[k].value) <= kOtherOrder * std::max(1.0, std::abs(expected[k].value)));
  }
}

}  // namespace

TEST_CASE("a mirrored image has the same features", "[imaging][radiomics][property]") {
  const SimulatedImage image = simulated_image({14, 12, 9}, {0.9, 1.1, 3}, 3);
  for (const char* name : {"none", "ibsi_b", "ibsi_e"}) {
    Settings settings = *preset(name);
    settings.levels.kind = BinKind::number;
    settings.range = {-1000, 400};
    for (const std::array<bool, 3> mirrored :
         {std::array{true, false, false}, {false, true, false}, {true, true, true}})
      check_same_features(image, turned_image(image, {0, 1, 2}, mirrored), settings);
  }
}

TEST_CASE("an image with exchanged axes has the same features of the volume", "[imaging][radiomics][property]") {
  const SimulatedImage image = simulated_image({14, 12, 9}, {0.9, 1.1, 3}, 4);
  Settings settings;
  settings.textures = {"3D"};
  check_same_features(image, turned_image(image, {2, 0, 1}, {false, true, false}), settings);
  settings = *preset("ibsi_e");
  check_same_features(image, turned_image(image, {1, 0, 2}, {false, false, true}), settings);
}

TEST_CASE("the mesh of a box and of a ball are those of geometry", "[imaging][radiomics][limit]") {
  SimulatedImage box = simulated_image({6, 5, 4}, {1, 2, 3}, 5);
  std::fill(box.mask.inside.begin(), box.mask.inside.end(), 1);
  const auto values = features(processed(box.image, box.mask, {}), {false, false, false});
  const auto value = [&](std::string_view tag) {
    return std::find_if(values.begin(), values.end(), [&](const Feature& f) { return f.tag == tag; })->value;
  };
  // Edges and corners of the box are cut off: half a prism of 1/8 for each voxel along an edge.
  CHECK(value("morph_vol_approx") == 720);
  CHECK(value("morph_volume") < 720);
  CHECK(value("morph_volume") > 720 * 0.85);
  CHECK(std::abs(value("morph_vol_dens_conv_hull") - 1) < 1e-9);  // a box without edges is convex
  CHECK(std::abs(value("morph_area_dens_conv_hull") - 1) < 1e-9);
  CHECK(std::abs(value("morph_pca_maj_axis") - 4 * std::sqrt(9 * 15 / 12.0 * 120 / 119)) < 1e-9);  // 4 slices of 3 mm
}
