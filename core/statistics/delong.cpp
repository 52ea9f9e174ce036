#include "fovea/core/statistics/delong.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"

namespace fovea {

namespace {

/// Ranks from 1; equal ones share their mean.
std::vector<double> mid_ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
    for (end = first; end < order.size() && values[order[end]] == values[order[first]];) ++end;
    for (std::size_t k = first; k < end; ++k) ranks[order[k]] = 0.5 * static_cast<double>(first + end + 1);
  }
  return ranks;
}

std::vector<double> of_class(const std::vector<double>& values, std::span<const Index> outcomes, Index wanted) {
  std::vector<double> some;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (outcomes[i] == wanted) some.push_back(values[i]);
  return some;
}

/// A column for each prediction: the placements of the examples of one class.
struct Placements {
  Matrix<double> positive, negative;
};

Placements placements(std::span<const std::vector<double>> scores, std::span<const Index> outcomes) {
  const Index m = std::count(outcomes.begin(), outcomes.end(), Index{1});
  const Index n = static_cast<Index>(outcomes.size()) - m, count = static_cast<Index>(scores.size());
  Placements found{Matrix<double>(m, count), Matrix<double>(n, count)};
  for (Index k = 0; k < count; ++k) {
    const std::vector<double>& mine = scores[k];
    const std::vector<double> all = mid_ranks(mine), among_positive = mid_ranks(of_class(mine, outcomes, 1)),
                              among_negative = mid_ranks(of_class(mine, outcomes, 0));
    Index i = 0, j = 0;
    for (std::size_t e = 0; e < mine.size(); ++e) {
      if (outcomes[e] == 1) {
        found.positive(i, k) = (all[e] - among_positive[i]) / static_cast<double>(n);
        ++i;
      } else {
        found.negative(j, k) = 1 - (all[e] - among_negative[j]) / static_cast<double>(m);
        ++j;
      }
    }
  }
  return found;
}

/// Covariance of the columns over the rows, over the number of rows.
Matrix<double> covariance_of_means(const Matrix<double>& rows) {
  const Eigen::RowVectorXd mean = rows.colwise().mean();
  const Matrix<double> centred = rows.rowwise() - mean;
  const auto count = static_cast<double>(rows.rows());
  return centred.transpose().lazyProduct(centred) / ((count - 1) * count);
}

void check_scores(std::span<const std::vector<double>> scores, std::span<const Index> outcomes) {
  for (const Index y : outcomes) require(y == 0 || y == 1, "roc_areas: an outcome is ", y, ", but must be 0 or 1.");
  const auto positive = std::count(outcomes.begin(), outcomes.end(), Index{1});
  const auto negative = static_cast<std::ptrdiff_t>(outcomes.size()) - positive;
  require(positive >= 2 && negative >= 2, "roc_areas: there are ", positive, " positive and ", negative,
          " negative examples; at least two of each are needed.");
  for (const auto& mine : scores) {
    require(mine.size() == outcomes.size(), "roc_areas: there are ", mine.size(), " scores and ", outcomes.size(),
            " outcomes; as many are needed.");
    for (const double score : mine) require(!std::isnan(score), "roc_areas: a score is NaN, but must be a number.");
  }
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

double RocAreas::standard_error(Index k) const { return std::sqrt(std::max(0.0, covariance(k, k))); }

double RocAreas::difference_error(Index a, Index b) const {
  return std::sqrt(std::max(0.0, covariance(a, a) + covariance(b, b) - 2 * covariance(a, b)));
}

RocAreas roc_areas(std::span<const std::vector<double>> scores, std::span<const Index> outcomes) {
  check_scores(scores, outcomes);
  const Placements found = placements(scores, outcomes);
  RocAreas result;
  for (Index k = 0; k < static_cast<Index>(scores.size()); ++k) result.areas.push_back(found.positive.col(k).mean());
  result.covariance = covariance_of_means(found.positive) + covariance_of_means(found.negative);
  return result;
}

AreaInterval area_interval(double area, double standard_error, Index fewer, double level) {
  require(area >= 0 && area <= 1 && standard_error >= 0 && fewer >= 1 && level > 0 && level < 1,
          "area_interval: an area of ", area, " with an error of ", standard_error, ", ", fewer, " examples and level ",
          level, "; the area must be in [0, 1], the error at least 0, the level in (0, 1).");
  const double away = std::min(1.0, 3 / static_cast<double>(fewer));  // nothing seen in n trials: at most 3 / n
  if (area == 0) return {0, away};
  if (area == 1) return {1 - away, 1};
  const double reach = normal_quantile(0.5 + level / 2) * standard_error / (area * (1 - area));
  const double middle = std::log(area / (1 - area));
  return {logistic(middle - reach), logistic(middle + reach)};
}

double difference_p_value(double difference, double standard_error) {
  if (standard_error == 0) return difference == 0 ? 1 : 0;
  return 2 * normal_cdf(-std::abs(difference) / standard_error);
}

}  // namespace fovea
