/// Made river plains: what each sensor is misled by is there, and what the other sees is as stated.

#include "fovea/datasets/simulated/flooded_plain.hpp"

#include <cstring>

#include "fovea/tests/support/test.hpp"

using namespace fovea;
using namespace fovea::datasets::simulated;

namespace {

/// Mean of a quantity over the pixels of some ground and sky.
template <typename Wanted, typename Value>
double mean_over(const FloodedPlain& scene, const Wanted& wanted, const Value& value) {
  double sum = 0, count = 0;
  for (Index i = 0; i < std::ssize(scene.ground); ++i)
    if (wanted(i)) sum += value(i), ++count;
  REQUIRE(count > 50);
  return sum / count;
}

bool plain_bits(const Matrix<double>& a, const Matrix<double>& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

std::string ground_at(const FloodedPlain& scene, Index i) { return kPlainGrounds[scene.ground[i]]; }

}  // namespace

TEST_CASE("each sensor takes for another ground what the other tells apart", "[datasets][flooded_plain][statistics]") {
  FloodedPlainPlan plan;
  plan.rows = plan.columns = 240;
  const FloodedPlain scene = flooded_plain(plan, Random(3));
  const auto lit = [&](const char* name) {
    return [&scene, name](Index i) {
      return ground_at(scene, i) == name && scene.cloudy[i] + scene.veiled[i] + scene.shaded[i] == 0;
    };
  };
  const auto vv = [&](const char* name) {
    return 10 * std::log10(mean_over(scene, lit(name), [&](Index i) { return scene.backscatter(i, 0); }));
  };
  const auto near_infrared = [&](const char* name) {
    return mean_over(scene, lit(name), [&](Index i) { return scene.reflectance(i, 3); });
  };
  constexpr double kDecibels = 2;  // parcels deviate by 2 dB, and edges are mixed
  CHECK(std::abs(vv("rough water") - vv("bare soil")) < kDecibels);
  CHECK(vv("rough water") - vv("calm water") > 4);
  CHECK(vv("smooth sand") - vv("calm water") < 4);
  CHECK(vv("crops") - vv("calm water") > 5);
  CHECK(near_infrared("smooth sand") > 0.25);
  CHECK(near_infrared("bare soil") > 0.15);
  CHECK(near_infrared("calm water") < 0.1);
  const double in_shadow = mean_over(
      scene, [&](Index i) { return ground_at(scene, i) == "bare soil" && scene.shaded[i] != 0; },
      [&](Index i) { return scene.reflectance(i, 3); });
  CHECK(in_shadow < near_infrared("calm water"));  // land as dark as water
  const double veiled = mean_over(
      scene, [&](Index i) { return ground_at(scene, i) == "calm water" && scene.veiled[i] != 0; },
      [&](Index i) { return scene.reflectance(i, 3); });
  CHECK(veiled > near_infrared("bare soil") - 0.05);  // water as bright as land
}

TEST_CASE("clouds change the optical values below, around and beside them alone", "[datasets][flooded_plain]") {
  FloodedPlainPlan plan;
  const FloodedPlain clouded = flooded_plain(plan, Random(4));
  plan.cloud_share = 0;
  const FloodedPlain clear = flooded_plain(plan, Random(4));
  CHECK(clear.ground == clouded.ground);
  CHECK(plain_bits(clear.backscatter, clouded.backscatter));
  Index hidden = 0;
  for (Index i = 0; i < std::ssize(clear.ground); ++i) {
    CHECK(clear.cloudy[i] + clear.veiled[i] + clear.shaded[i] == 0);
    CHECK(clouded.cloudy[i] + clouded.veiled[i] + clouded.shaded[i] <= 1);
    hidden += clouded.cloudy[i];
    CHECK(std::isnan(clouded.reflectance(i, 0)) == (clouded.cloudy[i] != 0));
    if (clouded.cloudy[i] + clouded.veiled[i] + clouded.shaded[i] == 0)
      CHECK(clouded.reflectance(i, 2) == clear.reflectance(i, 2));
    else if (clouded.cloudy[i] == 0)
      CHECK(clouded.reflectance(i, 2) != clear.reflectance(i, 2));
  }
  CHECK((hidden > 460 && hidden < 2300));  // 15 % of a larger sky: 5 to 25 % of 96 x 96
}

TEST_CASE("a flooded plain is the same at any number of threads, and an impossible one is refused",
          "[datasets][flooded_plain][threads][fault]") {
  const FloodedPlainPlan plan;
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const FloodedPlain one = flooded_plain(plan, Random(5));
  omp_set_num_threads(3);
  const FloodedPlain three = flooded_plain(plan, Random(5));
  omp_set_num_threads(before);
  CHECK(one.ground == three.ground);
  CHECK(plain_bits(one.backscatter, three.backscatter));
  CHECK(plain_bits(one.reflectance, three.reflectance));
  FloodedPlainPlan wrong;
  wrong.cloud_share = 0.3;
  CHECK_THROWS_AS(flooded_plain(wrong, Random(5)), fovea::ArgumentError);
}
