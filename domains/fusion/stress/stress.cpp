/// The experiment "fusion.stress": what remains of a map below clouds, with S1 moved, with more speckle, with a sensor
/// lost.

#include <algorithm>

#include "fovea/core/config/keys.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/domains/fusion/experiments.hpp"
#include "fovea/domains/fusion/findings.hpp"
#include "fovea/domains/fusion/flood/skies.hpp"

namespace fovea::fusion::stress {

namespace {

using flood::Rendition;
using flood::Skies;
using flood::SkyAnswers;
using flood::SkyQuality;
using study::StudyOutcome;

const std::vector<double> kCovers{0, 0.1, 0.25, 0.45, 0.6, 0.8, 0.9, 1};
const std::vector<double> kLooks{1, 2, 4, 8, 16};
constexpr Index kMostShift = 3;
constexpr double kTolerated = 0.01;
const char* const kPromise = "the better sensor answers where the other cannot, README of the domain";

/// Mean intersection over union at one point of a stress.
struct Point {
  double at, both, s1, s2;
};

void add_curve(const std::string& name, const std::string& over, const std::vector<Point>& curve, Results& results) {
  rows(over, curve)
      .prefix(name + "_")
      .number("both", &Point::both, "both sensors")
      .number("s1", &Point::s1, "S1 alone")
      .number("s2", &Point::s2, "S2 alone")
      .write(results);
  double loss = 0;
  for (const Point& point : curve) loss = std::max(loss, std::max(point.s1, point.s2) - point.both);
  results.check({name + "_loss", "by how much both sensors are worse than the better one alone, at worst", kPromise, 0,
                 loss, absolute(kTolerated)});
}

void draw_curve(const std::string& name, const std::string& over, const std::string& title, const std::string& caption,
                Results& results) {
  results.figure({.name = name,
                  .title = title,
                  .caption = caption,
                  .variables = {name + "_both", name + "_s1", name + "_s2"},
                  .x = over,
                  .log_x = over == "looks",
                  .value_label = "mean intersection over union"});
}

/// What one sensor says of the tested pixels as they are.
struct Alone {
  double s1 = 0, s2 = 0, both = 0;
};

double mean_iou(const Skies& skies, const Rendition& rendition, Index without) {
  return skies.confusion_of(skies.answers(rendition, without)).mean_intersection();
}

void examine_cover(const Skies& skies, const Alone& alone, Results& results) {
  results.coordinate("cover", kCovers, "1", "share of the scene below clouds");
  for (const bool announced : {true, false}) {
    std::vector<Point> curve;
    std::vector<SkyQuality> qualities;
    for (const double cover : kCovers) {
      Rendition sky;
      sky.cover = cover, sky.announced = announced;
      qualities.push_back(skies.quality(skies.answers(sky)));
      curve.push_back({cover, qualities.back().mean_iou, alone.s1, mean_iou(skies, sky, 0)});
    }
    add_curve(announced ? "cover" : "unannounced", "cover", curve, results);
    if (announced) continue;
    rows("cover", qualities)
        .prefix("unannounced_")
        .number("trust_cloudy", &SkyQuality::trust_cloudy, "below clouds")
        .number("trust_clear", &SkyQuality::trust_clear, "elsewhere")
        .number("auroc", &SkyQuality::auroc, "AUROC of the trust in S1 for being below a cloud")
        .write(results)
        .lines(results, "trust_cloudy",
               {.name = "unannounced_trust",
                .title = "Trust in S2 where clouds have no mask",
                .caption = "Mean over the tested pixels below clouds, and over the others.",
                .variables = {"unannounced_trust_clear"},
                .value_label = "trust in S2"});
  }
  draw_curve("cover", "cover", "Clouds with a mask",
             "S2 is missing below them; S2 alone then answers with the most frequent class.", results);
  draw_curve("unannounced", "cover", "Clouds without a mask",
             "Bright clouds are painted into the values of S2, without a mask.", results);
}

/// S1 moved up, down, left and right by as much: the mean of the four, and the worst.
void examine_shift(const Skies& skies, const Alone& alone, Results& results) {
  std::vector<Point> curve;
  std::vector<double> worst;
  for (Index by = 0; by <= kMostShift; ++by) {
    double both = 0, s1 = 0, least = 1;
    for (const auto& [down, right] : std::vector<std::pair<Index, Index>>{{by, 0}, {-by, 0}, {0, by}, {0, -by}}) {
      Rendition moved;
      moved.down = down, moved.right = right;
      const double here = by == 0 ? alone.both : mean_iou(skies, moved, -1);
      both += here / 4, least = std::min(least, here);
      s1 += (by == 0 ? alone.s1 : mean_iou(skies, moved, 1)) / 4;
    }
    worst.push_back(least);
    curve.push_back({static_cast<double>(by), both, s1, alone.s2});
  }
  rows("shift", curve, &Point::at, "S1 moved by", "px").write(results);
  add_curve("shift", "shift", curve, results);
  results.add("shift_worst", {"shift"}, worst, "1", "both sensors, the worst of four directions");
  const double lost = std::max(0.0, worst.front() - *std::min_element(worst.begin(), worst.end()));
  results.check({"shift_lost", "what a shift of up to 3 pixels costs both sensors, the worst direction", kPromise, 0,
                 lost, absolute(kTolerated)});
  draw_curve("shift", "shift", "S1 moved", "Up, down, left and right, the mean of the four. S2 is as it was.", results);
}

void examine_looks(const Skies& skies, const Alone& alone, Results& results) {
  std::vector<Point> curve;
  for (const double looks : kLooks) {
    Rendition speckled;
    speckled.looks = looks;
    curve.push_back({looks, mean_iou(skies, speckled, -1), mean_iou(skies, speckled, 1), alone.s2});
  }
  results.coordinate("looks", kLooks, "1", "looks of the further speckle");
  add_curve("speckle", "looks", curve, results);
  const double at_four = curve[std::find(kLooks.begin(), kLooks.end(), 4) - kLooks.begin()].both;
  results.scalar("speckle_lost", alone.both - at_four, "1", "what further speckle of 4 looks costs both sensors");
  results.check({"speckle_costs", "what further speckle of 4 looks costs both sensors", kPromise, 0,
                 std::max(0.0, alone.both - at_four), absolute(kTolerated)});
  draw_curve("speckle", "looks", "S1 with more speckle",
             "Each pixel of S1 times a number drawn from a Gamma distribution of so many looks: 1 is the worst.",
             results);
}

struct StressSettings {
  Index pixels = 20000;
};

const Keys<StressSettings>& stress_keys() {
  static const auto keys =
      Keys<StressSettings>().key("stress.pixels", &StressSettings::pixels, Range::between(100, 1e9), "",
                                 "test pixels that are predicted under stress, evenly chosen");
  return keys;
}

void examine_stress(const StudyOutcome& outcome, Results& results) {
  const Skies skies(outcome, stress_keys().read(outcome.config).pixels);
  const Alone alone{mean_iou(skies, {}, 1), mean_iou(skies, {}, 0), mean_iou(skies, {}, -1)};
  results.scalar("mean_iou_both", alone.both, "1", "mean intersection over union as the scene is, both sensors");
  results.scalar("mean_iou_s1", alone.s1, "1", "the same with S1 alone");
  results.scalar("mean_iou_s2", alone.s2, "1", "the same with S2 alone");
  results.check({"clear_loss", "by how much both sensors are worse than the better one alone, as the scene is",
                 kPromise, 0, std::max(0.0, std::max(alone.s1, alone.s2) - alone.both), absolute(kTolerated)});
  examine_cover(skies, alone, results);
  examine_shift(skies, alone, results);
  examine_looks(skies, alone, results);
}

constexpr flood::Question kQuestion{"fusion.stress", "what remains of a map under clouds, with S1 shifted or noisier?",
                                    3, [](Schema& schema) { stress_keys().declare(schema); }, &examine_stress};

class StressStudy final : public study::Study {
 public:
  StressStudy() : study::Study(flood::flood_task(kQuestion)) {}
  void conclude(Results& merged) const override {
    study::Study::conclude(merged);
    if (!merged.data.has("cover_both")) return;
    const auto at = [&](const char* name, const char* over, std::size_t k) {
      return view(merged.data, name).at({{over, k}}).mean().mean;
    };
    const std::size_t half = std::find(kCovers.begin(), kCovers.end(), 0.45) - kCovers.begin();
    merged.finding(UnderStress{at("cover_both", "cover", 0), at("cover_both", "cover", half),
                               at("unannounced_both", "cover", half), at("shift_both", "shift", kMostShift)});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_stress() { return std::make_unique<StressStudy>(); }

}  // namespace fovea::fusion::stress
