#pragma once
/// Decays into two bodies with known masses, and chains of them: sets of particles for kinematics.
///
///   |p*| = sqrt((M^2 - (m1 + m2)^2) (M^2 - (m1 - m2)^2)) / (2 M)   (PDG review, kinematics, eq. 49.17)
///
/// In the rest frame of what decays the direction is flat in cos theta* and in azimuth.

#include <array>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/particles/particles.hpp"

namespace fovea::datasets::simulated {

/// The momentum of both in the rest frame [GeV]. Throws ArgumentError for mass < first + second.
double decay_momentum(double mass, double first, double second);

/// The two daughters of a momentum with mass; cos_theta in [-1, 1] and azimuth: of the first, in the rest frame whose
/// axes are those of the laboratory.
std::array<particles::Momentum, 2> two_body_decay(const particles::Momentum& parent, double first, double second,
                                                  double cos_theta, double azimuth);

/// A mass from M + (width / 2) tan u, the Cauchy law of a narrow resonance (Breit & Wigner 1936), cut off `reach`
/// widths from M; uniform: in [0, 1).
double resonance_mass(double mass, double width, double reach, double uniform);

struct ZPlan {
  double mass = 91.1876, width = 2.4952;  ///< PDG 2022
  double lepton = 0.1056584;              ///< of a muon
  double reach = 20;                      ///< widths
  double mean_pt = 15;                    ///< exponential
  double rapidity = 2.4;                  ///< flat in |y| below it
};

struct TopPlan {
  double mass = 172.5, width = 1.42;
  double w_mass = 80.379, w_width = 2.085;
  double bottom = 4.8;
  double reach = 10;                     ///< widths
  double least_pt = 550, most_pt = 650;  ///< of the top quark, flat
  double pseudorapidity = 2;             ///< flat in |eta| below it
};

struct MadeDecays {
  particles::ParticleSets sets;
  std::vector<double> masses, w_masses;  ///< drawn, one a set; w_masses empty without a W
};

/// Z -> mu- mu+: sets of two leptons. All numbers of decay i are a function of (random, i). Throws ArgumentError.
MadeDecays z_decays(Index count, const ZPlan& plan, const Random& random);

/// t -> b W, W -> q q': sets of three partons by falling pT, whose truth is t, b, q, q'.
MadeDecays top_decays(Index count, const TopPlan& plan, const Random& random);

}  // namespace fovea::datasets::simulated
