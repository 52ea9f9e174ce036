#include "fovea/domains/opinion/dynamics/coevolution.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"

namespace fovea::opinion::dynamics {

bool knows_rewiring(const Rule& rule) { return rule.update.moves_edges && !rule.draws_by_score(); }

bool knows_feed(const Rule& rule) { return rule.update.has_feed; }

std::vector<std::string> coevolution_notes(const ModelEntry& entry, const ModelSettings& settings) {
  std::vector<std::string> notes;
  const Rewiring& rule = settings.rewiring;
  const Feed& feed = settings.feed;
  if (rule.probability > 0) {
    const char* what = entry.rule.update.asks
                           ? (rule.any ? "one of an agent's edges is moved in place of asking (Holme & Newman 2006)"
                                       : "an edge to another opinion is moved in place of asking (Vazquez, Eguiluz & "
                                         "San Miguel 2008)")
                       : entry.rule.update.hears
                           ? "an agent unfollows one of those who differ by more than the tolerance after a step "
                             "(Sasahara et al. 2021)"
                           : "a meeting moves its edge, where the two differ by more than the tolerance, in place of "
                             "talking (Kozma & Barrat 2008)";
    notes.push_back(concat("Rewiring: with the probability rewiring.probability ", what,
                           "; the new neighbour: ", rule.to, rule.multiple ? ", also a neighbour once more." : "."));
  }
  if (feed.size > 0)
    notes.push_back(concat("Feed: in each step every agent hears ", feed.size, " others, drawn with p ~ distance^-",
                           feed.homophily, " (", feed.distance_floor, " at least), with ", 100 * feed.share,
                           " % of its attention."));
  return notes;
}

}  // namespace fovea::opinion::dynamics
