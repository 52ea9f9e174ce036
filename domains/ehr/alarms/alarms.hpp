#pragma once
/// Alarms of risks that are asked hour by hour: when they go off, how often, and what came of the stays.
///
///   an alarm goes off at hour t_k where r_k >= threshold and r_(k-1) < threshold (before the first hour: below),
///   unless the stay's last alarm is less than the refractory time ago
///
/// So a risk that stays above the threshold is one alarm, and one that falls and rises again is another.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::ehr::alarms {

/// Hours at which the risks of a stay raise an alarm. hours, risks: as many, hours ascend.
std::vector<double> alarm_hours(std::span<const double> hours, std::span<const double> risks, double threshold,
                                double refractory);

/// Stays that are watched hour by hour.
struct Watch {
  std::vector<double> hours;     ///< ascending, > 0: from the start of the stay
  std::vector<Index> watched;    ///< a stay: how many of the hours, from the first
  std::vector<double> outcomes;  ///< a stay: 0 or 1
  std::vector<double> death;     ///< a stay: hour of death; NaN: not known, or none
  std::vector<Index> folds;      ///< a stay
  std::vector<Index> groups;     ///< a stay: the patient
  double refractory = 0;         ///< hours
  Index count() const { return static_cast<Index>(watched.size()); }
  double days(Index stay) const;  ///< under observation: until the last hour at which it is watched
};

/// The number of hours until a stay's death, at most all; all where death is not dated.
Index watched_hours(std::span<const double> hours, double death);

struct StayAlarms {
  Index count = 0;
  double first = 0;  ///< hour of the first; NaN without one
};

/// Of each stay. risks: stays x hours; thresholds: one for each fold.
std::vector<StayAlarms> alarms_of(const Watch& watch, const Matrix<double>& risks, std::span<const double> thresholds);

/// For each wanted number of alarms per stay-day, for each fold: the threshold from the stays of the other folds. It is
/// the lowest of 512 quantiles of their risks such that it and all above it raise no more alarms than wanted; where
/// even the lowest of them does not, the one that raises most.
/// wanted: > 0. The same bits for any number of threads.
std::vector<std::vector<double>> thresholds_for(const Watch& watch, const Matrix<double>& risks,
                                                std::span<const double> wanted);

/// What alarms are worth. NaN where nothing can be said.
struct AlarmScores {
  double rate = 0;                     ///< alarms per stay-day
  double sensitivity = 0;              ///< share of the stays with the outcome that had an alarm
  double by_alarm = 0;                 ///< positive predictive value: share of the alarms whose stay has the outcome
  double by_stay = 0;                  ///< share of the stays with an alarm that have the outcome
  double lead = 0;                     ///< hours from the first alarm to a dated death, median
  double lead_low = 0, lead_high = 0;  ///< quartiles
  double alarmed = 0, alarmed_ill = 0, led = 0;  ///< stays: with an alarm; of these with the outcome; with a lead time
  double missed = 0;                             ///< stays with the outcome and no alarm
};

/// weights: how often each stay counts, whole numbers.
AlarmScores alarm_scores(const Watch& watch, std::span<const StayAlarms> alarms, std::span<const double> weights);

/// The same with nothing that rests on fewer than `least` stays: what is a share of alarmed stays needs so many with
/// and so many without the outcome, and the sensitivity so many missed ones or none; a median twice and a quartile four
/// times as many lead times.
AlarmScores without_small_cells(AlarmScores scores, double least);

/// Weights of one draw of the bootstrap over patients (Efron 1979).
std::vector<double> drawn_weights(std::span<const Index> groups, const Random& random, Index draw);

}  // namespace fovea::ehr::alarms
