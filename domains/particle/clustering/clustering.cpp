#include "fovea/domains/particle/clustering/clustering.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"

#ifdef FOVEA_HAS_FASTJET
#include <fastjet/config.h>
#include <fastjet/ClusterSequence.hh>
#endif

namespace fovea::particle::clustering {

std::string missing_fastjet() {
  return "this build has no FastJet, which finds the jets: install Debian's libfastjet-dev and build again.";
}

#ifndef FOVEA_HAS_FASTJET

bool has_fastjet() { return false; }
std::string fastjet_version() { return ""; }

std::vector<Jet> find_jets(const Matrix<double>&, Index, Index, const JetDefinition&, double) {
  throw DataError(missing_fastjet());
}

#else

namespace {

using fastjet::PseudoJet;

fastjet::JetAlgorithm fastjet_name(Algorithm algorithm) {
  return algorithm == Algorithm::antikt ? fastjet::antikt_algorithm
         : algorithm == Algorithm::kt   ? fastjet::kt_algorithm
                                        : fastjet::cambridge_algorithm;
}

PseudoJet pseudo_jet(const Matrix<double>& momenta, Index row) {
  PseudoJet particle(momenta(row, 0), momenta(row, 1), momenta(row, 2), momenta(row, 3));
  particle.set_user_index(static_cast<int>(row));
  return particle;
}

Jet jet_of(const PseudoJet& found) {
  Jet jet{{found.px(), found.py(), found.pz(), found.E()}, {}};
  for (const PseudoJet& particle : found.constituents()) jet.constituents.push_back(particle.user_index());
  std::sort(jet.constituents.begin(), jet.constituents.end());
  return jet;
}

}  // namespace

bool has_fastjet() { return true; }
std::string fastjet_version() { return FASTJET_VERSION; }

std::vector<Jet> find_jets(const Matrix<double>& momenta, Index first, Index end, const JetDefinition& definition,
                           double least_pt) {
  require(definition.radius > 0 && definition.radius <= 1.5707963267948966, "find_jets: the radius is ",
          definition.radius, ", but must be above 0 and at most pi / 2.");
  fastjet::ClusterSequence::set_fastjet_banner_stream(nullptr);
  fastjet::Error::set_print_errors(false);
  std::vector<PseudoJet> particles;
  for (Index row = first; row < end; ++row) particles.push_back(pseudo_jet(momenta, row));
  if (particles.empty()) return {};
  const fastjet::ClusterSequence tree(particles,
                                      fastjet::JetDefinition(fastjet_name(definition.algorithm), definition.radius));
  std::vector<Jet> jets;
  for (const PseudoJet& one : fastjet::sorted_by_pt(tree.inclusive_jets(least_pt))) jets.push_back(jet_of(one));
  return jets;
}

#endif

}  // namespace fovea::particle::clustering
