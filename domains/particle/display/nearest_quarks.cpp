#include "fovea/domains/particle/display/nearest_quarks.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/datasets/particles/momentum.hpp"
#include "fovea/domains/particle/locality/looks.hpp"
#include "fovea/domains/particle/tag/jet_files.hpp"

namespace fovea::particle::display {

namespace {

using datasets::particles::ParticleSets;

constexpr Index kBlock = 4096, kMostReadAgain = 200'000, kTruthColumns = 16;  // top, b, q, q'

/// These jets of the files of a config, in that order; none where the files have no truth.
ParticleSets read_again(const Config& config, const std::vector<Index>& items) {
  tag::JetFiles files(config);
  const Index last = *std::max_element(items.begin(), items.end());
  ParticleSets found;
  std::vector<Index> order;
  Index before = 0;
  while (before <= last) {
    const tag::JetBlock block = files.read(kBlock);
    const Index count = block.jets.count();
    if (count == 0 || block.jets.truth.cols() != kTruthColumns) return {};
    std::vector<Index> mine;
    for (const Index item : items)
      if (item >= before && item < before + count) mine.push_back(item - before), order.push_back(item);
    if (!mine.empty()) append(found, tag::selected_jets(block.jets, mine));
    before += count;
  }
  std::vector<Index> places;
  for (const Index item : items) places.push_back(std::find(order.begin(), order.end(), item) - order.begin());
  return tag::selected_jets(found, places);
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
  if (!outcome.config.texts("data.train").empty())
    return outcome.cases.count() <= kMostReadAgain ? read_again(outcome.config, items) : ParticleSets{};
  if (!made) return {};
  // The experiment's own stream of cases, from which the run made them.
  const ParticleSets jets = made(Random(outcome.config.seed.value_or(1)).stream("cases"));
  const bool known = jets.count() == outcome.cases.count() && jets.truth.cols() == kTruthColumns;
  return known ? tag::selected_jets(jets, items) : ParticleSets{};
}

}  // namespace

std::vector<std::vector<std::string>> nearest_quarks(const study::StudyOutcome& outcome, const MadeAgain& made,
                                                     const std::vector<Index>& items) {
  const ParticleSets jets = jets_with_truth(outcome, made, items);
  std::vector<std::vector<std::string>> words(items.size());
  for (Index b = 0; b < jets.count(); ++b) {
    if (jets.truth(b, 3) <= 0 || !is_case(jets, b, outcome.cases, items[b])) continue;
    for (const int quark : locality::prongs_of(jets, b))
      words[b].emplace_back(quark == 0 ? "unmatched" : quark == 1 ? "b" : quark == 2 ? "q" : "q'");
  }
  return words;
}

}  // namespace fovea::particle::display
