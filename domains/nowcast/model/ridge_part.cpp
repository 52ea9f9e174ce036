#include "fovea/domains/nowcast/model/ridge_part.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/moments.hpp"
#include "fovea/core/linear/binary_regression.hpp"

namespace fovea::nowcast {

namespace {

/// Half an outcome of each kind, where all are the same.
constexpr double kPseudoCount = 0.5;

void scale_column(const std::vector<double>& known, double& middle, double& deviation) {
  if (known.empty()) return;
  std::vector<double> sorted = known;
  std::sort(sorted.begin(), sorted.end());
  middle = sorted_quantile(sorted, 0.5);
  deviation = std::sqrt(moments(known).variance);
}

}  // namespace

RidgePart fit_ridge_part(const Matrix<double>& rows, std::span<const double> outcomes, std::span<const double> weights,
                         const RidgeSettings& settings) {
  const Index columns = rows.cols();
  RidgePart part{Vector<double>::Zero(columns), Vector<double>::Zero(columns), Vector<double>::Zero(columns)};
  std::vector<Index> taught;
  std::vector<double> y;
  double ones = 0;
  for (Index i = 0; i < rows.rows(); ++i)
    if (!std::isnan(outcomes[i])) taught.push_back(i), y.push_back(outcomes[i]), ones += outcomes[i];
  const auto count = static_cast<double>(y.size());
  part.intercept = std::log((ones + kPseudoCount) / (count - ones + kPseudoCount));
  if (ones == 0 || ones == count) return part;
  for (Index k = 0; k < columns; ++k) {
    std::vector<double> known;
    for (const Index i : taught)
      if (!std::isnan(rows(i, k))) known.push_back(rows(i, k));
    scale_column(known, part.middle[k], part.deviation[k]);
  }
  BinaryRegressionSettings regression;
  regression.penalties = Vector<double>::Constant(columns + 1, settings.penalty);
  regression.penalties[columns] = 0;
  if (!weights.empty()) regression.weights.resize(std::ssize(y));
  Matrix<double> scaled = Matrix<double>::Zero(std::ssize(y), columns + 1);
  for (Index r = 0; r < scaled.rows(); ++r) {
    const Index i = taught[r];
    if (!weights.empty()) regression.weights[r] = weights[i];
    scaled(r, columns) = 1;
    for (Index k = 0; k < columns; ++k) {
      if (std::isnan(rows(i, k)) || !(part.deviation[k] > 0)) continue;
      const double z = (rows(i, k) - part.middle[k]) / part.deviation[k];
      scaled(r, k) = settings.clip > 0 ? std::clamp(z, -settings.clip, settings.clip) : z;
    }
  }
  const BinaryRegression fitted = fit_binary_regression(scaled, y, regression);
  part.weight = fitted.coefficients.head(columns);
  part.intercept = fitted.coefficients[columns];
  return part;
}

}  // namespace fovea::nowcast
