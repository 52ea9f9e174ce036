#include "fovea/datasets/simulated/flooded_plain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/ordering.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/datasets/simulated/sensor_scene.hpp"

namespace fovea::datasets::simulated {

namespace {

enum Ground : std::uint8_t { calm, rough, crops, forest, soil, sand };
using Bands = std::array<double, 4>;

/// Means of a kind of ground, and how its parcels differ (water: its waves, in VV and VH alike).
struct GroundLook {
  double vv_db, vh_db, spread_db;
  Bands reflectance;
  double brightness, colour;  ///< deviations of the logarithms
};
constexpr Bands kClearWater{0.05, 0.05, 0.03, 0.02}, kMuddyWater{0.09, 0.12, 0.14, 0.11};
constexpr std::array<GroundLook, 6> kLooksOfGround{{{-20, -27, 1, kClearWater, 0, 0},
                                                    {-13.5, -23, 1, kClearWater, 0, 0},
                                                    {-11.5, -18, 1.5, {0.04, 0.07, 0.05, 0.35}, 0.15, 0.08},
                                                    {-9, -14.5, 0.7, {0.03, 0.05, 0.035, 0.28}, 0.1, 0.05},
                                                    {-14, -23, 2, {0.08, 0.11, 0.15, 0.21}, 0.3, 0.1},
                                                    {-19, -26, 1, {0.18, 0.23, 0.28, 0.34}, 0.15, 0.05}}};
constexpr Bands kInShadow{0.40, 0.33, 0.25, 0.15};
constexpr Index kShadowRows = 10, kShadowColumns = 16;
constexpr double kLeast = 1e-4;                     // of a reflectance, as products store them: 0 is no data there
constexpr double kCloudScale = 8, kLightScale = 3;  // pixels
constexpr double kThinShare = 3;                    // of the share of opaque clouds
constexpr double kMostOpacity = 0.85, kCloudBrightness = 0.5;

/// Each pixel's place among all, 0 (lowest) to 1.
std::vector<double> ranks_of(const std::vector<double>& values) {
  const std::vector<std::uint32_t> order = ascending_order(values);
  std::vector<double> ranks(values.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    ranks[order[k]] = static_cast<double>(k) / static_cast<double>(order.size());
  return ranks;
}

struct PlainGround {
  std::vector<std::uint8_t> kinds;
  std::vector<std::uint64_t> parcels;
  std::vector<double> mud, waves;
};

/// Of a jittered grid of parcels of 14 x 9 pixels, turned by an angle.
std::uint64_t parcel_at(Index row, Index column, double angle) {
  const auto r = static_cast<double>(row), c = static_cast<double>(column);
  const double across = std::floor((r * std::cos(angle) + c * std::sin(angle)) / 9);
  const double along = std::floor((c * std::cos(angle) - r * std::sin(angle) + 5 * across) / 14);
  return static_cast<std::uint64_t>(across + 100000) * 1000003 + static_cast<std::uint64_t>(along + 100000);
}

PlainGround drawn_ground(const FloodedPlainPlan& plan, const Random& random) {
  const Index pixels = plan.rows * plan.columns;
  const auto field = [&](const char* what, double scale) {
    return smooth_normal_field(plan.rows, plan.columns, scale, random.stream(what));
  };
  const Random course = random.stream("river"), of_parcels = random.stream("parcels");
  const double phase = course.uniform(0), water = 0.2 + 0.2 * course.uniform(1), angle = course.uniform(2);
  std::vector<double> height = field("hills", 7);
  const std::vector<double> banks = field("banks", 5), wind = field("wind", 9);
  for (Index i = 0; i < pixels; ++i) {
    const double down = static_cast<double>(i / plan.columns) / static_cast<double>(plan.rows),
                 right = static_cast<double>(i % plan.columns) / static_cast<double>(plan.columns);
    const double centre = 0.5 + 0.2 * std::sin(2 * std::numbers::pi * (1.1 * down + phase));
    height[i] = 0.35 * height[i] + 5 * std::abs(right - centre);
  }
  const std::vector<double> rank = ranks_of(height);
  PlainGround made{{}, {}, field("mud", 10), field("waves", 3)};
  for (Index i = 0; i < pixels; ++i) {
    const std::size_t at = i;
    made.parcels.push_back(parcel_at(i / plan.columns, i % plan.columns, angle));
    made.mud[at] = 1 / (1 + std::exp(-2 * made.mud[at]));
    const bool tilled = of_parcels.uniform(made.parcels[at], 0) < 0.5;
    made.kinds.push_back(rank[at] < water                             ? (wind[at] > 0.2 ? rough : calm)
                         : rank[at] < water + 0.15 && banks[at] > 0.2 ? sand
                         : rank[at] > 0.8                             ? forest
                         : tilled                                     ? soil
                                                                      : crops);
  }
  return made;
}

/// Of the sky over the scene and over the ground that throws its shadow into it. Returns the opacity of thin clouds.
std::vector<double> draw_clouds(const FloodedPlainPlan& plan, const Random& random, FloodedPlain& scene) {
  const Index rows = plan.rows + kShadowRows, columns = plan.columns + kShadowColumns;
  std::vector<double> opacity(plan.rows * plan.columns, 0);
  scene.cloudy.assign(opacity.size(), 0), scene.shaded = scene.veiled = scene.cloudy;
  if (plan.cloud_share <= 0) return opacity;
  const std::vector<double> rank = ranks_of(smooth_normal_field(rows, columns, kCloudScale, random));
  const auto depth = [&](Index row, Index column) {  // 1: opaque; below 0: clear
    return 1 + (rank[row * columns + column] - (1 - plan.cloud_share)) / (kThinShare * plan.cloud_share);
  };
  for (Index r = 0; r < plan.rows; ++r)
    for (Index c = 0; c < plan.columns; ++c) {
      const std::size_t at = r * plan.columns + c;
      const double above = depth(r + kShadowRows, c + kShadowColumns);
      scene.cloudy[at] = above >= 1 ? 1 : 0;
      scene.veiled[at] = above > 0 && above < 1 ? 1 : 0;
      scene.shaded[at] = above <= 0 && depth(r, c) >= 1 ? 1 : 0;
      opacity[at] = kMostOpacity * std::clamp(above, 0.0, 1.0);
    }
  return opacity;
}

/// What both sensors see of a pixel's own ground in full light, without noise: VV, VH, then the bands.
Matrix<double> pure_signals(const PlainGround& ground, const Random& of_parcels) {
  Matrix<double> pure(static_cast<Index>(ground.kinds.size()), 6);
  for (Index i = 0; i < pure.rows(); ++i) {
    const std::size_t at = i;
    const std::uint64_t parcel = ground.parcels[at];
    const bool water = ground.kinds[at] < kWaterGrounds;
    const GroundLook& look = kLooksOfGround[ground.kinds[at]];
    const double off = look.spread_db * (water ? ground.waves[at] : of_parcels.normal(parcel, 6)),
                 bright = std::exp(look.brightness * of_parcels.normal(parcel, 1));
    pure(i, 0) = std::pow(10, (look.vv_db + off) / 10), pure(i, 1) = std::pow(10, (look.vh_db + off) / 10);
    for (std::size_t b = 0; b < 4; ++b)
      pure(i, static_cast<Index>(2 + b)) =
          water ? kClearWater[b] + ground.mud[at] * (kMuddyWater[b] - kClearWater[b])
                : look.reflectance[b] * bright * std::exp(look.colour * of_parcels.normal(parcel, 2 + b));
  }
  return pure;
}

/// A pixel takes a third of its signal from the rows above and below, and of that from the columns beside.
Matrix<double> mixed_signals(const Matrix<double>& pure, Index rows, Index columns) {
  Matrix<double> mixed = Matrix<double>::Zero(pure.rows(), pure.cols());
  const auto weight = [](Index off) { return off == 0 ? 2.0 / 3 : 1.0 / 6; };
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < columns; ++c)
      for (Index down = -1; down <= 1; ++down)
        for (Index right = -1; right <= 1; ++right) {
          const Index y = std::clamp<Index>(r + down, 0, rows - 1), x = std::clamp<Index>(c + right, 0, columns - 1);
          mixed.row(r * columns + c) += weight(down) * weight(right) * pure.row(y * columns + x);
        }
  return mixed;
}

}  // namespace

FloodedPlain flooded_plain(const FloodedPlainPlan& plan, const Random& random) {
  require(plan.rows >= 1 && plan.columns >= 1 && plan.looks >= 1 && plan.looks <= 1e6 && plan.cloud_share >= 0 &&
              plan.cloud_share <= 0.25,
          "flooded_plain: ", plan.rows, " x ", plan.columns, " pixels with ", plan.looks, " looks and clouds on ",
          plan.cloud_share, " of the sky; at least 1 pixel, looks in [1, 1e6] and a share in [0, 0.25] are needed.");
  const PlainGround ground = drawn_ground(plan, random);
  const Matrix<double> signals = mixed_signals(pure_signals(ground, random.stream("parcels")), plan.rows, plan.columns);
  const auto field = [&](const char* what) {
    return smooth_normal_field(plan.rows, plan.columns, kLightScale, random.stream(what));
  };
  const std::vector<double> light = field("brightness"), colour = field("colour");
  const Random speckle = random.stream("speckle"), noise = random.stream("noise");
  FloodedPlain scene{ground.kinds, Matrix<double>(signals.rows(), 2), Matrix<double>(signals.rows(), 4), {}, {}, {}};
  const std::vector<double> opacity = draw_clouds(plan, random.stream("clouds"), scene);
  for_each_task(plan.rows, true, [&](Index row) {
    for (Index i = row * plan.columns; i < (row + 1) * plan.columns; ++i) {
      const std::size_t at = i;
      const auto entity = static_cast<std::uint64_t>(i);
      for (Index k = 0; k < 2; ++k)
        scene.backscatter(i, k) =
            signals(i, k) * gamma_draw(plan.looks, speckle, 2 * entity + static_cast<std::uint64_t>(k)) / plan.looks;
      const double bright = std::exp(0.2 * light[at]);
      for (std::size_t b = 0; b < 4; ++b) {
        const auto band = static_cast<Index>(b);
        const double tint = bright * std::exp(0.15 * colour[at] * (1.5 - static_cast<double>(b)) / 1.5);
        const double ground_part = signals(i, 2 + band) * (scene.shaded[at] != 0 ? kInShadow[b] * tint : 1);
        const double mean = (1 - opacity[at]) * ground_part + opacity[at] * kCloudBrightness * tint;
        const double seen = mean * (1 + 0.06 * noise.normal(entity, 2 * b)) + 0.003 * noise.normal(entity, 2 * b + 1);
        scene.reflectance(i, band) = scene.cloudy[at] != 0 ? kNan : std::max(seen, kLeast);
      }
    }
  });
  return scene;
}

}  // namespace fovea::datasets::simulated
