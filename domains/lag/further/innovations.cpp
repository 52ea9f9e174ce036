#include "fovea/domains/lag/further/innovations.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/domains/lag/further/panel.hpp"

namespace fovea::lag::further {

namespace {

// Always held fixed: memory that passed no test would echo in the products.
constexpr Index kOwnLags = 3;
// Rows; with fewer the series has no innovations.
constexpr Index kFewestComplete = 20;
// At least; the least certain links are left out.
constexpr Index kRowsPerRegressor = 4;

/// A past value as it is (degree 1) or a Hermite polynomial of its normal score.
struct Regressor {
  Index series, lag;
  int degree;
};

/// The most certain first.
std::vector<Regressor> regressors_of(Index target, const std::vector<methods::Link>& known) {
  std::vector<Regressor> chosen;
  std::set<std::tuple<Index, Index>> seen;
  const auto add = [&](Index series, Index lag, bool bent) {
    if (!seen.emplace(series, lag).second) return;
    for (int degree = 1; degree <= (bent ? 3 : 1); ++degree) chosen.push_back({series, lag, degree});
  };
  std::vector<methods::Link> links;
  for (const methods::Link& link : known)
    if (link.effect == target && link.lag > 0) links.push_back(link);
  std::stable_sort(links.begin(), links.end(),
                   [](const methods::Link& a, const methods::Link& b) { return a.p_value < b.p_value; });
  for (Index lag = 1; lag <= kOwnLags; ++lag)
    add(target, lag, std::any_of(links.begin(), links.end(), [&](const methods::Link& link) {
          return link.self() && link.lag == lag;
        }));
  for (const methods::Link& link : links) add(link.cause, link.lag, true);
  return chosen;
}

Matrix<double> scores_of_ranks(const Matrix<double>& values) {
  Matrix<double> scores(values.rows(), values.cols());
  for_each_task(values.cols(), true, [&](Index i) { scores.col(i) = rank_scores(values.col(i)); });
  return scores;
}

/// Of a response that is not linear: Hermite polynomials, which do not depend on each other where scores are normal.
double content_of(double value, double score, int degree) {
  if (degree == 1) return value;
  return degree == 2 ? score * score - 1 : score * (score * score - 3);
}

/// The rows with everything there, and on them 1, the conditions and the regressors.
struct Design {
  std::vector<Index> rows;
  Eigen::MatrixXd x;
  Vector<double> y;
};

/// Of many rows by the triangles of blocks, each as good as its rows (Golub & Van Loan 2013, section 5.2).
Eigen::VectorXd least_squares(const Eigen::MatrixXd& x, const Vector<double>& y) {
  constexpr Index kRows = 4096;
  const Index blocks = x.rows() / kRows, columns = x.cols() + 1;
  if (blocks < 2 || columns > kRows) return x.colPivHouseholderQr().solve(y);
  Eigen::MatrixXd triangles = Eigen::MatrixXd::Zero(blocks * columns, columns);
  for (Index b = 0; b < blocks; ++b) {
    const Index first = b * kRows, count = b + 1 < blocks ? kRows : x.rows() - first;
    Eigen::MatrixXd block(count, columns);
    block << x.middleRows(first, count), y.segment(first, count);
    triangles.middleRows(b * columns, columns) =
        block.householderQr().matrixQR().topRows(columns).triangularView<Eigen::Upper>();
  }
  return triangles.leftCols(columns - 1).colPivHouseholderQr().solve(triangles.col(columns - 1));
}

class Past {
 public:
  Past(const datasets::series::SeriesTable& table, const Matrix<double>& conditions)
      : table_(table), conditions_(conditions), scores_(scores_of_ranks(table.values)) {}

  Design design(Index target, const std::vector<Regressor>& regressors) const {
    Design design;
    for (std::size_t r = 0; r < table_.recording_starts.size(); ++r) {
      const Index first = table_.recording_starts[r];
      const Index end = r + 1 < table_.recording_starts.size() ? table_.recording_starts[r + 1] : table_.steps();
      for (Index t = first; t < end; ++t)
        if (complete(target, t, first, regressors)) design.rows.push_back(t);
    }
    const Index conditions = conditions_.cols();
    design.x.resize(std::ssize(design.rows), 1 + conditions + std::ssize(regressors));
    design.y.resize(std::ssize(design.rows));
    for (Index k = 0; k < design.x.rows(); ++k) {
      const Index t = design.rows[k];
      design.y[k] = table_.values(t, target);
      design.x(k, 0) = 1;
      for (Index c = 0; c < conditions; ++c) design.x(k, 1 + c) = conditions_(t, c);
      Index column = 1 + conditions;
      for (const Regressor& one : regressors)
        design.x(k, column++) =
            content_of(table_.values(t - one.lag, one.series), scores_(t - one.lag, one.series), one.degree);
    }
    return design;
  }

 private:
  bool complete(Index target, Index t, Index first, const std::vector<Regressor>& regressors) const {
    return !std::isnan(table_.values(t, target)) &&
           std::all_of(regressors.begin(), regressors.end(), [&](const Regressor& one) {
             return t - one.lag >= first && !std::isnan(table_.values(t - one.lag, one.series));
           });
  }

  const datasets::series::SeriesTable& table_;
  const Matrix<double>& conditions_;
  Matrix<double> scores_;
};

}  // namespace

Matrix<double> innovations_of(const datasets::series::SeriesTable& table, const std::vector<methods::Link>& known,
                              const Matrix<double>& conditions) {
  require(conditions.cols() == 0 || conditions.rows() == table.steps(), "innovations: the conditions have ",
          conditions.rows(), " rows, but the table has ", table.steps(), " steps; each step needs one row.");
  const Past past(table, conditions);
  Matrix<double> innovations = Matrix<double>::Constant(table.steps(), table.series(), kNan);
  for_each_task(table.series(), true, [&](Index j) {
    std::vector<Regressor> regressors = regressors_of(j, known);
    Design design = past.design(j, regressors);
    const Index most = table.steps() / kRowsPerRegressor;
    // The most certain links come first, behind the own past.
    if (std::ssize(regressors) > most) {
      regressors.resize(most);
      design = past.design(j, regressors);
    }
    if (std::ssize(design.rows) < kFewestComplete) return;
    const Vector<double> left = design.y - design.x * least_squares(design.x, design.y);
    for (std::size_t k = 0; k < design.rows.size(); ++k) innovations(design.rows[k], j) = left[static_cast<Index>(k)];
  });
  return innovations;
}

}  // namespace fovea::lag::further
