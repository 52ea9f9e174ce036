#pragma once
/// Whether predicted probabilities are what happens, and how to make them so.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// softmax(z / T) of each row of logits z (N x C, C >= 2), or sigmoid(z / T) of a single column. temperature > 0.
Matrix<double> class_probabilities(const MatrixView<double>& logits, double temperature = 1);

inline constexpr double kLargestTemperature = 1000;  ///< of fit_temperature()

/// A temperature that was fitted.
struct TemperatureFit {
  double temperature = 1;
  double loss_before = 0, loss_after = 0;  ///< mean negative log-likelihood at 1 and at the temperature
};

/// Temperature scaling (Guo, Pleiss, Sun, Weinberger 2017): the T > 0 that minimises the mean negative log-likelihood
/// of class_probabilities(logits, T), by damped Newton steps in log T. Fit it on examples that the model did not learn
/// from. Where all examples are classified right the likelihood has no maximum; then class y is aimed at with
/// (N_y + 1) / (N_y + C) of N_y examples (Platt 1999), so that N examples vouch for no more than they can, and folds
/// of which some are parted keep a common scale. T stays within [1e-3, 1e3]: it is at the upper end where the logits
/// say less than nothing.
/// logits   (N x C), N >= 1; a single column: logits of class 1 against class 0
/// classes  (N) in [0, C), or 0 and 1 for a single column
/// Throws ArgumentError for shapes, classes or logits that are not finite.
TemperatureFit fit_temperature(const MatrixView<double>& logits, std::span<const Index> classes);

/// One bin of a reliability curve (DeGroot & Fienberg 1983): probabilities in [low, high), the last with its high end.
struct ReliabilityBin {
  double low = 0, high = 1;
  Index count = 0;
  double predicted = 0;  ///< mean of the probabilities in it; NaN where it is empty
  double observed = 0;   ///< share of those that happened; NaN where it is empty
};

/// probabilities (N) in [0, 1]; outcomes (N) 0 or 1; bins >= 1 of equal width. For several classes: the largest
/// probability of each example, and whether it was the right class. Throws ArgumentError.
std::vector<ReliabilityBin> reliability_curve(std::span<const double> probabilities, std::span<const Index> outcomes,
                                              Index bins = 15);

/// Expected calibration error (Naeini, Cooper, Hauskrecht 2015): sum over bins of count / N |predicted - observed|.
double expected_calibration_error(std::span<const double> probabilities, std::span<const Index> outcomes,
                                  Index bins = 15);

/// Mean (p - y)^2 (Brier 1950); its expectation is smallest for the true probabilities.
double brier_score(std::span<const double> probabilities, std::span<const Index> outcomes);

}  // namespace fovea
