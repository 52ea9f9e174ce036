#pragma once
/// How good predictions of moisture are, with a sensor lost too, and whom the arbiter trusts.

#include "fovea/core/data/results.hpp"
#include "fovea/domains/fusion/moisture/moisture_model.hpp"

namespace fovea::fusion::moisture {

/// Adds rmse, mean_error, r_squared and coverage of the tested cases with intervals (95 %, bootstrap over sites); over
/// `predictor` RMSE of the mixture, attention alone, the forest alone and the mean, and the same out of fold; over
/// `sensors` (both, s2 lost, s1 lost) RMSE and coverage; measured moisture, intervals and trust in tenths of the cases;
/// trust by land cover; and the figures and checks of them.
/// training: cases that taught; test: others, with targets.
void report_moisture(const LearnedMoisture& learned, const study::LearnedTask& task, const study::Cases& training,
                     const study::Cases& test, const Random& random, Results& results);

}  // namespace fovea::fusion::moisture
