#pragma once
/// The score functions there are. Each has its own file in scores/; the table is scores/table.inl.

#include <memory>

#include "fovea/core/attention/score.hpp"

namespace fovea {

/// s = q . k / sqrt(d) (Vaswani et al. 2017); scaled = false: s = q . k.
template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> dot_product_score(bool scaled = true);

/// s = q . k / (|q| |k|), in [-1, 1]; 0 where a norm is 0.
template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> cosine_score();

/// s = -|q - k|^2 / 2 (Nadaraya 1964, Watson 1964 with unit bandwidth: divide by h^2 with a temperature).
template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> gaussian_score();

/// s = -sum_c (q_c - k_c)^2 / (2 h_c^2), theta_c = log h_c: a width for each dimension (d of them, for all heads).
template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> gaussian_widths_score();

/// s = q W k, theta = W (d x d, row-major) for each head (Luong, Pham, Manning 2015, eq. 8, "general").
template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> general_score();

/// s = sum_c w_c tanh((q Q + k K)_c) (Bahdanau, Cho, Bengio 2015, appendix A.1.2). theta, for each head: Q (d x width),
/// K (d x width), w (width), row-major. width >= 1.
template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> additive_score(Index width);

/// s = -log(max(|q - k|, floor)); with temperature 1/beta the weight is |q - k|^-beta (Baumann et al. 2020 homophily).
template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> log_distance_score(Real floor);

}  // namespace fovea
