#pragma once
/// A model taken to another place, where more or fewer happen: its intercept is refitted, everything else stays.
///
///   log-odds of y = 1  =  a + z,   z the model's log-odds, a by maximum likelihood          (Cox 1958; Steyerberg
///   2004)
///
/// The order of the cases is kept, and as many are expected as happened there. A threshold stays where it is on the
/// scale of probabilities.

#include <string>

#include "fovea/core/study/predict/predict_cases.hpp"

namespace fovea::study {

inline constexpr Index kFewestOutcomes = 10;  ///< of either kind

struct Recalibration {
  double shift = 0, error = 0;  ///< a and its standard error, in log-odds
  Index zeros = 0, ones = 0;    ///< rows with a known target
};

/// Refits the model's intercept on these labelled cases (options.targets: their targets, where they are in another
/// file). A model that was calibrated by a temperature T goes on with the line of slope 1 / T, of the mean logit.
/// Throws DataError for a target that is not binary, and for fewer than kFewestOutcomes of either kind.
Recalibration recalibrate(const LearnedTask& task, TrainedModel& model, const std::string& data,
                          const PredictOptions& options);

}  // namespace fovea::study
