// Moran's I and Geary's C: sums over all pairs, as attention and one by one.

#include "fovea/domains/imaging/radiomics/kernels/pair_sums.hpp"
#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/domains/imaging/radiomics/processing.hpp"
#include "fovea/tests/domains/imaging/radiomics/simulated_region.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::imaging::radiomics;

namespace {

constexpr double kPairRounding = 1e-12;  // sums of some thousand terms in another order, relative to their sizes

Region pair_region(std::array<Index, 3> size) {
  const SimulatedImage made = simulated_image(size, {0.9, 1.1, 3}, 7);
  return processed(made.image, made.mask, {});
}

Matrix<double> pair_places(const Region& region) {
  Matrix<double> all(static_cast<Index>(region.voxels.size()), 3);
  for (std::size_t k = 0; k < region.voxels.size(); ++k) {
    const auto place = region.place(region.voxels[k]);
    for (std::size_t axis = 0; axis < 3; ++axis)
      all(static_cast<Index>(k), static_cast<Index>(axis)) = double(place[axis]) * region.spacing[axis];
  }
  return all;
}

}  // namespace

TEST_CASE("sums over pairs are attention by log distance without the pair with itself", "[imaging][radiomics][twin]") {
  const Region region = pair_region({17, 15, 9});
  const std::vector<double> x = region.values();
  const PairSums sums = pair_sums(region, x);
  const Matrix<double> at = pair_places(region);
  constexpr double kFloor = 0.5;  // mm, below the distance of neighbours: itself weighs 1 / 0.5
  AttentionSpec<double> spec;
  spec.score = {log_distance_score<double>(kFloor), {}};
  const Matrix<double> values = Eigen::Map<const Matrix<double>>(x.data(), static_cast<Index>(x.size()), 1);
  const auto attended = attend<double>(at, at, values, spec);
  for (Index i = 0; i < at.rows(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double weight = std::exp(attended.log_sum_exp(i, 0));
    CHECK(std::abs(weight - 1 / kFloor - sums.weights[k]) <= kPairRounding * weight);
    CHECK(std::abs(attended.outputs(i, 0) * weight - x[k] / kFloor - sums.values[k]) <= 100 * kPairRounding * weight);
  }
}

TEST_CASE("Moran's I and Geary's C are their definitions", "[imaging][radiomics][twin]") {
  const Region region = pair_region({13, 11, 8});
  const std::vector<double> x = region.values();
  const Matrix<double> at = pair_places(region);
  const double n = double(x.size()), mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  double weights = 0, products = 0, differences = 0, squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    squares += (x[i] - mean) * (x[i] - mean);
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (i == j) continue;
      const double weight = 1 / (at.row(static_cast<Index>(i)) - at.row(static_cast<Index>(j))).norm();
      weights += weight;
      products += weight * (x[i] - mean) * (x[j] - mean);
      differences += weight * (x[i] - x[j]) * (x[i] - x[j]);
    }
  }
  const Autocorrelation found = autocorrelation(region);
  CHECK(std::abs(found.moran - n * products / (weights * squares)) <= kPairRounding);
  CHECK(std::abs(found.geary - (n - 1) * differences / (2 * weights * squares)) <= kPairRounding);
  CHECK(std::abs(found.moran) > 0.01);  // the image is smooth in part
}

TEST_CASE("features have the same bits for any number of threads", "[imaging][radiomics][threads]") {
  const Region region = pair_region({25, 21, 12});
  REQUIRE(region.voxels.size() > 1000);
  const int before = omp_get_max_threads();
  std::vector<std::vector<Feature>> found;
  for (const int threads : {1, 2, 3, 5}) {
    omp_set_num_threads(threads);
    found.push_back(features(region));
  }
  omp_set_num_threads(before);
  for (std::size_t k = 0; k < found[0].size(); ++k)
    for (const auto& other : found) {
      INFO(found[0][k].tag);
      CHECK(std::memcmp(&other[k].value, &found[0][k].value, sizeof(double)) == 0);
    }
}
