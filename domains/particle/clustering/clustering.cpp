#include "fovea/domains/particle/clustering/clustering.hpp"

#include <algorithm>
#include <cmath>

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
std::vector<Jet> subjets(const Matrix<double>&, const std::vector<Index>&, Index) {
  throw DataError(missing_fastjet());
}
GroomedJet soft_drop(const Matrix<double>&, const std::vector<Index>&, const SoftDropCut&) {
  throw DataError(missing_fastjet());
}
std::vector<LundStep> lund_plane(const Matrix<double>&, const std::vector<Index>&) {
  throw DataError(missing_fastjet());
}

#else

namespace {

using fastjet::PseudoJet;

/// Radius of a tree that is to hold all members of one jet: larger than any distance.
constexpr double kWholeJet = 1000;

fastjet::JetAlgorithm fastjet_name(Algorithm algorithm) {
  return algorithm == Algorithm::antikt ? fastjet::antikt_algorithm
         : algorithm == Algorithm::kt   ? fastjet::kt_algorithm
                                        : fastjet::cambridge_algorithm;
}

void keep_quiet() {
  fastjet::ClusterSequence::set_fastjet_banner_stream(nullptr);
  fastjet::Error::set_print_errors(false);
}

PseudoJet pseudo_jet(const Matrix<double>& momenta, Index row) {
  PseudoJet particle(momenta(row, 0), momenta(row, 1), momenta(row, 2), momenta(row, 3));
  particle.set_user_index(static_cast<int>(row));
  return particle;
}

std::vector<PseudoJet> pseudo_jets(const Matrix<double>& momenta, const std::vector<Index>& rows) {
  std::vector<PseudoJet> particles;
  for (const Index row : rows) particles.push_back(pseudo_jet(momenta, row));
  return particles;
}

Jet jet_of(const PseudoJet& found) {
  Jet jet{{found.px(), found.py(), found.pz(), found.E()}, {}};
  for (const PseudoJet& particle : found.constituents()) jet.constituents.push_back(particle.user_index());
  std::sort(jet.constituents.begin(), jet.constituents.end());
  return jet;
}

std::vector<Jet> by_falling_pt(const std::vector<PseudoJet>& found) {
  std::vector<Jet> jets;
  for (const PseudoJet& one : fastjet::sorted_by_pt(found)) jets.push_back(jet_of(one));
  return jets;
}

/// The whole jet as one tree of Cambridge/Aachen, walked along the harder branch: visit(harder, softer, of both) is
/// asked at each step and says whether to go on.
template <typename Visit>
PseudoJet walk_harder(const fastjet::ClusterSequence& tree, const Visit& visit) {
  std::vector<PseudoJet> whole = tree.exclusive_jets(1);
  PseudoJet at = whole.front(), harder, softer;
  while (at.has_parents(harder, softer)) {
    if (harder.pt2() < softer.pt2()) std::swap(harder, softer);
    const double total = harder.pt() + softer.pt();
    const LundStep step{harder.delta_R(softer), softer.pt() * harder.delta_R(softer),
                        total > 0 ? softer.pt() / total : 0};
    if (!visit(step)) break;
    at = harder;
  }
  return at;
}

}  // namespace

bool has_fastjet() { return true; }
std::string fastjet_version() { return FASTJET_VERSION; }

std::vector<Jet> find_jets(const Matrix<double>& momenta, Index first, Index end, const JetDefinition& definition,
                           double least_pt) {
  require(definition.radius > 0 && definition.radius <= 1.5707963267948966, "find_jets: the radius is ",
          definition.radius, ", but must be above 0 and at most pi / 2.");
  keep_quiet();
  std::vector<PseudoJet> particles;
  for (Index row = first; row < end; ++row) particles.push_back(pseudo_jet(momenta, row));
  if (particles.empty()) return {};
  const fastjet::ClusterSequence tree(particles,
                                      fastjet::JetDefinition(fastjet_name(definition.algorithm), definition.radius));
  return by_falling_pt(tree.inclusive_jets(least_pt));
}

std::vector<Jet> subjets(const Matrix<double>& momenta, const std::vector<Index>& members, Index count) {
  require(count >= 1, "subjets: ", count, " are asked for, but the number must be 1 or more.");
  if (members.empty()) return {};
  keep_quiet();
  const fastjet::ClusterSequence tree(pseudo_jets(momenta, members),
                                      fastjet::JetDefinition(fastjet::kt_algorithm, kWholeJet));
  return by_falling_pt(tree.exclusive_jets_up_to(static_cast<int>(count)));
}

GroomedJet soft_drop(const Matrix<double>& momenta, const std::vector<Index>& members, const SoftDropCut& cut) {
  GroomedJet groomed;
  if (members.empty()) return groomed;
  keep_quiet();
  const fastjet::ClusterSequence tree(pseudo_jets(momenta, members),
                                      fastjet::JetDefinition(fastjet::cambridge_algorithm, kWholeJet));
  groomed.jet = jet_of(walk_harder(tree, [&](const LundStep& step) {
    const bool passes = step.z > cut.z_cut * std::pow(step.delta_r / cut.radius, cut.beta);
    groomed.dropped += passes ? 0 : 1;
    if (passes) groomed.z = step.z, groomed.delta_r = step.delta_r;
    return !passes;
  }));
  return groomed;
}

std::vector<LundStep> lund_plane(const Matrix<double>& momenta, const std::vector<Index>& members) {
  std::vector<LundStep> steps;
  if (members.empty()) return steps;
  keep_quiet();
  const fastjet::ClusterSequence tree(pseudo_jets(momenta, members),
                                      fastjet::JetDefinition(fastjet::cambridge_algorithm, kWholeJet));
  walk_harder(tree, [&](const LundStep& step) {
    steps.push_back(step);
    return true;
  });
  return steps;
}

#endif

}  // namespace fovea::particle::clustering
