#pragma once
/// Courses as columns over the steps.

#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::lag::nature {

/// cos and sin of 2 pi f t for t = 0 .. steps - 1; the cosine alone at f = 1/2 (and at 0, where it is 1).
Matrix<double> wave(Index steps, double frequency);
/// Waves side by side.
Matrix<double> waves(Index steps, const std::vector<double>& frequencies);
/// Legendre's polynomials of the degrees first .. last on [-1, 1].
Matrix<double> polynomials(Index steps, Index first, Index last);
/// 1 from `row` on.
Matrix<double> step_at(Index steps, Index row);

/// `columns` about their means, without those that depend on `held`, the constant, or earlier ones (of whose square
/// next to nothing is left), each in its mean square 1. held: as it came from here, or no columns.
Matrix<double> independent_columns(const Matrix<double>& columns, const Matrix<double>& held);
/// Side by side.
Matrix<double> beside(const Matrix<double>& left, const Matrix<double>& right);

}  // namespace fovea::lag::nature
