#include "fovea/datasets/simulated/economies/made_economy.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::simulated {

namespace {

/// The place of the kind that another follows; -1: none.
Index followed_kind(const std::vector<MadeKind>& kinds, const MadeKind& kind) {
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const MadeKind& one) { return one.name == kind.follows && one.follows.empty(); });
  return kind.follows.empty() || found == kinds.end() ? -1 : found - kinds.begin();
}

void check_made(const MadeEconomySettings& settings) {
  require(settings.months >= 1, "made economy: it has ", settings.months, " months; it takes 1 at least.");
  require(std::isfinite(settings.base), "made economy: the base is ", settings.base, ", but must be finite.");
  for (const MadeKind& kind : settings.kinds) {
    require(std::isfinite(kind.effect), "made economy: the effect of '", kind.name, "' is ", kind.effect,
            ", but must be finite.");
    require(kind.delay_months >= 0, "made economy: the delay of '", kind.name, "' is ", kind.delay_months,
            " months, but must be >= 0.");
    require(kind.half_life_months > 0, "made economy: the half-life of '", kind.name, "' is ", kind.half_life_months,
            " months, but must be > 0.");
    require(kind.per_year >= 0 && kind.per_year <= 12, "made economy: '", kind.name, "' has ", kind.per_year,
            " events a year, but must have 0 to 12.");
    require(kind.follow_chance >= 0 && kind.follow_chance <= 1, "made economy: '", kind.name,
            "' follows with the chance ", kind.follow_chance, ", but it must be in [0, 1].");
    require(kind.follows.empty() || followed_kind(settings.kinds, kind) >= 0, "made economy: '", kind.name,
            "' follows '", kind.follows, "', but must follow a kind that is there and follows none.");
  }
}

/// Of one kind, but for those that follow others.
void add_own_events(const Random& random, const MadeEconomySettings& settings, Index k,
                    std::vector<MadeEvent>& events) {
  const MadeKind& kind = settings.kinds[static_cast<std::size_t>(k)];
  const Random times = random.stream("times of " + kind.name), sizes = random.stream("sizes of " + kind.name);
  for (Index month = 0; month < settings.months; ++month) {
    const auto place = static_cast<std::uint64_t>(month);
    if (times.uniform(place) < kind.per_year / 12) events.push_back({k, month, 0.5 + sizes.uniform(place)});
  }
}

void add_followers(const Random& random, const MadeEconomySettings& settings, Index k, std::vector<MadeEvent>& events) {
  const MadeKind& kind = settings.kinds[static_cast<std::size_t>(k)];
  const Index cause = followed_kind(settings.kinds, kind);
  if (cause < 0) return;
  const Random chance = random.stream("following of " + kind.name);
  const std::size_t own = events.size();
  for (std::size_t i = 0; i < own; ++i) {
    const MadeEvent before = events[i];
    const auto place = static_cast<std::uint64_t>(before.month);
    const Index month = before.month + 1 + static_cast<Index>(chance.below(2, place, 1));
    if (before.kind == cause && chance.uniform(place) < kind.follow_chance && month < settings.months)
      events.push_back({k, month, before.size});
  }
}

}  // namespace

std::vector<MadeKind> made_kinds() {
  return {{"credit", 4.0, 3, 4.0, 0.4}, {"oil", 3.0, 6, 9.0, 0.3},     {"rates", 3.5, 10, 6.0, 0.3},
          {"storms", 0.0, 0, 6.0, 0.5}, {"strikes", 0.0, 0, 6.0, 0.5}, {"sentiment", 0.0, 0, 6.0, 0.1, "credit", 0.85}};
}

MadeEconomy made_economy(const Random& random, const MadeEconomySettings& settings) {
  check_made(settings);
  MadeEconomy made{settings, {}, {}, {}};
  const auto kinds = std::ssize(settings.kinds);
  for (Index k = 0; k < kinds; ++k) add_own_events(random, settings, k, made.events);
  for (Index k = 0; k < kinds; ++k) add_followers(random, settings, k, made.events);
  std::sort(made.events.begin(), made.events.end(), [](const MadeEvent& a, const MadeEvent& b) {
    return std::tie(a.month, a.kind, a.size) < std::tie(b.month, b.kind, b.size);
  });
  made.probability = bayes_probability(settings, made.events);
  const Random labels = random.stream("labels");
  for (std::size_t t = 0; t < made.probability.size(); ++t)
    made.labels.push_back(labels.uniform(t) < made.probability[t] ? 1.0 : 0.0);
  return made;
}

double contribution(const MadeEvent& event, const MadeKind& kind, Index month) {
  const Index since = month - event.month - kind.delay_months;
  return since < 0 ? 0.0 : kind.effect * event.size * std::exp2(-static_cast<double>(since) / kind.half_life_months);
}

std::vector<double> bayes_probability(const MadeEconomySettings& settings, const std::vector<MadeEvent>& events) {
  std::vector<double> probability(static_cast<std::size_t>(settings.months), settings.base);  // logits at first
  for (const MadeEvent& event : events)
    for (Index month = event.month; month < settings.months; ++month)
      probability[static_cast<std::size_t>(month)] +=
          contribution(event, settings.kinds[static_cast<std::size_t>(event.kind)], month);
  for (double& value : probability) value = 1 / (1 + std::exp(-value));
  return probability;
}

Index first_cause(const MadeEconomy& economy, Index month) {
  Index first = -1;
  double most = 0;
  for (std::size_t i = 0; i < economy.events.size(); ++i) {
    const MadeEvent& event = economy.events[i];
    const double adds = contribution(event, economy.settings.kinds[static_cast<std::size_t>(event.kind)], month);
    if (adds > most) first = static_cast<Index>(i), most = adds;
  }
  return first;
}

}  // namespace fovea::datasets::simulated
