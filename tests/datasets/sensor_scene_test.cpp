/// Made scenes: what is drawn has the densities that are stated, and Bayes' answer by them is the best there is.

#include "fovea/datasets/simulated/sensor_scene.hpp"

#include "fovea/core/base/moments.hpp"
#include "fovea/core/statistics/calibration.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/datasets/simulated/scene_bayes.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets::simulated;

namespace {

constexpr double kFourErrors = 4;  // standard errors; seeds are fixed

double share_right(const std::vector<Index>& answers, const std::vector<Index>& truth) {
  double right = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) right += answers[i] == truth[i] ? 1 : 0;
  return right / static_cast<double>(truth.size());
}

/// Independent pixels.
SensorScenePlan independent_pixels(Index side) {
  SensorScenePlan plan;
  plan.rows = plan.columns = side, plan.patch = 1;
  return plan;
}

/// One optical band; the radar sees `decibels` more of the second class in VV, the optics `distance` deviations.
SensorScenePlan two_plain_classes(double decibels, double distance) {
  SensorScenePlan plan = independent_pixels(1);
  plan.classes = {{"a", 1, {-10, -20}, {0.2}, even_covariance({0.05}, 0)},
                  {"b", 1, {-10 + decibels, -20}, {0.2 + 0.05 * distance}, even_covariance({0.05}, 0)}};
  return plan;
}

std::vector<double> values_of_class(const SensorScene& scene, const Matrix<double>& values, Index column, Index c) {
  std::vector<double> chosen;
  for (Index i = 0; i < values.rows(); ++i)
    if (scene.truth[i] == c) chosen.push_back(values(i, column));
  return chosen;
}

bool same_bits(const Matrix<double>& a, const Matrix<double>& b) {
  return std::equal(a.data(), a.data() + a.size(), b.data(), b.data() + b.size(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

TEST_CASE("speckle has mean 1, variance 1 over looks, and at one look the exponential's distribution",
          "[datasets][sensor_scene][statistics]") {
  for (const double looks : {1.0, 4.4, 16.0}) {
    const Random random(17);
    std::vector<double> speckle;
    for (std::uint64_t i = 0; i < 40000; ++i) speckle.push_back(gamma_draw(looks, random, i) / looks);
    const Moments found = moments(speckle);
    CHECK(std::abs(found.mean - 1) < kFourErrors / std::sqrt(looks * 40000));
    const double kurtosis = 3 + 6 / looks;
    CHECK(std::abs(found.variance * looks - 1) < kFourErrors * std::sqrt((kurtosis - 1) / 40000));
    CHECK(std::abs(found.skewness - 2 / std::sqrt(looks)) < 0.25);
    if (looks > 1) continue;
    std::sort(speckle.begin(), speckle.end());
    double furthest = 0;
    for (std::size_t i = 0; i < speckle.size(); ++i)
      furthest = std::max(furthest, std::abs(1 - std::exp(-speckle[i]) - (static_cast<double>(i) + 0.5) / 40000));
    CHECK(furthest * 200 < 1.95);  // Kolmogorov, level .001
  }
}

TEST_CASE("classes have their shares, backscatter its means, reflectances their covariance",
          "[datasets][sensor_scene][statistics]") {
  SensorScenePlan plan = independent_pixels(200);
  plan.classes[0].share = 3;
  const SensorScene scene = sensor_scene(plan, Random(4));
  CHECK(std::abs(static_cast<double>(std::count(scene.truth.begin(), scene.truth.end(), 0)) / 40000 - 3.0 / 7) <
        kFourErrors * 0.0025);
  for (Index c = 0; c < 5; ++c) {
    const SceneClass& one = plan.classes[c];
    for (Index k = 0; k < 2; ++k) {
      const MeanWithError seen = mean_with_error(values_of_class(scene, scene.backscatter, k, c));
      CHECK(std::abs(seen.mean - std::pow(10, one.backscatter_db[k] / 10)) < kFourErrors * seen.error);
    }
    const std::vector<double> blue = values_of_class(scene, scene.reflectance, 0, c),
                              near = values_of_class(scene, scene.reflectance, 3, c);
    CHECK(std::abs(moments(near).mean - one.reflectance[3]) < kFourErrors * mean_with_error(near).error);
    double product = 0;
    for (std::size_t i = 0; i < blue.size(); ++i)
      product += (blue[i] - one.reflectance[0]) * (near[i] - one.reflectance[3]) / static_cast<double>(blue.size());
    const double allowed = std::sqrt((one.covariance(0, 0) * one.covariance(3, 3) + std::pow(one.covariance(0, 3), 2)) /
                                     static_cast<double>(blue.size()));
    CHECK(std::abs(product - one.covariance(0, 3)) < kFourErrors * allowed);
  }
}

/// What the sensors can know at best, of pixels of a clear sky; by Monte Carlo, with its standard errors.
struct BestPossible {
  MeanWithError accuracy;              ///< E max_c P(c | x): no rule has more
  MeanWithError information;           ///< mutual information of class and sensors, nats: E log p(x | c) / p(x)
  std::vector<double> recall;          ///< of each class: how often Bayes' answer finds it
  std::vector<double> information_of;  ///< E log p(x | c) / p(x) of pixels of class c
};
/// By `pixels` independent pixels of the plan's classes without clouds and shift.
BestPossible best_possible(const SensorScenePlan& plan, SceneSensors sensors, Index pixels, const Random& random) {
  SensorScenePlan clear = plan;
  clear.rows = pixels, clear.columns = 1, clear.patch = 1, clear.cloud_share = 0, clear.row_shift = 0,
  clear.column_shift = 0;
  const SensorScene scene = sensor_scene(clear, random);
  const SceneBayes bayes(clear);
  const Matrix<double> known = bayes.posteriors(scene, sensors);
  const std::vector<Index> answers = most_probable(known);
  double all = 0;
  for (const SceneClass& one : plan.classes) all += one.share;
  std::vector<double> largest, gains, count(plan.classes.size()), found(plan.classes.size()),
      gained(plan.classes.size());
  for (Index i = 0; i < pixels; ++i) {
    const std::size_t at = i, c = scene.truth[at];
    // log p(x | c) / p(x) = log P(c | x) / share; a posterior below the smallest double is as good as that
    const double gain = std::log(std::max(known(i, scene.truth[at]), 1e-300) * all / plan.classes[c].share);
    largest.push_back(known(i, answers[at]));
    gains.push_back(gain);
    count[c] += 1, gained[c] += gain, found[c] += answers[at] == scene.truth[at] ? 1 : 0;
  }
  BestPossible best{mean_with_error(largest), mean_with_error(gains), {}, {}};
  for (std::size_t c = 0; c < count.size(); ++c) {
    best.recall.push_back(count[c] > 0 ? found[c] / count[c] : kNan);
    best.information_of.push_back(count[c] > 0 ? gained[c] / count[c] : kNan);
  }
  return best;
}

TEST_CASE("Bayes' accuracy is that of the closed forms: two exponentials, two normals",
          "[datasets][sensor_scene][limit]") {
  SensorScenePlan plan = two_plain_classes(6, 2);
  plan.looks = 1;
  const double ratio = std::pow(10, 0.6), cut = std::log(ratio) / (1 - 1 / ratio);  // in units of the smaller mean
  const BestPossible radar = best_possible(plan, SceneSensors::radar, 40000, Random(1));
  CHECK(std::abs(radar.accuracy.mean - (1 - std::exp(-cut) + std::exp(-cut / ratio)) / 2) <
        kFourErrors * radar.accuracy.error);
  const BestPossible optical = best_possible(plan, SceneSensors::optical, 40000, Random(2));
  CHECK(std::abs(optical.accuracy.mean - normal_cdf(1)) < kFourErrors * optical.accuracy.error);
  CHECK(optical.accuracy.error < 0.002);
  const BestPossible both = best_possible(plan, SceneSensors::both, 40000, Random(3));
  CHECK(both.accuracy.mean > optical.accuracy.mean + 0.01);
  // sensors that are independent given the class know together at most what they know alone
  CHECK(both.information.mean < radar.information.mean + optical.information.mean);
  CHECK(both.information.mean > optical.information.mean);
}

TEST_CASE("what cannot be told apart is not: forests by the radar, soils by optics; both tell all",
          "[datasets][sensor_scene][limit]") {
  const SensorScenePlan plan;
  const BestPossible radar = best_possible(plan, SceneSensors::radar, 20000, Random(1)),
                     optical = best_possible(plan, SceneSensors::optical, 20000, Random(1)),
                     both = best_possible(plan, SceneSensors::both, 20000, Random(1));
  CHECK(radar.recall[1] + radar.recall[2] < 1.001);  // one of both is called always, or each by chance
  CHECK(optical.recall[3] + optical.recall[4] < 1.001);
  CHECK(both.accuracy.mean > radar.accuracy.mean + 0.1);
  CHECK(both.accuracy.mean > optical.accuracy.mean + 0.1);
  CHECK(both.information_of[1] > radar.information_of[1] + 0.5);
  CHECK(both.information_of[4] > optical.information_of[4] + 0.5);
  CHECK(both.information.mean < std::log(5));
}

TEST_CASE("posteriors sum to 1, are calibrated, and no other rule is right more often",
          "[datasets][sensor_scene][statistics]") {
  SensorScenePlan plan = independent_pixels(160);
  plan.cloud_share = 0.4;
  const SensorScene scene = sensor_scene(plan, Random(8));
  const SceneBayes bayes(plan);
  for (const SceneSensors sensors : {SceneSensors::radar, SceneSensors::optical, SceneSensors::both}) {
    const Matrix<double> known = bayes.posteriors(scene, sensors);
    CHECK((known.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-14);
    for (Index c = 0; c < 5; ++c) {
      std::vector<double> probabilities;
      std::vector<Index> outcomes;
      for (Index i = 0; i < known.rows(); ++i) {
        probabilities.push_back(known(i, c));
        outcomes.push_back(scene.truth[i] == c ? 1 : 0);
      }
      for (const ReliabilityBin& bin : reliability_curve(probabilities, outcomes, 10)) {
        if (bin.count < 50) continue;
        const double error =
            std::sqrt(std::max(bin.predicted * (1 - bin.predicted), 1e-4) / static_cast<double>(bin.count));
        CHECK(std::abs(bin.observed - bin.predicted) < kFourErrors * error);
      }
    }
  }
  const double best = share_right(most_probable(bayes.posteriors(scene, SceneSensors::both)), scene.truth);
  for (const SceneSensors sensors : {SceneSensors::radar, SceneSensors::optical})
    CHECK(best > share_right(most_probable(bayes.posteriors(scene, sensors)), scene.truth) + 0.05);
  SensorScenePlan wrong = plan;  // rules by other densities
  for (SceneClass& one : wrong.classes) one.backscatter_db[0] += 3;
  CHECK(best > share_right(most_probable(SceneBayes(wrong).posteriors(scene, SceneSensors::both)), scene.truth));
  wrong = plan;
  for (SceneClass& one : wrong.classes) one.covariance = Matrix<double>::Identity(4, 4) * 4e-4;
  CHECK(best > share_right(most_probable(SceneBayes(wrong).posteriors(scene, SceneSensors::both)), scene.truth));
  wrong = plan;
  wrong.classes[4].share = 10;
  CHECK(best > share_right(most_probable(SceneBayes(wrong).posteriors(scene, SceneSensors::both)), scene.truth));
}

TEST_CASE("below an announced cloud the radar alone is left; one that is not announced is bright and misleads",
          "[datasets][sensor_scene]") {
  SensorScenePlan plan;
  plan.cloud_share = 0.3;
  const SensorScene scene = sensor_scene(plan, Random(2));
  CHECK(std::count(scene.cloudy.begin(), scene.cloudy.end(), 1) == std::llround(0.3 * 128 * 128));
  Index edges = 0;  // clouds are smooth: an independent mask would have .42 of the pairs
  for (std::size_t i = 0; i + 1 < scene.cloudy.size(); ++i) edges += scene.cloudy[i] != scene.cloudy[i + 1] ? 1 : 0;
  CHECK(edges < 983);  // .06 of them
  const SceneBayes bayes(plan);
  const Matrix<double> both = bayes.posteriors(scene, SceneSensors::both),
                       radar = bayes.posteriors(scene, SceneSensors::radar);
  plan.announced = false;
  const SensorScene fooled = sensor_scene(plan, Random(2));
  CHECK(fooled.truth == scene.truth);
  CHECK(fooled.cloudy == scene.cloudy);
  for (std::size_t i = 0; i < scene.truth.size(); ++i) {
    const auto row = static_cast<Index>(i);
    REQUIRE(scene.clear[i] == 1 - scene.cloudy[i]);
    REQUIRE(scene.reflectance.row(row).hasNaN() == (scene.cloudy[i] == 1));
    if (scene.cloudy[i] == 1) REQUIRE(both.row(row) == radar.row(row));
    REQUIRE(fooled.clear[i] == 1);
    if (fooled.cloudy[i] == 1)
      REQUIRE(fooled.reflectance.row(row).minCoeff() > kCloudReflectance - 6 * kCloudDeviation);
  }
  const double right = share_right(most_probable(both), scene.truth),
               misled = share_right(most_probable(bayes.posteriors(fooled, SceneSensors::both)), fooled.truth);
  CHECK(misled < right - 0.1);
}

TEST_CASE("the radar is shifted by whole pixels and by parts of them, in power", "[datasets][sensor_scene]") {
  SensorScenePlan plan;
  plan.rows = 40, plan.columns = 50, plan.patch = 5, plan.looks = 1e6;  // hardly any speckle
  const SensorScene still = sensor_scene(plan, Random(6));
  plan.row_shift = 2, plan.column_shift = -3;
  const SensorScene whole = sensor_scene(plan, Random(6));
  CHECK(whole.truth == still.truth);
  CHECK(same_bits(whole.reflectance, still.reflectance));
  plan.row_shift = 0.6, plan.column_shift = 0;
  const SensorScene part = sensor_scene(plan, Random(6));
  for (Index r = 0; r < 38; ++r)
    for (Index c = 3; c < 50; ++c) {
      const Index at = r * 50 + c;
      REQUIRE(whole.backscatter(at, 0) == Approx(still.backscatter((r + 2) * 50 + c - 3, 0)).epsilon(0.02));
      REQUIRE(part.backscatter(at, 1) ==
              Approx(0.4 * still.backscatter(at, 1) + 0.6 * still.backscatter(at + 50, 1)).epsilon(0.02));
    }
  plan.row_shift = 1000;  // all of it beyond the last row
  CHECK(sensor_scene(plan, Random(6)).backscatter(49, 0) == Approx(still.backscatter(39 * 50 + 49, 0)).epsilon(0.02));
}

TEST_CASE("a scene has the same bits at any number of threads, and others with another seed",
          "[datasets][sensor_scene][threads]") {
  SensorScenePlan plan;
  plan.rows = 33, plan.columns = 47, plan.cloud_share = 0.25, plan.row_shift = 0.3;
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const SensorScene one = sensor_scene(plan, Random(9));
  for (const int threads : {2, 3, 5}) {
    omp_set_num_threads(threads);
    const SensorScene again = sensor_scene(plan, Random(9));
    CHECK(again.truth == one.truth);
    CHECK(again.cloudy == one.cloudy);
    CHECK(same_bits(again.backscatter, one.backscatter));
    CHECK(same_bits(again.reflectance, one.reflectance));
  }
  omp_set_num_threads(before);
  CHECK_FALSE(same_bits(sensor_scene(plan, Random(10)).backscatter, one.backscatter));
}

TEST_CASE("a scene that cannot be made is refused", "[datasets][sensor_scene][fault]") {
  const auto said = [](const auto& change) {
    SensorScenePlan plan;
    change(plan);
    return support::refusal_of<ArgumentError>([&] { sensor_scene(plan, Random(1)); });
  };
  CHECK(said([](SensorScenePlan& p) { p.looks = 0.5; }) == "sensor_scene: looks = 0.5, but must be in [1, 1e6].");
  CHECK_FALSE(said([](SensorScenePlan& p) { p.cloud_share = 1.1; }).empty());
  CHECK_FALSE(said([](SensorScenePlan& p) { p.row_shift = std::nan(""); }).empty());
  CHECK_FALSE(said([](SensorScenePlan& p) { p.classes[1].reflectance.pop_back(); }).empty());
  CHECK_FALSE(said([](SensorScenePlan& p) { p.classes[1].covariance(0, 0) = -1; }).empty());
  CHECK_FALSE(said([](SensorScenePlan& p) { p.classes.clear(); }).empty());
}
