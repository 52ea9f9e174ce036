#pragma once
/// Sums over the rows of a table, each in the order of its rows on one thread, so that bits depend on nothing else.

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// X b, row by row.
Vector<double> linear_part(const Matrix<double>& columns, const Vector<double>& coefficients);

/// sum_i v_i x_i.
Vector<double> weighted_sum(const Matrix<double>& columns, const Vector<double>& v);

/// sum_i w_i x_i x_i', its lower half; weights >= 0.
Matrix<double> weighted_products(const Matrix<double>& columns, const Vector<double>& weights);

}  // namespace fovea
