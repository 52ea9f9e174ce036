#pragma once
/// A toy parton shower with a known answer: the primary Lund plane in the leading-logarithmic approximation with a
/// fixed coupling (Dreyer, Salam, Soyez 2018; Larkoski, Salam, Thaler 2013).
///
/// A parton emits N ~ Poisson(mean) gluons, uniform in (ln 1/z, ln R/theta) on [0, ln fractions] x [0, ln angles], at a
/// uniform azimuth; mean = (2 alpha_s C / pi) ln fractions ln angles, with C = CA = 3 for a gluon and CF = 4/3 for a
/// quark. So of two kinds of jets that differ in the mean alone, N is all that tells them apart: the likelihood ratio
/// is (m1 / m2)^N e^(m2 - m1), and the best possible AUC is that of two Poisson laws.

#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/particles/particles.hpp"

namespace fovea::datasets::simulated {

struct ToyShower {
  double radius = 0.8;      ///< R, the largest angle
  double angles = 400;      ///< R over the smallest angle
  double fractions = 1000;  ///< 1 over the smallest fraction of the momentum
};

/// What a parton became.
struct Showered {
  std::vector<particles::Momentum> particles;  ///< the emitted gluons in the order of falling angle, then what is left
  double largest_kt = 0;                       ///< the largest z theta / R of an emission; 0 without emissions
};

/// The gluon emitted at the k-th largest angle theta takes z / (1 + z) of what is left of the parton's momentum, at a
/// distance theta from the parton's direction in (eta, phi). All are massless; the recoil is neglected. A function of
/// (random, entity). mean: expected emissions, in [0, 1000]. Throws ArgumentError.
Showered showered(const particles::PolarMomentum& parton, double mean, const ToyShower& shower, const Random& random,
                  std::uint64_t entity);

/// Jets of quarks (label 1) and of gluons (label 0), as many of each, with pT uniform in [500, 550] GeV and eta uniform
/// in [-1.7, 1.7]; the mean number of emissions of a gluon is CA / CF = 9/4 of `quark_mean`.
struct ShowerJets {
  particles::ParticleSets jets;
  std::vector<double> largest_kt;  ///< one a jet
};
ShowerJets shower_jets(Index count, double quark_mean, const Random& random, const ToyShower& shower = {});

/// Jets like those of boosted top quarks (label 1) and others (label 0), alternating, with pT near 600 GeV: the quarks
/// of t -> b W -> b q q' (two_body_decays.hpp), and one to three prongs with random shares of the momentum within 0.8
/// of the axis; each prong has a shower of its own. So the masses of W and top are what tells them apart. Truth: the
/// momenta of t, b, q, q'; zeros for the others. A function of (random, jet).
particles::ParticleSets top_jets(Index count, const Random& random);

/// The best possible AUC between two Poisson laws with means high > low: P(N_high > N_low) + P(N_high = N_low) / 2.
double poisson_auc(double low, double high);

/// The AUC of the largest kT alone in the limit of an infinite plane: with Casimir scaling the cumulative distributions
/// obey Sigma_g = Sigma_q^(CA / CF), so AUC = (CA / CF) / (1 + CA / CF) = 9/13 (Larkoski, Salam, Thaler 2013).
inline constexpr double kLargestKtAuc = 9.0 / 13;

}  // namespace fovea::datasets::simulated
