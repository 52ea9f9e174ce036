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

BestPossible best_possible(const SensorScenePlan& plan, SceneSensors sensors, Index pixels, const Random& random) {
  require(pixels >= 100, "best_possible: ", pixels, " pixels, but at least 100 are needed.");
  SensorScenePlan clear = plan;
  clear.rows = pixels, clear.columns = 1, clear.patch = 1, clear.cloud_share = 0, clear.row_shift = 0,
  clear.column_shift = 0;
  const SensorScene scene = sensor_scene(clear, random);
  const SceneBayes bayes(clear);
  const Matrix<double> known = bayes.posteriors(scene, sensors);
  const std::vector<Index> answers = most_probable(known);
  double all = 0;
  for (const SceneClass& one : plan.classes) all += one.share;
  std::vector<double> largest, gains, count(plan.classes.size()), found(plan.classes.size()),
      gained(plan.classes.size());
  for (Index i = 0; i < pixels; ++i) {
    const std::size_t at = i, c = scene.truth[at];
    // log p(x | c) / p(x) = log P(c | x) / share; a posterior below the smallest double is as good as that
    const double gain = std::log(std::max(known(i, scene.truth[at]), 1e-300) * all / plan.classes[c].share);
    largest.push_back(known(i, answers[at]));
    gains.push_back(gain);
    count[c] += 1, gained[c] += gain, found[c] += answers[at] == scene.truth[at] ? 1 : 0;
  }
  BestPossible best{mean_with_error(largest), mean_with_error(gains), {}, {}};
  for (std::size_t c = 0; c < count.size(); ++c) {
    best.recall.push_back(count[c] > 0 ? found[c] / count[c] : kNan);
    best.information_of.push_back(count[c] > 0 ? gained[c] / count[c] : kNan);
  }
  return best;
}

}  // namespace fovea::datasets::simulated
