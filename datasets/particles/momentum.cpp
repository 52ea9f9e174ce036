#include "fovea/datasets/particles/momentum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace fovea::datasets::particles {

namespace {

double square(double x) { return x * x; }

/// asinh(pz / transverse), and its limit along the beam.
double rapidity_over(double pz, double transverse) {
  if (transverse > 0) return std::asinh(pz / transverse);
  return pz == 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), pz);
}

}  // namespace

Momentum from_pseudorapidity(double pt, double eta, double phi, double mass) {
  const double pz = pt * std::sinh(eta);
  return {pt * std::cos(phi), pt * std::sin(phi), pz, std::sqrt(pt * pt + pz * pz + mass * mass)};
}

Momentum from_rapidity(double pt, double y, double phi, double mass) {
  const double transverse = std::hypot(pt, mass);
  return {pt * std::cos(phi), pt * std::sin(phi), transverse * std::sinh(y), transverse * std::cosh(y)};
}

double pt(const Momentum& p) { return std::hypot(p.px, p.py); }
double phi(const Momentum& p) { return p.px == 0 && p.py == 0 ? 0 : std::atan2(p.py, p.px); }

double rapidity(const Momentum& p) {
  const double least = pt(p), squared = (p.energy - p.pz) * (p.energy + p.pz);
  return rapidity_over(p.pz, squared > square(least) ? std::sqrt(squared) : least);
}

double pseudorapidity(const Momentum& p) { return rapidity_over(p.pz, pt(p)); }

double mass_squared(const Momentum& p) { return (p.energy - p.pz) * (p.energy + p.pz) - p.px * p.px - p.py * p.py; }
double mass(const Momentum& p) { return std::sqrt(std::max(0.0, mass_squared(p))); }

double wrapped(double angle) {
  return std::abs(angle) <= std::numbers::pi ? angle : std::remainder(angle, 2 * std::numbers::pi);
}

double delta_r(double y1, double phi1, double y2, double phi2) { return std::hypot(y1 - y2, wrapped(phi1 - phi2)); }

// cosh dy = 1 + 2 sinh^2(dy / 2) and cos dphi = 1 - 2 sin^2(dphi / 2); mT1 mT2 - pT1 pT2 without cancellation.
double pair_mass_squared(const PolarMomentum& a, const PolarMomentum& b) {
  const double mt = std::hypot(a.pt, a.mass) * std::hypot(b.pt, b.mass), pt = a.pt * b.pt;
  const double masses =
      square(a.mass * b.pt) + square(b.mass * a.pt) + square(a.mass * b.mass);  // mT^2 mT^2 - pT^2 pT^2
  const double above = masses > 0 ? masses / (mt + pt) : 0;
  return square(a.mass) + square(b.mass) +
         2 * (above +
              2 * (mt * square(std::sinh((a.y - b.y) / 2)) + pt * square(std::sin(wrapped(a.phi - b.phi) / 2))));
}

Momentum sum_of(const Matrix<double>& momenta, Index first, Index end) {
  Momentum sum;
  for (Index i = first; i < end; ++i) sum += momentum_of(momenta, i);
  return sum;
}

Momentum momentum_of(const Matrix<double>& momenta, Index row) {
  return {momenta(row, 0), momenta(row, 1), momenta(row, 2), momenta(row, 3)};
}

}  // namespace fovea::datasets::particles
