#include "fovea/core/learning/distance_correlation.hpp"

#include <cmath>

#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

namespace {

using Square = Matrix<double>;
using Column = Vector<double>;

/// |x_i - x_j| less the weighted means of its row and column, plus that of all.
Square centred_distances(const Column& x, const Column& p) {
  const Index n = x.size();
  Square a(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) a(i, j) = std::abs(x[i] - x[j]);
  Column means(n);
  double mean = 0;
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    for (Index j = 0; j < n; ++j) sum += p[j] * a(i, j);
    means[i] = sum;
    mean += p[i] * sum;
  }
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) a(i, j) += mean - means[i] - means[j];
  return a;
}

double covariance(const Square& a, const Square& b, const Column& p) {
  double sum = 0;
  for (Index i = 0; i < p.size(); ++i) {
    double row = 0;
    for (Index j = 0; j < p.size(); ++j) row += p[j] * a(i, j) * b(i, j);
    sum += p[i] * row;
  }
  return sum;
}

struct Dependence {
  double value = 0;
  Column slopes;  ///< d value / d x
};

/// With dV(x, y) / da_ij = p_i p_j B_ij, because B has the mean 0 in every row and column.
Dependence dependence_of(const Column& x, const Column& y, const Column& p) {
  const Index n = x.size();
  Dependence found{0, Column::Zero(n)};
  if (n < 2) return found;
  const Square a = centred_distances(x, p), b = centred_distances(y, p);
  const double both = covariance(a, b, p), own = covariance(a, a, p), other = covariance(b, b, p);
  if (own <= 0 || other <= 0) return found;  // NaN goes on
  const double scale = 1 / std::sqrt(own * other), share = both / own;
  found.value = both * scale;
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    for (Index j = 0; j < n; ++j) {
      const double sign = x[i] > x[j] ? 1 : x[i] < x[j] ? -1 : 0;
      sum += p[j] * (b(i, j) - share * a(i, j)) * sign;
    }
    found.slopes[i] = 2 * scale * p[i] * sum;
  }
  return found;
}

/// The rows that have a weight, and the shares of their weights.
struct WeightedRows {
  std::vector<Index> rows;
  Column shares;
};

template <typename Real>
WeightedRows weighted_rows(Index count, std::span<const Real> weights) {
  WeightedRows found;
  double total = 0;
  for (Index i = 0; i < count; ++i) {
    const double weight = weights.empty() ? 1.0 : static_cast<double>(weights[i]);
    require(weight >= 0 && std::isfinite(weight), "distance_correlation: a weight is ", weight, ", but must be >= 0.");
    if (weight == 0) continue;
    found.rows.push_back(i);
    total += weight;
  }
  found.shares.resize(static_cast<Index>(found.rows.size()));
  for (std::size_t k = 0; k < found.rows.size(); ++k)
    found.shares[static_cast<Index>(k)] = (weights.empty() ? 1.0 : static_cast<double>(weights[found.rows[k]])) / total;
  return found;
}

}  // namespace

template <typename Real>
Variable<Real> distance_correlation(Variable<Real> x, std::span<const Real> y, std::span<const Real> weights) {
  require(x.columns() == 1, "distance_correlation: x has ", x.columns(), " columns, but must have 1.");
  require(static_cast<Index>(y.size()) == x.rows(), "distance_correlation: there are ", y.size(), " numbers y for ",
          x.rows(), " rows of x; each row needs one.");
  require(weights.empty() || static_cast<Index>(weights.size()) == x.rows(), "distance_correlation: there are ",
          weights.size(), " weights for ", x.rows(), " rows; each row needs one, or none has one.");
  const WeightedRows kept = weighted_rows(x.rows(), weights);
  Column mine(kept.shares.size()), others(kept.shares.size());
  for (std::size_t k = 0; k < kept.rows.size(); ++k) {
    mine[static_cast<Index>(k)] = static_cast<double>(x.data()[kept.rows[k]]);
    others[static_cast<Index>(k)] = static_cast<double>(y[kept.rows[k]]);
  }
  const Dependence found = dependence_of(mine, others, kept.shares);
  Variable<Real> result = x.tape().result(1, 1, {x});
  result.data()[0] = static_cast<Real>(found.value);
  if (!result.learns()) return result;
  Real* const slopes = x.tape().room(x.size());
  std::fill_n(slopes, x.size(), Real(0));
  for (std::size_t k = 0; k < kept.rows.size(); ++k)
    slopes[kept.rows[k]] = static_cast<Real>(found.slopes[static_cast<Index>(k)]);
  x.tape().on_backward(result, [=] {
    const auto [to, add] = gradient_place(x);
    learning_kernels<Real>().add_scaled(slopes, result.gradient()[0], x.size(), add, to);
  });
  return result;
}

template <typename Real>
OperationEntry<Real> distance_correlation_entry() {
  return {"distance_correlation",
          "sum_ij p_i p_j A_ij B_ij over its values for x with x, y with y",
          "Szekely, Rizzo, Bakirov 2007",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{example_matrix<Real>(example.tokens(), 1, 1, -2, 2)};
          },
          [](std::span<const Variable<Real>> in, const OperationExample&) {
            Tape<Real>& tape = in[0].tape();
            const Index rows = in[0].rows();
            const Matrix<Real>& y = kept_example(tape, example_matrix<Real>(rows, 1, 4));
            const std::span<Real> weights(tape.room(rows), rows);
            for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<Real>(i % 4) / 2;
            return distance_correlation(in[0], std::span<const Real>(y.data(), rows), std::span<const Real>(weights));
          },
          false};
}

#define FOVEA_DISTANCE_CORRELATION(Real) \
  template Variable<Real> distance_correlation(Variable<Real>, std::span<const Real>, std::span<const Real>);
FOVEA_DISTANCE_CORRELATION(float)
FOVEA_DISTANCE_CORRELATION(double)
FOVEA_OPERATION_ENTRY(distance_correlation)

}  // namespace fovea::learning
