#pragma once
/// What a tagger sees of a jet: numbers for each constituent, and where the constituents lie.

#include <string>
#include <vector>

#include "fovea/core/config/keys.hpp"
#include "fovea/core/study/cases/cases.hpp"
#include "fovea/datasets/particles/particles.hpp"

namespace fovea::particle::model {

/// Numbers of a constituent. All are of the order of 1, so they are not scaled again.
enum class InputSet {
  /// The seven of the Particle Transformer (Qu, Li, Qian 2022; weaver's configuration of the top tagging sample):
  ///   d_eta, d_phi, 0.7 (ln pT - 1.7), 0.7 (ln E - 2), 0.7 (ln pT / pT_jet + 4.7), 0.7 (ln E / E_jet + 4.7),
  ///   4 (dR - 0.2), each within [-5, 5]
  standard,
  /// Those of them that boosts along the beam leave alone, with rapidities: d_y, d_phi, ln pT, ln pT / pT_jet, dR.
  boost_invariant,
  /// Directions alone: d_eta, d_phi, 4 (r - 0.2) with r^2 = dR^2 + 0.01^2, 1 - exp(-(dR / 0.4)^2), all smooth. What an
  /// infrared and collinear safe model may know of a constituent; its share of pT is the weight of its key, no input.
  directions,
};

struct InputOptions {
  InputSet set = InputSet::standard;
  bool ids = false;  ///< also charge and kind: charged hadron, neutral hadron, photon, electron, muon
};

/// inputs.set, inputs.ids.
const Keys<InputOptions>& input_keys();

/// Names and units of the columns.
std::vector<study::Feature> features_of(const InputOptions& options);

/// Jets as cases. Coordinates: the direction along the beam less the jet's (pseudorapidity, or rapidity for the boost
/// invariant set), the azimuth less the jet's, ln(pT / GeV). The jet's axis, pT and energy are those of the sum of its
/// constituents; of the set `directions` of massless ones. Ids "0", "1", ... count from `first`. Targets are the
/// labels. Throws DataError where ids are asked for and there are none, and for constituents along the beam. `source`:
/// for messages.
study::Cases cases_of(const std::string& source, const datasets::particles::ParticleSets& jets,
                      const InputOptions& options, Index first = 0);

/// The mass [GeV] of the sum of the constituents [first, end), taken as massless, from their coordinates.
double mass_of_constituents(const Matrix<double>& coordinates, Index first, Index end);

}  // namespace fovea::particle::model
