#pragma once
/// The length of a gradient: measured, bounded, and refused when it is not a number.

#include <span>
#include <stdexcept>

#include "fovea/core/learning/parameters.hpp"

namespace fovea::learning {

/// A training blew up: a loss or a gradient is not finite. The text says where, and what may help.
class DivergenceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Bounds the Euclidean norm of all gradients that learn together (Pascanu, Mikolov, Bengio 2013):
///   g <- g min(1, largest_norm / |g|)
/// gradients: as long as parameters.values(). largest_norm: > 0; infinity measures only. Returns |g| before clipping,
/// summed in double. Throws DivergenceError that names the parameter whose gradient is
/// not finite.
template <typename Real>
double clip_gradients(const Parameters<Real>& parameters, std::span<Real> gradients, double largest_norm);

}  // namespace fovea::learning
