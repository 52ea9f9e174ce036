#include "fovea/core/learning/training/ensemble.hpp"

#include "fovea/core/base/error.hpp"

namespace fovea::learning {

namespace {

using Predictions = std::span<const Matrix<double>>;

void check_predictions(Predictions predictions) {
  require(!predictions.empty(), "ensemble: there are no predictions; at least one member is needed.");
  const Matrix<double>& first = predictions.front();
  for (const Matrix<double>& other : predictions)
    require(other.rows() == first.rows() && other.cols() == first.cols(), "ensemble: one member predicts ",
            first.rows(), " x ", first.cols(), " numbers, another ", other.rows(), " x ", other.cols(),
            "; they must predict the same.");
}

Matrix<double> mean_of(Predictions predictions) {
  Matrix<double> sum = predictions.front();
  for (const Matrix<double>& next : predictions.subspan(1)) sum += next;
  return sum / static_cast<double>(predictions.size());
}

/// sum (x - mean)^2
Matrix<double> squares_about(Predictions predictions, const Matrix<double>& mean) {
  Matrix<double> sum = Matrix<double>::Zero(mean.rows(), mean.cols());
  for (const Matrix<double>& next : predictions) sum += (next - mean).cwiseAbs2();
  return sum;
}

}  // namespace

EnsemblePrediction combine(std::span<const Matrix<double>> predictions) {
  check_predictions(predictions);
  EnsemblePrediction together{mean_of(predictions), {}};
  const double rest = predictions.size() > 1 ? static_cast<double>(predictions.size() - 1) : 1;
  together.spread = (squares_about(predictions, together.mean) / rest).cwiseSqrt();
  return together;
}

MixtureMoments combine_gaussian(std::span<const Matrix<double>> means, std::span<const Matrix<double>> variances) {
  check_predictions(means);
  check_predictions(variances);
  require(means.size() == variances.size() && means.front().rows() == variances.front().rows() &&
              means.front().cols() == variances.front().cols(),
          "ensemble: each mean needs one variance.");
  MixtureMoments together{mean_of(means), mean_of(variances)};
  together.variance += squares_about(means, together.mean) / static_cast<double>(means.size());
  return together;
}

}  // namespace fovea::learning
