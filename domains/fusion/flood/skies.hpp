#pragma once
/// What a trained model says of the tested pixels when they are shown otherwise: below clouds, with S1 moved, with more
/// speckle.

#include "fovea/core/statistics/agreement/confusion.hpp"
#include "fovea/domains/fusion/flood/flood.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"

namespace fovea::fusion::flood {

/// Tested pixels under one sky, one entry a pixel, in one order for all skies.
struct SkyAnswers {
  Matrix<double> probabilities;      ///< pixels x classes
  std::vector<double> trust_s2;      ///< 0 where S2 is not there
  std::vector<std::uint8_t> cloudy;  ///< 1 below a cloud of this sky
};

struct SkyQuality {
  double accuracy = 0, mean_iou = 0, calibration_error = 0;
  double mean_iou_cloudy = 0;                ///< below the clouds alone; NaN without any
  double trust_cloudy = 0, trust_clear = 0;  ///< mean trust in S2 below the clouds, and elsewhere; NaN of no pixels
  double auroc = 0;                          ///< of 1 - trust in S2 for being below a cloud; NaN without either
};

class Skies {
 public:
  /// most: tested pixels that are looked at, evenly chosen; 0: all. The scenes are read, or made, once more; cloudless:
  /// simulated ones without their clouds and shadows.
  explicit Skies(const study::StudyOutcome& outcome, Index most = 0, bool cloudless = false);
  Index pixels() const { return std::ssize(items_); }
  const std::vector<Index>& items() const { return items_; }    ///< numbers of the pixels among the cases
  const std::vector<Index>& truth() const { return truth_; }    ///< one a pixel, and so below
  const std::vector<Index>& groups() const { return groups_; }  ///< blocks, or scenes that are tested whole
  Index most_frequent() const { return most_frequent_; }        ///< class of the training pixels
  Index classes() const { return outcome_.target.outputs(); }
  Random random() const;  ///< of what examines, drawn apart from what teaches
  Index s1_columns() const { return settings_.column_plan().s1_columns(); }
  std::vector<std::uint8_t> of_pixels(std::vector<std::uint8_t> TrainingScene::*map) const;  ///< a scene without: 0
  std::vector<std::uint8_t> without_s2() const;  ///< 1 where S2 shows nothing

  const TrainingScene& scene(const std::string& name) const;  ///< throws ArgumentError where there is none

  /// The training pixels as they are, in no altered copy.
  study::Cases taught() const;
  /// All cases of the outcome; those that are not looked at have no tokens.
  study::Cases shown(const Rendition& rendition) const;
  /// Without a sensor (model::kSensorNames; -1: with both). A pixel that then shows nothing is said to be of the class
  /// that most training pixels are of.
  SkyAnswers answers(const Rendition& rendition, Index without = -1) const;
  std::vector<Index> classes_of(const SkyAnswers& answers) const;  ///< the likeliest
  SkyQuality quality(const SkyAnswers& answers) const;
  Confusion confusion_of(const SkyAnswers& answers, bool cloudy_alone = false) const;
  /// 95 %, bootstrap over blocks.
  BootstrapInterval mean_iou_interval(const SkyAnswers& answers) const;

 private:
  const study::StudyOutcome& outcome_;
  FloodSettings settings_;
  std::vector<TrainingScene> scenes_;
  std::vector<ChosenPixel> chosen_;  ///< the pixels that are looked at; all others are not shown
  std::vector<Index> items_, truth_, groups_;
  Index most_frequent_ = 0;
};

}  // namespace fovea::fusion::flood
