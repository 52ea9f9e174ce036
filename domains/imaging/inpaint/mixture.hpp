#pragma once
/// Guesses mixed by weights that are not negative and sum to one: least squares over examples of the truth.

#include <span>

#include "fovea/core/base/matrix.hpp"

namespace fovea::imaging::inpaint {

/// The guesses and the truth of a cut hole: rows of voxels.
struct Example {
  Matrix<double> guesses;
  Eigen::VectorXd truth;
  double weight = 1;
};

/// Minimises the weighted sum over examples of the log of the mean squared error (of which the mean PSNR is the mean),
/// by least squares reweighted thrice; each of them exact, over all supports. At most 16 guesses.
Eigen::VectorXd mixing_weights(std::span<const Example* const> examples);

/// (sum_k G_k w_k - truth), mean of its square.
double mean_square(const Example& example, const Eigen::VectorXd& weights);

}  // namespace fovea::imaging::inpaint
