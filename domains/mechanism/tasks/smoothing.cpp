#include "fovea/domains/mechanism/tasks/smoothing.hpp"

#include <cmath>
#include <limits>

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea::mechanism::tasks {

namespace {

double half_square(const Matrix<double>& queries, Index i, const Matrix<double>& keys, Index j) {
  double sum = 0;
  for (Index c = 0; c < keys.cols(); ++c) sum += (queries(i, c) - keys(j, c)) * (queries(i, c) - keys(j, c));
  return 0.5 * sum;
}

}  // namespace

Vector<double> plain_smooth(const Matrix<double>& queries, const Matrix<double>& keys, const Vector<double>& values,
                            double bandwidth, Pairs pairs) {
  const double square = bandwidth * bandwidth;
  Vector<double> smoothed(queries.rows());
  for (Index i = 0; i < queries.rows(); ++i) {
    const auto counts = [&](Index j) { return pairs == Pairs::all || j != i; };
    double nearest = std::numeric_limits<double>::infinity();  // its kernel is set to 1: no other is larger
    for (Index j = 0; j < keys.rows(); ++j)
      if (counts(j)) nearest = std::min(nearest, half_square(queries, i, keys, j));
    double above = 0, below = 0;
    for (Index j = 0; j < keys.rows(); ++j) {
      if (!counts(j)) continue;
      const double kernel = exponential((nearest - half_square(queries, i, keys, j)) / square);
      above += kernel * values[j];
      below += kernel;
    }
    smoothed[i] = above / below;
  }
  return smoothed;
}

Vector<double> attend_smooth(const Matrix<double>& queries, const Matrix<double>& keys, const Vector<double>& values,
                             double bandwidth, Pairs pairs) {
  AttentionSpec<double> spec;
  spec.score = {dot_product_score<double>(false), {}};
  spec.modifiers = {{temperature<double>(), {2 * logarithm(bandwidth)}}};
  if (pairs == Pairs::all_but_self) {
    Matrix<double> bias = Matrix<double>::Zero(queries.rows(), keys.rows());
    bias.diagonal().setConstant(kMasked<double>);
    spec.modifiers.push_back({fixed_pair_bias<double>({bias}), {}});
  }
  const Matrix<double> column = values;
  return attend<double>(queries, keys, column, spec).outputs.col(0);
}

Matrix<double> on_circle(std::span<const double> angles) {
  Matrix<double> points(static_cast<Index>(angles.size()), 2);
  for (std::size_t i = 0; i < angles.size(); ++i)
    points.row(static_cast<Index>(i)) << std::cos(angles[i]), std::sin(angles[i]);
  return points;
}

double squared_error(const Vector<double>& a, const Vector<double>& b) {
  return (a - b).squaredNorm() / static_cast<double>(a.size());
}

std::vector<double> leave_one_out(const Matrix<double>& keys, const Vector<double>& values,
                                  std::span<const double> bandwidths,
                                  Vector<double> (*smooth)(const Matrix<double>&, const Matrix<double>&,
                                                           const Vector<double>&, double, Pairs)) {
  std::vector<double> errors;
  for (const double bandwidth : bandwidths)
    errors.push_back(squared_error(smooth(keys, keys, values, bandwidth, Pairs::all_but_self), values));
  return errors;
}

double attended_width(const Vector<double>& query, Index count, double start) {
  std::vector<double> angles;
  for (Index j = 0; j < count; ++j)
    angles.push_back(start + 6.28318530717958647693 * static_cast<double>(j) / static_cast<double>(count));
  const Matrix<double> keys = on_circle(angles), row = query.transpose();
  AttentionSpec<double> spec;
  spec.score = {dot_product_score<double>(false), {}};
  return std::sqrt(-2 * logarithm(attend<double>(row, keys, keys, spec).outputs.norm()));
}

double von_mises_width(double kappa) {
  require(kappa > 0, "von_mises_width: kappa = ", kappa, ", but must be > 0.");
  // I_n / I_(n-1) = 1 / (2 n / kappa + I_(n+1) / I_n), from an n at which the quotient is kappa / 2n or less
  double quotient = 0;
  for (int n = static_cast<int>(2 * kappa) + 50; n >= 1; --n) quotient = 1 / (2 * n / kappa + quotient);
  return std::sqrt(-2 * logarithm(quotient));
}

std::vector<double> spread_evenly_in_log(double low, double high, int count) {
  require(low > 0 && high > low && count >= 2, "spread_evenly_in_log: from ", low, " to ", high, " in ", count,
          " numbers, but must ascend from above 0 in 2 numbers at least.");
  std::vector<double> numbers;
  for (int k = 0; k < count; ++k) numbers.push_back(low * exponential(logarithm(high / low) * k / (count - 1)));
  return numbers;
}

}  // namespace fovea::mechanism::tasks
