// Holes filled by attention to patches: what must not change the answer, and what must.

#include "fovea/domains/imaging/inpaint/inpaint.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/domains/imaging/findings.hpp"
#include "fovea/domains/imaging/inpaint/simulated.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::imaging::inpaint {

namespace {

/// Some holes: a square in one slice, and specks.
Picture holed(Picture picture) {
  for (Index y = 20; y < 30; ++y)
    for (Index x = 14; x < 26; ++x) picture.missing[picture.at(x, y, 6)] = 1;
  for (Index k = 0; k < 12; ++k) picture.missing[picture.at((7 * k + 3) % 48, (11 * k) % 48, 9)] = 1;
  return picture;
}

Picture small_picture(bool context = false) {
  SimulatedPlan plan;
  plan.size = {48, 48, 14}, plan.context = context;
  return holed(simulated_picture(plan, Random(3)));
}

double largest_gap(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double gap = 0;
  for (std::size_t k = 0; k < a.size(); ++k) gap = std::max(gap, std::abs(a[k] - b[k]));
  return gap;
}

/// Mean squared error over the hole.
double error_of(const Picture& picture, const Filled& filled, const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t k = 0; k < values.size(); ++k) sum += std::pow(values[k] - picture.values[filled.voxels[k]], 2);
  return sum / static_cast<double>(values.size());
}

Picture of_function(const Place& size, double (*value)(double, double, double)) {
  Picture picture;
  picture.size = size;
  const Box all{{0, 0, 0}, size};
  for (Index i = 0; i < picture.voxels(); ++i) {
    const Place p = all.place(i);
    picture.values.push_back(value(static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])));
  }
  picture.missing.assign(picture.voxels(), 0);
  return picture;
}

}  // namespace

TEST_CASE("a filled image follows its units: HU with offset, a millionth, a million", "[imaging][inpaint]") {
  const Picture picture = small_picture();
  const Filled filled = fill(picture, {});
  for (const auto& [factor, shift] : {std::pair(1e6, -3e5), std::pair(1e-6, 1e-4), std::pair(2000.0, -1024.0)}) {
    Picture other = picture;
    for (double& value : other.values) value = factor * value + shift;
    std::vector<double> back = fill(other, {}).values;
    for (double& value : back) value = (value - shift) / factor;
    CHECK(largest_gap(back, filled.values) < 1e-4);
  }
}

TEST_CASE("constants stay constant and ramps stay ramps", "[imaging][inpaint]") {
  const Picture flat = holed(of_function({48, 48, 14}, [](double, double, double) { return 128.0; }));
  for (const double value : fill(flat, {}).values) CHECK(value == 128);
  const Picture ramp = of_function({48, 48, 14}, [](double x, double y, double z) { return 3 * x - 2 * y + 5 * z; });
  Picture inner = ramp;
  for (Index y = 20; y < 30; ++y)
    for (Index x = 14; x < 26; ++x) inner.missing[inner.at(x, y, 6)] = inner.missing[inner.at(x, y, 7)] = 1;
  const Filled filled = fill(inner, {});
  CHECK(std::sqrt(error_of(ramp, filled, filled.values)) < 1e-4 * 300);
}

TEST_CASE("what lies in a hole is never read, and threads change no bit", "[imaging][inpaint]") {
  const Picture picture = small_picture(true);
  const Filled filled = fill(picture, {});
  for (const double content : {1e30, std::numeric_limits<double>::quiet_NaN()}) {
    Picture other = picture;
    for (Index i = 0; i < other.voxels(); ++i)
      if (other.missing[i] != 0) other.values[i] = content;
    CHECK(fill(other, {}).values == filled.values);
  }
  const int before = omp_get_max_threads();
  for (const int threads : {1, 3, 5}) {
    omp_set_num_threads(threads);
    const Filled again = fill(picture, {});
    CHECK(again.values == filled.values);
    CHECK(again.half_widths == filled.half_widths);
  }
  omp_set_num_threads(before);
}

TEST_CASE("a mirrored image has the mirrored answer", "[imaging][inpaint]") {
  const Picture picture = small_picture();
  const Filled filled = fill(picture, {});
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Picture mirrored = picture;
    const Box all{{0, 0, 0}, picture.size};
    const auto other = [&](Index i) {
      Place p = all.place(i);
      p[axis] = picture.size[axis] - 1 - p[axis];
      return picture.at(p);
    };
    for (Index i = 0; i < picture.voxels(); ++i)
      mirrored.values[other(i)] = picture.values[i], mirrored.missing[other(i)] = picture.missing[i];
    const Filled answer = fill(mirrored, {});
    std::vector<double> back(picture.values.size(), 0), first = back;
    for (std::size_t k = 0; k < answer.voxels.size(); ++k) back[other(answer.voxels[k])] = answer.values[k];
    for (std::size_t k = 0; k < filled.voxels.size(); ++k) first[filled.voxels[k]] = filled.values[k];
    CHECK(largest_gap(back, first) < 1e-3);
  }
}

TEST_CASE("attention mends the guess, and 90 % intervals hold", "[imaging][inpaint]") {
  double guess = 0, attended = 0;
  Index within = 0, count = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SimulatedPlan plan;
    plan.size = {64, 64, 12}, plan.context = false;
    Picture picture = simulated_picture(plan, Random(seed));
    for (Index y = 24; y < 40; ++y)
      for (Index x = 24; x < 40; ++x) picture.missing[picture.at(x, y, 6)] = 1;
    const Filled filled = fill(picture, {});
    guess += std::log(error_of(picture, filled, filled.guess));
    attended += std::log(error_of(picture, filled, filled.values));
    for (std::size_t k = 0; k < filled.values.size(); ++k, ++count)
      if (std::abs(filled.values[k] - picture.values[filled.voxels[k]]) <= filled.half_widths[k]) ++within;
  }
  CHECK(attended < guess);
  const double covered = static_cast<double>(within) / static_cast<double>(count);
  CHECK(covered > 0.85);
  CHECK(covered < 0.95);
}

TEST_CASE("a context earns its weight on cut holes, and noise has weight 0", "[imaging][inpaint]") {
  SimulatedPlan plan;
  plan.size = {64, 64, 14}, plan.organs = 40;
  Picture picture = simulated_picture(plan, Random(8));
  picture.contexts.emplace_back();
  for (Index i = 0; i < picture.voxels(); ++i)
    picture.contexts[1].push_back(Random(9).normal(static_cast<std::uint64_t>(i)));
  for (Index z = 5; z < 9; ++z)
    for (Index y = 24; y < 40; ++y)
      for (Index x = 24; x < 40; ++x) picture.missing[picture.at(x, y, z)] = 1;
  const Filled filled = fill(picture, {});
  CHECK(filled.attention.contexts == std::vector<std::uint8_t>{1, 0});
  Picture without = picture;
  without.contexts.clear();
  CHECK(error_of(picture, filled, filled.values) < error_of(picture, filled, fill(without, {}).values));
}

TEST_CASE("without slices an image is filled by its own slice alone", "[imaging][inpaint]") {
  Picture picture = small_picture();
  const Filled filled = fill(picture, {.slices = 0});
  for (Index i = 0; i < picture.voxels(); ++i)
    if (const Index z = i / (48 * 48); z != 6 && z != 9) picture.values[i] = 7 * static_cast<double>(z);
  const Filled other = fill(picture, {.slices = 0});
  CHECK(largest_gap(filled.guess, other.guess) < 1e-4 * 100);
  CHECK(filled.weights[0] == 0);
  CHECK(filled.weights[2] + filled.weights[5] + filled.weights[6] == Approx(1));
}

TEST_CASE("where no hole can be cut there is no interval, and where nothing is known no answer", "[imaging][inpaint]") {
  Picture picture = of_function({3, 3, 1}, [](double x, double, double) { return x; });
  picture.missing.assign(9, 1);
  picture.missing[4] = 0;
  const Filled filled = fill(picture, {});
  CHECK(filled.attention.lessons == 0);
  CHECK(filled.attention.share == 0);
  for (const double value : filled.values) CHECK(value == Approx(1));
  CHECK(std::isnan(filled.half_widths[0]));
  picture.missing[4] = 1;
  CHECK_THROWS_AS(fill(picture, {}), ArgumentError);
}

TEST_CASE("voxels farther from what is known than any of a cut hole are numbered", "[imaging][inpaint]") {
  Picture picture = of_function({30, 24, 1}, [](double x, double y, double) { return std::sin(x / 5) + y / 24; });
  for (Index y = 1; y < 23; ++y)
    for (Index x = 3; x < 30; ++x) picture.missing[picture.at(x, y, 0)] = 1;
  const Filled filled = fill(picture, {});
  CHECK((filled.attention.lessons == 0 || filled.beyond > 0));
  CHECK(fill(holed(of_function({48, 48, 14}, [](double x, double, double) { return x; })), {}).beyond == 0);
}

TEST_CASE("few holes show no gain of attention", "[imaging][inpaint][findings]") {
  const AttentionAddsLittle few{{0.8, 0.4, 1.2, 5}}, one{{0.8, kNan, kNan, 1}}, many{{0.1, -0.2, 0.4, 6}};
  CHECK((few.holds() && one.holds() && many.holds()));
  CHECK(few.sentence().ends_with("0.40 to 1.20); fewer than 6 holes cannot tell."));
  CHECK(one.sentence().ends_with("the change is 0.80 dB; fewer than 6 holes cannot tell."));
  CHECK(many.sentence().ends_with(" to 0.40)."));
  CHECK((AttentionMends{{0.8, 0.4, 1.2, 6}}.holds() && !AttentionMends{{0.8, 0.4, 1.2, 5}}.holds()));
}

TEST_CASE("specks, and a hole larger than a block, are filled whole", "[imaging][inpaint]") {
  Picture picture = of_function({140, 90, 3}, [](double x, double y, double) { return std::sin(x / 9) + y / 90; });
  for (Index y = 12; y < 70; ++y)
    for (Index x = 40; x < 100; ++x) picture.missing[picture.at(x, y, 1)] = 1;
  for (Index k = 0; k < 90; ++k) picture.missing[picture.at((13 * k) % 37, (29 * k + k / 7) % 90, 0)] = 1;
  const Filled filled = fill(picture, {});
  CHECK(std::ssize(filled.voxels) == std::count(picture.missing.begin(), picture.missing.end(), 1));
  CHECK(filled.holes > 1);
  CHECK(std::sqrt(error_of(picture, filled, filled.values)) < 0.05);
}

}  // namespace fovea::imaging::inpaint
