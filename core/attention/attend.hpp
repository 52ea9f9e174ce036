#pragma once
/// The engine's one door: attention forward and backward.
///
///   s_ij = modifiers(score(q_i, k_j)),   w_ij = exp(s_ij) / sum_j exp(s_ij),   o_i = sum_j w_ij v_j
///
/// (Bahdanau, Cho, Bengio 2015; Vaswani et al. 2017, eq. 1), in tiles with a running maximum (Milakov & Gimelshein
/// 2018), so memory grows with N + M and never with N x M.
///
/// Promises: a row has the same bits alone, in any batch and with any number of threads, forward and backward. A query
/// whose keys are all masked has weights, output and gradient 0.

#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "fovea/core/attention/modifier.hpp"
#include "fovea/core/attention/normalizer.hpp"
#include "fovea/core/attention/score.hpp"

namespace fovea {

/// A score function with its parameters.
template <typename Real>
struct ScoreTerm {
  std::shared_ptr<const ScoreFunction<Real>> function;
  std::vector<Real> theta;
};

/// A modifier with its parameters.
template <typename Real>
struct ModifierTerm {
  std::shared_ptr<const ScoreModifier<Real>> modifier;
  std::vector<Real> theta;
  /// Parameters that stand elsewhere, in place of theta, and are not copied: there may be as many as pairs.
  std::span<const Real> given{};
  /// Where attend_backward() adds their dL/dtheta, as many numbers; modifier_theta stays empty then. Empty: as for
  /// theta.
  std::span<Real> given_gradient{};
  std::span<const Real> parameters() const { return given.empty() ? std::span<const Real>(theta) : given; }
};

/// What attend() computes.
template <typename Real>
struct AttentionSpec {
  ScoreTerm<Real> score;
  std::vector<ModifierTerm<Real>> modifiers;           ///< applied in this order
  std::shared_ptr<const Normalizer<Real>> normalizer;  ///< empty: softmax
  Index heads = 1;                                     ///< H of the queries; columns hold the heads one after the other
  Index key_heads = 0;  ///< of keys and values; a divisor of H: H / key_heads query heads share one. 0: as many
  std::vector<Index> query_offsets;  ///< packed sets: set b has query rows [offsets[b], offsets[b + 1]);
  std::vector<Index> key_offsets;    ///< both empty: one set of everything
  /// Softmax without neighbour lists: leave out tiles of keys that together weigh at most this much in a row, in
  /// [0, 1). 0: nothing is left out that could change a bit. See AttentionResult::skipped.
  Real tolerance = 0;
  bool check_finite = false;  ///< refuse NaN and infinity in the inputs, naming their place
};

template <typename Real>
struct AttentionResult {
  Matrix<Real> outputs;      ///< N x (H dv)
  Matrix<Real> log_sum_exp;  ///< N x H: log sum_j exp(s_ij); -inf where all keys are masked
  Matrix<Real> max_score;    ///< N x H: max_j s_ij, or 0 above it for points; -inf where all keys are masked
  Matrix<Real> sum_exp;      ///< N x H: sum_j exp(s_ij - max_score_i); 0 where all keys are masked
  /// With a tolerance, N x H: an upper bound delta of the weight that was left out, so
  /// |o - o'| <= 2 delta max_j |v_j|; and the bound of the score up to which tiles were left out. Empty without.
  Matrix<Real> skipped, skip_threshold;
  Matrix<Real> threshold;    ///< N x H: see RowState; empty for softmax
  Matrix<Real> slope_means;  ///< N x (H dv): sum_j a_ij v_j / sum_j a_ij, see normalizer.hpp; empty for softmax
};

template <typename Real>
struct AttentionGradients {
  Matrix<Real> queries, keys, values;  ///< shapes of the inputs
  std::vector<Real> score_theta;
  std::vector<std::vector<Real>> modifier_theta;  ///< one for each modifier of the spec; see ModifierTerm
};

template <typename Real>
using GradientPlace = Eigen::Map<Matrix<Real>, 0, Eigen::OuterStride<>>;

/// Where attend_backward() writes dL/dq, dL/dk and dL/dv: matrices of the shapes of the inputs, or columns of wider
/// ones. None may overlap another. What stood there is lost.
template <typename Real>
struct GradientPlaces {
  GradientPlace<Real> queries, keys, values;
  static GradientPlace<Real> place(Matrix<Real>& matrix) {
    return {matrix.data(), matrix.rows(), matrix.cols(), Eigen::OuterStride<>(matrix.cols())};
  }
};

/// What attend() reads: a Matrix, a block of its columns, or a Map. Real is deduced from the spec.
template <typename Real>
using MatrixInput = std::type_identity_t<MatrixView<Real>>;

/// queries N x (H d), keys M x (key_heads d), values M x (key_heads dv), outputs N x (H dv). Throws ArgumentError where
/// shapes, offsets or the number of parameters do not fit, and where an input is NaN or infinite when spec asks for it.
template <typename Real>
AttentionResult<Real> attend(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                             const MatrixInput<Real>& values, const AttentionSpec<Real>& spec);

/// The gradients of a loss L with dL/do = output_gradient (N x (H dv)); `forward` is what attend() gave for the same
/// inputs. draw_costs (N x H): for a normaliser that draws, the cost of each row's draw less a baseline (Williams
/// 1992); empty otherwise.
template <typename Real>
AttentionGradients<Real> attend_backward(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                                         const MatrixInput<Real>& values, const AttentionSpec<Real>& spec,
                                         const AttentionResult<Real>& forward, const MatrixInput<Real>& output_gradient,
                                         const Matrix<Real>& draw_costs = {});

/// The same two into what an earlier call left, whose memory is used again: fresh memory costs a page fault every 4
/// KiB.
template <typename Real>
void attend_into(AttentionResult<Real>& result, const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                 const MatrixInput<Real>& values, const AttentionSpec<Real>& spec);
template <typename Real>
void attend_backward_into(AttentionGradients<Real>& gradients, const MatrixInput<Real>& queries,
                          const MatrixInput<Real>& keys, const MatrixInput<Real>& values,
                          const AttentionSpec<Real>& spec, const AttentionResult<Real>& forward,
                          const MatrixInput<Real>& output_gradient, const Matrix<Real>& draw_costs = {});
/// The same with dL/dq, dL/dk and dL/dv elsewhere; only the gradients of the parameters go into `theta`.
template <typename Real>
void attend_backward_at(const GradientPlaces<Real>& places, AttentionGradients<Real>& theta,
                        const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                        const MatrixInput<Real>& values, const AttentionSpec<Real>& spec,
                        const AttentionResult<Real>& forward, const MatrixInput<Real>& output_gradient,
                        const Matrix<Real>& draw_costs = {});

}  // namespace fovea
