#pragma once
/// One softmax over all events of a stay, whose scores fall with age: the model of ehr.known_decay.
///
///   s_i = u_v - ln 2 / tau_v age_i,  v the variable of event i     w = softmax of s over the events of the stay
///   m   = sum_i w_i x_i,             logit = a m + b               P(outcome) = 1 / (1 + exp(-logit))
///
/// u_v: how much attention a fresh event of variable v draws; only differences count. tau_v: its half-life.

#include <functional>
#include <span>
#include <vector>

#include "fovea/core/learning/training/training_series.hpp"
#include "fovea/core/statistics/profile_interval.hpp"
#include "fovea/datasets/events/stays.hpp"

namespace fovea::ehr::decay {

/// Packed events of stays and their outcomes, as the model reads them: those of stay s and variable v are
/// [offsets[s V + v], offsets[s V + v + 1]), in the order of time.
struct RecencyData {
  Index variables = 0;               ///< V
  double window = 0;                 ///< hours, the largest age there can be
  std::vector<Index> offsets;        ///< stays V + 1
  std::vector<double> ages, values;  ///< an event; ages in hours, >= 0
  std::vector<Index> outcomes;       ///< a stay, 0 or 1
  Index stays() const { return static_cast<Index>(outcomes.size()); }
  Index first(Index stay, Index variable = 0) const { return offsets[stay * variables + variable]; }
  Index events(Index stay) const { return first(stay + 1) - first(stay); }
};

/// Ages count back from hour `end`, which no event is after; every event needs a value, every stay an outcome.
RecencyData recency_data(const datasets::events::Stays& stays, double end);

/// Stays [first, first + count).
RecencyData part_of(const RecencyData& data, Index first, Index count);

struct RecencyModel {
  std::vector<double> preference, log_half_life;  ///< V each: u; log tau, of hours
  double slope = 1, intercept = 0;                ///< a, b
};

/// Before learning: no preference, one half-life for all, slope 1.
RecencyModel fresh_model(const RecencyData& data, double half_life);

std::vector<double> logits(const RecencyData& data, const RecencyModel& model);
/// Share of the attention that goes to events of a variable, mean over the stays.
double attention_mass(const RecencyData& data, const RecencyModel& model, Index variable);

/// A maximum of the likelihood.
struct RecencyFit {
  RecencyModel model;
  double loss = 0;                 ///< minus the log-likelihood, nats
  std::vector<double> log_errors;  ///< standard errors of log tau, from the Fisher information
  int steps = 0;                   ///< looks at the data
};

/// From a start uphill by damped Fisher scoring (Fisher 1925; Levenberg 1944), with exact derivatives:
///   dm/du_v = sum_(i in v) w_i (x_i - m),   dm/dlog tau_v = ln 2 / tau_v sum_(i in v) w_i age_i (x_i - m)
/// held: a variable whose half-life stays as it is; -1: none. Half-lives are kept between window / 1000 and 100
/// windows.
RecencyFit most_likely(const RecencyData& data, const RecencyModel& start, Index held = -1);

/// Interval of a half-life in hours from its profile likelihood; an end beyond two windows is infinite (what decays so
/// slowly cannot be told from a mean), one below window / 500 is 0.
struct HalfLifeInterval {
  double low = 0, high = 0;
};
HalfLifeInterval half_life_interval(const RecencyData& data, const RecencyFit& fit, Index variable, double level);

/// How the model, or one with a free function of time, is trained by gradients (core/learning/training).
struct RecencyTraining {
  std::string name = "decay";  ///< in the log and in a checkpoint
  Index epochs = 24;
  double learning_rate = 0.06;  ///< of AdamW without decay of weights; falls by half a cosine to 0
  double start_half_life = 12;  ///< hours
};
RecencyModel trained(const RecencyData& data, const RecencyTraining& training, const Random& random,
                     learning::TrainingSeries& series);

/// The same model with a free function of time in place of the decay: s_i = u_v + g(age_i), g linear between knots.
struct FreeTime {
  std::vector<double> knots;    ///< hours, ascending from 0 to the window
  std::vector<double> weights;  ///< e^g at the knots, in units of what the fitted decay has at age 0
  double half_life = 0;  ///< of the exponential that fits best, weighted by itself; infinite where g does not fall
};
FreeTime trained_free(const RecencyData& data, const RecencyTraining& training, const Random& random,
                      learning::TrainingSeries& series);

}  // namespace fovea::ehr::decay
