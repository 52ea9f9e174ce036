#include "fovea/datasets/simulated/scene_bayes.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea::datasets::simulated {

SceneBayes::SceneBayes(const SensorScenePlan& plan) : looks_(plan.looks), log_gamma_(std::lgamma(plan.looks)) {
  check_scene_plan(plan);
  double all = 0;
  for (const SceneClass& one : plan.classes) all += one.share;
  intensities_.resize(static_cast<Index>(plan.classes.size()), 2);
  for (std::size_t c = 0; c < plan.classes.size(); ++c) {
    const SceneClass& one = plan.classes[c];
    log_shares_.push_back(std::log(one.share / all));
    for (std::size_t k = 0; k < 2; ++k)
      intensities_(static_cast<Index>(c), static_cast<Index>(k)) = std::pow(10, one.backscatter_db[k] / 10);
    means_.emplace_back(
        Eigen::Map<const Vector<double>>(one.reflectance.data(), static_cast<Index>(one.reflectance.size())));
    factors_.emplace_back(Eigen::LLT<Matrix<double>>(one.covariance).matrixL());
    optical_constants_.push_back(-factors_.back().diagonal().array().log().sum() -
                                 static_cast<double>(means_.back().size()) * std::log(2 * std::numbers::pi) / 2);
  }
}

Matrix<double> SceneBayes::radar_log_densities(const MatrixView<double>& backscatter) const {
  require(backscatter.cols() == 2, "radar_log_densities: there are ", backscatter.cols(),
          " bands, but must be VV and VH.");
  Matrix<double> logs = Matrix<double>::Zero(backscatter.rows(), classes());
  for (Index i = 0; i < logs.rows(); ++i)
    for (Index k = 0; k < 2; ++k) {
      const double seen = backscatter(i, k);
      require(seen > 0 && std::isfinite(seen), "radar_log_densities: an intensity is ", seen,
              ", but must be > 0 and finite: linear, not in dB.");
      for (Index c = 0; c < classes(); ++c)
        logs(i, c) += looks_ * std::log(looks_ / intensities_(c, k)) + (looks_ - 1) * std::log(seen) -
                      looks_ * seen / intensities_(c, k) - log_gamma_;
    }
  return logs;
}

Matrix<double> SceneBayes::optical_log_densities(const MatrixView<double>& reflectance) const {
  require(reflectance.cols() == means_.front().size(), "optical_log_densities: there are ", reflectance.cols(),
          " bands, but must be ", means_.front().size(), ".");
  Matrix<double> logs = Matrix<double>::Zero(reflectance.rows(), classes());
  for (Index i = 0; i < logs.rows(); ++i) {
    if (reflectance.row(i).hasNaN()) continue;
    for (Index c = 0; c < classes(); ++c) {
      const std::size_t k = c;
      const Vector<double> off = reflectance.row(i).transpose() - means_[k];
      logs(i, c) = optical_constants_[k] - factors_[k].triangularView<Eigen::Lower>().solve(off).squaredNorm() / 2;
    }
  }
  return logs;
}

Matrix<double> SceneBayes::posteriors(const SensorScene& scene, SceneSensors sensors) const {
  Matrix<double> logs = Matrix<double>::Zero(scene.backscatter.rows(), classes());
  if (sensors != SceneSensors::optical) logs += radar_log_densities(scene.backscatter);
  if (sensors != SceneSensors::radar) {
    const Matrix<double> seen = optical_log_densities(scene.reflectance);
    for (Index i = 0; i < logs.rows(); ++i)
      if (scene.clear[i] != 0) logs.row(i) += seen.row(i);
  }
  for (Index i = 0; i < logs.rows(); ++i) {
    for (Index c = 0; c < classes(); ++c) logs(i, c) += log_shares_[c];
    const double top = logs.row(i).maxCoeff();
    for (Index c = 0; c < classes(); ++c) logs(i, c) = exponential(logs(i, c) - top);
    logs.row(i) /= logs.row(i).sum();
  }
  return logs;
}

std::vector<Index> most_probable(const MatrixView<double>& posteriors) {
  std::vector<Index> chosen;
  for (Index i = 0; i < posteriors.rows(); ++i) {
    Index best = 0;
    for (Index c = 1; c < posteriors.cols(); ++c)
      if (posteriors(i, c) > posteriors(i, best)) best = c;
    chosen.push_back(best);
  }
  return chosen;
}

std::vector<double> posterior_entropies(const MatrixView<double>& posteriors) {
  std::vector<double> entropies;
  for (Index i = 0; i < posteriors.rows(); ++i) {
    double sum = 0;
    for (Index c = 0; c < posteriors.cols(); ++c)
      if (const double p = posteriors(i, c); p > 0) sum -= p * std::log(p);
    entropies.push_back(sum);
  }
  return entropies;
}

}  // namespace fovea::datasets::simulated
