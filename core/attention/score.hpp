#pragma once
/// A score function says how well a query matches a key, before any modifier:
///   s_ij = finish(factor * compare(prepare(q_i), prepare(k_j)))
/// Preparing costs O(N) and may have parameters (a projection, a width, a norm); comparing is one of three forms that
/// the engine has fast kernels for; finishing works on the number alone.

#include <limits>
#include <span>

#include "fovea/core/attention/tile.hpp"

namespace fovea {

/// compare(p, k) over the entries c of the prepared rows.
enum class Comparison {
  product,           ///< sum_c p_c k_c
  squared_distance,  ///< sum_c (p_c - k_c)^2
  tanh_sum           ///< sum_c w_c tanh(p_c + k_c)
};

enum class Side { query, key };

template <typename Real>
class ScoreFunction {
 public:
  virtual ~ScoreFunction() = default;
  /// Number of parameters in theta, for all heads.
  virtual Index parameter_count(Index /*dimension*/, Index /*heads*/) const { return 0; }
  virtual Comparison comparison() const = 0;
  virtual Real factor(Index /*dimension*/) const { return Real(1); }
  /// The w_c of Comparison::tanh_sum for a head: where they start in theta.
  virtual Index weights_place(Index /*dimension*/, Index /*head*/) const { return 0; }

  /// Columns of a prepared row.
  virtual Index prepared_columns(Index dimension) const { return dimension; }
  /// Whether prepare() does more than copy.
  virtual bool prepares() const { return false; }
  /// rows (n x d) of one head -> prepared (n x prepared_columns). Each row by itself.
  virtual void prepare(Side, const MatrixView<Real>& rows, Index /*head*/, std::span<const Real> /*theta*/,
                       MatrixRef<Real> prepared) const {
    prepared = rows;
  }
  /// gradient: dL/dprepared. Adds dL/drows to rows_gradient and dL/dtheta to theta_gradient.
  virtual void prepare_backward(Side, const MatrixView<Real>& /*rows*/, const MatrixView<Real>& gradient,
                                Index /*head*/, std::span<const Real> /*theta*/, MatrixRef<Real> rows_gradient,
                                std::span<Real> /*theta_gradient*/) const {
    rows_gradient += gradient;
  }

  /// Whether finish() does anything.
  virtual bool finishes() const { return false; }
  /// From factor * compare(...) to the score, in place.
  virtual void finish(const ScoreTile<Real>&) const {}
  /// before: what finish() was given. gradient: from dL/ds to dL/dbefore, in place.
  virtual void finish_backward(const ScoreTile<Real>& /*before*/, const ScoreTile<Real>& /*gradient*/) const {}
  /// An upper bound of the score given bounds of the comparison: the largest product, or the least squared distance.
  virtual Real bound(Real comparison, Index dimension) const { return factor(dimension) * comparison; }
  /// An upper bound of the difference between two scores of one query no longer than query_norm, where no key is longer
  /// than key_norm; infinity where nothing is known. In exact numbers: rounding may add a few last places.
  virtual Real largest_difference(Real /*query_norm*/, Real /*key_norm*/, Index /*dimension*/) const {
    return std::numeric_limits<Real>::infinity();
  }
};

}  // namespace fovea
