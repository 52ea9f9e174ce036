#pragma once
/// Four-momenta of particles and jets. Energies, momenta and masses in GeV, c = 1; angles in radians. All in double:
/// masses of collinear particles cancel in float.

#include <span>

#include "fovea/core/base/matrix.hpp"

namespace fovea::datasets::particles {

/// (px, py, pz, E), the z axis along the beam.
struct Momentum {
  double px = 0, py = 0, pz = 0, energy = 0;

  Momentum& operator+=(const Momentum& other) {
    px += other.px, py += other.py, pz += other.pz, energy += other.energy;
    return *this;
  }
  friend Momentum operator+(Momentum a, const Momentum& b) { return a += b; }
  bool operator==(const Momentum&) const = default;
};

/// From pT >= 0, pseudorapidity eta = asinh(pz / pT), azimuth and mass >= 0 (PDG review, kinematics).
Momentum from_pseudorapidity(double pt, double eta, double phi, double mass);
/// From pT >= 0, rapidity y = asinh(pz / mT), mT^2 = m^2 + pT^2, azimuth and mass >= 0.
Momentum from_rapidity(double pt, double y, double phi, double mass);

double pt(const Momentum& p);   ///< hypot(px, py)
double phi(const Momentum& p);  ///< atan2(py, px), in [-pi, pi]; 0 for no transverse momentum
/// asinh(pz / mT) with mT^2 = E^2 - pz^2, at least pT^2: the usual 0.5 ln((E + pz) / (E - pz)) cancels forward. For
/// what flies along the beam with mT = 0: +-infinity, by the sign of pz; 0 for no momentum at all.
double rapidity(const Momentum& p);
double pseudorapidity(const Momentum& p);  ///< asinh(pz / pT); as rapidity() where pT = 0

/// E^2 - |p|^2, which rounding can make slightly negative.
double mass_squared(const Momentum& p);
/// sqrt(max(0, E^2 - |p|^2)).
double mass(const Momentum& p);

/// The angle taken to [-pi, pi], exactly (IEEE remainder).
double wrapped(double angle);
/// sqrt(dy^2 + dphi^2), dphi wrapped.
double delta_r(double y1, double phi1, double y2, double phi2);

/// m^2 of a pair from pT, y, phi and masses, without cancellation where they are collinear:
///   m1^2 + m2^2 + 2 (mT1 mT2 cosh dy - pT1 pT2 cos dphi), massless 4 pT1 pT2 (sinh^2(dy / 2) + sin^2(dphi / 2)).
struct PolarMomentum {
  double pt = 0, y = 0, phi = 0, mass = 0;
};
double pair_mass_squared(const PolarMomentum& a, const PolarMomentum& b);

/// The sum of rows of an N x 4 matrix (px, py, pz, E), in their order.
Momentum sum_of(const Matrix<double>& momenta, Index first, Index end);
/// A row of such a matrix.
Momentum momentum_of(const Matrix<double>& momenta, Index row);

}  // namespace fovea::datasets::particles
