#pragma once
/// A score modifier changes or forbids scores before the normaliser sees them. Modifiers form a list, applied in order.

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "fovea/core/attention/tile.hpp"

namespace fovea {

/// Keys allowed to each query, as compressed rows: those of query i are keys[offsets[i] .. offsets[i + 1]), ascending.
/// Row numbers as in TileRange.
struct NeighbourLists {
  std::vector<Index> offsets;  ///< as many as there are queries, plus one
  std::vector<Index> keys;
  std::vector<double>
      bias;  ///< optional, one for each entry of keys: added to the pair's score (log of an edge weight)
};

struct GridWindow;

/// Whether all heads share a parameter or each has its own: theta is then as long as there are heads.
enum class Sharing { all_heads, per_head };

/// One modifier. Works on a tile at a time: one virtual call for many pairs, never one a pair.
/// Parameters theta belong to the caller, so one object serves all threads, and theta can be learned and checked.
template <typename Real>
class ScoreModifier {
 public:
  virtual ~ScoreModifier() = default;
  /// Number of parameters in theta.
  virtual Index parameter_count(Index /*heads*/) const { return 0; }
  /// Throws ArgumentError where the modifier does not fit the problem. Called once by each attend().
  virtual void check(const AttentionShape&) const {}

  /// The keys of this range that are not masked for all of its queries; may be wider, never narrower. The engine
  /// leaves out the others. Asked for contiguous keys only.
  virtual KeySpan visible(const TileRange& range) const { return {0, range.key_count}; }
  /// Keys the modifier leaves to each query, when they are few and listed; nullptr otherwise. The engine then visits
  /// the listed keys alone, in O(listed pairs).
  virtual const NeighbourLists* neighbours() const { return nullptr; }
  /// The window of a grid that the modifier leaves to each query; nullptr otherwise. See core/attention/grid.
  virtual const GridWindow* grid_window() const { return nullptr; }
  /// One flag for each key, 0 where the modifier masks it for all queries, if that is all it does; nullptr otherwise.
  virtual const std::uint8_t* valid_keys() const { return nullptr; }
  /// An upper bound of the scores that leave the modifier in this range, if none that enters it is above `incoming`.
  /// For skipping with a tolerance; infinity where nothing is known.
  virtual Real bound(const TileRange&, Real /*incoming*/, std::span<const Real> /*theta*/) const {
    return std::numeric_limits<Real>::infinity();
  }

  /// An upper bound of the difference between two unmasked scores of a row that leave the modifier, if none that enter
  /// differ by more than `incoming`; infinity where nothing is known.
  virtual Real largest_difference(const TileRange&, Real /*incoming*/, std::span<const Real> /*theta*/) const {
    return std::numeric_limits<Real>::infinity();
  }

  /// Changes the scores in place; a forbidden pair becomes kMasked, and stays so. Must treat each pair by itself.
  virtual void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const = 0;
  /// Whether apply_by_keys() is there: with it alone small sets take their fast way (engine/small_sets.hpp).
  virtual bool works_by_keys() const { return false; }
  /// apply() to scores that stand the other way round: row j of the tile holds key j and its queries side by side. The
  /// keys are all of the set, the queries at most kGroup. Entries behind the queries, up to the stride, may become
  /// anything.
  virtual void apply_by_keys(const ScoreTile<Real>& /*tile*/, std::span<const Real> /*theta*/) const {}
  /// Whether backward() reads `before`; otherwise it is given no scores.
  virtual bool reads_scores() const { return true; }
  /// before: the scores that apply() was given. gradient: on entry dL/ds', on return dL/ds. theta_gradient: +=
  /// dL/dtheta, to be summed over the tile first; empty where nobody asks, if parameters_belong_to_pairs(). Pairs that
  /// are masked afterwards have gradient 0 on entry.
  virtual void backward(const ScoreTile<Real>& before, const ScoreTile<Real>& gradient, std::span<const Real> theta,
                        std::span<Real> theta_gradient) const = 0;
  /// Each pair and head has parameters of its own, so no two tiles add to the same entry of theta_gradient.
  virtual bool parameters_belong_to_pairs() const { return false; }

  /// Whether the modifier changes the keys themselves before they are compared.
  virtual bool changes_keys() const { return false; }
  /// keys: those of one head (M x d), changed in place.
  virtual void change_keys(Eigen::Ref<Matrix<Real>> /*keys*/, Index /*head*/, std::span<const Real> /*theta*/) const {}
  /// before: the keys that change_keys() was given. gradient (M x d): on entry dL/dk', on return dL/dk.
  virtual void change_keys_backward(const MatrixView<Real>& /*before*/, Eigen::Ref<Matrix<Real>> /*gradient*/,
                                    Index /*head*/, std::span<const Real> /*theta*/,
                                    std::span<Real> /*theta_gradient*/) const {}
};

}  // namespace fovea
