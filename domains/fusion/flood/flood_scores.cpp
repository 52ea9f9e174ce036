#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/fusion/flood/flood.hpp"
#include "fovea/domains/fusion/flood/skies.hpp"
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

void examine_flood(const StudyOutcome& outcome, Results& results) {
  show_scenes(outcome, results);
  const Skies skies(outcome);
  const FloodSettings settings = flood_keys().read(outcome.config);
  const std::vector<Sky> list{sky_of("clear", skies, {}), sky_of("clouds hide S2", skies, clouds_of(settings, true)),
                              sky_of("clouds not announced", skies, clouds_of(settings, false))};
  results.scalar("mean_iou", list[0].mean_iou, "1", "mean intersection over union, as the scenes are");
  results.headline({.variable = "mean_iou",
                    .label = "mean intersection over union",
                    .meaning = "Of the tested pixels as they are, with the sensors that they have."});
  rows("sky", list, &Sky::name, "how the tested pixels are shown")
      .prefix("sky_")
      .interval("mean_iou", &Sky::both, "all pixels")
      .ends("95 % interval, bootstrap over blocks", "95 % interval")
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
      .intervals(
          results, "mean_iou",
          {.name = "skies",
           .title = "Below clouds, and without one of the sensors",
           .caption =
               "Mean intersection over union of the tested pixels as they are; with S2 taken away below clouds; and "
               "with bright clouds in the values of S2 that no mask announces. Points: with the sensors that there "
               "are, with 95 % intervals (bootstrap over blocks); signs: the same model without one of them. Where S2 "
               "is hidden, S2 "
               "alone answers with what most pixels are.",
           .variables = {"sky_mean_iou_s1", "sky_mean_iou_s2"},
           .value_label = "mean intersection over union"})
      .table(results, {.name = "skies_in_numbers",
                       .title = "The same in numbers, and which sensor the arbiter trusts",
                       .caption = "The clouds are drawn for this test; they are none of those of the training copies.",
                       .digits = 3});
  model::examine_trust(outcome, model::answers_of(outcome, outcome.cases), "pixels", results);
}

}  // namespace fovea::fusion::flood
