#include "fovea/domains/lag/further/sizes.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/domains/lag/further/kernels/sums.hpp"

namespace fovea::lag::further {

namespace {

// Steps before, whose mean size forecasts the next: volatility comes in spells (Engle 1982).
constexpr Index kSpell = 10;
// Normal deviates of the sum over pairs: theory.md, Further effects, third guard.
constexpr double kAllTogether = 4;
// Of one pair, of which more than half must have it: one pair of strong common sizes is no course of most series.
constexpr double kOnePair = 1;

/// Mean of up to ten scores before each step, inside its recording.
Vector<double> spell_before(const Vector<double>& scores, const Panel& panel) {
  Vector<double> means = Vector<double>::Zero(scores.size());
  for (const auto& [first, end] : panel.recordings)
    for (Index t = first + 1; t < end; ++t) {
      const Index rows = std::min(t - first, kSpell);
      means[t] = scores.segment(t - rows, rows).mean();
    }
  return means;
}

/// About 0: rows are about the means of their windows.
double correlation(const Matrix<double>& rows, Index i, Index j) {
  const double product = product_sum(rows.row(i).data(), rows.row(j).data(), rows.cols());
  const double squares = rows.row(i).squaredNorm() * rows.row(j).squaredNorm();
  return squares > 0 ? product / std::sqrt(squares) : 0;
}

}  // namespace

Matrix<double> size_scores(const Matrix<double>& rows, const Panel& panel) {
  Matrix<double> scores(rows.rows(), rows.cols());
  for_each_task(rows.rows(), true, [&](Index i) {
    Vector<double> one = rows.row(i).cwiseAbs().transpose();  // their ranks: tails are none of the sizes
    for (Index t = 0; t < one.size(); ++t)
      if (!(panel.known(i, t) > 0)) one[t] = kNan;
    one = rank_scores(one);
    centre_in_windows(one, panel.starts);
    scores.row(i) = one.transpose();
  });
  return scores;
}

Matrix<double> surprises(const Matrix<double>& scores, const Panel& panel) {
  Matrix<double> left = scores;
  for_each_task(scores.rows(), true, [&](Index i) {
    const Vector<double> own = scores.row(i).transpose();
    Eigen::Matrix<double, Eigen::Dynamic, 3> past(own.size(), 3);
    past.col(0) = panel.before(scores, i, 1);
    past.col(1) = panel.before(scores, i, 2);
    past.col(2) = spell_before(own, panel);
    const Eigen::Matrix3d products = past.transpose() * past;
    const Eigen::Vector3d coefficients = products.ldlt().solve(past.transpose() * own);
    if (coefficients.allFinite())
      left.row(i) = (own - past * coefficients).cwiseProduct(panel.known.row(i).transpose()).transpose();
  });
  return left;
}

CommonSizes common_sizes(const Matrix<double>& scores, const Panel& panel) {
  const Index series = scores.rows();
  CommonSizes common{.z = Matrix<double>::Zero(series, series)};
  const double root = std::sqrt(static_cast<double>(panel.steps()));
  double sum = 0, pairs = 0, above = 0;
  for (Index i = 0; i < series; ++i)
    for (Index j = 0; j < i; ++j) {
      const double r = correlation(panel.innovations, i, j), beyond = correlation(scores, i, j) - r * r;
      common.z(i, j) = common.z(j, i) = beyond * root;
      sum += beyond, pairs += 1, above += beyond * root > kOnePair ? 1 : 0;
    }
  if (pairs == 0) return common;
  common.mean = sum / pairs;
  common.found = sum * root > kAllTogether * std::sqrt(pairs) && 2 * above > pairs;
  return common;
}

}  // namespace fovea::lag::further
