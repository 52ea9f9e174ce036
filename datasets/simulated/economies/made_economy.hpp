#pragma once
/// Events that make recessions by a known law, to examine what is learned of causes, delays and half-lives.
///
///   logit P(t) = base + sum over events i, r_i <= t - delay:  effect * size_i * 2^(-(t - r_i - delay) / half_life)
///
/// with delay, half-life and effect of the kind of event i and r_i the month of its release. The label of month t is 1
/// with probability P(t), independently of the others given the events, so P is Bayes' answer.

#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::datasets::simulated {

struct MadeKind {
  std::string name;
  double effect = 0;            ///< on the logit, of an event of size 1 once its delay is over; 0: causes nothing
  Index delay_months = 0;       ///< >= 0
  double half_life_months = 6;  ///< > 0; without meaning where effect is 0
  double per_year = 0.5;        ///< events by themselves: each month has one with chance per_year / 12
  std::string follows = {};     ///< a kind with the same hidden cause: an event follows after each of its events
  double follow_chance = 0;     ///< with this chance, 1 or 2 months later, and with the size of that event
};

/// Three kinds with effects, two that cause nothing, and one that causes nothing but follows the cause of the first.
std::vector<MadeKind> made_kinds();

struct MadeEconomySettings {
  Index months = 4000;
  double base = -4.3;  ///< logit
  std::vector<MadeKind> kinds = made_kinds();
};

struct MadeEvent {
  Index kind = 0;
  Index month = 0;  ///< of the release
  double size = 1;  ///< uniform in [0.5, 1.5]
};

struct MadeEconomy {
  MadeEconomySettings settings;
  std::vector<MadeEvent> events;    ///< by month, then kind
  std::vector<double> probability;  ///< one a month: Bayes' answer
  std::vector<double> labels;       ///< one a month: 0 or 1
  Index months() const { return static_cast<Index>(labels.size()); }
};

/// The same Random gives the same bits. Throws ArgumentError for numbers out of range and for a kind that follows none
/// that is there.
MadeEconomy made_economy(const Random& random, const MadeEconomySettings& settings = {});

/// What the event adds to the logit of the month; 0 before its delay is over.
double contribution(const MadeEvent& event, const MadeKind& kind, Index month);

/// Bayes' probability of each month, given these events.
std::vector<double> bayes_probability(const MadeEconomySettings& settings, const std::vector<MadeEvent>& events);

/// The place of the event that adds most to the logit of the month; -1 where none adds anything above 0.
Index first_cause(const MadeEconomy& economy, Index month);

}  // namespace fovea::datasets::simulated
