#include "fovea/domains/particle/kinematics/measures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/datasets/particles/boosts.hpp"

namespace fovea::particle::kinematics {

namespace {

using datasets::particles::Momentum;
using datasets::particles::PolarMomentum;
namespace particles = datasets::particles;

constexpr double kFullTurn = 2 * std::numbers::pi;
constexpr double kNoMass = 20;  // of |ln m^2| where m^2 is not above 0

/// The widest gap between the azimuths of a set, and where it begins.
struct Gap {
  double begin = 0, width = kFullTurn;
};

Gap widest_gap(const ParticleSets& sets, Index set) {
  std::vector<double> angles;
  for (Index i = sets.offsets[set]; i < sets.offsets[set + 1]; ++i)
    angles.push_back(particles::phi(particles::momentum_of(sets.momenta, i)));
  if (angles.size() < 2) return {};
  std::sort(angles.begin(), angles.end());
  Gap gap{angles.back(), angles.front() + kFullTurn - angles.back()};
  for (std::size_t i = 1; i < angles.size(); ++i)
    if (angles[i] - angles[i - 1] > gap.width) gap = {angles[i - 1], angles[i] - angles[i - 1]};
  return gap;
}

template <typename Change>
ParticleSets changed(ParticleSets sets, const Change& change) {
  for (Index i = 0; i < sets.momenta.rows(); ++i) {
    const Momentum p = change(particles::momentum_of(sets.momenta, i));
    sets.momenta.row(i) << p.px, p.py, p.pz, p.energy;
  }
  return sets;
}

/// ln m^2 of two massless particles as programs in float take it: the sum of four-vectors, then its invariant.
double usual_log_mass(const std::array<float, 3>& a, const std::array<float, 3>& b) {
  std::array<float, 4> sum{};
  for (const auto& [pt, y, phi] : {a, b}) {
    sum[0] += pt * std::cos(phi);
    sum[1] += pt * std::sin(phi);
    sum[2] += pt * std::sinh(y);
    sum[3] += pt * std::cosh(y);
  }
  const float squared = sum[3] * sum[3] - sum[0] * sum[0] - sum[1] * sum[1] - sum[2] * sum[2];
  return squared > 0 ? std::log(static_cast<double>(squared)) : kNan;
}

double stable_log_mass(const std::array<float, 3>& a, const std::array<float, 3>& b) {
  const float dy = std::sinh((a[1] - b[1]) / 2);
  const auto dphi = static_cast<float>(particles::wrapped(static_cast<double>(a[2]) - static_cast<double>(b[2])));
  const float sine = std::sin(dphi / 2);
  return std::log(static_cast<double>(4 * a[0] * b[0] * (dy * dy + sine * sine)));
}

double exact_log_mass(const std::array<float, 3>& a, const std::array<float, 3>& b) {
  return std::log(particles::pair_mass_squared(PolarMomentum{a[0], a[1], a[2], 0}, PolarMomentum{b[0], b[1], b[2], 0}));
}

double log_uniform(double low, double high, double u) { return low * std::pow(high / low, u); }

/// The pair's two particles as (pT, y, phi).
std::array<std::array<float, 3>, 2> collinear_pair(double delta_r, std::uint64_t pair, const Random& random) {
  const double turn = kFullTurn * random.uniform(pair, 1), y = 5 * random.uniform(pair, 2) - 2.5;
  const double phi = kFullTurn * random.uniform(pair, 3) - std::numbers::pi;
  const auto as_float = [](double value) { return static_cast<float>(value); };
  return {{{as_float(log_uniform(0.5, 200, random.uniform(pair, 4))), as_float(y), as_float(phi)},
           {as_float(log_uniform(0.5, 200, random.uniform(pair, 5))), as_float(y + delta_r * std::cos(turn)),
            as_float(particles::wrapped(phi + delta_r * std::sin(turn)))}}};
}

}  // namespace

std::vector<double> set_masses(const ParticleSets& sets) {
  std::vector<double> masses;
  for (std::size_t set = 0; set + 1 < sets.offsets.size(); ++set)
    masses.push_back(particles::mass(particles::sum_of(sets.momenta, sets.offsets[set], sets.offsets[set + 1])));
  return masses;
}

double largest_gap(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0 : kNan;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double gap = std::abs(a[i] - b[i]);
    if (!(gap <= largest)) largest = gap;
  }
  return largest;
}

double covered_share(const ParticleSets& sets, Index set) { return 1 - widest_gap(sets, set).width / kFullTurn; }

bool crosses_seam(const ParticleSets& sets, Index set) {
  const Gap gap = widest_gap(sets, set);
  return gap.begin + gap.width < std::numbers::pi;  // the gap that holds phi = pi ends behind it
}

double width_of(const ParticleSets& sets, Index set, bool wrap) {
  const Index first = sets.offsets[set], end = sets.offsets[set + 1];
  const Momentum axis = particles::sum_of(sets.momenta, first, end);
  double width = 0, total = 0;
  for (Index i = first; i < end; ++i) {
    const Momentum p = particles::momentum_of(sets.momenta, i);
    const double dphi = particles::phi(p) - particles::phi(axis);
    width += particles::pt(p) *
             std::hypot(particles::rapidity(p) - particles::rapidity(axis), wrap ? particles::wrapped(dphi) : dphi);
    total += particles::pt(p);
  }
  return total > 0 ? width / total : 0;
}

ParticleSets turned_sets(const ParticleSets& sets, double angle) {
  return changed(sets, [&](const Momentum& p) { return particles::turned(p, angle); });
}

ParticleSets boosted_sets(const ParticleSets& sets, double by) {
  return changed(sets, [&](const Momentum& p) { return particles::boosted_along_beam(p, by); });
}

MassErrors mass_errors(Index pairs, std::size_t bins, const Random& random) {
  constexpr double kLeast = 1e-4, kMost = 1;
  MassErrors errors;
  Index wrong = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const auto edge = [&](std::size_t k) {
      return log_uniform(kLeast, kMost, static_cast<double>(k) / static_cast<double>(bins));
    };
    std::vector<double> usual, stable;
    for (Index pair = 0; pair < pairs; ++pair) {
      const auto number = static_cast<std::uint64_t>(pair) * bins + bin;
      const auto [a, b] = collinear_pair(log_uniform(edge(bin), edge(bin + 1), random.uniform(number)), number, random);
      const double exact = exact_log_mass(a, b), taken = usual_log_mass(a, b);
      usual.push_back(std::isnan(taken) ? kNoMass : std::min(kNoMass, std::abs(taken - exact)));
      stable.push_back(std::abs(stable_log_mass(a, b) - exact));
      wrong += usual.back() > 1 ? 1 : 0;
    }
    std::sort(usual.begin(), usual.end());
    errors.bins.push_back({std::sqrt(edge(bin) * edge(bin + 1)), sorted_quantile(usual, 0.5), usual.back(),
                           *std::max_element(stable.begin(), stable.end())});
  }
  errors.wrong_share = static_cast<double>(wrong) / (static_cast<double>(pairs) * static_cast<double>(bins));
  return errors;
}

}  // namespace fovea::particle::kinematics
