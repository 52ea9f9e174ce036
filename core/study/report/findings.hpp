#pragma once
/// What a learned question says in its verdict about its main score. What casts doubt on it: doubts.hpp.

#include <cmath>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"
#include "fovea/core/study/trees/findings.hpp"

namespace fovea::study {

struct NotEvaluable {
  std::string measure;
  double value, low;
  FOVEA_FINDING(verdict, "not_evaluable", "the main score or its interval is not defined on what was tested", measure,
                value, low)
  bool holds() const { return std::isnan(value) || std::isnan(low); }
  std::string sentence() const {
    return concat("The predictions cannot be evaluated: ", measure,
                  std::isnan(value) ? " is not defined" : " has no interval", " on the cases that were tested.");
  }
  static NotEvaluable example() { return {"AUROC", std::nan(""), std::nan("")}; }
  static NotEvaluable counterexample() { return {"AUROC", 0.7, 0.6}; }
};

/// "AUROC 0.71 [0.64, 0.78]"
inline std::string with_interval(const std::string& measure, double value, double low, double high) {
  return concat(measure, ' ', plain_text(value, 3), " [", plain_text(low, 3), ", ", plain_text(high, 3), "]");
}

/// The main score beside what a prediction that knows nothing has: what chance gives (AUROC 0.5), or, where that
/// depends on the data, what the base rate has.
struct AgainstChance {
  std::string measure;
  double value, low, high, chance, ridge;
  std::string naive;  ///< "chance" or "the base rate"
  bool less;          ///< the smaller the better
  bool is_better() const { return less ? high < chance : low > chance; }
  bool is_worse() const { return less ? low > chance : high < chance; }
};

struct NoBetterThanChance : AgainstChance {
  FOVEA_FINDING(verdict, "no_better_than_chance", "the interval of the main score holds the score of chance", measure,
                value, low, high, chance, ridge, naive, less)
  bool holds() const { return !std::isnan(value) && low <= chance && chance <= high; }
  std::string sentence() const {
    return concat("No better than chance: the interval of ", with_interval(measure, value, low, high), " holds ",
                  plain_text(chance, 3), ", which ", naive, " has. The ridge model has ", plain_text(ridge, 3), ".");
  }
  static NoBetterThanChance example() { return {{"AUROC", 0.52, 0.47, 0.57, 0.5, 0.55, "chance", false}}; }
  static NoBetterThanChance counterexample() { return {{"AUROC", 0.7, 0.6, 0.8, 0.5, 0.55, "chance", false}}; }
};

struct WorseThanChance : AgainstChance {
  FOVEA_FINDING(verdict, "worse_than_chance", "the interval of the main score lies on the wrong side of that of chance",
                measure, value, low, high, chance, ridge, naive, less)
  bool holds() const { return !std::isnan(value) && is_worse(); }
  std::string sentence() const {
    return concat("Worse than ", naive, ", which has ", plain_text(chance, 3), ": ",
                  with_interval(measure, value, low, high), "; ",
                  naive == "chance" ? "are the outcomes or their order reversed?"
                                    : "are what was tested and what was learned from of one kind, in the same units?",
                  " The ridge model has ", plain_text(ridge, 3), ".");
  }
  static WorseThanChance example() { return {{"AUROC", 0.4, 0.31, 0.48, 0.5, 0.55, "chance", false}}; }
  static WorseThanChance counterexample() { return {{"error", 0.4, 0.31, 0.48, 0.5, 0.55, "the base rate", true}}; }
};

struct StudyScore : AgainstChance {
  NamedNumbers beside;  ///< of further predictors
  Index out_of_fold;    ///< 0: of a test part; 1: of all cases in folds; 2: of some of them; 3: of blocks in time
  FOVEA_FINDING(verdict, "study_score", "the interval of the main score lies on the right side of that of chance",
                measure, value, low, high, chance, ridge, naive, less, beside, out_of_fold)
  bool holds() const { return !std::isnan(value) && is_better(); }
  std::string sentence() const {
    std::string others = concat(" The ridge model has ", plain_text(ridge, 3), ", ", naive, ' ', plain_text(chance, 3));
    for (const auto& [name, score] : beside) others += concat(", ", name, ' ', plain_text(score, 3));
    const std::string over = out_of_fold == 0 ? " on the test part."
                             : out_of_fold == 3
                                 ? " over blocks in time, each predicted by what was known when it began."
                                 : concat(" over ", out_of_fold == 1 ? "all" : "the tested",
                                          " cases, each predicted by models that did not learn from it.");
    return concat(with_interval(measure, value, low, high), over, others, '.');
  }
  static StudyScore example() {
    return {{"AUROC", 0.7, 0.6, 0.8, 0.5, 0.65, "chance", false}, {{"boosted trees", 0.68}}, 1};
  }
  static StudyScore counterexample() { return {{"AUROC", 0.3, 0.2, 0.4, 0.5, 0.55, "chance", false}, {}, 1}; }
};

/// Of one run whose probabilities are calibrated by a temperature.
struct TemperatureAtItsLimit {
  double temperature, largest;
  FOVEA_FINDING(fact, "temperature_at_its_limit", "calibration ended at the largest temperature that it may have",
                temperature, largest)
  bool holds() const { return temperature >= 0.999 * largest; }
  std::string sentence() const {
    return concat("Calibration ended at its largest temperature, ", plain_text(largest, 4), ".");
  }
  static TemperatureAtItsLimit example() { return {1000, 1000}; }
  static TemperatureAtItsLimit counterexample() { return {1.25, 1000}; }
};

struct UselessProbabilities {
  std::size_t at_limit, runs;  ///< runs with TemperatureAtItsLimit, of all
  double largest;
  FOVEA_FINDING(verdict, "useless_probabilities", "in some runs calibration ended at its largest temperature", at_limit,
                runs, largest)
  bool holds() const { return at_limit > 0; }
  std::string sentence() const {
    return concat(
        runs == 1 ? "Calibration" : concat("In ", at_limit, " of ", runs, " runs calibration"),
        " ended at its largest temperature, ", plain_text(largest, 4),
        ": the more equal the probabilities, the better they fit the outcomes that it was chosen by, so that they "
        "are nearly equal for all cases.");
  }
  static UselessProbabilities example() { return {2, 5, 1000}; }
  static UselessProbabilities counterexample() { return {0, 5, 1000}; }
};

}  // namespace fovea::study
