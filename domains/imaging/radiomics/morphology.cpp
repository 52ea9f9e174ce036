#include "fovea/domains/imaging/radiomics/morphology.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

#include "fovea/core/base/missing.hpp"
#include "fovea/domains/imaging/radiomics/kernels/pair_sums.hpp"
#include "fovea/domains/imaging/radiomics/mesh.hpp"

namespace fovea::imaging::radiomics {

namespace {

using Point = Eigen::Vector3d;

/// The centres of voxels: their number, mean and, of the shape, principal axes.
struct Cloud {
  double count = 0, mean_intensity = 0;
  Point centre = Point::Zero(), centre_of_intensity = Point::Zero();
  Point axes = Point::Constant(kNan);  ///< 4 sqrt(lambda), the longest first
};

Point place_mm(const Region& region, Index voxel) {
  const auto [x, y, z] = region.place(voxel);
  return {double(x) * region.spacing[0], double(y) * region.spacing[1], double(z) * region.spacing[2]};
}

Cloud cloud_of(const Region& region) {
  Cloud cloud;
  std::vector<Point> places;
  for (Index voxel = 0; voxel < static_cast<Index>(region.shape.size()); ++voxel)
    if (region.shape[static_cast<std::size_t>(voxel)] != 0) places.push_back(place_mm(region, voxel));
  cloud.count = static_cast<double>(places.size());
  for (const Point& place : places) cloud.centre += place / cloud.count;
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
  for (const Point& place : places) covariance += (place - cloud.centre) * (place - cloud.centre).transpose();
  if (cloud.count > 1) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(covariance / (cloud.count - 1), Eigen::EigenvaluesOnly);
    const Point found = solver.eigenvalues().reverse();
    constexpr double kRounding = 1e-13;  // of a flat or straight mask
    cloud.axes = (found.array() > kRounding * found[0]).select(4 * found.array().max(0.0).sqrt(), 0.0);
  }
  double sum = 0;
  Point weighted = Point::Zero();
  for (const Index voxel : region.voxels) {
    const double intensity = region.intensity[static_cast<std::size_t>(voxel)];
    sum += intensity;
    weighted += intensity * (place_mm(region, voxel) - cloud.centre);
  }
  cloud.mean_intensity = sum / static_cast<double>(region.voxels.size());
  cloud.centre_of_intensity = cloud.centre + weighted / sum;
  return cloud;
}

double largest_distance(const std::vector<Point>& points) {
  double squared = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j)
      squared = std::max(squared, (points[i] - points[j]).squaredNorm());
  return std::sqrt(squared);
}

/// 4 pi a b sum_(v = 0)^20 (alpha beta)^v P_v((alpha^2 + beta^2) / (2 alpha beta)) / (1 - 4 v^2), a >= b >= c the half
/// axes, alpha = sqrt(1 - b^2 / a^2), beta = sqrt(1 - c^2 / a^2). Q_v = (alpha beta)^v P_v(...) needs no division:
/// v Q_v = (2 v - 1) (alpha^2 + beta^2) / 2 Q_(v - 1) - (v - 1) (alpha beta)^2 Q_(v - 2).
double ellipsoid_area(const Point& half) {
  const double b = half[1] / half[0], c = half[2] / half[0];
  const double alpha = 1 - b * b, beta = 1 - c * c;  // squared
  double before = 0, q = 1, sum = 1;
  for (int v = 1; v <= 20; ++v) {
    const double next = ((2 * v - 1) * 0.5 * (alpha + beta) * q - (v - 1) * alpha * beta * before) / v;
    before = q;
    q = next;
    sum += q / (1 - 4 * v * v);
  }
  return 4 * std::numbers::pi * half[0] * half[1] * sum;
}

double ratio(double a, double b) { return b > 0 ? a / b : kNan; }

}  // namespace

std::vector<double> morphology(const Region& region, const Variant&) {
  const Mesh surface = mesh(region);
  const std::vector<Point> vertices = outer_vertices(region);
  const Hull hull = convex_hull(vertices);
  const Cloud cloud = cloud_of(region);
  const Autocorrelation related = autocorrelation(region);
  Point low = vertices.front(), high = low;
  for (const Point& vertex : vertices) low = low.cwiseMin(vertex), high = high.cwiseMax(vertex);
  const Point box = high - low, half = cloud.axes / 2;
  const double v = surface.volume, a = surface.area, pi = std::numbers::pi;
  const double sphere = std::cbrt(36 * pi * v * v) / a;
  return {v,
          cloud.count * region.spacing[0] * region.spacing[1] * region.spacing[2],
          a,
          a / v,
          v / (std::sqrt(pi) * std::pow(a, 1.5)),
          sphere * sphere * sphere,
          1 / sphere,
          sphere,
          1 / sphere - 1,
          (cloud.centre_of_intensity - cloud.centre).norm(),
          largest_distance(hull.vertices),
          cloud.axes[0],
          cloud.axes[1],
          cloud.axes[2],
          ratio(cloud.axes[1], cloud.axes[0]),
          ratio(cloud.axes[2], cloud.axes[0]),
          v / box.prod(),
          a / (2 * (box[0] * box[1] + box[1] * box[2] + box[2] * box[0])),
          ratio(v, 4 * pi / 3 * half.prod()),
          half[2] > 0 ? a / ellipsoid_area(half) : kNan,
          v / hull.volume,
          a / hull.area,
          v * cloud.mean_intensity,
          related.moran,
          related.geary};
}

}  // namespace fovea::imaging::radiomics
