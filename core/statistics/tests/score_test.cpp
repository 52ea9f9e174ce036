#include "fovea/core/statistics/tests/score_test.hpp"

#include <algorithm>
#include <cmath>

namespace fovea {

namespace {

// Of a column's square: what is left below it is rounding, or too little to say anything.
constexpr double kNothingLeft = 1e-8;
}  // namespace

OrthonormalColumns::OrthonormalColumns(const Eigen::MatrixXd& x) : q(x.rows(), x.cols()), r(x.cols(), x.cols()) {
  r.setZero();
  for (Index c = 0; c < x.cols(); ++c) {
    Eigen::VectorXd left = x.col(c).array() - x.col(c).mean();
    const double square = left.squaredNorm();
    const auto count = std::ssize(kept);
    Eigen::VectorXd along = q.leftCols(count).transpose() * left;
    left -= q.leftCols(count) * along;
    const Eigen::VectorXd again = q.leftCols(count).transpose() * left;  // what rounding has left
    left -= q.leftCols(count) * again;
    const double rest = left.squaredNorm();
    if (!(rest > kNothingLeft * square)) continue;
    r.col(count).head(count) = along + again;
    r(count, count) = std::sqrt(rest);
    q.col(count) = left / std::sqrt(rest);
    kept.push_back(c);
  }
  q.conservativeResize(Eigen::NoChange, std::ssize(kept));
  r.conservativeResize(std::ssize(kept), std::ssize(kept));
}

ScoreTest::ScoreTest(const Eigen::MatrixXd& x, const Eigen::VectorXd& y) : columns_(x) {
  residuals_ = y.array() - y.mean();
  square_ = residuals_.squaredNorm();
  coordinates_ = columns_.q.transpose() * residuals_;
  residuals_ -= columns_.q * coordinates_;
  const double least = 1 / static_cast<double>(y.size());  // a row that stands alone keeps a finite weight
  free_ = (1 - least - columns_.q.rowwise().squaredNorm().array()).max(least);
}

double ScoreTest::variance() const {
  return residuals_.squaredNorm() / static_cast<double>(std::max<Index>(residuals_.size() - columns_.q.cols() - 1, 1));
}

Eigen::MatrixXd ScoreTest::left_of(const Eigen::MatrixXd& z) const {
  Eigen::MatrixXd left = z.rowwise() - z.colwise().mean();
  left -= columns_.q * (columns_.q.transpose() * left);
  return left;
}

Eigen::VectorXd ScoreTest::test(const Eigen::MatrixXd& z, double carrying) const {
  const Eigen::MatrixXd left = left_of(z);
  const Eigen::VectorXd weights = residuals_.cwiseAbs2().cwiseQuotient(free_);
  Eigen::VectorXd t(z.cols());
  for (Index c = 0; c < z.cols(); ++c) {
    const double spread = left.col(c).cwiseAbs2().dot(weights);
    const double square = left.col(c).squaredNorm(), fourth = left.col(c).cwiseAbs2().squaredNorm();
    const bool something =
        square > kNothingLeft * z.col(c).squaredNorm() && spread > 0 && square * square >= carrying * fourth;
    t[c] = something ? left.col(c).dot(residuals_) / std::sqrt(spread) : 0;
  }
  return t;
}

double ScoreTest::criterion(Index k) const {
  const auto rows = static_cast<double>(residuals_.size());
  const auto count = std::lower_bound(columns_.kept.begin(), columns_.kept.end(), k) - columns_.kept.begin();
  const double left = std::max(square_ - coordinates_.head(count).squaredNorm(), 1e-300);
  return rows * std::log(left / rows) + static_cast<double>(count) * std::log(rows);
}

Eigen::VectorXd ScoreTest::attenuation(const OrthonormalColumns& instruments, const std::vector<char>& measured) const {
  const auto upper = columns_.r.triangularView<Eigen::Upper>();
  Eigen::VectorXd b = upper.solve(coordinates_);
  for (Index c = 0; c < b.size(); ++c)
    if (!measured[columns_.kept[c]]) b[c] = 0;
  const Eigen::VectorXd at = columns_.q * upper.transpose().solve(b);
  const Eigen::VectorXd forecast = instruments.q * (instruments.q.transpose() * at);
  return static_cast<double>(residuals_.size()) * left_of(forecast);
}

}  // namespace fovea
