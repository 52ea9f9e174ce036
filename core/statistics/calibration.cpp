#include "fovea/core/statistics/calibration.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea {

namespace {

constexpr double kLargestLogTemperature = 6.907755278982137;  // log 1000

/// Loss and its first two derivatives by beta = 1 / T: L' = mean(E z - z_y), L'' = mean(Var z), under softmax(beta z).
struct LossAtBeta {
  double loss = 0, slope = 0, curvature = 0;
};

/// The logits of one row, with the 0 of class 0 before a single column.
std::vector<double> row_of(const MatrixView<double>& logits, Index i) {
  std::vector<double> row;
  if (logits.cols() == 1) row.push_back(0);
  for (Index c = 0; c < logits.cols(); ++c) row.push_back(logits(i, c));
  return row;
}

/// Weights e^(beta (z - largest)) and their sum.
double soft_weights(const std::vector<double>& row, double beta, std::vector<double>& weights) {
  const double largest = *std::max_element(row.begin(), row.end());
  weights.resize(row.size());
  double sum = 0;
  for (std::size_t c = 0; c < row.size(); ++c) sum += weights[c] = exponential(beta * (row[c] - largest));
  return sum;
}

/// The expected logit of each row, z_y; with `shifted` targets (Platt 1999, of any number of classes): y with
/// (N_y + 1) / (N_y + C), each other class with 1 / (N_y + C), where N_y rows are of class y.
std::vector<double> aims_of(const MatrixView<double>& logits, std::span<const Index> classes, bool shifted) {
  std::vector<double> counts(static_cast<std::size_t>(std::max<Index>(2, logits.cols())), 0.0), aims;
  for (const Index c : classes) counts[c] += 1;
  for (Index i = 0; i < logits.rows(); ++i) {
    const std::vector<double> row = row_of(logits, i);
    const double right = row[classes[i]], total = counts[classes[i]] + static_cast<double>(row.size());
    double others = 0;
    for (const double z : row) others += z - right;
    aims.push_back(shifted ? right + others / total : right);
  }
  return aims;
}

/// Every row is highest in its own class, so that the likelihood has no maximum.
bool parted(const MatrixView<double>& logits, std::span<const Index> classes) {
  for (Index i = 0; i < logits.rows(); ++i) {
    const std::vector<double> row = row_of(logits, i);
    for (std::size_t c = 0; c < row.size(); ++c)
      if (static_cast<Index>(c) != classes[i] && row[c] >= row[classes[i]]) return false;
  }
  return true;
}

LossAtBeta loss_at_beta(const MatrixView<double>& logits, const std::vector<double>& aims, double beta) {
  LossAtBeta total;
  std::vector<double> weights;
  for (Index i = 0; i < logits.rows(); ++i) {
    const std::vector<double> row = row_of(logits, i);
    const double sum = soft_weights(row, beta, weights);
    const double right = aims[i];
    const double largest = *std::max_element(row.begin(), row.end());
    double mean = 0, square = 0;  // of z - right: small numbers near a perfect fit
    for (std::size_t c = 0; c < row.size(); ++c) {
      mean += weights[c] / sum * (row[c] - right);
      square += weights[c] / sum * (row[c] - right) * (row[c] - right);
    }
    total.loss += logarithm(sum) + beta * (largest - right);
    total.slope += mean;
    total.curvature += square - mean * mean;
  }
  const auto count = static_cast<double>(logits.rows());
  return {total.loss / count, total.slope / count, total.curvature / count};
}

/// A step in u = log T, beta = e^-u: dL/du = -beta L', d2L/du2 = beta L' + beta^2 L''. Where the loss bends down, as it
/// may far from the minimum, just a step downhill.
double newton_step(const LossAtBeta& at, double beta) {
  const double slope = -beta * at.slope, curvature = beta * at.slope + beta * beta * at.curvature;
  if (slope == 0) return 0;
  const double step = curvature > 0 ? -slope / curvature : -std::copysign(1.0, slope);
  return std::clamp(step, -1.0, 1.0);
}

void check_fit(const MatrixView<double>& logits, std::span<const Index> classes) {
  require(logits.rows() >= 1 && logits.cols() >= 1, "fit_temperature: the logits are ", logits.rows(), " x ",
          logits.cols(), "; at least one example and one column are needed.");
  require(static_cast<Index>(classes.size()) == logits.rows(), "fit_temperature: there are ", logits.rows(),
          " rows of logits but ", classes.size(), " classes; each needs exactly one.");
  const Index count = std::max<Index>(2, logits.cols());
  for (const Index c : classes)
    require(c >= 0 && c < count, "fit_temperature: a class is ", c, ", but must be in [0, ", count, ").");
  require(logits.allFinite(), "fit_temperature: a logit is not finite.");
}

void check_outcomes(const char* who, std::span<const double> probabilities, std::span<const Index> outcomes) {
  require(!probabilities.empty() && probabilities.size() == outcomes.size(), who, ": there are ", probabilities.size(),
          " probabilities and ", outcomes.size(), " outcomes; as many are needed, and at least one.");
  for (const double p : probabilities)
    require(p >= 0 && p <= 1, who, ": a probability is ", p, ", but must be in [0, 1].");
  for (const Index y : outcomes) require(y == 0 || y == 1, who, ": an outcome is ", y, ", but must be 0 or 1.");
}

}  // namespace

Matrix<double> class_probabilities(const MatrixView<double>& logits, double temperature) {
  require(temperature > 0, "class_probabilities: the temperature is ", temperature, ", but must be > 0.");
  Matrix<double> probabilities(logits.rows(), logits.cols());
  std::vector<double> weights;
  const std::size_t skipped = logits.cols() == 1 ? 1 : 0;
  for (Index i = 0; i < logits.rows(); ++i) {
    const double sum = soft_weights(row_of(logits, i), 1 / temperature, weights);
    for (Index c = 0; c < logits.cols(); ++c) probabilities(i, c) = weights[c + skipped] / sum;
  }
  return probabilities;
}

TemperatureFit fit_temperature(const MatrixView<double>& logits, std::span<const Index> classes) {
  constexpr int kMostSteps = 100;
  constexpr double kAtRest = 1e-12;  // of log T
  check_fit(logits, classes);
  const bool shifted = parted(logits, classes);
  const std::vector<double> aims = aims_of(logits, classes, shifted);
  double u = 0;
  LossAtBeta at = loss_at_beta(logits, aims, 1);
  const double before = at.loss;
  for (int k = 0; k < kMostSteps; ++k) {
    double step = newton_step(at, exponential(-u));
    double next = u;
    LossAtBeta there = at;
    do {  // halved until it helps
      next = std::clamp(u + step, -kLargestLogTemperature, kLargestLogTemperature);
      there = loss_at_beta(logits, aims, exponential(-next));
      step /= 2;
    } while (there.loss > at.loss && std::abs(step) > kAtRest);
    if (!(there.loss <= at.loss)) break;
    const double moved = std::abs(next - u);
    u = next;
    at = there;
    if (moved < kAtRest) break;
  }
  if (!shifted) return {exponential(u), before, at.loss};
  const std::vector<double> rights = aims_of(logits, classes, false);
  return {exponential(u), loss_at_beta(logits, rights, 1).loss, loss_at_beta(logits, rights, exponential(-u)).loss};
}

std::vector<ReliabilityBin> reliability_curve(std::span<const double> probabilities, std::span<const Index> outcomes,
                                              Index bins) {
  check_outcomes("reliability_curve", probabilities, outcomes);
  require(bins >= 1, "reliability_curve: bins = ", bins, ", but must be >= 1.");
  std::vector<ReliabilityBin> curve(bins);
  for (Index b = 0; b < bins; ++b)
    curve[b] = {static_cast<double>(b) / static_cast<double>(bins),
                static_cast<double>(b + 1) / static_cast<double>(bins), 0, 0, 0};
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const auto place = static_cast<Index>(probabilities[i] * static_cast<double>(bins));
    ReliabilityBin& bin = curve[std::min(place, bins - 1)];
    ++bin.count;
    bin.predicted += probabilities[i];
    bin.observed += static_cast<double>(outcomes[i]);
  }
  for (ReliabilityBin& bin : curve) {
    bin.predicted = bin.count > 0 ? bin.predicted / static_cast<double>(bin.count) : kNan;
    bin.observed = bin.count > 0 ? bin.observed / static_cast<double>(bin.count) : kNan;
  }
  return curve;
}

double expected_calibration_error(std::span<const double> probabilities, std::span<const Index> outcomes, Index bins) {
  double error = 0;
  for (const ReliabilityBin& bin : reliability_curve(probabilities, outcomes, bins))
    if (bin.count > 0) error += static_cast<double>(bin.count) * std::abs(bin.predicted - bin.observed);
  return error / static_cast<double>(probabilities.size());
}

double brier_score(std::span<const double> probabilities, std::span<const Index> outcomes) {
  check_outcomes("brier_score", probabilities, outcomes);
  double sum = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const double miss = probabilities[i] - static_cast<double>(outcomes[i]);
    sum += miss * miss;
  }
  return sum / static_cast<double>(probabilities.size());
}

}  // namespace fovea
