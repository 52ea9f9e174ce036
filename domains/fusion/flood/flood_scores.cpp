#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/fusion/flood/flood.hpp"
#include "fovea/domains/fusion/flood/skies.hpp"
#include "fovea/domains/fusion/model/trust_scores.hpp"

namespace fovea::fusion::flood {

namespace {

using study::StudyOutcome;

constexpr double kMadeCover = 0.45;  // of clouds that are made, where no mask says where they are

/// Columns of numbers over `sky`.
struct SkyTable {
  std::vector<double> both, both_low, both_high, s1, s2, cloudy, accuracy, calibration, trust_cloudy, trust_clear,
      auroc;

  void add(const Skies& skies, const Rendition& rendition) {
    const SkyAnswers fused = skies.answers(rendition);
    const SkyQuality quality = skies.quality(fused);
    const BootstrapInterval interval = skies.mean_iou_interval(fused);
    both.push_back(quality.mean_iou), both_low.push_back(interval.low), both_high.push_back(interval.high);
    s1.push_back(skies.quality(skies.answers(rendition, 1)).mean_iou);
    s2.push_back(skies.quality(skies.answers(rendition, 0)).mean_iou);
    cloudy.push_back(quality.mean_iou_cloudy), accuracy.push_back(quality.accuracy);
    calibration.push_back(quality.calibration_error);
    trust_cloudy.push_back(quality.trust_cloudy), trust_clear.push_back(quality.trust_clear);
    auroc.push_back(quality.auroc);
  }
};

void add_table(const SkyTable& table, Results& results) {
  const auto add = [&](const char* name, const std::vector<double>& values, const char* meaning) {
    results.add(name, {"sky"}, values, "1", meaning);
  };
  add("sky_mean_iou", table.both, "both sensors");
  add("sky_mean_iou_low", table.both_low, "95 % interval, bootstrap over blocks");
  add("sky_mean_iou_high", table.both_high, "95 % interval");
  add("sky_mean_iou_s1", table.s1, "S1 alone");
  add("sky_mean_iou_s2", table.s2, "S2 alone");
  add("sky_mean_iou_cloudy", table.cloudy, "both, below the clouds");
  add("sky_accuracy", table.accuracy, "overall accuracy");
  add("sky_calibration_error", table.calibration, "calibration error");
  add("sky_trust_cloudy", table.trust_cloudy, "mean trust in S2 below the clouds");
  add("sky_trust_clear", table.trust_clear, "mean trust in S2 elsewhere");
  results.scalar("mean_iou", table.both[0], "1", "mean intersection over union, both sensors, as the scene is");
  results.headline({.variable = "mean_iou",
                    .label = "mean intersection over union",
                    .meaning = "Of the tested pixels as they are, both sensors."});
  add("sky_trust_auroc", table.auroc, "AUROC of trust in S1 for clouds");
}

}  // namespace

Rendition clouds_of(const Config& config, bool announced) {
  Rendition clouds;
  clouds.by_mask = config.text("data.mask") == "examine", clouds.cover = kMadeCover;
  clouds.announced = announced;
  return clouds;
}

void examine_flood(const StudyOutcome& outcome, Results& results) {
  show_scenes(outcome, results);
  const Skies skies(outcome);
  SkyTable table;
  for (const Rendition& sky : {Rendition{}, clouds_of(outcome.config, true), clouds_of(outcome.config, false)})
    table.add(skies, sky);
  results.coordinate("sky", std::vector<std::string>{"clear", "clouds hide S2", "clouds not announced"}, "",
                     "how the tested pixels are shown");
  add_table(table, results);
  results.figure(
      {.kind = "intervals",
       .name = "skies",
       .title = "Below clouds, and without one of the sensors",
       .caption = "Mean intersection over union of the tested pixels as they are; with S2 taken away below clouds; and "
                  "with bright clouds in the values of S2 that no mask announces. Points: both sensors, with 95 % "
                  "intervals (bootstrap over blocks); signs: the same model without one of them. Where "
                  "S2 is hidden, S2 alone answers with what most pixels are.",
       .variables = {"sky_mean_iou", "sky_mean_iou_s1", "sky_mean_iou_s2"},
       .x = "sky",
       .band_low = "sky_mean_iou_low",
       .band_high = "sky_mean_iou_high",
       .value_label = "mean intersection over union"});
  results.figure({.kind = "table",
                  .name = "skies_in_numbers",
                  .title = "The same in numbers, and which sensor the arbiter trusts",
                  .caption = "Clouds without a mask were not in the training data; clouds of the same kind were.",
                  .variables = {"sky_mean_iou", "sky_mean_iou_cloudy", "sky_mean_iou_s1", "sky_mean_iou_s2",
                                "sky_calibration_error", "sky_trust_cloudy", "sky_trust_clear", "sky_trust_auroc"},
                  .x = "sky",
                  .digits = 3});
  model::examine_trust(outcome, model::answers_of(outcome, outcome.cases), "pixels", results);
}

}  // namespace fovea::fusion::flood
