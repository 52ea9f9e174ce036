#include "fovea/datasets/simulated/toy_shower.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/simulated/two_body_decays.hpp"

namespace fovea::datasets::simulated {

namespace {

using particles::Momentum;
using particles::ParticleSets;

constexpr double kCasimirRatio = 9.0 / 4;
constexpr double kMostEmissions = 1000;

/// The Poisson law by inversion: the smallest n with P(N <= n) > u.
Index poisson(double mean, double uniform) {
  double term = std::exp(-mean), below = term;
  Index n = 0;
  while (uniform >= below && n < 10 * static_cast<Index>(kMostEmissions))
    below += term *= mean / static_cast<double>(++n);
  return n;
}

struct Emission {
  double fraction, angle, azimuth;
};

std::vector<Emission> emissions(double mean, const ToyShower& shower, const Random& random, std::uint64_t entity) {
  std::vector<Emission> made(poisson(mean, random.uniform(entity, 0)));
  std::uint64_t step = 1;
  for (Emission& one : made) {
    one.fraction = std::pow(shower.fractions, -random.uniform(entity, step++));
    one.angle = shower.radius * std::pow(shower.angles, -random.uniform(entity, step++));
    one.azimuth = 2 * std::numbers::pi * random.uniform(entity, step++);
  }
  std::sort(made.begin(), made.end(), [](const Emission& a, const Emission& b) { return a.angle > b.angle; });
  return made;
}

/// By falling pT, as a jet has them.
void add_jet(std::vector<Momentum> constituents, double label, ParticleSets& jets) {
  std::stable_sort(constituents.begin(), constituents.end(),
                   [](const Momentum& a, const Momentum& b) { return particles::pt(a) > particles::pt(b); });
  const Index first = jets.particles();
  jets.momenta.conservativeResize(first + static_cast<Index>(constituents.size()), 4);
  for (std::size_t i = 0; i < constituents.size(); ++i)
    jets.momenta.row(first + static_cast<Index>(i)) << constituents[i].px, constituents[i].py, constituents[i].pz,
        constituents[i].energy;
  jets.offsets.push_back(first + static_cast<Index>(constituents.size()));
  jets.labels.push_back(label);
}

}  // namespace

Showered showered(const particles::PolarMomentum& parton, double mean, const ToyShower& shower, const Random& random,
                  std::uint64_t entity) {
  require(mean >= 0 && mean <= kMostEmissions, "showered: the mean number of emissions is ", mean,
          ", but must be in [0, ", kMostEmissions, "].");
  require(shower.radius > 0 && shower.angles > 1 && shower.fractions > 1, "showered: radius ", shower.radius,
          ", angles ", shower.angles, ", fractions ", shower.fractions,
          "; the radius must be above 0, the others above 1.");
  Showered result;
  double left = parton.pt;
  for (const Emission& one : emissions(mean, shower, random, entity)) {
    const double taken = left * one.fraction / (1 + one.fraction);
    left -= taken;
    result.particles.push_back(
        particles::from_pseudorapidity(taken, parton.y + one.angle * std::cos(one.azimuth),
                                       particles::wrapped(parton.phi + one.angle * std::sin(one.azimuth)), 0));
    result.largest_kt = std::max(result.largest_kt, one.fraction * one.angle / shower.radius);
  }
  result.particles.push_back(particles::from_pseudorapidity(left, parton.y, particles::wrapped(parton.phi), 0));
  return result;
}

ShowerJets shower_jets(Index count, double quark_mean, const Random& random, const ToyShower& shower) {
  require(count >= 2, "shower_jets: ", count, " jets; at least 2 are needed.");
  const Random partons = random.stream("partons"), emitted = random.stream("emissions");
  ShowerJets made;
  for (Index b = 0; b < count; ++b) {
    const auto entity = static_cast<std::uint64_t>(b);
    const bool quark = b % 2 == 0;
    const particles::PolarMomentum parton{500 + 50 * partons.uniform(entity, 0),
                                          1.7 * (2 * partons.uniform(entity, 1) - 1),
                                          std::numbers::pi * (2 * partons.uniform(entity, 2) - 1), 0};
    Showered jet = showered(parton, quark ? quark_mean : kCasimirRatio * quark_mean, shower, emitted, entity);
    made.largest_kt.push_back(jet.largest_kt);
    add_jet(std::move(jet.particles), quark ? 1 : 0, made.jets);
  }
  return made;
}

namespace {

/// A shower for each prong, made into one jet.
class TopLikeJets {
 public:
  explicit TopLikeJets(const Random& random)
      : partons_(random.stream("partons")), emitted_(random.stream("emissions")), narrow_{kProngRadius, 400, 1000} {}

  std::vector<Momentum> of_top(const Matrix<double>& truth, Index jet) const {
    std::vector<Momentum> constituents;
    for (Index quark = 1; quark <= 3; ++quark) {
      const auto p = truth.row(jet).segment(4 * quark, 4);
      const Momentum momentum{p[0], p[1], p[2], p[3]};
      add({particles::pt(momentum), particles::pseudorapidity(momentum), particles::phi(momentum), 0}, narrow_, jet,
          quark - 1, constituents);
    }
    return constituents;
  }

  /// One to three prongs with random shares of the momentum, within the radius of the jet.
  std::vector<Momentum> of_light(Index jet) const {
    const double pt = 550 + 100 * uniform(jet, 0), y = 4 * uniform(jet, 1) - 2,
                 phi = std::numbers::pi * (2 * uniform(jet, 2) - 1);
    const auto prongs = 1 + static_cast<Index>(3 * uniform(jet, 3));
    std::vector<Momentum> constituents;
    if (prongs == 1) add({pt, y, phi, 0}, {}, jet, 0, constituents);
    double left = pt;
    for (Index k = 0; k < prongs && prongs > 1; ++k) {
      const double share = k + 1 == prongs ? 1 : kLeastShare + (1 - 2 * kLeastShare) * uniform(jet, 4 + 3 * k);
      const double away = kLargestOpening * uniform(jet, 5 + 3 * k) * (k == 0 ? 0.3 : 1),
                   turn = 2 * std::numbers::pi * uniform(jet, 6 + 3 * k);
      add({share * left, y + away * std::cos(turn), phi + away * std::sin(turn), 0}, narrow_, jet, k, constituents);
      left -= share * left;
    }
    return constituents;
  }

 private:
  static constexpr double kProngRadius = 0.4, kQuark = 4, kLeastShare = 0.1, kLargestOpening = 0.8;

  double uniform(Index jet, Index step) const {
    return partons_.uniform(static_cast<std::uint64_t>(jet), static_cast<std::uint64_t>(step));
  }
  void add(const particles::PolarMomentum& parton, const ToyShower& shower, Index jet, Index prong,
           std::vector<Momentum>& constituents) const {
    const Showered one = showered(parton, kQuark, shower, emitted_, static_cast<std::uint64_t>(3 * jet + prong));
    constituents.insert(constituents.end(), one.particles.begin(), one.particles.end());
  }

  Random partons_, emitted_;
  ToyShower narrow_;
};

}  // namespace

particles::ParticleSets top_jets(Index count, const Random& random) {
  require(count >= 2, "top_jets: ", count, " jets; at least 2 are needed.");
  const MadeDecays decays = top_decays((count + 1) / 2, {}, random.stream("decays"));
  const TopLikeJets made(random);
  ParticleSets jets;
  jets.truth = Matrix<double>::Zero(count, decays.sets.truth.cols());
  for (Index b = 0; b < count; ++b) {
    const bool top = b % 2 == 0;
    if (top) jets.truth.row(b) = decays.sets.truth.row(b / 2);
    add_jet(top ? made.of_top(jets.truth, b) : made.of_light(b), top ? 1 : 0, jets);
  }
  return jets;
}

double poisson_auc(double low, double high) {
  require(low >= 0 && high > low && high <= kCasimirRatio * kMostEmissions, "poisson_auc: means ", low, " and ", high,
          "; the second must be larger, and at most ", kCasimirRatio * kMostEmissions, ".");
  const auto law = [](double mean, double n) { return std::exp(n * std::log(mean) - mean - std::lgamma(n + 1)); };
  double area = 0, below = 0;  // below: P(N_low < n)
  const double last = high + 20 * std::sqrt(high) + 50;
  for (double n = 0; n <= last; ++n) {
    const double of_low = low > 0 ? law(low, n) : (n == 0 ? 1.0 : 0.0);
    area += law(high, n) * (below + of_low / 2);
    below += of_low;
  }
  return area;
}

}  // namespace fovea::datasets::simulated
