#pragma once
/// Jets of sets of particles, by FastJet (Cacciari, Salam, Soyez 2012) where it was there when this was built.
///
///   d_ij = min(pTi^2p, pTj^2p) dR_ij^2 / R^2,  d_iB = pTi^2p,  p = -1 anti-kt, 0 Cambridge/Aachen, 1 kt
///
/// with dR from rapidities; the smallest first; pairs are added as four-vectors (Cacciari, Salam, Soyez 2008).

#include <string>
#include <vector>

#include "fovea/datasets/particles/particles.hpp"

namespace fovea::particle::clustering {

using datasets::particles::Momentum;

enum class Algorithm { antikt, kt, cambridge };

struct JetDefinition {
  Algorithm algorithm = Algorithm::antikt;
  double radius = 0.4;  ///< R, in (0, pi / 2]
};

struct Jet {
  Momentum momentum;                  ///< sum of the constituents
  std::vector<Index> constituents{};  ///< rows of the matrix, rising
};

/// Whether FastJet is there. Without it find_jets() throws DataError with missing_fastjet().
bool has_fastjet();
/// "3.4.0"; "" without it.
std::string fastjet_version();
/// What is missing, and the way out, in one line.
std::string missing_fastjet();

/// The jets of the particles [first, end) with pT >= least_pt [GeV], by falling pT. momenta: rows (px, py, pz, E).
/// Throws ArgumentError for a radius outside (0, pi / 2].
std::vector<Jet> find_jets(const Matrix<double>& momenta, Index first, Index end, const JetDefinition& definition,
                           double least_pt = 0);

}  // namespace fovea::particle::clustering
