#pragma once
/// What casts doubt on the main score of a learned question, or on what its risks are: findings.

#include <cmath>
#include <string>
#include <vector>

#include "fovea/core/study/report/findings.hpp"

namespace fovea::study {

/// How much of the way from chance to a perfect score: 0 to 1.
inline double way_to_perfect(double value, double chance, double best) { return (value - chance) / (best - chance); }

/// Another predictor's score lies beyond the interval of ours, and is better than chance.
struct SimplerIsBetter {
  std::string measure, simpler;
  double other, value, low, high, chance;
  bool less;  ///< the smaller the better
  FOVEA_FINDING(verdict, "simpler_is_better",
                "what is simpler has a better main score than chance and than the interval of ours holds", measure,
                simpler, other, value, low, high, chance, less)
  bool holds() const { return less ? other < low && other < chance : other > high && other > chance; }
  std::string sentence() const {
    return concat("Better than the model is ", simpler, ": ", measure, ' ', plain_text(other, 3), " compared with ",
                  plain_text(value, 3), " [", plain_text(low, 3), ", ", plain_text(high, 3), "].");
  }
  static SimplerIsBetter example() { return {"AUROC", "the ridge model", 0.89, 0.74, 0.66, 0.82, 0.5, false}; }
  static SimplerIsBetter counterexample() { return {"AUROC", "boosted trees alone", 0.417, 0, 0, 0, 0.5, false}; }
};

/// Of one run: the main score of a line on the one input that explains most of the targets that were learned from, of
/// the inputs averaged over a case (mean_input_names()).
struct OneInput {
  std::string name;
  double value;
  FOVEA_FINDING(fact, "one_input", "one input alone was asked, and its main score is defined", name, value)
  bool holds() const { return !std::isnan(value); }
  std::string sentence() const { return concat("'", name, "' alone has ", plain_text(value, 3), "."); }
  static OneInput example() { return {"lactate", 0.71}; }
  static OneInput counterexample() { return {"lactate", std::nan("")}; }
};

struct NearlyPerfect {
  std::string measure, predictor;  ///< the best of all
  double value, chance, best;
  FOVEA_FINDING(verdict, "nearly_perfect",
                "a predictor comes 99.8 % of the way from chance to a perfect main score, as an AUROC of 0.999 does",
                measure, predictor, value, chance, best)
  bool holds() const { return way_to_perfect(value, chance, best) >= 0.998; }
  std::string sentence() const {
    return concat(
        measure, ' ', plain_text(value, 4), " of ", predictor,
        " is nearly perfect; find out whether the outcome is among the inputs, or one case in training and test.");
  }
  static NearlyPerfect example() { return {"AUROC", "attention", 1, 0.5, 1}; }
  static NearlyPerfect counterexample() { return {"AUROC", "attention", 0.99, 0.5, 1}; }
};

/// Of one run: what its number of tested cases could have found (TargetRule::detectable()). Cases of a group count
/// together as one, since they may all be alike.
struct SmallestFound {
  std::size_t cases, groups;
  double value;
  FOVEA_FINDING(fact, "smallest_found", "the smallest main score that as many tested cases would find", cases, groups,
                value)
  bool holds() const { return !std::isnan(value); }
  std::string sentence() const {
    return concat(cases, " tested cases find ", plain_text(value, 2), " in four of five studies.");
  }
  static SmallestFound example() { return {30, 30, 0.79}; }
  static SmallestFound counterexample() { return {1, 1, std::nan("")}; }
};

struct FewCases {
  std::string measure;
  std::size_t cases, groups;
  double smallest, chance, best;
  bool found;  ///< the main score is better than chance
  FOVEA_FINDING(verdict, "few_cases",
                "nothing was found, or so few cases were tested that they would find nothing less than 30 % of the way "
                "from chance to a perfect main score, as an AUROC of 0.65 is",
                measure, cases, groups, smallest, chance, best, found)
  bool holds() const { return !std::isnan(smallest) && (!found || way_to_perfect(smallest, chance, best) > 0.3); }
  std::string sentence() const {
    const std::string of_groups = groups < cases ? concat(" of ", groups, groups == 1 ? " group" : " groups") : "";
    const std::string show =
        concat(cases, cases == 1 ? " tested case" : " tested cases", of_groups, " would show that ", measure,
               best > chance ? " is above " : " is below ", plain_text(chance, 3), " in four of five such studies ");
    if (smallest == best && !of_groups.empty())
      return concat("If the cases of a group are alike, ", groups, groups == 1 ? " group" : " groups",
                    " cannot show that ", measure, best > chance ? " is above " : " is below ", plain_text(chance, 3),
                    " even where it is perfect", found ? "; the interval does not take them for alike." : ".");
    if (smallest == best) return show + "not even where it is perfect.";
    return concat(show, "only where it is ", plain_text(smallest, 2), best > chance ? " or more." : " or less.");
  }
  static FewCases example() { return {"AUROC", 30, 30, 0.79, 0.5, 1, true}; }
  static FewCases counterexample() { return {"AUROC", 4000, 4000, 0.53, 0.5, 1, true}; }
};

/// Of one run: calibration lines that would have turned the order of risks around, and are flat instead.
struct FlatCalibration {
  std::size_t flat, folds;  ///< of so many folds; 0: of a validation part
  bool final_model;         ///< that of model.h5 as well
  FOVEA_FINDING(fact, "flat_calibration", "a calibration line has no slope above 0", flat, folds, final_model)
  bool holds() const { return flat > 0 || final_model; }
  std::string sentence() const { return concat(flat, " of ", folds, " calibration lines are flat."); }
  static FlatCalibration example() { return {2, 5, false}; }
  static FlatCalibration counterexample() { return {0, 5, false}; }
};

struct BaseRateInstead {
  std::size_t flat, folds, runs, final_models;  ///< summed over runs, of which so many have a flat final model
  FOVEA_FINDING(verdict, "base_rate_instead", "in some folds, or on a validation part, the base rate stands for risks",
                flat, folds, runs, final_models)
  bool holds() const { return flat > 0 || final_models > 0; }
  std::string sentence() const { return told("folds", "the base rate of all cases"); }
  std::string told(const char* parts, const char* risk) const {
    const std::string no_line = "no calibration line with a slope above 0 fits";
    if (folds == 0)
      return concat(runs > 1 ? concat("In ", final_models, " of ", runs, " runs, on") : "On", " the validation part ",
                    no_line, ", so that its base rate stands for the risks of all cases.");
    std::string text;
    if (flat > 0)
      text = concat("In ", flat, " of ", folds, ' ', parts, ' ', no_line, ", so that ", risk, " stands for the risks.");
    if (final_models > 0)
      text += concat(text.empty() ? "" : " ",
                     runs > 1 ? concat(final_models, " final models predict") : std::string("The final model predicts"),
                     " one risk for all cases, the base rate.");
    return text;
  }
  static BaseRateInstead example() { return {2, 5, 1, 0}; }
  static BaseRateInstead counterexample() { return {0, 5, 1, 0}; }
};

struct BaseRateInBlocks : BaseRateInstead {
  bool mixed;  ///< a sweep that has folds by group as well
  FOVEA_FINDING(verdict, "base_rate_in_blocks", "in some blocks in time a base rate stands for risks", flat, folds,
                runs, final_models, mixed)
  std::string sentence() const { return told(mixed ? "blocks or folds" : "blocks", "a base rate"); }
  static BaseRateInBlocks example() { return {{2, 39, 1, 0}, false}; }
  static BaseRateInBlocks counterexample() { return {{0, 39, 1, 0}, false}; }
};

/// All of a study.
std::vector<FindingKind> study_finding_kinds();

}  // namespace fovea::study
