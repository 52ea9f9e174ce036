#include "fovea/domains/lag/effects/regression.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "fovea/core/base/missing.hpp"

namespace fovea::lag::effects {

namespace {

constexpr double kIndependent = 1e-8;  // of a column's mean square that earlier ones leave

bool all_known(const datasets::series::SeriesTable& table, const std::vector<Regressor>& regressors, Index time) {
  return std::all_of(regressors.begin(), regressors.end(),
                     [&](const Regressor& one) { return !std::isnan(table.values(time - one.lag, one.series)); });
}

void choose_rows(const datasets::series::SeriesTable& table, Index target, const std::vector<Regressor>& regressors,
                 Design& design) {
  Index history = 0;
  for (const Regressor& one : regressors) history = std::max(history, one.lag);
  const std::vector<Index>& starts = table.recording_starts;
  for (std::size_t r = 0; r < starts.size(); ++r) {
    const Index end = r + 1 < starts.size() ? starts[r + 1] : table.steps();
    for (Index t = starts[r] + history; t < end; ++t) {
      if (std::isnan(table.values(t, target)) || !all_known(table, regressors, t)) continue;
      design.times.push_back(t);
      design.recording.push_back(static_cast<Index>(r));
    }
  }
}

/// About the mean and of unit mean square.
double standardise(Eigen::Ref<Eigen::VectorXd> column) {
  if (column.size() == 0) return 1;
  const double largest = column.cwiseAbs().maxCoeff();
  column.array() -= column.mean();
  const double scale = std::sqrt(column.squaredNorm() / static_cast<double>(column.size()));
  if (!(scale > 1e-12 * largest)) {
    column.setZero();
    return 1;
  }
  column /= scale;
  return scale;
}

/// Columns of a Gram matrix of which none depends on earlier ones, by Cholesky's factors.
std::vector<Index> independent_columns(const Eigen::MatrixXd& gram) {
  Eigen::MatrixXd factor = Eigen::MatrixXd::Zero(gram.rows(), gram.rows());
  std::vector<Index> kept;
  for (Index j = 0; j < gram.rows(); ++j) {
    for (const Index k : kept)
      factor(j, k) = (gram(j, k) - factor.row(j).head(k).dot(factor.row(k).head(k))) / factor(k, k);
    const double left = gram(j, j) - factor.row(j).squaredNorm();
    if (!(left > kIndependent * gram(j, j)) || gram(j, j) == 0) {
      factor.row(j).setZero();
      continue;
    }
    factor(j, j) = std::sqrt(left);
    kept.push_back(j);
  }
  return kept;
}

Eigen::MatrixXd columns_of(const Eigen::MatrixXd& all, const std::vector<Index>& kept) {
  Eigen::MatrixXd some(all.rows(), static_cast<Index>(kept.size()));
  for (std::size_t k = 0; k < kept.size(); ++k) some.col(static_cast<Index>(k)) = all.col(kept[k]);
  return some;
}

}  // namespace

Design design_of(const datasets::series::SeriesTable& table, Index target, const std::vector<Regressor>& regressors,
                 const Matrix<double>& conditions) {
  Design design;
  choose_rows(table, target, regressors, design);
  const auto rows = static_cast<Index>(design.times.size()), own = static_cast<Index>(regressors.size());
  design.x.resize(rows, own + conditions.cols());
  design.y.resize(rows);
  for (Index r = 0; r < rows; ++r) {
    const Index t = design.times[r];
    design.y[r] = table.values(t, target);
    for (Index c = 0; c < own; ++c) {
      const Regressor& one = regressors[c];
      design.x(r, c) = table.values(t - one.lag, one.series);
    }
    for (Index c = 0; c < conditions.cols(); ++c) design.x(r, own + c) = conditions(t, c);
  }
  design.scale.resize(design.x.cols());
  for (Index c = 0; c < design.x.cols(); ++c) design.scale[c] = standardise(design.x.col(c));
  if (rows > 0) design.y.array() -= design.y.mean();
  return design;
}

Regression least_squares_of(const Design& design, Index stop) {
  const auto x = design.x.topRows(stop);
  const Eigen::VectorXd middle = x.colwise().mean();
  const double level = design.y.head(stop).mean();
  const Eigen::MatrixXd centred = x.rowwise() - middle.transpose();
  const Eigen::MatrixXd gram = centred.transpose() * centred;
  Regression regression;
  regression.kept = independent_columns(gram);
  const auto size = static_cast<Index>(regression.kept.size());
  const Eigen::MatrixXd kept = columns_of(centred, regression.kept);
  const Eigen::MatrixXd products = gram(regression.kept, regression.kept);
  regression.inverse = products.llt().solve(Eigen::MatrixXd::Identity(size, size));
  const Eigen::VectorXd slopes = regression.inverse * (kept.transpose() * design.y.head(stop));
  regression.slope = Eigen::VectorXd::Zero(design.x.cols());
  for (Index k = 0; k < size; ++k) regression.slope[regression.kept[k]] = slopes[k];
  const double constant = level - middle.dot(regression.slope);
  regression.residual = design.y - design.x * regression.slope;
  regression.residual.array() -= constant;
  regression.degrees = std::max<Index>(1, stop - size - 1);
  return regression;
}

Eigen::MatrixXd long_run_covariance(const Eigen::MatrixXd& scores, const Design& design, Index bandwidth) {
  const Index size = scores.cols();
  const std::size_t rows = design.times.size();
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t first = 0, end = 0; first < rows; first = end) {
    while (end < rows && design.recording[end] == design.recording[first]) ++end;
    Eigen::VectorXd window = Eigen::VectorXd::Zero(size);
    std::size_t head = first, tail = first;
    for (Index last = design.times[first]; last <= design.times[end - 1] + bandwidth; ++last) {
      for (; head < end && design.times[head] == last; ++head) window += scores.row(static_cast<Index>(head));
      for (; tail < head && design.times[tail] < last - bandwidth; ++tail)
        window -= scores.row(static_cast<Index>(tail));
      if (tail == head) window.setZero();  // no rounding is carried over a gap
      covariance += window * window.transpose();
    }
  }
  return covariance / static_cast<double>(bandwidth + 1);
}

Index bandwidth_of(Index rows) {
  return static_cast<Index>(std::floor(4 * std::pow(static_cast<double>(rows) / 100, 2.0 / 9)));
}

void add_covariance(const Design& design, Regression& regression) {
  Eigen::MatrixXd scores = columns_of(design.x, regression.kept) * regression.inverse;
  scores.array().colwise() *= regression.residual.array();
  regression.covariance = long_run_covariance(scores, design, bandwidth_of(design.rows())) *
                          (static_cast<double>(design.rows()) / static_cast<double>(regression.degrees));
}

double added_t(const Design& design, const Regression& regression, const Eigen::VectorXd& column) {
  const Eigen::MatrixXd x = columns_of(design.x, regression.kept);
  Eigen::VectorXd left = column.array() - column.mean();
  const double whole = left.squaredNorm();
  left -= x * (regression.inverse * (x.transpose() * left));
  const double squares = left.squaredNorm();
  if (!(squares > kIndependent * whole) || regression.degrees < 2) return kNan;
  const double slope = left.dot(regression.residual) / squares;
  const Eigen::VectorXd scores = left.array() * (regression.residual - slope * left).array() / squares;
  const double variance = long_run_covariance(scores, design, bandwidth_of(design.rows()))(0, 0) *
                          static_cast<double>(design.rows()) / static_cast<double>(regression.degrees - 1);
  return slope / std::sqrt(variance);
}

}  // namespace fovea::lag::effects
