#include "fovea/domains/particle/event/event_map.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
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
  std::vector<double> y, phi, probability;
  std::vector<std::string> origin;
  for (const Index i : drawn) {
    const Index row = cases.offsets[event.item] + i;
    y.push_back(cases.coordinates(row, 0)), phi.push_back(cases.coordinates(row, 1));
    probability.push_back(outcome.predictions.mean(event.first + i, 0));
    const double target = outcome.test_targets[static_cast<std::size_t>(event.first + i)];
    origin.push_back(std::isnan(target) ? "not known" : outcome.target.classes[static_cast<std::size_t>(target)]);
  }
  std::vector<std::int64_t> numbers(drawn.size());
  std::iota(numbers.begin(), numbers.end(), std::int64_t{1});
  results.coordinate("particle", numbers, "1", "particle, by rising pT");
  results.add("particle_y", {"particle"}, y, "1", "rapidity");
  results.add("particle_phi", {"particle"}, phi, "rad", "azimuth");
  results.add("particle_probability", {"particle"}, probability, "1", "probability of the hard collision");
  results.add("particle_origin", {"particle"}, origin, "", "true origin");
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
