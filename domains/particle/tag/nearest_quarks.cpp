#include "fovea/domains/particle/tag/nearest_quarks.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/study/cases/split_settings.hpp"
#include "fovea/datasets/particles/momentum.hpp"
#include "fovea/domains/particle/tag/trained_tagger.hpp"

namespace fovea::particle::tag {

namespace {

using datasets::particles::ParticleSets;

constexpr Index kReadAtOnce = 4096, kMostReadAgain = 200'000, kPartons = 4,
                kTruthColumns = 4 * kPartons;  // top, b, q, q'
constexpr double kProng = 0.8;

/// These jets of the files, in that order; none where the files have no truth.
ParticleSets read_again(JetFiles files, const std::vector<Index>& items) {
  const Index last = *std::max_element(items.begin(), items.end());
  ParticleSets found;
  std::vector<Index> order;
  Index before = 0;
  while (before <= last) {
    const JetBlock block = files.read(kReadAtOnce);
    const Index count = block.jets.count();
    if (count == 0 || block.jets.truth.cols() != kTruthColumns) return {};
    std::vector<Index> mine;
    for (const Index item : items)
      if (item >= before && item < before + count) mine.push_back(item - before), order.push_back(item);
    if (!mine.empty()) append(found, selected_jets(block.jets, mine));
    before += count;
  }
  std::vector<Index> places;
  for (const Index item : items) places.push_back(std::find(order.begin(), order.end(), item) - order.begin());
  return selected_jets(found, places);
}

/// Whether a jet has the constituents of a case.
bool is_case(const ParticleSets& jets, Index jet, const study::Cases& cases, Index item) {
  if (jets.size(jet) != cases.size(item)) return false;
  for (Index i = 0; i < jets.size(jet); ++i) {
    const auto p = datasets::particles::momentum_of(jets.momenta, jets.offsets[jet] + i);
    const double logarithm = cases.coordinates(cases.offsets[item] + i, 2);
    if (!(std::abs(std::log(datasets::particles::pt(p)) - logarithm) < 1e-9)) return false;
  }
  return true;
}

/// The jets of these cases with their truth; none where there is none.
ParticleSets jets_with_truth(const study::StudyOutcome& outcome, const MadeAgain& made,
                             const std::vector<Index>& items) {
  const JetSettings files = jet_keys().read(outcome.config);
  if (!files.train.empty() && outcome.cases.count() > kMostReadAgain) return {};
  if (!files.train.empty()) return read_again({files, study::split_keys().read(outcome.config).validation}, items);
  if (!made) return {};
  // The experiment's own stream of cases, from which the run made them.
  const ParticleSets jets = made(Random(outcome.config.seed.value_or(1)).stream("cases"));
  const bool known = jets.count() == outcome.cases.count() && jets.truth.cols() == kTruthColumns;
  return known ? selected_jets(jets, items) : ParticleSets{};
}

}  // namespace

std::vector<int> prongs_of(const ParticleSets& jets, Index jet) {
  namespace particles = datasets::particles;
  std::vector<int> prongs;
  for (Index i = jets.offsets[jet]; i < jets.offsets[jet + 1]; ++i) {
    const particles::Momentum p = particles::momentum_of(jets.momenta, i);
    double least = kProng;
    int nearest = 0;
    for (Index parton = 1; parton < kPartons; ++parton) {
      const auto row = jets.truth.row(jet).segment(4 * parton, 4);
      const particles::Momentum quark{row[0], row[1], row[2], row[3]};
      if (quark.energy <= 0) continue;
      const double r = particles::delta_r(particles::pseudorapidity(p), particles::phi(p),
                                          particles::pseudorapidity(quark), particles::phi(quark));
      if (r < least) least = r, nearest = static_cast<int>(parton);
    }
    prongs.push_back(nearest);
  }
  return prongs;
}

std::vector<std::vector<std::string>> nearest_quarks(const study::StudyOutcome& outcome, const MadeAgain& made,
                                                     const std::vector<Index>& items) {
  const ParticleSets jets = jets_with_truth(outcome, made, items);
  std::vector<std::vector<std::string>> words(items.size());
  for (Index b = 0; b < jets.count(); ++b) {
    if (jets.truth(b, 3) <= 0 || !is_case(jets, b, outcome.cases, items[b])) continue;
    for (const int quark : prongs_of(jets, b))
      words[b].emplace_back(quark == 0 ? "unmatched" : quark == 1 ? "b" : quark == 2 ? "q" : "q'");
  }
  return words;
}

}  // namespace fovea::particle::tag
