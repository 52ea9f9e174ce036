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

/// Whether FastJet is there. All functions below throw DataError with missing_fastjet() without it.
bool has_fastjet();
/// "3.4.0"; "" without it.
std::string fastjet_version();
/// What is missing, and the way out, in one line.
std::string missing_fastjet();

/// The jets of the particles [first, end) with pT >= least_pt [GeV], by falling pT. momenta: rows (px, py, pz, E).
/// Throws ArgumentError for a radius that is none.
std::vector<Jet> find_jets(const Matrix<double>& momenta, Index first, Index end, const JetDefinition& definition,
                           double least_pt = 0);

/// The given particles (rows) as exactly `count` jets, or as many as there are particles: the kt algorithm, undone
/// until so many are left. By falling pT.
std::vector<Jet> subjets(const Matrix<double>& momenta, const std::vector<Index>& members, Index count);

/// Soft drop (Larkoski, Marzani, Soyez, Thaler 2014, eq. 1.1): Cambridge/Aachen steps are undone, the softer branch is
/// dropped, until min(pT1, pT2) / (pT1 + pT2) > z_cut (dR12 / R)^beta.
struct SoftDropCut {
  double z_cut = 0.1, beta = 0, radius = 0.8;
};
struct GroomedJet {
  Jet jet;             ///< what is left
  double z = 0;        ///< of the step that was kept; 0 where a single particle is left
  double delta_r = 0;  ///< of this step
  Index dropped = 0;   ///< steps that were undone before
};
GroomedJet soft_drop(const Matrix<double>& momenta, const std::vector<Index>& members, const SoftDropCut& cut = {});

/// A step of the primary Lund plane (Dreyer, Salam, Soyez 2018): along the harder branch of the Cambridge/Aachen tree.
struct LundStep {
  double delta_r = 0, kt = 0, z = 0;  ///< kt = min(pT1, pT2) dR, z = min(pT1, pT2) / (pT1 + pT2)
};
std::vector<LundStep> lund_plane(const Matrix<double>& momenta, const std::vector<Index>& members);

}  // namespace fovea::particle::clustering
