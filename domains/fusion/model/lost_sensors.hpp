#pragma once
/// How good a trained model is with both sensors, and with each of them lost: the same cases, the same model.

#include "fovea/core/data/getter.hpp"
#include "fovea/core/study/study.hpp"

namespace fovea::fusion::model {

/// Cases without the tokens of one sensor (kSensorNames); -1: as they are.
study::Cases without_sensor(const study::Cases& cases, Index sensor);

/// A row a case; rows of cases that are not tested stay 0.
struct SensorAnswers {
  Matrix<double> probabilities, trust;  ///< of the classes; in each sensor
};
/// What a trained model says of these cases, in place of its own: as many, in the same order.
SensorAnswers answers_of(const study::StudyOutcome& outcome, const study::Cases& cases);

/// Expected calibration error of the largest probability, 15 bins of equal width (Guo et al. 2017, eq. 3). truth: one a
/// row.
double calibration_error(const Matrix<double>& probabilities, const std::vector<Index>& truth);

/// The mean of the trust in a sensor over some cases, and the range of nine tenths of them; NaN of none.
ValueInterval trust_range(std::vector<double> trust);

/// Adds over `sensors` (both, s2 lost, s1 lost): sensors_accuracy with its interval, sensors_mean_iou, sensors_macro_f1
/// and sensors_calibration_error of the tested cases whose class is known; over `class`: trust_by_class; the scalars
/// trust_s1, trust_s2 and cases_known; and the figures of them. With folds each case is answered by the ensemble that
/// did not learn from it. Targets are classes.
void examine_sensors(const study::StudyOutcome& outcome, Results& results);

/// Its verdict ends with SensorsLost: what one of these arrays has, in words.
class SensorStudy : public study::Study {
 public:
  SensorStudy(std::unique_ptr<study::LearnedTask> task, std::string array, std::string measure)
      : study::Study(std::move(task)), array_(std::move(array)), measure_(std::move(measure)) {}
  void conclude(Results& merged) const override;

 protected:
  /// With both sensors, without S2, without S1; NaN where no case is left. Of the array, over `sensors`.
  virtual std::vector<double> with_and_without(const Results& merged) const;

 private:
  std::string array_, measure_;
};

}  // namespace fovea::fusion::model
