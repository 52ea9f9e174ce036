#pragma once
/// Attention in windows of a grid, and keys that are none. Part of modifiers.hpp.

#include <cstdint>
#include <memory>
#include <vector>

#include "fovea/core/attention/modifier.hpp"
#include "fovea/core/attention/packed_sets.hpp"

namespace fovea {

/// A window on a grid. Position p of a set is the point in row p / width and column p % width; queries and keys have
/// grids of one width, and a last row may be short.
struct GridWindow {
  Index reach = 1;              ///< keys on either side, in each direction: the window has 2 reach + 1 of them squared
  Index dilation = 1;           ///< points from one key of the window to the next
  std::vector<Index> widths{};  ///< columns of the grids: one number for all sets, or one for each
  PackedSets sets{};            ///< those of attend(), where there is a width for each set
  bool positions = true;        ///< whether the window has learned biases
  Sharing sharing = Sharing::per_head;

  Index side() const { return 2 * reach + 1; }
  Index margin() const { return reach * dilation; }  ///< points that the window reaches beyond the query
  Index width_of_set(Index set) const { return widths[widths.size() == 1 ? 0 : static_cast<std::size_t>(set)]; }
  Index width(const TileRange& range) const {
    return widths[widths.size() == 1 ? 0 : static_cast<std::size_t>(sets.set_of_query(range.first_query))];
  }
  /// Biases of one head.
  Index entries() const { return positions ? side() * side() : 0; }
};

/// A query at (y, x) sees the keys at (y + a dilation, x + b dilation), |a|, |b| <= reach, that are in the grid, and
/// s' = s + B[a + reach][b + reach]; theta = B, row after row, for one head after the other (Hassani, Walton, Li, Li,
/// Shi 2023, "Neighborhood Attention Transformer", CVPR, eq. 1 to 3; dilation: Hassani and Shi 2022). Windows are
/// clipped at the edges of the grid: what would lie outside is no key. There the paper's windows are shifted inward
/// instead and keep their number of keys; clipped, what a point sees does not depend on where the image was cut, as
/// long as the cut leaves its margin.
///
/// With softmax, a score that is a product and no lists: no lists are made, O(N side^2) time, O(N) memory, forward and
/// backward, also with other modifiers; without others fastest (core/attention/grid). Otherwise as tiles, O(N reach
/// width) time.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> grid_window(GridWindow window);

/// A key j with valid[j] = 0 is none: no query sees it, and with grid_window a NaN in its key or value reaches nobody.
/// A query without a valid key has output, weights and gradient 0.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> valid_keys(std::vector<std::uint8_t> valid);
/// The same with flags that several share.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> valid_keys(std::shared_ptr<const std::vector<std::uint8_t>> valid);

}  // namespace fovea
