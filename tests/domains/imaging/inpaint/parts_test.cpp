// The parts of a fill: guesses against their equations, weights, cut holes.

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/domains/imaging/inpaint/holes.hpp"
#include "fovea/domains/imaging/inpaint/mixture.hpp"
#include "fovea/domains/imaging/inpaint/simulated.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::imaging::inpaint {

namespace {

/// 9 x 9 x slices voxels with a square hole in the middle slice.
Patch square_patch(Index slices) {
  Patch patch{{{0, 0, 0}, {9, 9, slices}}, {}, {}};
  for (Index i = 0; i < patch.box.voxels(); ++i) {
    const Place p = patch.box.place(i);
    const bool unknown = p[0] > 2 && p[0] < 6 && p[1] > 2 && p[1] < 6 && p[2] == slices / 2;
    patch.unknown.push_back(unknown ? 1 : 0);
    patch.values.push_back(unknown ? 0 : Random(4).normal(static_cast<std::uint64_t>(i)));
  }
  return patch;
}

/// The patch with a guess in its hole.
std::vector<double> with_guess(const Patch& patch, const Matrix<double>& guesses, Index which) {
  std::vector<double> values = patch.values;
  Index row = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (patch.unknown[i] != 0) values[i] = guesses(row++, which);
  return values;
}

double second(const std::vector<double>& values, Index i, Index step) {
  return values[i - step] - 2 * values[i] + values[i + step];
}

}  // namespace

TEST_CASE("harmonic guesses have no Laplacian, biharmonic ones no Laplacian of it", "[imaging][inpaint]") {
  for (const Index slices : {1, 9}) {
    const Patch patch = square_patch(slices);
    const Matrix<double> guesses = guesses_of(patch);
    const auto laplacian = [&](const std::vector<double>& values, Index i, double across) {
      return second(values, i, 1) + second(values, i, 9) + (slices == 1 ? 0 : across * second(values, i, 81));
    };
    const std::vector<double> harmonic = with_guess(patch, guesses, 2), stiff = with_guess(patch, guesses, 3),
                              smooth = with_guess(patch, guesses, 5);
    for (Index i = 0; i < patch.box.voxels(); ++i) {
      if (patch.unknown[i] == 0) continue;
      CHECK(std::abs(laplacian(harmonic, i, 1)) < 1e-4);
      if (slices > 1) CHECK(std::abs(laplacian(stiff, i, 3)) < 1e-4);
      std::vector<double> once = smooth;
      for (const Index j : {i, i - 1, i + 1, i - 9, i + 9}) once[j] = laplacian(smooth, j, 1);
      double twice = second(once, i, 1) + second(once, i, 9);
      if (slices > 1) {
        for (const Index j : {i - 81, i + 81}) once[j] = laplacian(smooth, j, 1);
        twice += second(once, i, 81);
      }
      CHECK(std::abs(twice) < 1e-3);
    }
  }
}

TEST_CASE("guesses along z are the line and the cubic through the known slices", "[imaging][inpaint]") {
  Patch patch = square_patch(9);
  for (Index i = 0; i < patch.box.voxels(); ++i) {
    const auto z = static_cast<double>(patch.box.place(i)[2]);
    if (patch.unknown[i] == 0) patch.values[i] = z * z * z;
  }
  const Matrix<double> guesses = guesses_of(patch);
  for (Index row = 0; row < guesses.rows(); ++row) {
    CHECK(guesses(row, 0) == Approx((27 + 125) / 2.0));
    CHECK(guesses(row, 1) == Approx(64));
  }
  CHECK(depths_of(patch)[patch.box.at({4, 4, 4})] == 1);
}

TEST_CASE("weights find the mixture that made the truth, and are none below 0", "[imaging][inpaint]") {
  Example example;
  example.guesses.resize(200, 4);
  for (Index i = 0; i < 200; ++i)
    for (Index k = 0; k < 4; ++k)
      example.guesses(i, k) = Random(2).normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(k));
  const Eigen::Vector4d truth(0.25, 0, 0.6, 0.15);
  example.truth = example.guesses * truth;
  const Example* list[] = {&example};
  CHECK((mixing_weights(list) - truth).norm() < 1e-4);
  example.truth = 2 * example.guesses.col(1) - example.guesses.col(0);
  const Eigen::VectorXd weights = mixing_weights(list);
  CHECK(weights.minCoeff() >= 0);
  CHECK(weights.sum() == Approx(1));
  CHECK(weights[1] > 0.9);
}

TEST_CASE("cut holes lie in known tissue, and those of a mirrored picture are the mirrored ones",
          "[imaging][inpaint]") {
  SimulatedPlan plan;
  plan.size = {60, 50, 11};
  Picture picture = simulated_picture(plan, Random(1));
  for (Index y = 20; y < 30; ++y)
    for (Index x = 8; x < 22; ++x) picture.missing[picture.at(x, y, 4)] = 1;
  Picture mirrored = picture;
  const auto other = [&](const Place& p) { return Place{59 - p[0], p[1], 10 - p[2]}; };
  const Box all{{0, 0, 0}, picture.size};
  for (Index i = 0; i < picture.voxels(); ++i) mirrored.missing[picture.at(other(all.place(i)))] = picture.missing[i];
  const auto voxels = [&](const Picture& of, bool turn) {
    const std::vector<Hole> holes = holes_of(of, 4);
    REQUIRE(holes.size() == 1);
    std::multiset<Place> places;
    for (const Cut& cut : cuts_near(of, holes[0], 16384))
      for (const Place& p : cut.voxels) {
        CHECK(of.missing[of.at(p)] == 0);
        places.insert(turn ? other(p) : p);
      }
    return places;
  };
  const std::multiset<Place> here = voxels(picture, false);
  CHECK(here.size() > 1024);
  CHECK(here == voxels(mirrored, true));
}

TEST_CASE("rough values are what is known around, in linear time of any hole", "[imaging][inpaint]") {
  Picture picture;
  picture.size = {33, 20, 5};
  picture.values.assign(picture.voxels(), 4);
  picture.missing.assign(picture.voxels(), 1);
  picture.missing[7] = 0;
  for (const double value : rough_values(picture)) CHECK(value == 4);
}

}  // namespace fovea::imaging::inpaint
