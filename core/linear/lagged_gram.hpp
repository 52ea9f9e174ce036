#pragma once
/// Products of all lagged columns of several series: what regressions, partial correlations and Granger tests on their
/// past are made of.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// Which moments t are rows of the lagged columns.
struct LaggedRows {
  std::vector<Index> recording_starts = {0};  ///< first step of each recording, ascending, the first 0; no lag reaches
                                              ///< across
  Index history = 0;  ///< steps that a row must have behind it in its recording; at least the greatest lag is taken
};

/// Column (i, a) holds x_i(t - a) at the row t, and all columns have the same rows: those with the history in their
/// recording and every x_i(t - a) known (a row with one NaN is left out).
///
///   G(i,a; j,b) = sum_t (x_i(t - a) - m_ia) (x_j(t - b) - m_jb),   m_ia = mean over the rows
///
/// Along a diagonal b - a = d the sums differ by their ends only: S(i,a+1; j,b+1) = S(i,a; j,b) + the step that comes
/// in - the step that goes out, so just the first of each diagonal is summed over all rows: O(N^2 L n) for the lags 0
/// to L of N series, n rows, and O(N^2 L^2) for the rest. Deterministic: every sum runs in the order of time, and the
/// bits depend neither on the number of threads nor on the machine's registers. 8 (N L)^2 bytes.
class LaggedGram {
 public:
  /// values  steps x series; NaN where unknown; else finite, below 1e150
  /// lags    steps, ascending, each >= 0: 0 is the present
  /// Throws ArgumentError for lags or recordings out of order, and where no row is left.
  LaggedGram(const MatrixView<double>& values, std::vector<Index> lags, const LaggedRows& rows = {});
  /// The same of values that lie series by series in memory.
  static LaggedGram by_column(const Eigen::MatrixXd& values, std::vector<Index> lags, const LaggedRows& rows = {});

  Index rows() const { return rows_; }
  Index series() const { return series_; }
  std::span<const Index> lags() const { return lags_; }
  Index columns() const { return static_cast<Index>(lags_.size()) * series_; }

  /// Lag by lag, series by series. Throws ArgumentError for a lag that is not one of lags().
  Index column(Index series, Index lag) const;
  Index series_of(Index column) const { return column % series_; }
  Index lag_of(Index column) const { return lags_[column / series_]; }

  /// G (columns x columns), symmetric to the last bit. Row and column of a constant are 0: exactly so where its values
  /// are equal, and where what is left about the mean is rounding.
  const Matrix<double>& products() const { return products_; }
  bool constant(Index column) const { return products_(column, column) == 0; }
  double mean(Index column) const { return means_[column]; }

  /// The rows, as stretches of successive steps [first, second).
  const std::vector<std::pair<Index, Index>>& stretches() const { return stretches_; }

 private:
  LaggedGram() = default;
  template <typename Values>
  void build(const Values& values, std::vector<Index> lags, const LaggedRows& rows);

  std::vector<Index> lags_, place_;  ///< place_[lag]: which of lags_, or -1
  std::vector<std::pair<Index, Index>> stretches_;
  Index rows_ = 0, series_ = 0;
  Matrix<double> products_;
  Vector<double> means_;
};

}  // namespace fovea
