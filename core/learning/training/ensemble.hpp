#pragma once
/// Small deep ensembles (Lakshminarayanan, Pritzel, Blundell 2017): the same model, trained from several starts; where
/// the members disagree, the model does not know.

#include <span>

#include "fovea/core/base/matrix.hpp"

namespace fovea::learning {

/// What the members say together.
struct EnsemblePrediction {
  Matrix<double> mean;    ///< of probabilities: the ensemble's probabilities
  Matrix<double> spread;  ///< standard deviation over the members (n - 1; 0 for one)
};

/// predictions: one matrix for each member, all of the same shape, at least one. For classes these must be
/// probabilities, not logits: class_probabilities() in core/statistics/calibration.hpp. Throws ArgumentError.
EnsemblePrediction combine(std::span<const Matrix<double>> predictions);

/// For members that predict a mean and a variance each: the moments of their equal mixture (section 2.4),
///   mean = mean of mu,  variance = mean of (sigma^2 + mu^2) - mean^2, as mean of sigma^2 plus the variance of the mu
struct MixtureMoments {
  Matrix<double> mean, variance;
};
MixtureMoments combine_gaussian(std::span<const Matrix<double>> means, std::span<const Matrix<double>> variances);

}  // namespace fovea::learning
