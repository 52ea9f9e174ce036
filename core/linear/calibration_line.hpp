#pragma once
/// The calibration line: by how much log-odds are too extreme, and by how much too high.
///
///   log-odds of y = 1  =  a + b z,   z the predicted log-odds                                        (Cox 1958)
///
/// b < 1: predictions too extreme, b > 1: too mild. With b = 1 held, a is the calibration in the large: 0 where as many
/// happen as are expected. Fitted on other examples than it is applied to, the line recalibrates (Platt 1999; without
/// his shift of the targets).

#include <span>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// A line fitted by maximum likelihood. Errors are standard errors from the observed information; that of a slope that
/// was held is 0.
struct CalibrationLine {
  double intercept = 0, slope = 1;
  double intercept_error = 0, slope_error = 0;
  double log_likelihood = 0;  ///< of all examples together, in nats
  /// The recalibrated probability of an example with predicted log-odds z.
  double probability(double z) const;
};

/// fit_binary_regression() on standardised log-odds.
/// log_odds  (N) finite;  outcomes (N) 0 or 1, both of them present; at least two different log-odds
/// Where the log-odds part the outcomes without an error the likelihood has no maximum: throws ArgumentError, as for
/// shapes and values out of range.
CalibrationLine fit_calibration_line(std::span<const double> log_odds, std::span<const Index> outcomes);

/// The intercept alone, slope 1: a model taken to where more or fewer happen keeps its order and is right on average.
CalibrationLine fit_calibration_in_the_large(std::span<const double> log_odds, std::span<const Index> outcomes);

/// Whether as many happen as are expected in all parts of the examples alike: the score test of one intercept, slope 1,
/// against one for each part, with the variance of the scores over clusters of examples (Boos 1992), so that cases of
/// one patient count as one. p by chi squared with parts - 1 degrees of freedom.
/// parts (N) in [0, P), each of them there; clusters (N): examples with the same number belong together
/// NaN for fewer than two parts, for fewer than ten clusters in a part, and where the scores do not vary.
double calibration_difference_p_value(std::span<const double> log_odds, std::span<const Index> outcomes,
                                      std::span<const Index> parts, std::span<const Index> clusters);

/// Outcomes over the sum of the probabilities: 1 where as many happened as were expected; infinite or NaN where the
/// probabilities are all 0.
double observed_over_expected(std::span<const double> probabilities, std::span<const Index> outcomes);

/// log(p / (1 - p)), with p kept in [least, 1 - least] so that it is finite.
double log_odds_of(double probability, double least = 1e-12);

}  // namespace fovea
