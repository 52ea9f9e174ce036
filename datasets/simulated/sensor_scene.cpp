#include "fovea/datasets/simulated/sensor_scene.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/ordering.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea::datasets::simulated {

namespace {

/// Class of each patch, drawn by the shares, spread over its pixels.
std::vector<Index> drawn_classes(const SensorScenePlan& plan, const Random& random) {
  double all = 0;
  for (const SceneClass& one : plan.classes) all += one.share;
  const Index across = (plan.columns + plan.patch - 1) / plan.patch;
  const auto of_patch = [&](Index patch) {
    double left = all * random.uniform(static_cast<std::uint64_t>(patch));
    Index c = 0;
    while (c + 1 < static_cast<Index>(plan.classes.size()) && left >= plan.classes[c].share)
      left -= plan.classes[c++].share;
    return c;
  };
  std::vector<Index> truth;
  truth.reserve(plan.rows * plan.columns);
  for (Index r = 0; r < plan.rows; ++r)
    for (Index c = 0; c < plan.columns; ++c) truth.push_back(of_patch(r / plan.patch * across + c / plan.patch));
  return truth;
}

std::vector<std::uint8_t> drawn_clouds(const SensorScenePlan& plan, const Random& random) {
  const std::size_t pixels = plan.rows * plan.columns;
  std::vector<std::uint8_t> cloudy(pixels, 0);
  const std::size_t count = std::llround(plan.cloud_share * static_cast<double>(pixels));
  if (count == 0) return cloudy;
  const std::vector<std::uint32_t> order =
      ascending_order(smooth_normal_field(plan.rows, plan.columns, plan.cloud_scale, random));
  for (std::size_t k = pixels - count; k < pixels; ++k) cloudy[order[k]] = 1;
  return cloudy;
}

/// Mean intensity that a pixel of the radar sees: of the four nearest pixels of the ground, weighted.
double seen_intensity(const SensorScenePlan& plan, const std::vector<Index>& truth, const Matrix<double>& means,
                      Index row, Index column, Index band) {
  const double r = static_cast<double>(row) + plan.row_shift, c = static_cast<double>(column) + plan.column_shift;
  double sum = 0;
  for (const double down : {0.0, 1.0})
    for (const double right : {0.0, 1.0}) {
      const double part_r = r - std::floor(r), part_c = c - std::floor(c);
      const double weight = (down > 0 ? part_r : 1 - part_r) * (right > 0 ? part_c : 1 - part_c);
      if (weight == 0) continue;
      const auto near = [](double at, Index count) {
        return static_cast<Index>(std::clamp(at, 0.0, static_cast<double>(count - 1)));
      };
      const Index at = near(std::floor(r) + down, plan.rows) * plan.columns + near(std::floor(c) + right, plan.columns);
      sum += weight * means(truth[at], band);
    }
  return sum;
}

/// The optical bands of each class: mean + factor z.
std::vector<Matrix<double>> factors_of(const std::vector<SceneClass>& classes) {
  std::vector<Matrix<double>> factors;
  for (const SceneClass& one : classes) factors.emplace_back(Eigen::LLT<Matrix<double>>(one.covariance).matrixL());
  return factors;
}

}  // namespace

Matrix<double> even_covariance(const std::vector<double>& deviations, double correlation) {
  const auto bands = static_cast<Index>(deviations.size());
  Matrix<double> covariance(bands, bands);
  for (Index a = 0; a < bands; ++a)
    for (Index b = 0; b < bands; ++b) covariance(a, b) = deviations[a] * deviations[b] * (a == b ? 1 : correlation);
  return covariance;
}

std::vector<SceneClass> two_sensor_classes() {
  const Matrix<double> of_water = even_covariance({0.010, 0.010, 0.008, 0.008}, 0.5),
                       of_forest = even_covariance({0.008, 0.012, 0.012, 0.035}, 0.4),
                       of_soil = even_covariance({0.020, 0.025, 0.030, 0.035}, 0.7);
  const std::array<double, 2> forest{-9, -14.5};
  const std::vector<double> soil{0.09, 0.12, 0.16, 0.22};
  return {{"water", 1, {-20, -27}, {0.05, 0.05, 0.03, 0.02}, of_water},
          {"broadleaf forest", 1, forest, {0.03, 0.06, 0.035, 0.36}, of_forest},
          {"needleleaf forest", 1, forest, {0.025, 0.045, 0.03, 0.25}, of_forest},
          {"dry soil", 1, {-15.5, -24}, soil, of_soil},
          {"wet soil", 1, {-9.5, -20}, soil, of_soil}};
}

std::vector<double> smooth_normal_field(Index rows, Index columns, double scale, const Random& random) {
  const auto reach = static_cast<Index>(std::ceil(3 * scale));
  const Index high = rows + 2 * reach, wide = columns + 2 * reach, side = 2 * reach + 1;
  Vector<double> weights(side);
  for (Index k = 0; k < side; ++k) {
    const double off = static_cast<double>(k - reach) / scale;
    weights[k] = std::exp(-off * off / 2);
  }
  Matrix<double> along(high, columns), field(rows, columns);
  for_each_task(high, true, [&](Index r) {
    std::vector<double> noise(wide);
    random.normals(0, static_cast<std::uint64_t>(r), noise);
    for (Index c = 0; c < columns; ++c) {
      double sum = 0;
      for (Index k = 0; k < side; ++k) sum += weights[k] * noise[c + k];
      along(r, c) = sum;
    }
  });
  const double deviation = weights.squaredNorm();
  for_each_task(rows, true, [&](Index r) {
    for (Index c = 0; c < columns; ++c) {
      double sum = 0;
      for (Index k = 0; k < side; ++k) sum += weights[k] * along(r + k, c);
      field(r, c) = sum / deviation;
    }
  });
  return {field.data(), field.data() + field.size()};
}

void check_scene_plan(const SensorScenePlan& plan) {
  require(plan.rows >= 1 && plan.columns >= 1 && plan.patch >= 1, "sensor_scene: ", plan.rows, " x ", plan.columns,
          " pixels in patches of ", plan.patch, "; each must be at least 1.");
  require(plan.looks >= 1 && plan.looks <= 1e6, "sensor_scene: looks = ", plan.looks, ", but must be in [1, 1e6].");
  require(plan.cloud_share >= 0 && plan.cloud_share <= 1 && plan.cloud_scale > 0 && plan.cloud_scale <= 200,
          "sensor_scene: clouds on ", plan.cloud_share, " of the pixels with scale ", plan.cloud_scale,
          "; the share must be in [0, 1], the scale in (0, 200].");
  require(std::abs(plan.row_shift) <= 1e6 && std::abs(plan.column_shift) <= 1e6, "sensor_scene: the shift is (",
          plan.row_shift, ", ", plan.column_shift, ") pixels, but must be at most 1e6.");
  require(!plan.classes.empty(), "sensor_scene: there are no classes; at least one is needed.");
  const std::size_t bands = plan.classes.front().reflectance.size();
  for (const SceneClass& one : plan.classes) {
    require(one.share > 0 && std::isfinite(one.share), "sensor_scene: '", one.name, "' has the share ", one.share,
            ", but must have one > 0.");
    const auto size = static_cast<Index>(bands);
    require(
        bands >= 1 && one.reflectance.size() == bands && one.covariance.rows() == size && one.covariance.cols() == size,
        "sensor_scene: '", one.name, "' has ", one.reflectance.size(), " reflectances and a covariance of ",
        one.covariance.rows(), " x ", one.covariance.cols(), "; all classes need the same bands, at least one.");
    require(Eigen::LLT<Matrix<double>>(one.covariance).info() == Eigen::Success, "sensor_scene: the covariance of '",
            one.name, "' is not positive definite.");
  }
}

double gamma_draw(double shape, const Random& random, std::uint64_t entity) {
  require(shape >= 1, "gamma_draw: the shape is ", shape, ", but must be >= 1.");
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (std::uint64_t step = 0;; step += 2) {  // 19 of 20 are taken at once
    const double x = random.normal(entity, step), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(1 - random.uniform(entity, step + 1)) < x * x / 2 + d * (1 - v + std::log(v))) return d * v;
  }
}

SensorScene sensor_scene(const SensorScenePlan& plan, const Random& random) {
  check_scene_plan(plan);
  const Index pixels = plan.rows * plan.columns, bands = static_cast<Index>(plan.classes.front().reflectance.size());
  const auto classes = static_cast<Index>(plan.classes.size());
  const Random speckle = random.stream("speckle"), spread = random.stream("reflectances"),
               bright = random.stream("bright clouds");
  SensorScene scene{plan.rows,
                    plan.columns,
                    drawn_classes(plan, random.stream("classes")),
                    Matrix<double>(pixels, 2),
                    Matrix<double>(pixels, bands),
                    {},
                    drawn_clouds(plan, random.stream("clouds"))};
  Matrix<double> means(classes, 2);
  for (Index c = 0; c < classes; ++c)
    for (Index k = 0; k < 2; ++k) means(c, k) = std::pow(10, plan.classes[c].backscatter_db[k] / 10);
  const std::vector<Matrix<double>> factors = factors_of(plan.classes);
  for (const std::uint8_t cloud : scene.cloudy) scene.clear.push_back(cloud != 0 && plan.announced ? 0 : 1);
  for_each_task(plan.rows, true, [&](Index row) {
    for (Index i = row * plan.columns; i < (row + 1) * plan.columns; ++i) {
      const std::size_t at = i;
      const auto entity = static_cast<std::uint64_t>(i);
      for (Index k = 0; k < 2; ++k)
        scene.backscatter(i, k) = seen_intensity(plan, scene.truth, means, row, i % plan.columns, k) *
                                  gamma_draw(plan.looks, speckle, 2 * entity + static_cast<std::uint64_t>(k)) /
                                  plan.looks;
      const std::size_t c = scene.truth[at];
      for (Index b = 0; b < bands; ++b) {
        double value = plan.classes[c].reflectance[b];
        for (Index k = 0; k <= b; ++k) value += factors[c](b, k) * spread.normal(entity, static_cast<std::uint64_t>(k));
        if (scene.cloudy[at] != 0)
          value = plan.announced
                      ? kNan
                      : kCloudReflectance + kCloudDeviation * bright.normal(entity, static_cast<std::uint64_t>(b));
        scene.reflectance(i, b) = value;
      }
    }
  });
  return scene;
}

}  // namespace fovea::datasets::simulated
