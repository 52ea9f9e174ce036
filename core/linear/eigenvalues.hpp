#pragma once
/// The leading eigenvalues of a linear map that is only known by what it does to a vector: a Jacobian, a network.

#include <complex>
#include <functional>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// image = A v; both have n entries, image comes zeroed. A must be real.
using LinearMap = std::function<void(const Vector<double>& v, Vector<double>& image)>;

/// Which eigenvalues lead: those farthest from 0 (a step of a map), or farthest to the right (a rate of a flow).
enum class Leading { modulus, real_part };

struct EigenSettings {
  int count = 6;             ///< how many are asked for, >= 1; a complex pair is never cut: there may be one more
  int subspace = 0;          ///< Krylov vectors kept at a time, > count + 2; 0: 3 count + 20
  double tolerance = 1e-10;  ///< a pair has converged when its residual is at most this, times |value| (or times the
                             ///< largest |value| in sight, where its own is smaller)
  int restarts = 300;        ///< at most this often
  Leading leading = Leading::modulus;
};

struct EigenPair {
  std::complex<double> value;
  Eigen::VectorXcd vector;  ///< length 1; the largest of its entries is real and positive
  double residual = 0;      ///< |A x - value x|: x is an exact pair of a map that differs from A by no more than this
  bool converged = false;
};

struct LeadingEigenvalues {
  std::vector<EigenPair> pairs;  ///< the leading one first; of a complex pair that with positive imaginary part
  int products = 0;              ///< how often A was applied
  bool converged = false;        ///< all that were asked for
};

/// Arnoldi's method with thick restarts (Arnoldi 1951; Stewart 2001): a Krylov space of the map is orthonormalised
/// twice over, its small matrix is solved densely, and the space is restarted with the wanted invariant part of it (for
/// complex pairs its real and imaginary parts, so that all stays real).
/// dimension  n >= 1; with n <= subspace the answer is that of a dense solver.
/// start      (n) where to begin, not 0: a vector with parts along all wanted eigenvectors; empty: fixed numbers
/// Deterministic. For a map that is far from normal a small residual does not bound the error of the value: see
/// EigenPair. Throws ArgumentError for settings out of range and where the map gives something that is not finite.
LeadingEigenvalues leading_eigenvalues(const LinearMap& map, Index dimension, const EigenSettings& settings = {},
                                       const Vector<double>& start = {});

}  // namespace fovea
