#include "fovea/core/statistics/agreement/picture_quality.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/statistics/metrics.hpp"

namespace fovea {

namespace {

constexpr Index kWindow = 11;
constexpr double kWindowDeviation = 1.5;

std::array<double, kWindow> window_weights() {
  std::array<double, kWindow> weights{};
  double sum = 0;
  for (Index k = 0; k < kWindow; ++k) {
    const double off = static_cast<double>(k - kWindow / 2) / kWindowDeviation;
    sum += weights[k] = std::exp(-off * off / 2);
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// The weighted mean of each window that lies inside: along the rows, then along the columns.
Matrix<double> window_means(const Matrix<double>& picture) {
  const std::array<double, kWindow> weights = window_weights();
  const Index rows = picture.rows() - kWindow + 1, columns = picture.cols() - kWindow + 1;
  Matrix<double> along = Matrix<double>::Zero(picture.rows(), columns), both = Matrix<double>::Zero(rows, columns);
  for (Index k = 0; k < kWindow; ++k) along += weights[k] * picture.middleCols(k, columns);
  for (Index k = 0; k < kWindow; ++k) both += weights[k] * along.middleRows(k, rows);
  return both;
}

void check_range(const char* who, double range) {
  require(range > 0 && std::isfinite(range), who, ": the range of the values is ", range,
          ", but must be > 0 and finite.");
}

void check_pair(const char* who, const MatrixView<double>& made, const MatrixView<double>& truth) {
  require(made.rows() == truth.rows() && made.cols() == truth.cols() && made.size() > 0, who, ": what was made is ",
          made.rows(), " x ", made.cols(), " and the truth ", truth.rows(), " x ", truth.cols(),
          "; both need the same shape, and a value.");
}

}  // namespace

double peak_signal_to_noise(std::span<const double> made, std::span<const double> truth, double range) {
  check_range("peak_signal_to_noise", range);
  return 20 * std::log10(range / root_mean_squared_error(made, truth));
}

double structural_similarity(const MatrixView<double>& made, const MatrixView<double>& truth, double range) {
  check_range("structural_similarity", range);
  check_pair("structural_similarity", made, truth);
  require(made.rows() >= kWindow && made.cols() >= kWindow, "structural_similarity: the pictures are ", made.rows(),
          " x ", made.cols(), ", but must be at least ", kWindow, " x ", kWindow, ": a window.");
  require(!made.array().isInf().any() && !truth.array().isInf().any(),
          "structural_similarity: a value is infinite, but must be a number, or NaN where there is none.");
  const Matrix<double> a = made, b = truth;
  const Matrix<double> mean_a = window_means(a), mean_b = window_means(b), square_a = window_means(a.cwiseProduct(a)),
                       square_b = window_means(b.cwiseProduct(b)), product = window_means(a.cwiseProduct(b));
  const double c1 = 0.01 * range * 0.01 * range, c2 = 0.03 * range * 0.03 * range;
  double sum = 0, windows = 0;
  for (Index i = 0; i < product.size(); ++i) {
    const double ma = mean_a.data()[i], mb = mean_b.data()[i];
    const double variances = square_a.data()[i] - ma * ma + square_b.data()[i] - mb * mb;
    const double value =
        (2 * ma * mb + c1) * (2 * (product.data()[i] - ma * mb) + c2) / ((ma * ma + mb * mb + c1) * (variances + c2));
    if (std::isnan(value)) continue;
    sum += value;
    windows += 1;
  }
  return windows > 0 ? sum / windows : kNan;
}

double spectral_angle(std::span<const double> a, std::span<const double> b) {
  require(!a.empty() && a.size() == b.size(), "spectral_angle: there are ", a.size(), " and ", b.size(),
          " bands; as many are needed, and at least one.");
  const auto length = [](std::span<const double> spectrum) {
    double sum = 0;
    for (const double value : spectrum) {
      require(std::isfinite(value), "spectral_angle: a value is ", value, ", but must be finite.");
      sum += value * value;
    }
    return std::sqrt(sum);
  };
  const double of_a = length(a), of_b = length(b);
  if (of_a == 0 || of_b == 0) return kNan;
  double apart = 0, together = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double u = a[k] / of_a, v = b[k] / of_b;
    apart += (u - v) * (u - v);
    together += (u + v) * (u + v);
  }
  return 2 * std::atan2(std::sqrt(apart), std::sqrt(together)) * 180 / std::numbers::pi;
}

double mean_spectral_angle(const MatrixView<double>& made, const MatrixView<double>& truth) {
  check_pair("mean_spectral_angle", made, truth);
  const std::size_t bands = made.cols();
  double sum = 0, rows = 0;
  for (Index i = 0; i < made.rows(); ++i) {
    const double angle =
        spectral_angle({made.data() + i * made.outerStride(), bands}, {truth.data() + i * truth.outerStride(), bands});
    if (std::isnan(angle)) continue;
    sum += angle;
    rows += 1;
  }
  return rows > 0 ? sum / rows : kNan;
}

}  // namespace fovea
