#pragma once
/// Made stays: dated events of several variables, and an outcome whose dependence on them is known.
///
///   m_v  = sum_i 2^(-age_i / h_v) z_i / sum_i 2^(-age_i / h_v)         over the events of variable v; age: hours
///   before risk = sigmoid(c + sum_v effect_v std(m_v) + s severity + sum_k effect_k std(static_k)) the end
///
/// std() subtracts the mean over the stays that have the variable and divides by their standard deviation; a stay
/// without it adds 0. c is such that the mean risk is the prevalence. Severity is a hidden normal number: where a
/// variable is ordered for the severe, that it was measured says something, whatever its value.

#include <limits>
#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/events/stays.hpp"

namespace fovea::datasets::simulated {

/// A variable; z are its values in standard units. Written down is centre + scale z, at most `most`; where more than a
/// few of them would be below 0 (centre < 4 scale) it is a positive amount with this mean and deviation, log-normal in
/// z.
struct EventVariable {
  std::string name;
  double half_life = 12;         ///< h, hours, > 0; infinity: the plain mean
  double effect = 0;             ///< on the logit, per standard deviation of the weighted mean
  double frequency = 1;          ///< share of the stay's events, relative to the other variables of the stay, > 0
  double ordered = 1;            ///< share of the stays in which it is measured at all, in (0, 1]
  double by_severity = 0;        ///< on the logit of `ordered`: > 0 means ordered for the severe
  double memory = 0;             ///< hours after which the autocorrelation of z has halved, >= 0; 0: independent values
  double centre = 0, scale = 1;  ///< centre 0: a number of both signs
  bool valued = true;            ///< false: a diagnosis or a drug; its events have no value, and effect must be 0
  double most = std::numeric_limits<double>::infinity();  ///< of what is written down, such as the top of a scale
};

/// A number of the stay without a time: normal, kept within its limits.
struct EventStatic {
  std::string name;
  double effect = 0;  ///< on the logit, per standard deviation
  double centre = 0, scale = 1, low = -1e6, high = 1e6;
  bool yes_or_no = false;  ///< 0 or 1, 1 with probability `centre`
};

struct EventPlan {
  Index stays = 4000;
  double start = 0;              ///< hour at which each stay begins
  double hours = 48;             ///< length of each stay; the outcome is asked at its end
  Index fewest = 20, most = 80;  ///< events of a stay, uniform; at uniform times
  double prevalence = 0.5;       ///< mean risk, in (0, 1)
  double severity = 0;           ///< effect of the hidden severity on the logit
  double death_delay = 0;        ///< hours from the end to a death, see made_stays(), >= 0; 0: deaths are not dated
  std::vector<EventVariable> variables;
  std::vector<EventStatic> statics;
};

/// The stays as a reader would give them, with the outcome "died" (0, 1), and what no reader knows.
struct MadeStays {
  events::Stays stays;                   ///< its variables ascend by name; statics are variables, too
  std::vector<double> risks;             ///< a stay: the true one
  std::vector<std::string> informative;  ///< variables with an effect, in the order of the plan
};

/// With a death_delay the outcomes have a column "survival_days", too: from the start of the stay to the death, NaN
/// without one. The delay after the end is exponential with mean 2 (1 - risk) death_delay: the larger risk dies sooner.
/// Throws ArgumentError for a plan out of range: no variable, a name twice or empty, limits that cross.
MadeStays made_stays(const EventPlan& plan, const Random& random);

/// Four variables "a" to "d" alike, independent normal values; the outcome depends on "a" alone, through its weighted
/// mean of this half-life, with 2.5 per standard deviation: the known answer of ehr.known_decay.
EventPlan known_decay_plan(double half_life_hours, Index stays);

/// A ward as it might be: 12 variables from the bedside and the laboratory with half-lives of 2 to 96 hours and their
/// own memories, tests that are ordered for the severe, age and sex, an outcome of one in seven.
EventPlan ward_plan(Index stays);

inline constexpr double kHoursOfYear = 24 * 365.25;

/// Records as a practice might keep them: 20 years until hour 0, five measurements with half-lives of 1 to 15 years,
/// three diagnoses without a value that the severe have more often, age and sex, an outcome of one in fourteen.
EventPlan cohort_plan(Index subjects);

}  // namespace fovea::datasets::simulated
