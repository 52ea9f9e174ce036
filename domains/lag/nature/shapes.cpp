#include "fovea/domains/lag/nature/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/core/statistics/tests/score_test.hpp"

namespace fovea::lag::nature {

Matrix<double> wave(Index steps, double frequency) {
  const bool alone = frequency < 1e-12 || std::fabs(frequency - 0.5) < 1e-9;
  Matrix<double> columns(steps, alone ? 1 : 2);
  for (Index t = 0; t < steps; ++t) {
    const double turns = frequency * static_cast<double>(t);
    const double angle = 2 * std::numbers::pi * (turns - std::floor(turns));
    columns(t, 0) = std::cos(angle);
    if (!alone) columns(t, 1) = std::sin(angle);
  }
  return columns;
}

Matrix<double> beside(const Matrix<double>& left, const Matrix<double>& right) {
  if (left.cols() == 0) return right;
  if (right.cols() == 0) return left;
  Matrix<double> both(left.rows(), left.cols() + right.cols());
  both << left, right;
  return both;
}

Matrix<double> waves(Index steps, const std::vector<double>& frequencies) {
  Matrix<double> columns(steps, 0);
  for (const double frequency : frequencies) columns = beside(columns, wave(steps, frequency));
  return columns;
}

Matrix<double> polynomials(Index steps, Index first, Index last) {
  Matrix<double> columns(steps, last - first + 1);
  for (Index t = 0; t < steps; ++t) {
    const double x = steps > 1 ? 2 * static_cast<double>(t) / static_cast<double>(steps - 1) - 1 : 0;
    double before = 1, now = x;  // degrees 0 and 1
    for (Index degree = 1; degree <= last; ++degree) {
      if (degree >= first) columns(t, degree - first) = now;
      const auto k = static_cast<double>(degree);
      const double next = ((2 * k + 1) * x * now - k * before) / (k + 1);
      before = now;
      now = next;
    }
  }
  return columns;
}

Matrix<double> step_at(Index steps, Index row) {
  Matrix<double> column = Matrix<double>::Zero(steps, 1);
  column.bottomRows(steps - row).setOnes();
  return column;
}

Matrix<double> independent_columns(const Matrix<double>& columns, const Matrix<double>& held) {
  const OrthonormalColumns all(beside(held, columns));
  const auto had = std::count_if(all.kept.begin(), all.kept.end(), [&](Index c) { return c < held.cols(); });
  return all.q.rightCols(all.q.cols() - had) * std::sqrt(static_cast<double>(columns.rows()));
}

}  // namespace fovea::lag::nature
