#pragma once
/// A parton shower of soft and collinear gluons with ordered angles, and hadrons in place of its last partons.
///
/// A parton of transverse momentum pT emits gluons within the angle theta_0 with the density
///
///   dN = (2 C / pi) alpha_s(kT) dln(1/z) dln(1/theta),   kT = z theta pT > kT_0,   z < 1 / 2, theta < theta_0,
///
/// C = 4/3 for a quark, 3 for a gluon; each gluon emits likewise within its own angle: the coherent branching of
/// Mueller (1981) and of Bassetto, Ciafaloni, Marchesini (1983). alpha_s(kT) = 6 pi / (23 ln(kT^2 / Lambda^2)), at most
/// 1/2, of one loop with five flavours. Each parton that is left becomes a chain of mesons (Field & Feynman 1978), half
/// of them vector mesons that decay to two pions, across it by a normal law of 0.3 GeV in each direction. A third of
/// the pions are neutral and decay to two photons. Recoil against what is emitted is neglected in angle.

#include <vector>

#include "fovea/datasets/particles/momentum.hpp"
#include "fovea/datasets/simulated/event_draws.hpp"

namespace fovea::datasets::simulated {

struct CoherentShower {
  double radius = 1;      ///< theta_0 of the first parton
  double least_kt = 0.8;  ///< kT_0, GeV, above lambda
  double lambda = 0.2;    ///< GeV
};

/// Adds the hadrons of a parton (pT, y, phi) to `made`. gluon: else a quark. Pions have their masses, photons none.
void add_hadrons(const particles::PolarMomentum& parton, bool gluon, const CoherentShower& shower, EventDraws& draws,
                 std::vector<particles::Momentum>& made);

}  // namespace fovea::datasets::simulated
