#pragma once
/// The normalisers there are, besides softmax, which is the engine's own (an empty AttentionSpec::normalizer). Each has
/// its own file in normalizers/; the table is normalizers/table.inl.
///
/// Of a row s of scores; a masked key has weight 0 and takes part in nothing; a row that is all masked has weights 0.
/// A NaN makes its whole row NaN.

#include <cstdint>
#include <memory>

#include "fovea/core/attention/normalizer.hpp"

namespace fovea {

/// w_j = max(s_j - tau, 0), tau such that the weights sum to 1: the point of the simplex nearest to s (Martins &
/// Astudillo 2016, eq. 2). tau is exact, by sorting (their algorithm 1). Slopes: 1 where w_j > 0, else 0.
template <typename Real>
std::shared_ptr<const Normalizer<Real>> sparsemax();

/// w_j = max(s_j / 2 - tau, 0)^2, tau such that the weights sum to 1: alpha-entmax with alpha = 1.5, between softmax
/// (alpha = 1) and sparsemax (2) (Peters, Niculae, Martins 2019, eq. 6). tau is exact, by sorting (their algorithm 2).
/// Slopes: sqrt(w_j).
template <typename Real>
std::shared_ptr<const Normalizer<Real>> entmax15();

/// Hard attention: weight 1 for the largest score, of equal ones for the lowest key. Its own gradient would be 0;
/// instead scores learn as if the weights were a softmax, dL/ds_j = p_j (g_j - sum_k p_k g_k) with g_j = dL/do . v_j
/// and p = softmax(s) (straight-through: Bengio, Leonard, Courville 2013). Values learn from the chosen keys alone.
/// Rows of at most 2^24 keys in single precision.
template <typename Real>
std::shared_ptr<const Normalizer<Real>> hard_attention();

/// Draws one key with probability p_j = exp(s_j) / sum_k exp(s_k) and gives it weight 1. Scores learn from the cost C
/// of the draw, which attend_backward() is given less a baseline b that does not depend on the draw:
///   dL/ds_j = (C - b) (w_j - p_j),
/// whose mean over draws is the gradient of the expected cost (Williams 1992, theorem 1). Values learn from the drawn
/// keys. The draw is a function of the seed, the query's row number and the head alone, so take a new seed for each
/// step of learning. Rows of at most 2^24 keys in single precision.
template <typename Real>
std::shared_ptr<const Normalizer<Real>> sampled_attention(std::uint64_t seed);

}  // namespace fovea
