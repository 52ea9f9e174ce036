#include "fovea/domains/lag/further/panel.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/core/statistics/tests/rank_correlation.hpp"
#include "fovea/domains/lag/further/kernels/sums.hpp"

namespace fovea::lag::further {

namespace {

/// A power of two, so that the windows of each scale are those of the finer ones joined.
std::vector<Index> equal_windows(Index steps) {
  Index windows = 1;
  while (2 * windows <= kMostWindows && steps / (2 * windows) >= kFewestRows) windows *= 2;
  std::vector<Index> starts;
  for (Index w = 0; w <= windows; ++w) starts.push_back(w * steps / windows);
  return starts;
}

Matrix<double> centred_rows(const Matrix<double>& columns, const std::vector<Index>& starts) {
  Matrix<double> rows(columns.cols(), columns.rows());
  for (Index i = 0; i < columns.cols(); ++i) {
    Vector<double> x = columns.col(i);
    centre_in_windows(x, starts);
    rows.row(i) = x.transpose();
  }
  return rows;
}

}  // namespace

Panel::Panel(const Matrix<double>& innovations_, const datasets::series::SeriesTable& table)
    : known(innovations_.cols(), innovations_.rows()), starts(equal_windows(innovations_.rows())) {
  for (std::size_t r = 0; r < table.recording_starts.size(); ++r)
    recordings.emplace_back(table.recording_starts[r],
                            r + 1 < table.recording_starts.size() ? table.recording_starts[r + 1] : table.steps());
  for (Index i = 0; i < innovations_.cols(); ++i)
    for (Index t = 0; t < innovations_.rows(); ++t) known(i, t) = std::isnan(innovations_(t, i)) ? 0 : 1;
  innovations = centred_rows(innovations_, starts);
  values = centred_rows(table.values, starts);
}

Vector<double> Panel::before(const Matrix<double>& rows, Index series, Index lag) const {
  Vector<double> moved = Vector<double>::Zero(rows.cols());
  for (const auto& [first, end] : recordings)
    if (end - first > lag)
      moved.segment(first + lag, end - first - lag) = rows.row(series).segment(first, end - first - lag).transpose();
  return moved;
}

std::vector<LaggedSums> Panel::lagged_sums(const Matrix<double>& causes, Index cause, const std::vector<Index>& lags,
                                           const Matrix<double>& effects, const std::vector<Index>& wanted) const {
  constexpr Index kBlock = 1024;  // rows that stay in the fastest memories from one lag to the next
  std::vector<LaggedSums> sums(lags.size() * wanted.size());
  const auto add = [&](std::size_t w, Index recording, Index row, Index stop) {
    for (std::size_t l = 0; l < lags.size(); ++l) {
      const Index from = std::max(row, recording + lags[l]), count = stop - from;
      if (count <= 0) continue;
      const double* before = causes.row(cause).data() + from - lags[l];
      const double power = product_sum(before, before, count);
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        LaggedSums& one = sums[l * wanted.size() + k];
        one.powers[w] += power;
        add_products(before, effects.row(wanted[k]).data() + from, count, one.products[w], one.squares[w]);
      }
    }
  };
  for (std::size_t w = 0; w + 1 < starts.size(); ++w)
    for (const auto& [first, end] : recordings) {
      const Index last = std::min(starts[w + 1], end);
      for (Index row = std::max(starts[w], first); row < last; row += kBlock)
        add(w, first, row, std::min(row + kBlock, last));
    }
  return sums;
}

Vector<double> rank_scores(const Vector<double>& x) {
  std::vector<double> known;
  for (const double value : x)
    if (!std::isnan(value)) known.push_back(value);
  const std::vector<double> rank = ranks(known);
  const RankQuantiles quantiles(rank.size());
  Vector<double> scores = x;
  std::size_t k = 0;
  for (double& score : scores)
    if (!std::isnan(score)) score = quantiles.at(rank[k++] - 0.5);
  return scores;
}

void centre_in_windows(Eigen::Ref<Vector<double>> x, const std::vector<Index>& starts) {
  for (std::size_t w = 0; w + 1 < starts.size(); ++w) {
    double sum = 0, count = 0;
    for (Index t = starts[w]; t < starts[w + 1]; ++t)
      if (!std::isnan(x[t])) sum += x[t], count += 1;
    for (Index t = starts[w]; t < starts[w + 1]; ++t) x[t] = std::isnan(x[t]) ? 0 : x[t] - sum / count;
  }
}

}  // namespace fovea::lag::further
