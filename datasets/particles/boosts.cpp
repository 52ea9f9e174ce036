#include "fovea/datasets/particles/boosts.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::particles {

Momentum boosted(const Momentum& p, const Momentum& frame) {
  const double squared = mass_squared(frame);
  require(squared > 0, "boosted: the frame has mass^2 = ", squared, ", but must have a mass above 0.");
  const double rest = std::sqrt(squared);
  const double along = frame.px * p.px + frame.py * p.py + frame.pz * p.pz;
  const double factor = along / (rest * (frame.energy + rest)) + p.energy / rest;
  return {p.px + factor * frame.px, p.py + factor * frame.py, p.pz + factor * frame.pz,
          (frame.energy * p.energy + along) / rest};
}

Momentum boosted_along_beam(const Momentum& p, double by) {
  const double c = std::cosh(by), s = std::sinh(by);
  return {p.px, p.py, c * p.pz + s * p.energy, c * p.energy + s * p.pz};
}

Momentum turned(const Momentum& p, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * p.px - s * p.py, s * p.px + c * p.py, p.pz, p.energy};
}

}  // namespace fovea::datasets::particles
