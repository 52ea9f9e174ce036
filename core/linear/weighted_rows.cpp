#include "fovea/core/linear/weighted_rows.hpp"

#include <algorithm>

namespace fovea {

Vector<double> linear_part(const Matrix<double>& columns, const Vector<double>& coefficients) {
  Vector<double> values(columns.rows());
  for (Index i = 0; i < columns.rows(); ++i) values[i] = columns.row(i).dot(coefficients);
  return values;
}

Vector<double> weighted_sum(const Matrix<double>& columns, const Vector<double>& v) {
  Vector<double> sum = Vector<double>::Zero(columns.cols());
  for (Index i = 0; i < columns.rows(); ++i) sum += v[i] * columns.row(i).transpose();
  return sum;
}

Matrix<double> weighted_products(const Matrix<double>& columns, const Vector<double>& weights) {
  constexpr Index kBlock = 512;  // rows whose scaled values stay in the cache
  Eigen::MatrixXd products = Eigen::MatrixXd::Zero(columns.cols(), columns.cols());
  Matrix<double> scaled;
  for (Index first = 0; first < columns.rows(); first += kBlock) {
    const Index rows = std::min(kBlock, columns.rows() - first);
    scaled = weights.segment(first, rows).cwiseSqrt().asDiagonal() * columns.middleRows(first, rows);
    products.selfadjointView<Eigen::Lower>().rankUpdate(scaled.transpose());
  }
  return products;
}

}  // namespace fovea
