#pragma once
/// What is predicted.

#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::study {

class TargetRule;

/// Everything that is special about a kind is in its rule (target_rule.hpp).
enum class TargetKind {
  binary,   ///< 0 or 1; the model's one output is a logit
  classes,  ///< 0, 1, ...; one logit a class
  hazards,  ///< when and how a case ends, with censoring (hazards/hazard_target.hpp); T (K + 1) logits
  number,   ///< a real number; two outputs: its mean and the log of its variance, in standard deviations of the target
};
/// Of probabilities (or deviations), on cases that were not learned from: see Calibration (ensemble/predictions.hpp).
enum class CalibrationMethod { temperature, line, none };

enum class TargetLevel { per_case, per_token };

struct Target {
  TargetKind kind = TargetKind::binary;
  TargetLevel level = TargetLevel::per_case;
  std::string name = "target";
  std::string unit = "1";                 ///< of a number, and of edges
  std::vector<std::string> classes;       ///< names; binary: {"0", "1"} unless given; hazards: the K ends
  std::vector<double> edges = {};         ///< hazards: T + 1 rising times, the ends of the intervals; the first is 0
  std::string probability_prefix = "p_";  ///< of the columns of `fovea predict` with probabilities of classes

  const TargetRule& rule() const;  ///< of its kind (targets/rules.cpp)
  Index outputs() const;           ///< columns that the model must give

  bool operator==(const Target&) const = default;
};

struct Cases;

/// Throws DataError that starts with `source` for a known target of the cases that is none of this kind.
void check_targets(const std::string& source, const Target& target, const Cases& cases);

/// Throws DataError that starts with `source`, the file of the targets, where all known targets are the same, of all
/// cases or of the training part that the cases name: there is nothing to learn.
void check_outcomes_differ(const std::string& source, const Target& target, const Cases& cases);

}  // namespace fovea::study
