#include "fovea/datasets/simulated/coherent_shower.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::simulated {

namespace {

using particles::Momentum;
using particles::PolarMomentum;

constexpr double kQuark = 4.0 / 3, kGluon = 3, kMostCoupling = 0.5, kMostShare = 0.5;
constexpr double kChargedPion = 0.13957, kNeutralPion = 0.13498, kVectorMass = 0.775;
constexpr double kChain = 0.77, kVectors = 0.5;    // Field and Feynman 1978
constexpr double kLeastLeft = 1.2, kAcross = 0.3;  // GeV

double coupling(double kt, double lambda) {
  const double log = 2 * std::log(kt / lambda);
  return log > 0 ? std::min(kMostCoupling, 6 * std::numbers::pi / (23 * log)) : kMostCoupling;
}

struct GluonEmission {
  double share, angle, azimuth;
};

class ShowerOfEvent {
 public:
  ShowerOfEvent(const CoherentShower& shower, EventDraws& draws, std::vector<Momentum>& made)
      : shower_(shower), draws_(draws), made_(made) {}

  void add_parton(const PolarMomentum& parton, double angle, double colour) {
    double left = parton.pt;
    for (const GluonEmission& one : emissions(parton.pt, angle, colour)) {
      const PolarMomentum gluon{left * one.share, parton.y + one.angle * std::cos(one.azimuth),
                                parton.phi + one.angle * std::sin(one.azimuth), 0};
      left -= gluon.pt;
      add_parton(gluon, one.angle, kGluon);
    }
    add_mesons({left, parton.y, parton.phi, 0});
  }

 private:
  /// Drawn at the largest coupling from the square around the triangle kT > kT_0, and kept with the probability that
  /// the density has there; by falling angle.
  std::vector<GluonEmission> emissions(double pt, double angle, double colour) {
    std::vector<GluonEmission> kept;
    const double side = std::log(kMostShare * pt * angle / shower_.least_kt);
    if (!(side > 0)) return kept;
    const double largest = coupling(shower_.least_kt, shower_.lambda);
    const Index drawn = draws_.poisson(2 * colour / std::numbers::pi * largest * side * side);
    for (Index k = 0; k < drawn; ++k) {
      const double share = kMostShare * std::exp(-side * draws_.uniform());
      const double theta = angle * std::exp(-side * draws_.uniform());
      const double azimuth = draws_.azimuth(), chance = draws_.uniform(), kt = share * theta * pt;
      if (kt > shower_.least_kt && chance * largest < coupling(kt, shower_.lambda))
        kept.push_back({share, theta, azimuth});
    }
    std::stable_sort(kept.begin(), kept.end(),
                     [](const GluonEmission& a, const GluonEmission& b) { return a.angle > b.angle; });
    return kept;
  }

  /// Field and Feynman's chain: each meson takes the share z of what is left, f(z) = 1 - a + 3 a (1 - z)^2.
  void add_mesons(const PolarMomentum& parton) {
    double left = parton.pt;
    while (left > kLeastLeft) {
      const bool flat = draws_.uniform() < 1 - kChain;
      const double u = draws_.uniform(), share = flat ? u : 1 - std::cbrt(u);
      add_meson(parton, share * left);
      left -= share * left;
    }
    add_meson(parton, left);
  }

  /// Momentum across the parton counts in pT too: no meson is softer than that.
  void add_meson(const PolarMomentum& parton, double along) {
    const double across = kAcross * std::sqrt(2 * draws_.exponential()), turn = draws_.azimuth();
    const double pt = std::hypot(along, across), away = across / pt;
    const PolarMomentum meson{pt, parton.y + away * std::cos(turn), parton.phi + away * std::sin(turn), 0};
    if (draws_.uniform() < kVectors)
      for (const PolarMomentum& pion : halves(meson, kVectorMass)) add_pion(pion);
    else
      add_pion(meson);
  }

  void add_pion(const PolarMomentum& pion) {
    if (draws_.uniform() < 2.0 / 3) return add_particle(pion, kChargedPion);
    for (const PolarMomentum& photon : halves(pion, kNeutralPion)) add_particle(photon, 0);
  }

  void add_particle(const PolarMomentum& one, double mass) {
    made_.push_back(particles::from_rapidity(one.pt, one.y, particles::wrapped(one.phi), mass));
  }

  /// With the shares x and 1 - x, each m sqrt(x (1 - x)) across, opposite to the other.
  std::array<PolarMomentum, 2> halves(const PolarMomentum& whole, double mass) {
    const double share = 0.05 + 0.9 * draws_.uniform(), turn = draws_.azimuth();
    const double across = mass * std::sqrt(share * (1 - share));
    const auto half = [&](double part, double side) {
      const double pt = std::hypot(part * whole.pt, across), away = side * across / pt;
      return PolarMomentum{pt, whole.y + away * std::cos(turn), whole.phi + away * std::sin(turn), 0};
    };
    return {half(share, 1), half(1 - share, -1)};
  }

  const CoherentShower& shower_;
  EventDraws& draws_;
  std::vector<Momentum>& made_;
};

}  // namespace

void add_hadrons(const PolarMomentum& parton, bool gluon, const CoherentShower& shower, EventDraws& draws,
                 std::vector<Momentum>& made) {
  require(shower.radius > 0 && shower.lambda > 0 && shower.least_kt > shower.lambda, "add_hadrons: radius ",
          shower.radius, ", least kT ", shower.least_kt, " GeV, Lambda ", shower.lambda,
          " GeV; all must be above 0, and the least kT above Lambda.");
  ShowerOfEvent(shower, draws, made).add_parton(parton, shower.radius, gluon ? kGluon : kQuark);
}

}  // namespace fovea::datasets::simulated
