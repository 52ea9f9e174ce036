#include "fovea/domains/particle/display/chosen_jets.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/datasets/particles/momentum.hpp"

namespace fovea::particle::display {

namespace {

constexpr std::size_t kMistakes = 5;

double own_probability(const study::StudyOutcome& outcome, std::size_t row, int label) {
  const double p = outcome.predictions.mean(static_cast<Index>(row), 0);
  return label == 1 ? p : 1 - p;
}

/// The sum of a jet's constituents, taken as massless, about its axis.
datasets::particles::Momentum sum_of_jet(const study::Cases& cases, Index item) {
  datasets::particles::Momentum sum;
  const Index first = cases.offsets[item];
  for (Index i = first; i < first + cases.size(item); ++i)
    sum += datasets::particles::from_pseudorapidity(std::exp(cases.coordinates(i, 2)), cases.coordinates(i, 0),
                                                    cases.coordinates(i, 1), 0);
  return sum;
}

double extent_of(const study::Cases& cases, Index item) {
  const auto first = cases.offsets[item];
  double largest = 0;
  for (Index i = first; i < first + cases.size(item); ++i)
    largest = std::max(largest, std::hypot(cases.coordinates(i, 0), cases.coordinates(i, 1)));
  return largest;
}

}  // namespace

std::vector<TestedJet> by_own_probability(const study::StudyOutcome& outcome, int label) {
  std::vector<TestedJet> jets;
  for (std::size_t row = 0; row < outcome.test_targets.size(); ++row)
    if (outcome.test_targets[row] == label) jets.push_back({row, outcome.split.test[row]});
  std::stable_sort(jets.begin(), jets.end(), [&](const TestedJet& a, const TestedJet& b) {
    return own_probability(outcome, a.row, label) < own_probability(outcome, b.row, label);
  });
  return jets;
}

std::vector<TestedJet> surest_mistakes(const study::StudyOutcome& outcome, int label, std::size_t most) {
  std::vector<TestedJet> jets = by_own_probability(outcome, label);
  const auto right = std::find_if(
      jets.begin(), jets.end(), [&](const TestedJet& jet) { return own_probability(outcome, jet.row, label) >= 0.5; });
  jets.erase(right, jets.end());
  jets.resize(std::min(jets.size(), most));
  return jets;
}

std::vector<TestedJet> jets_to_draw(const study::StudyOutcome& outcome, std::vector<std::string>& names) {
  std::vector<TestedJet> drawn;
  for (const int label : {1, 0}) {
    const std::vector<TestedJet> jets = by_own_probability(outcome, label);
    const std::string& name = outcome.target.classes[label];
    if (!jets.empty()) drawn.push_back(jets[jets.size() / 2]), names.push_back(concat(name, ", median score"));
    if (jets.size() > 1) drawn.push_back(jets.front()), names.push_back(concat(name, ", worst score"));
  }
  return drawn;
}

Columns jet_columns(const study::StudyOutcome& outcome, const std::vector<TestedJet>& jets, const std::string& prefix,
                    const std::string& dimension) {
  namespace particles = datasets::particles;
  const auto sum = [&](const TestedJet& jet) { return sum_of_jet(outcome.cases, jet.item); };
  return rows(dimension, jets)
      .prefix(prefix + "_")
      .text(
          "label",
          [&](const TestedJet& jet) {
            return outcome.target.classes[static_cast<std::size_t>(outcome.test_targets[jet.row])];
          },
          "class")
      .number(
          "probability", [&](const TestedJet& jet) { return outcome.predictions.mean(static_cast<Index>(jet.row), 0); },
          concat("probability of ", outcome.target.classes[1]))
      .number(
          "mass", [&](const TestedJet& jet) { return particles::mass(sum(jet)); }, "mass", "GeV")
      .number(
          "pt", [&](const TestedJet& jet) { return particles::pt(sum(jet)); }, "pT", "GeV")
      .integer(
          "constituents", [&](const TestedJet& jet) { return outcome.cases.size(jet.item); }, "constituents")
      .number(
          "extent", [&](const TestedJet& jet) { return extent_of(outcome.cases, jet.item); },
          "largest dR from the axis");
}

void write_mistakes(const study::StudyOutcome& outcome, Results& results) {
  std::vector<TestedJet> jets;
  for (const int label : {1, 0})
    for (const TestedJet& jet : surest_mistakes(outcome, label, kMistakes)) jets.push_back(jet);
  if (jets.empty()) return;
  std::vector<std::string> ids;
  for (const TestedJet& jet : jets) ids.push_back(outcome.cases.ids[jet.item]);
  results.coordinate("mistaken_jet", ids, "", "jet");
  jet_columns(outcome, jets, "mistake", "mistaken_jet")
      .write(results)
      .table(results, {.name = "mistakes",
                       .title = "The surest mistakes",
                       .caption = concat("Up to ", kMistakes,
                                         " test jets of either class that are taken for the other with the highest "
                                         "probability. Mass and pT are those of the sum of massless constituents."),
                       .digits = 3});
}

}  // namespace fovea::particle::display
