#pragma once
/// Stays whose risk was predicted by models that did not learn from them, for questions about those risks.

#include <functional>
#include <span>
#include <vector>

#include "fovea/core/config/keys.hpp"
#include "fovea/core/data/results.hpp"
#include "fovea/core/study/cases/cases.hpp"
#include "fovea/core/study/ensemble/predictions.hpp"
#include "fovea/core/study/study.hpp"

namespace fovea::ehr::risk {

struct Examined {
  const study::Target& target;
  const study::Cases& cases;
  std::vector<Index> items;      ///< the cases, all with a known outcome
  std::vector<double> outcomes;  ///< of the items
  std::vector<Index> groups;     ///< of the items
  study::Predictions risks;      ///< a row each, at the case's end
  /// Of the items, when they are asked at a time common to all.
  std::function<study::Predictions(double at)> risks_at;
};

/// The tested cases whose outcome is known. The outcome must outlive it.
Examined examined_of(const study::StudyOutcome& outcome);

/// What the keys trajectory.* say: further times at which the model is asked.
struct TrajectorySettings {
  std::vector<double> hours{6, 12, 24, 36, 48}, times;  ///< where data.unit is hours; where it is not
  /// Of cases that count in this unit (Cases::time_unit).
  const std::vector<double>& in(const std::string& unit) const { return unit == "h" ? hours : times; }
};
const Keys<TrajectorySettings>& trajectory_keys();

/// One model asked at several times: over "hour" (day, year; by the unit of the cases), auroc_at, average_precision_at
/// and expected_at (observed over expected) with 95 % intervals, and a figure. Nothing where no times are asked for.
void write_trajectory(const Examined& examined, const std::vector<double>& times, const Random& random,
                      Results& results);

/// Can the outcome be told from where a stay stands? AUROC of the row at which it first stands in the files, and of its
/// record number (ids that are whole numbers by size, others as text), with 95 % intervals over patients; a note where
/// 0.5 lies outside. The model sees neither; but who numbers or sorts records by what came of them may have chosen them
/// so, too.
void write_order_probes(const Examined& examined, const Random& random, Results& results);

/// The place of each text among all, from 0: by size where all are whole numbers, else as text; equal ones share the
/// first.
std::vector<Index> places_of_ids(const std::vector<std::string>& ids);

inline constexpr Index kSmallestCell = 10, kExaminationDraws = 500;  ///< draws of the bootstrap

}  // namespace fovea::ehr::risk
