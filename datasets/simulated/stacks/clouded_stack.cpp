#include "fovea/datasets/simulated/stacks/clouded_stack.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/ordering.hpp"
#include "fovea/datasets/simulated/sensor_scene.hpp"

namespace fovea::datasets::simulated::stacks {

namespace {

constexpr double kDaysBetween = 10, kRadarDaysBetween = 6, kSlopeDays = 8;
constexpr std::array<const char*, 5> kStackBands{"B02", "B03", "B04", "B08", "B11"};
constexpr std::array<double, 5> kSoil{0.10, 0.13, 0.17, 0.24, 0.32}, kLeaf{0.03, 0.07, 0.04, 0.45, 0.18};
constexpr std::array<double, 2> kBareDb{-13, -21}, kGrownDb{-9, -14};

/// Days of the year at which a crop is half grown and half gone.
struct Crop {
  double up, down;
};
constexpr std::array<Crop, kStackCrops> kCrops{{{70, 190}, {150, 270}, {110, 220}, {40, 330}}};

double rise(double days) { return 1 / (1 + std::exp(-days / kSlopeDays)); }

/// The square field in which each pixel lies.
std::vector<std::uint64_t> fields_of(const CloudedStackPlan& plan) {
  const Index across = (plan.columns + plan.field - 1) / plan.field;
  std::vector<std::uint64_t> fields;
  for (Index r = 0; r < plan.rows; ++r)
    for (Index c = 0; c < plan.columns; ++c)
      fields.push_back(static_cast<std::uint64_t>(r / plan.field * across + c / plan.field));
  return fields;
}

/// How green each pixel is on a day.
std::vector<double> greenness(const CloudedStackPlan& plan, double day, const Random& random) {
  const Random crops = random.stream("crops"), sowing = random.stream("sowing");
  std::vector<double> green;
  for (const std::uint64_t field : fields_of(plan)) {
    const Crop& crop = kCrops[crops.below(kCrops.size(), field)];
    const double at = day - plan.shift_days * sowing.normal(field);
    green.push_back(rise(at - crop.up) - rise(at - crop.down));
  }
  return green;
}

/// Clear pixels of a date: waves of a few pixels, of which the highest are clouds.
std::vector<std::uint8_t> clear_pixels(const CloudedStackPlan& plan, Index date, const Random& random) {
  const std::size_t pixels = plan.rows * plan.columns;
  const auto entity = static_cast<std::uint64_t>(date);
  const double kind = random.uniform(entity, 0);
  if (kind < plan.clear_dates) return std::vector<std::uint8_t>(pixels, 1);
  if (kind < plan.clear_dates + plan.covered_dates) return std::vector<std::uint8_t>(pixels, 0);
  std::vector<double> field(pixels, 0);
  for (std::uint64_t wave = 0; wave < 12; ++wave) {
    const auto angle = 2 * std::numbers::pi * random.uniform(entity, 4 * wave + 1),
               length = 12 + 30 * random.uniform(entity, 4 * wave + 2),
               phase = 2 * std::numbers::pi * random.uniform(entity, 4 * wave + 3);
    for (std::size_t i = 0; i < pixels; ++i) {
      const auto r = static_cast<double>(static_cast<Index>(i) / plan.columns),
                 c = static_cast<double>(static_cast<Index>(i) % plan.columns);
      field[i] += std::cos(2 * std::numbers::pi * (r * std::cos(angle) + c * std::sin(angle)) / length + phase);
    }
  }
  const double share = 0.2 + 0.5 * random.uniform(entity, 100);
  std::vector<std::uint8_t> clear(pixels, 1);
  const std::vector<std::uint32_t> order = ascending_order(field);
  for (std::size_t k = pixels - static_cast<std::size_t>(share * static_cast<double>(pixels)); k < pixels; ++k)
    clear[order[k]] = 0;
  return clear;
}

void add_optical_date(const CloudedStackPlan& plan, Index date, const Random& random, CloudedStack& stack) {
  const Index pixels = plan.rows * plan.columns, bands = std::ssize(kStackBands);
  const Random noise = random.stream("noise");
  stack.days.push_back(kDaysBetween * static_cast<double>(date));
  stack.clear.push_back(clear_pixels(plan, date, random.stream("clouds")));
  const std::vector<double> green = greenness(plan, stack.days.back(), random);
  Matrix<float> ground(pixels, bands), image(pixels, bands);
  for (Index i = 0; i < pixels; ++i)
    for (Index b = 0; b < bands; ++b) {
      const std::size_t k = b;
      const double plain = kSoil[k] + green[i] * (kLeaf[k] - kSoil[k]);
      const double drawn = plan.noise * noise.normal(static_cast<std::uint64_t>(i * bands + b), stack.days.size());
      const double cloud = stack.clear.back()[i] != 0 ? plain : 0.6;
      ground(i, b) = static_cast<float>(plain);
      image(i, b) = static_cast<float>(std::max(1e-4, cloud + drawn));
    }
  stack.ground.push_back(std::move(ground)), stack.images.push_back(std::move(image));
}

void add_radar_date(const CloudedStackPlan& plan, double day, const Random& random, CloudedStack& stack) {
  const Index pixels = plan.rows * plan.columns;
  const std::vector<double> green = greenness(plan, day, random);
  const Random speckle = random.stream("speckle").stream(std::to_string(stack.s1_days.size()));
  stack.s1_days.push_back(day);
  Matrix<float> intensity(pixels, std::ssize(kBareDb));
  for (Index i = 0; i < pixels; ++i)
    for (Index k = 0; k < std::ssize(kBareDb); ++k) {
      const std::size_t at = k;
      const double db = kBareDb[at] + green[i] * (kGrownDb[at] - kBareDb[at]);
      const double drawn = gamma_draw(plan.looks, speckle, static_cast<std::uint64_t>(2 * i + k)) / plan.looks;
      intensity(i, k) = static_cast<float>(std::pow(10, db / 10) * drawn);
    }
  stack.s1.push_back(std::move(intensity));
}

}  // namespace

CloudedStack clouded_stack(const CloudedStackPlan& plan, const Random& random) {
  require(plan.rows >= 1 && plan.columns >= 1 && plan.field >= 1 && plan.dates >= 1, "clouded_stack: ", plan.rows,
          " x ", plan.columns, " pixels in fields of ", plan.field, " on ", plan.dates,
          " dates; each must be at least 1.");
  require(plan.noise >= 0 && plan.shift_days >= 0 && plan.looks >= 1, "clouded_stack: noise ", plan.noise, ", shift ",
          plan.shift_days, " and looks ", plan.looks, "; the first two must be at least 0, looks at least 1.");
  CloudedStack stack;
  stack.bands.assign(kStackBands.begin(), kStackBands.end());
  for (Index date = 0; date < plan.dates; ++date) add_optical_date(plan, date, random, stack);
  for (double day = 0; day <= stack.days.back(); day += kRadarDaysBetween) add_radar_date(plan, day, random, stack);
  for (const std::uint64_t field : fields_of(plan))
    stack.crops.push_back(static_cast<Index>(random.stream("crops").below(kCrops.size(), field)));
  return stack;
}

}  // namespace fovea::datasets::simulated::stacks
