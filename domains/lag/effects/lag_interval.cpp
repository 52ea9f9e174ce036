#include "fovea/domains/lag/effects/lag_interval.hpp"

#include <algorithm>
#include <cmath>

namespace fovea::lag::effects {

namespace {

constexpr Index kDraws = 99, kFewestRows = 30;
constexpr std::size_t kSideDraws = 2;  // of 99 draws to either side: 95 % lie between
constexpr double kMostWork = 1e9;      // products of numbers: about a second

/// Sums over the rows before each row, of products with the target's rest and of squares; rows + 1 x lags.
struct Sums {
  Matrix<double> products, squares;
};

Sums sums_of(const Eigen::MatrixXd& candidates, const Eigen::VectorXd& target) {
  const Index rows = candidates.rows(), lags = candidates.cols();
  Sums sums{Matrix<double>::Zero(rows + 1, lags), Matrix<double>::Zero(rows + 1, lags)};
  for (Index r = 0; r < rows; ++r)
    for (Index l = 0; l < lags; ++l) {
      const double x = candidates(r, l);
      sums.products(r + 1, l) = sums.products(r, l) + x * target[r];
      sums.squares(r + 1, l) = sums.squares(r, l) + x * x;
    }
  return sums;
}

/// Frees the columns from `first` on, and the target, of those before.
std::pair<Eigen::MatrixXd, Eigen::VectorXd> freed(const Design& design, Index first) {
  Design given;
  given.x = design.x.leftCols(first), given.y = design.y;
  const Regression regression = least_squares_of(given, design.rows());
  Eigen::MatrixXd rest = design.x.rightCols(design.x.cols() - first);
  Eigen::MatrixXd kept(design.rows(), std::ssize(regression.kept));
  for (std::size_t k = 0; k < regression.kept.size(); ++k)
    kept.col(static_cast<Index>(k)) = given.x.col(regression.kept[k]);
  rest -= kept * (regression.inverse * (kept.transpose() * rest));
  return {std::move(rest), regression.residual};
}

}  // namespace

const std::vector<LagIntervals::Draw>& LagIntervals::draws_of(Index rows) {
  const auto [place, is_new] = draws_.try_emplace(rows);
  if (!is_new) return place->second;
  const double mean = std::cbrt(static_cast<double>(rows)), none = std::log1p(-1 / mean);
  for (Index d = 0; d < kDraws; ++d) {
    Draw& draw = place->second.emplace_back();
    Index left = rows;
    for (std::uint64_t b = 0; left > 0; ++b) {
      const auto entity = static_cast<std::uint64_t>(d);
      const double geometric = 1 + std::floor(std::log(1 - random_.uniform(entity, 2 * b)) / none);
      const auto first = static_cast<Index>(random_.below(static_cast<std::uint64_t>(rows), entity, 2 * b + 1));
      const Index length = static_cast<Index>(std::min(geometric, static_cast<double>(left)));
      const Index before_end = std::min(length, rows - first);  // what is left of it begins again at the first row
      draw.push_back({first, before_end});
      if (before_end < length) draw.push_back({0, length - before_end});
      left -= length;
    }
  }
  return place->second;
}

bool LagIntervals::affords(Index regressors) {
  const Index lags = std::ssize(settings_.lags), columns = regressors - 1 + settings_.conditions.cols() + 25;
  work_ += static_cast<double>(table_.steps() * lags * columns);
  return lags >= 2 && work_ <= kMostWork;
}

LagRange LagIntervals::of(const methods::Link& link, const std::vector<Regressor>& regressors) {
  std::vector<Regressor> columns;
  for (const Regressor& one : regressors)
    if (one.series != link.cause) columns.push_back(one);
  const auto given = static_cast<Index>(columns.size()), lags = std::ssize(settings_.lags);
  // The candidates stand behind the conditions, so these are columns of the design with the others.
  for (const Index lag : settings_.lags) columns.push_back({link.cause, lag});
  Design design = design_of(table_, link.effect, columns, settings_.conditions);
  if (design.rows() < kFewestRows + 2 * (given + lags)) return {};
  const Index conditions = settings_.conditions.cols();
  Eigen::MatrixXd ordered(design.rows(), design.x.cols());
  ordered << design.x.leftCols(given), design.x.rightCols(conditions), design.x.middleCols(given, lags);
  design.x = std::move(ordered);
  const Index rows = design.rows();
  const auto [candidates, target] = freed(design, given + conditions);
  design = {};  // a long table has no room for it beside the sums
  const Sums sums = sums_of(candidates, target);
  std::vector<Index> strongest;
  const std::vector<Draw>* draws = nullptr;
#pragma omp critical(fovea_lag_interval_draws)
  draws = &draws_of(rows);
  for (const Draw& draw : *draws) {
    Eigen::ArrayXd products = Eigen::ArrayXd::Zero(lags), squares = products;
    for (const Block& block : draw) {
      products += (sums.products.row(block.first + block.length) - sums.products.row(block.first)).transpose().array();
      squares += (sums.squares.row(block.first + block.length) - sums.squares.row(block.first)).transpose().array();
    }
    Index best = 0;
    (products.square() / squares.max(1e-300)).maxCoeff(&best);
    strongest.push_back(settings_.lags[best]);
  }
  std::sort(strongest.begin(), strongest.end());
  return {std::min(link.lag, strongest[kSideDraws]), std::max(link.lag, strongest[strongest.size() - 1 - kSideDraws])};
}

}  // namespace fovea::lag::effects
