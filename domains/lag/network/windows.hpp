#pragma once
/// How lags change over time: sliding windows, and the moment at which one lag takes over from another.

#include <vector>

#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::network {

/// Rows [first, first + length) of a table.
struct Window {
  Index first = 0, length = 0;
  double middle() const { return static_cast<double>(first) + static_cast<double>(length - 1) / 2; }
};

/// Windows of `length` rows, `step` rows apart; the last ends with the table. One of all rows where length is not below
/// `steps`.
std::vector<Window> sliding_windows(Index steps, Index length, Index step);

/// The rows of a window; recordings that begin in it stay apart.
datasets::series::SeriesTable window_of(const datasets::series::SeriesTable& table, const Window& window);

/// The first row at which the effect follows the cause by `after` steps instead of `before`: where
///   sum over t < row of x(t - before) y(t) + sum over t >= row of x(t - after) y(t)
/// is largest, x and y of mean 0 (for one change of known effects the least squares estimate: Bai 1997). The sign is
/// that of the sum over all t of both. A row with a NaN adds nothing. In [0, steps].
Index row_of_change(const datasets::series::SeriesTable& table, Index cause, Index effect, Index before, Index after);

/// The lag of a pair in each window, 0 where it has none: the one change that leaves the fewest windows with another
/// lag than the most frequent one on their side.
struct LagChange {
  bool found = false;  ///< two different lags, each in at least two windows and in most windows of its side with a lag
  Index before = 0, after = 0;
};
LagChange change_of(const std::vector<Index>& lags);

}  // namespace fovea::lag::network
