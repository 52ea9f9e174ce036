#pragma once
/// Lorentz boosts of momenta (PDG review, kinematics).

#include "fovea/datasets/particles/momentum.hpp"

namespace fovea::datasets::particles {

/// A momentum given in the rest frame of `frame`, as it is where `frame` is what it is:
///   p' = p + P (P . p / (M (E_P + M)) + E / M),  E' = (E_P E + P . p) / M,  three-vectors p and P, M the mass of P.
/// Throws ArgumentError where `frame` has no mass: nothing massless is at rest anywhere.
Momentum boosted(const Momentum& p, const Momentum& frame);

/// Boosted along the beam: every rapidity grows by `by`; pT, azimuth and mass stay.
Momentum boosted_along_beam(const Momentum& p, double by);

/// Turned about the beam by an angle.
Momentum turned(const Momentum& p, double angle);

}  // namespace fovea::datasets::particles
