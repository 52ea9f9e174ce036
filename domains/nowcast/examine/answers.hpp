#pragma once
/// What a run and simpler models answer for the months that are scored.

#include <string>
#include <vector>

#include "fovea/core/study/report/study_outcome.hpp"
#include "fovea/domains/nowcast/cases/economy_cases.hpp"

namespace fovea::nowcast {

/// One predictor: a probability, or a mere score, for each scored month; NaN: it has no answer.
struct Answer {
  std::string name;
  std::vector<double> values;
  bool probability = true;
  double call = 0.5;  ///< from which value on it calls a recession
};

/// The scored months in their order.
struct ScoredMonths {
  std::vector<Index> items;                        ///< of the cases
  std::vector<Index> months;                       ///< 12 year + month - 1
  std::vector<Index> labels;                       ///< 0 or 1
  std::vector<Index> groups;                       ///< the nearest of recessions(), from 0
  std::vector<double> low, high;                   ///< of the first answer
  std::vector<double> ridge_part, attention_part;  ///< log-odds before calibration, mean over members
  std::vector<Answer> answers;                     ///< ours, the ridge part alone, then peers
  Index count() const { return static_cast<Index>(items.size()); }
  /// Of these months alone.
  std::vector<RecessionEpisode> recessions() const;
};

/// Of a run with folds in time. The ridge part alone is calibrated by a line of its own on the same months as ours.
ScoredMonths scored_months(const study::StudyOutcome& outcome, const RecessionSettings& settings);

}  // namespace fovea::nowcast
