#include "fovea/domains/particle/model/jet_inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "fovea/core/base/error.hpp"

namespace fovea::particle::model {

namespace {

using datasets::particles::Momentum;
using datasets::particles::ParticleSets;

constexpr double kLargestInput = 5;
constexpr double kSmoothAxis = 0.01;  // dR alone has no slope at the jet's axis
constexpr Index kIdColumns = 6, kCoordinates = 3;

/// A constituent, or a jet.
struct Axis {
  double along, phi, pt, energy;
};

Axis axis_of(const Momentum& p, const InputOptions& options) {
  namespace particles = datasets::particles;
  const double along = options.set == InputSet::boost_invariant ? particles::rapidity(p) : particles::pseudorapidity(p);
  return {along, particles::phi(p), particles::pt(p), p.energy};
}

/// The same momentum without a mass.
Momentum massless(Momentum p) {
  p.energy = std::sqrt(p.px * p.px + p.py * p.py + p.pz * p.pz);
  return p;
}

/// A number within the limits of an input.
float limited(double x) { return static_cast<float>(std::clamp(x, -kLargestInput, kLargestInput)); }

/// Charge, then one of five kinds.
std::array<float, kIdColumns> id_columns(std::int32_t id) {
  const std::int32_t size = std::abs(id);
  const float sign = id > 0 ? 1.0F : -1.0F;
  if (size == 22) return {0, 0, 0, 1, 0, 0};
  if (size == 11) return {-sign, 0, 0, 0, 1, 0};
  if (size == 13) return {-sign, 0, 0, 0, 0, 1};
  const bool neutral = size == 130 || size == 310 || size == 111 || size == 2112 || size == 3122 || size == 3212 ||
                       size == 3322 || size == 421 || size == 511;
  if (neutral) return {0, 0, 1, 0, 0, 0};
  const bool negative_hyperon = size == 3112 || size == 3312 || size == 3334;  // their particles are negative
  return {negative_hyperon ? -sign : sign, 1, 0, 0, 0, 0};
}

void put_inputs(const Axis& one, double log_pt, const Axis& jet, double d_along, double d_phi,
                const InputOptions& options, float* row) {
  const double dr = std::hypot(d_along, d_phi);
  const auto share = [](double part, double whole) { return limited(0.7 * (std::log(part / whole) + 4.7)); };
  *row++ = limited(d_along);
  *row++ = limited(d_phi);
  if (options.set == InputSet::directions) {
    *row++ = limited(4 * (std::hypot(dr, kSmoothAxis) - 0.2));
    *row++ = static_cast<float>(1 - std::exp(-dr * dr / 0.16));
    return;
  }
  const bool energies = options.set == InputSet::standard;
  *row++ = limited(0.7 * (log_pt - 1.7));
  if (energies) *row++ = limited(0.7 * (std::log(one.energy) - 2));
  *row++ = share(one.pt, jet.pt);
  if (energies) *row++ = share(one.energy, jet.energy);
  *row++ = limited(4 * (dr - 0.2));
}

/// The constituents' sum, of massless ones where only directions are seen.
Axis jet_axis(const ParticleSets& jets, Index jet, const InputOptions& options) {
  Momentum sum;
  for (Index i = jets.offsets[jet]; i < jets.offsets[jet + 1]; ++i) {
    const Momentum p = datasets::particles::momentum_of(jets.momenta, i);
    sum += options.set == InputSet::directions ? massless(p) : p;
  }
  return axis_of(sum, options);
}

void check_constituent(const std::string& source, Index jet, const Axis& one) {
  if (!(one.pt > 0) || !std::isfinite(one.along))
    throw DataError(concat(source, ": jet ", jet, " has a constituent without transverse momentum (pT = ", one.pt,
                           " GeV), which has no direction in eta and phi; leave it out."));
}

}  // namespace

const Keys<InputOptions>& input_keys() {
  static const auto keys =
      Keys<InputOptions>()
          .choice("inputs.set", &InputOptions::set,
                  {{"standard", InputSet::standard},
                   {"boost invariant", InputSet::boost_invariant},
                   {"directions", InputSet::directions}},
                  "inputs of a constituent: the seven of the Particle Transformer, those of them that are invariant "
                  "under boosts along the beam, or directions alone")
          .key("inputs.ids", &InputOptions::ids, "whether the kinds of particles are inputs, too");
  return keys;
}

std::vector<study::Feature> features_of(const InputOptions& options) {
  const auto ready = [](std::string name) {
    study::Feature feature{std::move(name), "1", {}};
    feature.ready = true;
    return feature;
  };
  std::vector<study::Feature> features;
  const bool rapidity = options.set == InputSet::boost_invariant;
  for (const char* name : {rapidity ? "d_y" : "d_eta", "d_phi"}) features.push_back(ready(name));
  if (options.set == InputSet::directions) {
    for (const char* name : {"dR", "near"}) features.push_back(ready(name));
  } else {
    const bool energies = options.set == InputSet::standard;
    features.push_back(ready("ln pT"));
    if (energies) features.push_back(ready("ln E"));
    features.push_back(ready("ln pT/pT_jet"));
    if (energies) features.push_back(ready("ln E/E_jet"));
    features.push_back(ready("dR"));
  }
  if (options.ids)
    for (const char* name : {"charge", "charged hadron", "neutral hadron", "photon", "electron", "muon"})
      features.push_back(ready(name));
  return features;
}

study::Cases cases_of(const std::string& source, const ParticleSets& jets, const InputOptions& options, Index first) {
  if (options.ids && jets.ids.empty() && jets.particles() > 0)
    throw DataError(concat(source,
                           ": has no particle ids, which inputs.ids asks for; take files with ids, or set inputs.ids = "
                           "false for a model without."));
  study::Cases cases;
  cases.features = features_of(options);
  cases.offsets = jets.offsets;
  cases.values.resize(jets.particles(), static_cast<Index>(cases.features.size()));
  cases.coordinates.resize(jets.particles(), kCoordinates);
  for (Index b = 0; b < jets.count(); ++b) {
    const Axis jet = jet_axis(jets, b, options);
    for (Index i = jets.offsets[b]; i < jets.offsets[b + 1]; ++i) {
      const Axis one = axis_of(datasets::particles::momentum_of(jets.momenta, i), options);
      check_constituent(source, first + b, one);
      const double log_pt = std::log(one.pt), d_along = one.along - jet.along,
                   d_phi = datasets::particles::wrapped(one.phi - jet.phi);
      float* const row = cases.values.data() + i * cases.values.cols();
      put_inputs(one, log_pt, jet, d_along, d_phi, options, row);
      if (options.ids) {
        const auto columns = id_columns(jets.ids[i]);
        std::copy(columns.begin(), columns.end(), row + cases.values.cols() - kIdColumns);
      }
      cases.coordinates.row(i) << d_along, d_phi, log_pt;
    }
    cases.ids.push_back(std::to_string(first + b));
  }
  cases.targets = jets.labels;
  return cases;
}

double mass_of_constituents(const Matrix<double>& coordinates, Index first, Index end) {
  Momentum sum;
  for (Index i = first; i < end; ++i)
    sum +=
        datasets::particles::from_pseudorapidity(std::exp(coordinates(i, 2)), coordinates(i, 0), coordinates(i, 1), 0);
  return datasets::particles::mass(sum);
}

}  // namespace fovea::particle::model
