#include <array>
#include <optional>
#include <set>

#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/datasets/simulated/flooded_plain.hpp"
#include "fovea/domains/fusion/flood/simple_answers.hpp"
#include "fovea/domains/fusion/model/sensor_findings.hpp"
#include "fovea/domains/fusion/model/trust_scores.hpp"

namespace fovea::fusion::flood {

namespace {

using study::StudyOutcome;

constexpr double kMadeCover = 0.45;  // of clouds that are made, where no mask says where they are

/// How good the answers are under one sky.
struct Sky : SkyQuality {
  const char* name;
  ValueInterval both;  ///< mean intersection over union, both sensors
  double s1, s2;       ///< with one alone
};

Sky sky_of(const char* name, const Skies& skies, const Rendition& rendition) {
  const SkyAnswers fused = skies.answers(rendition);
  const SkyQuality quality = skies.quality(fused);
  const BootstrapInterval interval = skies.mean_iou_interval(fused);
  return {quality,
          name,
          {quality.mean_iou, interval.low, interval.high},
          skies.quality(skies.answers(rendition, 1)).mean_iou,
          skies.quality(skies.answers(rendition, 0)).mean_iou};
}

}  // namespace

Rendition clouds_of(const FloodSettings& settings, bool announced) {
  Rendition clouds;
  clouds.by_mask = !settings.reading.mask_hides, clouds.cover = kMadeCover;
  clouds.announced = announced;
  return clouds;
}

namespace {

/// Both sensors teach; only then is there something to compare.
bool both_teach(const StudyOutcome& outcome) {
  std::array<bool, 2> teaches{};
  for (const Index item : outcome.split.training)
    for (Index i = outcome.cases.offsets[item]; i < outcome.cases.offsets[item + 1]; ++i)
      teaches[outcome.cases.kinds[i]] = true;
  return teaches[0] && teaches[1];
}

void say_compared(const std::string& shown, const std::vector<Answerer>& all, const std::string& group, Index groups,
                  Results& results) {
  const Answerer *best = nullptr, &stacked = all.back();
  for (const Answerer& one : all)
    if (one.one_sensor && (best == nullptr || one.mean_iou.value > best->mean_iou.value)) best = &one;
  const SensorsCompared facts{shown,
                              all.front().mean_iou.value,
                              best->name,
                              best->mean_iou.value,
                              best->gain.value,
                              best->gain.low,
                              best->gain.high,
                              best->behind,
                              groups,
                              group};
  results.finding(FusingHelps{facts});
  results.finding(FusingDoesNotHelp{facts});
  results.finding(StackedTrees{shown, stacked.mean_iou.value, stacked.gain.value, stacked.gain.low, stacked.gain.high});
}

/// Others that answer the same pixels, as the scenes are and, of simulated ones, without clouds.
void compare_sensors(const Skies& skies, const std::optional<Skies>& cloudless, bool by_scene, Results& results) {
  const SimpleAnswers simple(skies);
  const Index groups = std::ssize(std::set<Index>(skies.groups().begin(), skies.groups().end()));
  const std::string group = by_scene ? "scene" : "block";
  const std::vector<Answerer> as_are = compared(skies, simple, {}), clear = cloudless
                                                                                ? compared(*cloudless, simple, {})
                                                                                : std::vector<Answerer>(as_are.size());
  const auto of_clear = [&](ValueInterval Answerer::*value) {
    return [&clear, value](const Answerer&, std::size_t k) { return clear[k].*value; };
  };
  const std::string ends = concat("95 % interval, bootstrap over ", group, "s");
  auto table = rows("answerer", as_are, &Answerer::name, "who answers");
  table.prefix("answerer_")
      .interval("mean_iou", &Answerer::mean_iou, "mean intersection over union")
      .ends(ends)
      .interval("gain", &Answerer::gain, "gain of both sensors over it")
      .ends("low end of the gain", "high end of the gain")
      .with_ends();
  if (cloudless)
    table.interval("cloudless_mean_iou", of_clear(&Answerer::mean_iou), "without clouds")
        .ends(ends)
        .interval("cloudless_gain", of_clear(&Answerer::gain), "gain without clouds")
        .ends("low end without clouds", "high end without clouds")
        .with_ends();
  table.write(results).intervals(
      results, "mean_iou",
      {.name = "who_wins",
       .title = "One sensor, both, and simpler ways to answer",
       .caption = concat("Mean intersection over union of the same tested pixels, with 95 % intervals (bootstrap over ",
                         counted(groups, group),
                         "). Attention with one sensor is the same model with the other taken "
                         "away. Trees learned from the same pixels as they are; where a sensor shows nothing, who goes "
                         "by it alone answers with what most pixels are.",
                         cloudless ? " Signs: the same scenes without their clouds and shadows." : ""),
       .variables = cloudless ? std::vector<std::string>{"answerer_cloudless_mean_iou"} : std::vector<std::string>{},
       .value_label = "mean intersection over union"});
  table.table(results, {.name = "who_wins_in_numbers",
                        .title = "The same in numbers, and what both sensors gain",
                        .caption = concat("Gain: mean intersection over union of attention with both sensors less that "
                                          "of the row, on the same ",
                                          group, "s, with its 95 % interval (paired)."),
                        .digits = 3});
  say_compared("As the scenes are", as_are, group, groups, results);
  if (cloudless) say_compared("Without clouds", clear, group, groups, results);
}

/// Where on a simulated scene who is wrong.
struct GroundErrors {
  std::string name;
  double pixels = 0;
  std::array<double, 3> wrong{};  ///< both sensors, S1 alone, S2 alone; then shares

  void add(const std::array<std::vector<Index>, 3>& said, const std::vector<Index>& truth, std::size_t k) {
    ++pixels;
    for (std::size_t who = 0; who < said.size(); ++who) wrong[who] += said[who][k] == truth[k] ? 0 : 1;
  }
};

void show_grounds(const Skies& skies, Results& results) {
  const std::vector<std::uint8_t> ground = skies.of_pixels(&TrainingScene::ground),
                                  shaded = skies.of_pixels(&TrainingScene::shaded),
                                  veiled = skies.of_pixels(&TrainingScene::veiled);
  std::array<std::vector<Index>, 3> said;
  const SkyAnswers both = skies.answers({});
  said[0] = skies.classes_of(both);
  said[1] = skies.classes_of(skies.answers({}, 1)), said[2] = skies.classes_of(skies.answers({}, 0));
  std::vector<GroundErrors> list;
  for (const std::string& name : datasets::simulated::kPlainGrounds) list.push_back({name});
  for (const char* where :
       {"shadow of a cloud: water", "shadow of a cloud: land", "thin cloud: water", "thin cloud: land"})
    list.push_back({where});
  list.push_back({"below clouds"});
  const std::size_t kinds = datasets::simulated::kPlainGrounds.size();
  const std::vector<std::uint8_t> hidden = skies.without_s2();
  for (std::size_t k = 0; k < ground.size(); ++k) {
    const std::size_t land = ground[k] < datasets::simulated::kWaterGrounds ? 0 : 1;
    const std::size_t place = hidden[k] != 0   ? kinds + 4
                              : veiled[k] != 0 ? kinds + 2 + land
                              : shaded[k] != 0 ? kinds + land
                                               : std::size_t{ground[k]};
    list[place].add(said, skies.truth(), k);
  }
  std::erase_if(list, [](const GroundErrors& one) { return one.pixels == 0; });
  const auto share = [](std::size_t who) {
    return [who](const GroundErrors& one) { return 100 * one.wrong[who] / one.pixels; };
  };
  rows("ground", list, &GroundErrors::name, "what lies there")
      .prefix("wrong_")
      .number("both", share(0), "both sensors", "%")
      .number("s1", share(1), "S1 alone", "%")
      .number("s2", share(2), "S2 alone", "%")
      .number("pixels", &GroundErrors::pixels, "tested pixels", "")
      .write(results)
      .intervals(
          results, "both",
          {.name = "grounds",
           .title = "Where each sensor errs",
           .caption = "Share of the tested pixels whose class is wrong, by what the simulation put there. S1 sees "
                      "rough water as it sees bare soil, and smooth sand as calm water. S2 sees nothing below "
                      "clouds, where it answers with what most pixels are; thin clouds veil the ground, and in "
                      "the shadows of clouds land is as dark as water.",
           .variables = {"wrong_s1", "wrong_s2"},
           .value_label = "wrong pixels"});
}

}  // namespace

void examine_flood(const StudyOutcome& outcome, Results& results) {
  const FloodSettings settings = flood_keys().read(outcome.config);
  const Skies skies(outcome);
  std::optional<Skies> cloudless;
  if (settings.simulated() && settings.simulation.cloud > 0) cloudless.emplace(outcome, 0, true);
  const bool by_scene = settings.simulated() && settings.simulation.tested > 0;
  show_scenes(outcome, results);
  if (both_teach(outcome)) compare_sensors(skies, cloudless, by_scene, results);
  if (settings.simulated()) show_grounds(skies, results);
  std::vector<Sky> list{sky_of("as they are", skies, {})};
  if (cloudless) list.push_back(sky_of("without clouds", *cloudless, {}));
  list.push_back(sky_of("clouds hide S2", skies, clouds_of(settings, true)));
  list.push_back(sky_of("clouds not announced", skies, clouds_of(settings, false)));
  results.scalar("mean_iou", list[0].mean_iou, "1", "mean intersection over union, as the scenes are");
  results.headline({.variable = "mean_iou",
                    .label = "mean intersection over union",
                    .meaning = "Of the tested pixels as they are, with the sensors that they have."});
  rows("sky", list, &Sky::name, "how the tested pixels are shown")
      .prefix("sky_")
      .interval("mean_iou", &Sky::both, "all pixels")
      .ends(concat("95 % interval, bootstrap over ", by_scene ? "scenes" : "blocks"), "95 % interval")
      .number("mean_iou_cloudy", &Sky::mean_iou_cloudy, "below the clouds")
      .number("mean_iou_s1", &Sky::s1, "S1 alone")
      .number("mean_iou_s2", &Sky::s2, "S2 alone")
      .number("accuracy", &Sky::accuracy, "overall accuracy")
      .shown({.table = false})
      .number("calibration_error", &Sky::calibration_error, "calibration error")
      .number("trust_cloudy", &Sky::trust_cloudy, "mean trust in S2 below the clouds")
      .number("trust_clear", &Sky::trust_clear, "mean trust in S2 elsewhere")
      .number("trust_auroc", &Sky::auroc, "AUROC of trust in S1 for clouds")
      .write(results)
      .intervals(results, "mean_iou",
                 {.name = "skies",
                  .title = "Below clouds, and without one of the sensors",
                  .caption = concat(
                      "Mean intersection over union of the tested pixels as they are",
                      cloudless ? ", and without their clouds and shadows" : "",
                      "; with S2 taken away below further clouds; and with bright clouds in the values of S2 that "
                      "no mask announces. Points: with the sensors that there are, with 95 % intervals (bootstrap "
                      "over ",
                      by_scene ? "scenes" : "blocks",
                      "); signs: the same model without one of them. "
                      "Where S2 is hidden, S2 alone answers with what most pixels are."),
                  .variables = {"sky_mean_iou_s1", "sky_mean_iou_s2"},
                  .value_label = "mean intersection over union"})
      .table(results,
             {.name = "skies_in_numbers",
              .title = "The same in numbers, and which sensor the arbiter trusts",
              .caption = "The further clouds are drawn for this test; they are none of those of the training copies.",
              .digits = 3});
  model::examine_trust(outcome, model::answers_of(outcome, outcome.cases), "pixels", results);
}

}  // namespace fovea::fusion::flood
