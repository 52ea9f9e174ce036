#pragma once
/// The gradients of one tile: from dL/do of its queries to the weights and dL/ds, and on to queries, keys and values.
/// Internal to core/attention.

#include "fovea/core/attention/engine/scorer.hpp"
#include "fovea/core/attention/engine/skipping.hpp"
#include "fovea/core/kernels/packed.hpp"

namespace fovea {

/// Keys of a backward tile: a multiple of both kTileQueries, so that blocks of their sums are whole, and kGroup.
inline constexpr Index kGradientKeys = 224;

/// How the rows of a backward pass are laid out: along the entries of a row where there are enough of them, along the
/// rows where not.
struct GradientShape {
  Index columns, value_columns;  ///< of prepared rows, and dv
  bool keys_transposed, values_transposed;
  template <typename Real>
  static GradientShape of(const Problem<Real>& problem, Index value_columns) {
    const Index columns = problem.prepared_columns();
    return {columns, value_columns, columns < kWide || problem.score().comparison() == Comparison::tanh_sum,
            value_columns < kWide};
  }
};

/// Some queries and the sums that belong to them: row i stands `width` (or `value_width`) numbers behind row i - 1.
template <typename Real>
struct GradientQueries {
  Index width = 0, value_width = 0;
  const Real* compared = nullptr;         ///< prepared
  const Real* centred = nullptr;          ///< the same less the origin of distances
  const Real* output_gradient = nullptr;  ///< dL/do
  const Real *maximum = nullptr, *inverse = nullptr, *mean = nullptr;
  Real* gradient = nullptr;  ///< sum_j g_ij k_j, to be added to; nullptr: not wanted
  Real* sums = nullptr;      ///< sum_j g_ij, for distances
  /// The same from row i on.
  GradientQueries from(Index i) const;
};

/// Some keys of a block, in the layouts of the way back, and the sums that belong to them.
template <typename Real>
struct GradientKeys {
  RightOperand<Real> compared, values;  ///< B(c, j)
  RightOperand<Real> combined;          ///< less the origin; B(j, c), or B(c, j) where keys are transposed
  Real* gradient = nullptr;             ///< sum_i g_ij q_i; nullptr: not wanted. Entry (j, c) at j * apart + c, or
  Real* value_gradient = nullptr;       ///< at c * apart + j where transposed; sum_i w_ij dL/do_i likewise
  Index apart = 0, value_apart = 0;
  Real* sums = nullptr;  ///< sum_i g_ij, for distances
  /// The same from key j on, a whole number of groups further.
  GradientKeys from(Index j, const GradientShape& shape) const;
};

template <typename Real>
class GradientTile {
 public:
  /// boxes: those of kGradientKeys, for skipping with a tolerance; nullptr without.
  GradientTile(const Problem<Real>& problem, const GradientShape& shape, const AttentionResult<Real>& forward,
               const Matrix<Real>& draw_costs, const KeyBoxes<Real>* boxes, Index head, Index set);
  /// range: at most kBlockQueries x kGradientKeys. place: of its first key within the row. Adds to everything wanted.
  void add(const TileRange& range, Index place, const GradientQueries<Real>& queries, const GradientKeys<Real>& keys,
           ThetaGradients<Real>& theta);
  /// Of the range last added: w and dL/ds, one row after the other kGradientKeys apart.
  const Real* weights() const { return weights_; }
  const Real* score_gradients() const { return gradients_; }

 private:
  bool is_slanted(const TileRange& range) const;
  void score(const TileRange& range, Index place, const GradientQueries<Real>& queries, const GradientKeys<Real>& keys,
             ThetaGradients<Real>& theta);
  KeySpan visible(const TileRange& rows, const GradientQueries<Real>& queries, Index row);
  void multiply(const TileRange& rows, Index row, const KeySpan& span, const GradientQueries<Real>& queries,
                const GradientKeys<Real>& keys);
  void clear_outside(Index row, Index rows, const KeySpan& span, Index count);
  bool skips(const TileRange& range, const GradientQueries<Real>& queries, Index row);
  void weigh(const ScoreTile<Real>& tile, Index row, Index place, const GradientQueries<Real>& queries, Real* gradient);
  void add_to_queries(Index rows, Index count, const GradientQueries<Real>& queries, const GradientKeys<Real>& keys);
  void add_to_keys(Index rows, Index count, const GradientQueries<Real>& queries, const GradientKeys<Real>& keys);
  void add_tanh(Index rows, Index count, const GradientQueries<Real>& queries, const GradientKeys<Real>& keys,
                ThetaGradients<Real>& theta);

  const Problem<Real>& problem_;
  GradientShape shape_;
  const AttentionResult<Real>& forward_;
  const Matrix<Real>& draw_costs_;
  const KeyBoxes<Real>* boxes_;
  Index head_, set_;
  Scorer<Real> scorer_;
  Index rows_together_ = instruction_set() == InstructionSet::avx512 ? 14 : 28;  ///< that are multiplied in one call
  bool skipped_[kTileQueries] = {};                                              ///< rows of the tile at hand
  Real *weights_, *gradients_, *slopes_, *ones_;  ///< kBlockQueries x kGradientKeys; memory of the thread
};

}  // namespace fovea
