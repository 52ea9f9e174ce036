#include "fovea/core/statistics/agreement/picture_quality.hpp"

#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/statistics/metrics.hpp"

namespace fovea {

namespace {

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
