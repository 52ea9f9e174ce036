#pragma once
/// What the pages of lag.pair say in words, by kind.

#include <cmath>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"
#include "fovea/core/data/least_value.hpp"

namespace fovea::lag::pair {

struct NoSignificantLag {
  std::string driver, response;
  double false_alarm, level;
  FOVEA_FINDING(verdict, "no_significant_lag", "unrelated curves look as related too often", driver, response,
                false_alarm, level)
  bool holds() const { return false_alarm > level; }
  std::string sentence() const {
    return concat("No significant lag: unrelated curves look as related as ", driver, " and ", response, " in ",
                  plain_text(100 * false_alarm, 2), " % of cases.");
  }
  static NoSignificantLag example() { return {"star", "echo", 0.2, 0.01}; }
  static NoSignificantLag counterexample() { return {"star", "echo", 0.01, 0.01}; }
};

struct SignificantLag {
  std::string driver, response;
  double lag, low68, high68, low95, high95, false_alarm, level, least;  ///< least: that the draws can give
  FOVEA_FINDING(verdict, "significant_lag", "unrelated curves seldom look as related", driver, response, lag, low68,
                high68, low95, high95, false_alarm, level, least)
  bool holds() const { return false_alarm <= level; }
  std::string sentence() const {
    const auto range = [](double low, double high) { return plain_text(low, 4) + " to " + plain_text(high, 4); };
    return concat(response, lag >= 0 ? " follows " : " comes before ", driver, " by ", plain_text(std::abs(lag), 4),
                  " (lag from ", range(low68, high68), " at 68 %, ", range(low95, high95), " at 95 %); false alarm ",
                  drawn_p_text(false_alarm, least), least_p_words(false_alarm, least), ".");
  }
  static SignificantLag example() { return {"star", "echo", 20, 19, 21, 18, 22, 0.01, 0.01, 0.01}; }
  static SignificantLag counterexample() { return {"star", "echo", 20, 19, 21, 18, 22, 0.02, 0.01, 0.01}; }
};

/// Of pairs of a file, the lags of a few that are related.
struct RelatedPairs {
  std::int64_t related, pairs;
  double level;  ///< of each
  std::string lags;
  FOVEA_FINDING(verdict, "related_pairs", "there are several pairs", related, pairs, level, lags)
  bool holds() const { return pairs > 1; }
  std::string sentence() const {
    return concat(related, " of ", pairs, " pairs are related at a false-alarm probability of ", level, " each; about ",
                  plain_text(level * static_cast<double>(pairs), 2), " are expected by chance.",
                  lags.empty() ? "" : concat(" ", lags, "."));
  }
  static RelatedPairs example() { return {1, 2, 0.01, "echo follows star by 20"}; }
  static RelatedPairs counterexample() { return {1, 1, 0.01, ""}; }
};

/// Simulated pairs against their true lag; counts of the related ones.
struct LagsOfSimulatedPairs {
  double related, found, within, held68, held95;
  FOVEA_FINDING(verdict, "lags_of_simulated_pairs", "pairs with a lag were simulated", related, found, within, held68,
                held95)
  bool holds() const { return related > 0; }
  std::string sentence() const {
    return concat(
        found, " of ", counted(std::lround(related), "simulated pair"), " with a lag ", found == 1 ? "is" : "are",
        " reported as related. Whether reported or not, the lag is within 10 % of the true lag in ", within, " of ",
        related, ", the 68 % interval contains it in ", held68, ", the 95 % interval in ", held95, ".");
  }
  static LagsOfSimulatedPairs example() { return {6, 6, 6, 4, 6}; }
  static LagsOfSimulatedPairs counterexample() { return {0, 0, 0, 0, 0}; }
};

struct FalseAlarmsOfSimulatedPairs {
  double unrelated, false_alarms, level;
  FOVEA_FINDING(verdict, "false_alarms_of_simulated_pairs", "pairs without a lag were simulated", unrelated,
                false_alarms, level)
  bool holds() const { return unrelated > 0; }
  std::string sentence() const {
    return concat("Of ", unrelated, " unrelated pairs ", false_alarms, " are reported as related at the level ", level,
                  ".");
  }
  static FalseAlarmsOfSimulatedPairs example() { return {2, 0, 0.01}; }
  static FalseAlarmsOfSimulatedPairs counterexample() { return {0, 0, 0.01}; }
};

struct NoPairCanBeRelated {
  double least, level;  ///< least: 1 / (1 + draws)
  FOVEA_FINDING(note, "no_pair_can_be_related", "the draws are too few for the level", least, level)
  bool holds() const { return least > level * (1 + 1e-12); }
  std::string sentence() const {
    return concat("The false-alarm probability is at least ", least, ", above the level ", level,
                  ": no pair can be reported as related. Increase unrelated.draws.");
  }
  static NoPairCanBeRelated example() { return {0.1, 0.01}; }
  static NoPairCanBeRelated counterexample() { return {0.01, 0.01}; }
};

}  // namespace fovea::lag::pair
