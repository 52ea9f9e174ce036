#pragma once
/// What can be known of a pixel of a made scene: Bayes' rule with the densities it was drawn from.

#include <vector>

#include "fovea/core/base/moments.hpp"
#include "fovea/datasets/simulated/sensor_scene.hpp"

namespace fovea::datasets::simulated {

enum class SceneSensors { radar, optical, both };

/// Densities of a pixel by class, and Bayes' best answer. Of the plan it takes classes, shares and looks; the radar is
/// taken as not shifted and each pixel by itself, so with patches larger than a pixel its neighbours can say more.
///   radar    p(I | c) = prod over VV, VH of Gamma(I; shape L, mean m_c):  L^L I^(L-1) exp(-L I / m) / (m^L (L - 1)!)
///   optical  p(x | c) = normal with the class's mean and covariance
class SceneBayes {
 public:
  explicit SceneBayes(const SensorScenePlan& plan);  ///< throws ArgumentError

  Index classes() const { return static_cast<Index>(log_shares_.size()); }

  /// log p(I | c), (pixels x classes).  backscatter  (pixels x 2), linear, > 0; throws ArgumentError
  Matrix<double> radar_log_densities(const MatrixView<double>& backscatter) const;
  /// log p(x | c), (pixels x classes); a row with a NaN says nothing: 0 for all classes.
  Matrix<double> optical_log_densities(const MatrixView<double>& reflectance) const;

  /// P(class | what the sensors show), (pixels x classes), rows sum to 1. Where the mask says cloudy the optical sensor
  /// says nothing: of both the radar alone is left, of the optical one the shares of the classes.
  /// Of a cloud that is not announced this does not know: it is right as long as the mask is.
  Matrix<double> posteriors(const SensorScene& scene, SceneSensors sensors) const;

 private:
  std::vector<double> log_shares_;
  double looks_, log_gamma_;
  Matrix<double> intensities_;           // classes x 2
  std::vector<Vector<double>> means_;    // of the optical bands
  std::vector<Matrix<double>> factors_;  // Cholesky's, lower
  std::vector<double> optical_constants_;
};

/// The class of the largest posterior of each row: no rule is right more often. Of equal ones the first.
std::vector<Index> most_probable(const MatrixView<double>& posteriors);

/// Entropy of each row, nats: log classes where nothing is known, 0 where all is. What a sensor says of a pixel is the
/// entropy of the shares less that of its posterior; what it adds to the other is entropy(other alone) - entropy(both).
std::vector<double> posterior_entropies(const MatrixView<double>& posteriors);

}  // namespace fovea::datasets::simulated
