#include "fovea/domains/particle/event/event_map.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/metrics.hpp"

namespace fovea::particle::event {

namespace {

constexpr Index kMostDrawn = 500;

/// A tested event with particles of both origins.
struct ExaminedEvent {
  Index item = 0, first = 0;  ///< its case, and its first row of the predictions
  double auc = 0;
};

std::vector<ExaminedEvent> examined_events(const study::StudyOutcome& outcome) {
  std::vector<ExaminedEvent> events;
  Index first = 0;
  for (const Index item : outcome.split.test) {
    std::vector<double> scores;
    std::vector<Index> labels;
    for (Index i = first; i < first + outcome.cases.size(item); ++i) {
      if (std::isnan(outcome.test_targets[i])) continue;
      scores.push_back(outcome.predictions.mean(i, 0));
      labels.push_back(static_cast<Index>(outcome.test_targets[i]));
    }
    const auto hard = std::count(labels.begin(), labels.end(), Index{1});
    if (hard > 0 && hard < std::ssize(labels)) events.push_back({item, first, auroc(scores, labels)});
    first += outcome.cases.size(item);
  }
  return events;
}

/// Places of the hardest particles of a case, softest first, so that hard ones are drawn above soft ones.
std::vector<Index> hardest(const study::Cases& cases, Index item) {
  const Index first = cases.offsets[item];
  std::vector<Index> order(cases.size(item));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return cases.coordinates(first + a, 2) < cases.coordinates(first + b, 2); });
  if (std::ssize(order) > kMostDrawn) order.erase(order.begin(), order.end() - kMostDrawn);
  return order;
}

}  // namespace

void write_event_map(const study::StudyOutcome& outcome, Results& results) {
  std::vector<ExaminedEvent> events = examined_events(outcome);
  if (events.empty()) return;
  const auto middle = events.begin() + std::ssize(events) / 2;
  std::stable_sort(events.begin(), events.end(),
                   [](const ExaminedEvent& a, const ExaminedEvent& b) { return a.auc < b.auc; });
  const ExaminedEvent event = *middle;
  const study::Cases& cases = outcome.cases;
  const std::vector<Index> drawn = hardest(cases, event.item);
  const auto row_of = [&](Index i) { return cases.offsets[event.item] + i; };
  const auto origin_of = [&](Index i) -> std::string {
    const double target = outcome.test_targets[event.first + i];
    return std::isnan(target) ? "not known" : outcome.target.classes[static_cast<std::size_t>(target)];
  };
  rows(
      "particle", drawn, [](Index, std::size_t place) { return place + 1; }, "particle, by rising pT")
      .prefix("particle_")
      .number(
          "y", [&](Index i) { return cases.coordinates(row_of(i), 0); }, "rapidity")
      .number(
          "phi", [&](Index i) { return cases.coordinates(row_of(i), 1); }, "azimuth", "rad")
      .number(
          "probability", [&](Index i) { return outcome.predictions.mean(event.first + i, 0); },
          "probability of the hard collision")
      .text("origin", origin_of, "true origin")
      .write(results);
  results.figure(
      {.kind = "network",
       .name = "event",
       .title = "An event as the net sees it",
       .caption = concat("The tested event whose AUC is the median, ", plain_text(event.auc, 2), ": the ", drawn.size(),
                         drawn.size() < static_cast<std::size_t>(cases.size(event.item)) ? " hardest of " : " of ",
                         cases.size(event.item),
                         " particles, rapidity to the right, azimuth upwards. Colour: how probably it is of the hard "
                         "collision; shape: where it is from."),
       .variables = {"particle_probability", "particle_origin"},
       .x = "particle",
       .position_x = "particle_y",
       .position_y = "particle_phi"});
}

}  // namespace fovea::particle::event
