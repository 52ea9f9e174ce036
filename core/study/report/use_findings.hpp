#pragma once
/// What risks of two outcomes are worth, and whether they are as right for all: findings.

#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::study {

/// Of a decision curve: the longest run of thresholds at which acting on the risks is better than acting on all and on
/// none by more than their pointwise intervals.
struct UsefulThresholds {
  std::size_t run = 0, usable = 0;  ///< thresholds in it, and where the curve is defined
  double from = 0, to = 0;
  std::size_t over_ridge = 0, under_ridge = 0;  ///< of the run: better or worse than the ridge model by the interval
  /// Of the hundred thresholds two or three are beyond their interval by chance, and neighbours go together.
  bool useful() const { return run >= 5; }
};

struct NetBenefit : UsefulThresholds {
  FOVEA_FINDING(note, "net_benefit",
                "acting on the risks is better than acting on all and on none over five thresholds in a row", run,
                usable, from, to, over_ridge, under_ridge)
  bool holds() const { return useful(); }
  std::string sentence() const {
    std::string text = concat("Net benefit: from a threshold of ", plain_text(from), " to ", plain_text(to),
                              " it is better to act on the risks than on all cases or on none, by more than the ",
                              "pointwise 95 % interval");
    if (over_ridge == 0 && under_ridge == 0)
      return text + "; nowhere there it differs from the ridge model's by as much.";
    if (over_ridge > 0)
      text +=
          concat("; at ", over_ridge, " of these ", run, " thresholds it is higher than the ridge model's by as much");
    if (under_ridge > 0)
      text += concat("; at ", under_ridge, " of these ", run, " thresholds the ridge model's is higher by as much");
    return text + '.';
  }
  static NetBenefit example() { return {{55, 108, 0.05, 0.6, 12, 0}}; }
  static NetBenefit counterexample() { return {{2, 108, 0.31, 0.32, 0, 0}}; }
};

struct NoNetBenefit : UsefulThresholds {
  FOVEA_FINDING(note, "no_net_benefit",
                "nowhere over five thresholds in a row acting on the risks is better than acting on all and on none",
                run, usable, from, to, over_ridge, under_ridge)
  bool holds() const { return usable > 0 && !useful(); }
  std::string sentence() const {
    return "No net benefit was found: at hardly any threshold it is better to act on the risks than on all cases or on "
           "none by more than the 95 % interval.";
  }
  static NoNetBenefit example() { return {{2, 108, 0.31, 0.32, 0, 0}}; }
  static NoNetBenefit counterexample() { return {{55, 108, 0.05, 0.6, 12, 0}}; }
};

/// Of subgroups by one property each, the calibration in the large compared.
struct ComparedCalibrations {
  static constexpr double kFalseDiscoveries = 0.05;  ///< of differences that are reported: the usual level
  std::string by;                                    ///< with the least q: "sex"
  double q = 1;                                      ///< least false discovery rate at which it differs
  std::size_t differ = 0, compared = 0;  ///< properties with q below kFalseDiscoveries; all that could be compared
  std::size_t left = 0;  ///< properties without a test: subgroups of few groups, scores that do not vary
  std::string not_compared() const {
    return concat(
        counted(static_cast<std::int64_t>(left), "property", "properties"),
        " could not be compared, since a subgroup has cases of fewer than ten groups or scores that do not vary.");
  }
  std::string and_left(std::string text) const { return left == 0 ? text : text + ' ' + not_compared(); }
};

struct CalibrationDiffers : ComparedCalibrations {
  FOVEA_FINDING(note, "calibration_differs", "the calibration in the large differs between subgroups", by, q, differ,
                compared, left)
  bool holds() const { return compared > 0 && q < kFalseDiscoveries; }
  std::string sentence() const {
    return and_left(
        concat("The risks are not equally right for all: calibration intercepts differ between subgroups by '", by,
               "' (q = ", plain_text(q, 2), differ > 1 ? concat(", and by ", differ - 1, " more") : "", "; ",
               counted(static_cast<std::int64_t>(compared), "comparison"), ", Benjamini & Hochberg)."));
  }
  static CalibrationDiffers example() { return {{"sex", 0.003, 1, 3}}; }
  static CalibrationDiffers counterexample() { return {{"sex", 0.3, 0, 3}}; }
};

struct CalibrationAlike : ComparedCalibrations {
  FOVEA_FINDING(note, "calibration_alike", "no difference of calibration in the large between subgroups was found", by,
                q, differ, compared, left)
  bool holds() const { return compared > 0 && !(q < kFalseDiscoveries); }
  std::string sentence() const {
    return and_left(concat("No difference of calibration between subgroups was found in ",
                           counted(static_cast<std::int64_t>(compared), "comparison"), " (least q = ", plain_text(q, 2),
                           ", by '", by, "'), which does not show that there is none."));
  }
  static CalibrationAlike example() { return {{"sex", 0.3, 0, 3}}; }
  static CalibrationAlike counterexample() { return {{"sex", 0.003, 1, 3}}; }
};

struct CalibrationNotCompared : ComparedCalibrations {
  FOVEA_FINDING(note, "calibration_not_compared", "no property had enough groups for a test of calibration", compared,
                left)
  bool holds() const { return compared == 0 && left > 0; }
  std::string sentence() const { return "Calibration between subgroups: " + not_compared(); }
  static CalibrationNotCompared example() { return {{"", 1, 0, 0, 4}}; }
  static CalibrationNotCompared counterexample() { return {{"sex", 0.3, 0, 3, 4}}; }
};

}  // namespace fovea::study
