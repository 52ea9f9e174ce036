#pragma once
/// The score functions there are. Each has its own file in scores/; the table is in registry.cpp.

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

/// s = -log(max(|q - k|, floor)); with temperature 1/beta the weight is |q - k|^-beta (Baumann et al. 2020 homophily).
template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> log_distance_score(Real floor);

}  // namespace fovea
