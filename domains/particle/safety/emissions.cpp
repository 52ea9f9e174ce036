#include "fovea/domains/particle/safety/emissions.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace fovea::particle::safety {

namespace {

using datasets::particles::Momentum;
using datasets::particles::ParticleSets;

constexpr double kHalfSide = 0.6;

/// Sets of these particles with the labels of others.
ParticleSets packed_sets(const std::vector<Momentum>& all, std::vector<Index> offsets, const ParticleSets& like) {
  ParticleSets made;
  made.offsets = std::move(offsets);
  made.labels = like.labels;
  made.momenta.resize(static_cast<Index>(all.size()), 4);
  for (std::size_t i = 0; i < all.size(); ++i)
    made.momenta.row(static_cast<Index>(i)) << all[i].px, all[i].py, all[i].pz, all[i].energy;
  return made;
}

}  // namespace

ParticleSets with_soft(const ParticleSets& jets, Index count, double share, const Random& random) {
  namespace particles = datasets::particles;
  std::vector<Momentum> all;
  std::vector<Index> offsets{0};
  for (Index b = 0; b < jets.count(); ++b) {
    Momentum sum;
    double scalar = 0;
    for (Index i = jets.offsets[b]; i < jets.offsets[b + 1]; ++i) {
      all.push_back(particles::momentum_of(jets.momenta, i));
      sum += all.back();
      scalar += particles::pt(all.back());
    }
    const auto uniform = [&](Index step) {
      return kHalfSide * (2 * random.uniform(static_cast<std::uint64_t>(b), static_cast<std::uint64_t>(step)) - 1);
    };
    for (Index k = 0; k < count; ++k)
      all.push_back(particles::from_pseudorapidity(share * scalar, particles::pseudorapidity(sum) + uniform(2 * k),
                                                   particles::wrapped(particles::phi(sum) + uniform(2 * k + 1)), 0));
    offsets.push_back(static_cast<Index>(all.size()));
  }
  return packed_sets(all, std::move(offsets), jets);
}

ParticleSets with_splits(const ParticleSets& jets, double opening, const Random& random) {
  namespace particles = datasets::particles;
  std::vector<Momentum> all;
  std::vector<Index> offsets{0};
  for (Index b = 0; b < jets.count(); ++b) {
    for (Index i = jets.offsets[b]; i < jets.offsets[b + 1]; ++i) {
      const Momentum p = particles::momentum_of(jets.momenta, i);
      const auto entity = static_cast<std::uint64_t>(i);
      const double share = 0.2 + 0.6 * random.uniform(entity, 0),
                   turn = 2 * std::numbers::pi * random.uniform(entity, 1);
      const double pt = particles::pt(p), eta = particles::pseudorapidity(p), phi = particles::phi(p);
      for (const bool first : {true, false}) {
        const double away = opening * (first ? 1 - share : -share);
        all.push_back(particles::from_pseudorapidity(pt * (first ? share : 1 - share), eta + away * std::cos(turn),
                                                     particles::wrapped(phi + away * std::sin(turn)), 0));
      }
    }
    offsets.push_back(static_cast<Index>(all.size()));
  }
  return packed_sets(all, std::move(offsets), jets);
}

}  // namespace fovea::particle::safety
