#include "fovea/core/linear/scaled_regression.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"

namespace fovea {

Vector<double> ColumnScale::scaled(const Vector<double>& row) const {
  Vector<double> values(row.size());
  for (Index c = 0; c < row.size(); ++c) {
    const double z = deviation[c] > 0 && !std::isnan(row[c]) ? (row[c] - middle[c]) / deviation[c] : 0;
    values[c] = clip > 0 ? std::clamp(z, -clip, clip) : z;
  }
  return values;
}

ColumnScale column_scale(const Matrix<double>& columns, std::span<const Index> rows, Middle middle, double clip) {
  constexpr double kConstant = 1e-12;  // of the largest value: the deviation of a constant is not exactly 0
  require(!rows.empty(), "column_scale: there are no rows; at least one is needed.");
  ColumnScale scale{Vector<double>::Zero(columns.cols()), Vector<double>::Zero(columns.cols()), clip};
  for (Index c = 0; c < columns.cols(); ++c) {
    std::vector<double> values;
    for (const Index row : rows)
      if (!std::isnan(columns(row, c))) values.push_back(columns(row, c));
    if (values.empty()) continue;
    const Moments of = moments(values);
    std::sort(values.begin(), values.end());
    const double largest = std::max(std::abs(values.front()), std::abs(values.back()));
    if (std::sqrt(of.variance) > kConstant * largest) scale.deviation[c] = std::sqrt(of.variance);
    scale.middle[c] = middle == Middle::median ? sorted_quantile(values, 0.5) : of.mean;
  }
  return scale;
}

double ScaledRegression::linear(const Vector<double>& row) const {
  return coefficients.head(row.size()).dot(scale.scaled(row)) + coefficients[row.size()];
}

ScaledRegression fit_scaled_regression(const Matrix<double>& columns, std::span<const double> outcomes,
                                       std::span<const Index> rows, const ScaledRegressionSettings& settings,
                                       std::span<const double> weights) {
  require(settings.penalty >= 0 && settings.clip >= 0, "fit_scaled_regression: penalty is ", settings.penalty,
          " and clip is ", settings.clip, "; both must be at least 0.");
  const Index count = columns.cols();
  std::vector<double> taught;
  for (const Index row : rows) taught.push_back(outcomes[row]);
  const auto ones = std::count(taught.begin(), taught.end(), 1.0);
  if (ones == 0 || ones == std::ssize(taught)) return {};
  ScaledRegression learned{column_scale(columns, rows, settings.middle, settings.clip), {}, settings.link};
  BinaryRegressionSettings binary{settings.link, Vector<double>::Constant(count + 1, settings.penalty)};
  binary.penalties[count] = 0;
  for (Index c = 0; c < count; ++c)
    if (learned.scale.deviation[c] == 0) binary.penalties[c] = 1;  // a constant column has the coefficient 0
  if (!weights.empty()) binary.weights.resize(std::ssize(rows));
  Matrix<double> scaled = Matrix<double>::Ones(std::ssize(rows), count + 1);
  for (Index k = 0; k < scaled.rows(); ++k) {
    scaled.row(k).head(count) = learned.scale.scaled(columns.row(rows[k]).transpose()).transpose();
    if (!weights.empty()) binary.weights[k] = weights[rows[k]];
  }
  const BinaryRegression fit = fit_binary_regression(scaled, taught, binary);
  if (fit.minimum) learned.coefficients = fit.coefficients;
  return learned;
}

}  // namespace fovea
