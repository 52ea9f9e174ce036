#include "fovea/domains/imaging/radiomics/simulated.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fovea::imaging::radiomics {

namespace {

using Point = Eigen::Vector3d;

/// A smooth random field of mean 0 and variance 1.
class Waves {
 public:
  Waves(const Random& random, double length) {
    constexpr std::uint64_t kCount = 24;
    for (std::uint64_t k = 0; k < kCount; ++k) {
      const Point direction(random.normal(k, 0), random.normal(k, 1), random.normal(k, 2));
      waves_.push_back({direction / length, 2 * std::numbers::pi * random.uniform(k, 3)});
    }
  }
  double at(const Point& place) const {
    double sum = 0;
    for (const auto& [direction, phase] : waves_) sum += std::cos(direction.dot(place) + phase);
    return sum * std::sqrt(2.0 / static_cast<double>(waves_.size()));
  }

 private:
  std::vector<std::pair<Point, double>> waves_;
};

}  // namespace

Lesion simulated_lesion(const Random& lesion, const Measurement& measurement, double spacing, const Random& noise) {
  const auto between = [&](std::uint64_t k, double low, double high) { return low + (high - low) * lesion.uniform(k); };
  const Point half(between(0, 6, 18), between(1, 6, 18), between(2, 6, 18));
  const double mean = between(3, 20, 80), sd = between(4, 10, 40), length = between(5, 4, 12) / (2 * std::numbers::pi);
  const Waves texture(lesion.stream("texture"), length), bumps(lesion.stream("bumps"), 6);
  constexpr double kReach = 24, kBumps = 1, kTissue = -60;  // mm: half of the box, sd of the surface; HU
  const auto count = static_cast<Index>(std::ceil(2 * kReach / spacing));
  Lesion made;
  made.image.path = "simulated lesion";
  made.image.grid.size = {count, count, count};
  made.image.grid.spacing = {spacing, spacing, spacing};
  const double smallest = half.minCoeff();
  for (Index voxel = 0; voxel < count * count * count; ++voxel) {
    const Point place =
        Point(double(voxel % count), double(voxel / count % count), double(voxel / (count * count))) * spacing -
        Point::Constant(0.5 * double(count - 1) * spacing) +
        Point(measurement.shift[0], measurement.shift[1], measurement.shift[2]);
    const double outside = (place.cwiseQuotient(half).norm() - 1) * smallest + kBumps * bumps.at(place);  // about mm
    const double part = std::clamp(0.5 - outside / spacing, 0.0, 1.0);  // of the voxel that is lesion
    const double blend = part * (mean + sd * texture.at(place)) + (1 - part) * kTissue;
    const double error = measurement.noise * noise.normal(static_cast<std::uint64_t>(voxel));
    made.image.values.push_back(std::floor(blend + error + 0.5));
    made.mask.inside.push_back(outside <= measurement.contour ? 1 : 0);
    made.mask.count += made.mask.inside.back();
  }
  made.mask.grid = made.image.grid;
  return made;
}

}  // namespace fovea::imaging::radiomics
