#pragma once
/// What a cross-validated study says of folds that are blocks in time, or that do not test all cases.

#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::study {

struct BlocksInTime {
  Index blocks;
  double embargo;
  std::string unit;  ///< of the embargo
  FOVEA_FINDING(note, "blocks_in_time", "folds are blocks in time", blocks, embargo, unit)
  bool holds() const { return blocks > 0; }
  std::string sentence() const {
    return concat("Each of ", blocks, " blocks in time was tested by what learned from targets known when it began",
                  embargo > 0 ? concat(", of cases asked more than ", plain_text(embargo), ' ', unit, " before") : "",
                  ".");
  }
  static BlocksInTime example() { return {39, 12, "months"}; }
  static BlocksInTime counterexample() { return {0, 0, ""}; }
};

struct NotAllTested {
  Index tested, unscored, cases;
  std::string nouns;
  FOVEA_FINDING(note, "not_all_tested", "some cases are in no fold", tested, unscored, cases, nouns)
  bool holds() const { return tested < cases; }
  std::string sentence() const {
    return concat("Of ", cases, ' ', nouns, ' ', tested, tested == 1 ? " is tested" : " are tested",
                  unscored > 0 ? concat("; ", unscored, " of them calibrate later blocks and are not scored.") : ".");
  }
  static NotAllTested example() { return {468, 120, 600, "months"}; }
  static NotAllTested counterexample() { return {600, 0, 600, "months"}; }
};

/// Folds for which fewer targets are left than a calibration or a decision takes.
struct UncalibratedFolds {
  Index left, folds;
  bool in_time, calibrates, decides;  ///< whether the study does the latter two at all
  FOVEA_FINDING(note, "uncalibrated_folds", "too few targets are left to calibrate or decide some folds by", left,
                folds, in_time, calibrates, decides)
  bool holds() const { return left > 0 && (calibrates || decides); }
  std::string sentence() const {
    const std::string are = left == 1 ? " is " : " are ";
    return concat(left, " of ", folds, in_time ? " blocks" : " folds", calibrates ? are + "not calibrated" : "",
                  calibrates && decides ? " and" : "", decides ? are + "decided at 0.5" : "", ": too few ",
                  in_time ? "targets of earlier blocks were known when " : "targets of other folds are left where ",
                  left == 1 ? "it" : "they",
                  in_time     ? " began."
                  : left == 1 ? " is tested."
                              : " are tested.");
  }
  static UncalibratedFolds example() { return {2, 39, true, true, true}; }
  static UncalibratedFolds counterexample() { return {0, 39, true, true, true}; }
};

}  // namespace fovea::study
