#pragma once
/// The innovations of a table as the tests of further effects want them: series by series, about the mean of each
/// window of time, so that no common level, trend or slow course is left in a product.

#include <array>
#include <utility>
#include <vector>

#include "fovea/datasets/series/series.hpp"

namespace fovea::lag::further {

/// At most 16 windows, a power of two, of about equal length, each of at least 40 rows.
inline constexpr Index kMostWindows = 16, kFewestRows = 40;

using ByWindow = std::array<double, kMostWindows>;

/// Of one cause some steps before and one effect.
struct LaggedSums {
  ByWindow products{}, squares{};  ///< sums over each window of cause times effect, and of its square
  ByWindow powers{};               ///< of the cause's square
};

class Panel {
 public:
  /// innovations  steps x series, NaN where unknown; table: the series themselves, of the same shape.
  Panel(const Matrix<double>& innovations, const datasets::series::SeriesTable& table);

  Index steps() const { return innovations.cols(); }
  Index series() const { return innovations.rows(); }
  Index windows() const { return static_cast<Index>(starts.size()) - 1; }

  /// A series as it was `lag` steps before; 0 where that is in another recording.
  Vector<double> before(const Matrix<double>& rows, Index series, Index lag) const;

  /// Of a row of causes before each step in its recording and rows of effects; place: of lag * effects + of effect.
  std::vector<LaggedSums> lagged_sums(const Matrix<double>& causes, Index cause, const std::vector<Index>& lags,
                                      const Matrix<double>& effects, const std::vector<Index>& wanted) const;

  Matrix<double> innovations;                       ///< series x steps: about the window's mean, 0 where unknown
  Matrix<double> values;                            ///< of the table, in the same way
  Matrix<double> known;                             ///< 1 where an innovation is known, else 0
  std::vector<Index> starts;                        ///< first row of each window, and last the number of steps
  std::vector<std::pair<Index, Index>> recordings;  ///< first row, one past the last
};

/// Normal scores of the ranks of what is not NaN; NaN where it is.
Vector<double> rank_scores(const Vector<double>& x);

/// x about its mean in each window, over what is not NaN; 0 where it is.
void centre_in_windows(Eigen::Ref<Vector<double>> x, const std::vector<Index>& starts);

}  // namespace fovea::lag::further
