#pragma once
/// Arrays, figures and the sentence of a watch.

#include <string>
#include <vector>

#include "fovea/core/data/results.hpp"
#include "fovea/domains/ehr/alarms/alarms.hpp"
#include "fovea/domains/ehr/findings.hpp"

namespace fovea::ehr::alarms {

/// Who raises the alarms.
struct Alarmer {
  std::string name;
  Matrix<double> risks;  ///< stays x hours
};

/// Over (alarmer, alarms_wanted): alarm_rate, alarm_sensitivity, alarm_precision (by alarm), stay_precision (by stay),
/// each with _low and _high, 95 % intervals over patients (percentiles of 500 draws, the same for all alarmers and
/// rates; the thresholds are not chosen again); alarm_lead with its quartiles alarm_lead_low and alarm_lead_high; and
/// precision_over, what the first alarmer's precision is above each, with its paired interval. Nothing rests on fewer
/// than `least` stays. Figures: the alarms of the first alarmer, all beside each other, lead times.
void write_alarms(const Watch& watch, const std::vector<Alarmer>& alarmers, const std::vector<double>& wanted,
                  double least, const Random& random, Results& results);

/// Over (outcome_seen, watched_hour): median and quartiles of the risks of the stays with and without the outcome,
/// where 4 x least of them are watched; and the figure.
void write_risks_by_hour(const Watch& watch, const Matrix<double>& risks, double least, Results& results);

/// What the alarms are worth at the wanted rate that is nearest to 0.2 a stay-day, mean over seeds; NaN without alarms.
AlarmsCompared alarms_compared(const Dataset& data);

}  // namespace fovea::ehr::alarms
