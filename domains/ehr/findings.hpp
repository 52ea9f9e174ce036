#pragma once
/// What the pages of ehr say in words, by kind.

#include <cmath>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::ehr {

/// Behind study::NoBetterThanChance and study::WorseThanChance.
struct PartsMeanNothing {
  double low, high, chance;  ///< of the whole model
  FOVEA_FINDING(verdict, "parts_mean_nothing", "the whole model is no better than chance", low, high, chance)
  bool holds() const { return low <= chance; }
  std::string sentence() const { return "What the parts add to it means nothing."; }
  static PartsMeanNothing example() { return {0.47, 0.57, 0.5}; }
  static PartsMeanNothing counterexample() { return {0.6, 0.8, 0.5}; }
};

/// Behind study::NoBetterThanChance and study::WorseThanChance.
struct AlarmsMeanNothing {
  double low, high, chance;  ///< of the model that raises them
  FOVEA_FINDING(verdict, "alarms_mean_nothing", "the model that raises the alarms is no better than chance", low, high,
                chance)
  bool holds() const { return low <= chance; }
  std::string sentence() const { return "Its alarms mean nothing."; }
  static AlarmsMeanNothing example() { return {0.47, 0.57, 0.5}; }
  static AlarmsMeanNothing counterexample() { return {0.6, 0.8, 0.5}; }
};

/// The AUROC of whole records and of the latest values or visit alone, and the 95 % interval of the difference.
struct HistoryCompared {
  double whole, latest, adds, low, high;
  std::string left;  ///< the latest what
  std::string compared() const {
    return concat("AUROC ", plain_text(whole, 3), " with the whole record, ", plain_text(latest, 3), " with ", left,
                  "; the difference is ", plain_text(adds, 2), " [", plain_text(low, 2), ", ", plain_text(high, 2),
                  "]");
  }
};
struct HistoryAdds : HistoryCompared {
  FOVEA_FINDING(verdict, "history_adds", "the interval of what the history adds lies above 0", whole, latest, adds, low,
                high, left)
  bool holds() const { return low > 0; }
  std::string sentence() const {
    return concat("The history adds to what was measured last: ", compared(), " (95 %).");
  }
  static HistoryAdds example() { return {{0.8, 0.7, 0.1, 0.05, 0.15, "the last visit alone"}}; }
  static HistoryAdds counterexample() { return {{0.8, 0.79, 0.01, -0.05, 0.07, "the last visit alone"}}; }
};
struct HistoryHarms : HistoryCompared {
  FOVEA_FINDING(verdict, "history_harms", "the interval of what the history adds lies below 0", whole, latest, adds,
                low, high, left)
  bool holds() const { return high < 0; }
  std::string sentence() const { return concat("With the history the AUROC is lower: ", compared(), " (95 %)."); }
  static HistoryHarms example() { return {{0.7, 0.8, -0.1, -0.15, -0.05, "the last visit alone"}}; }
  static HistoryHarms counterexample() { return {HistoryAdds::counterexample()}; }
};
struct NoGainFromHistory : HistoryCompared {
  FOVEA_FINDING(verdict, "no_gain_from_history", "the interval of what the history adds holds 0", whole, latest, adds,
                low, high, left)
  bool holds() const { return low <= 0 && high >= 0; }
  std::string sentence() const {
    return concat("No gain from the history can be shown: ", compared(), ", so that a gain of more than ",
                  plain_text(high, 2), " is ruled out (95 %).");
  }
  static NoGainFromHistory example() { return {HistoryAdds::counterexample()}; }
  static NoGainFromHistory counterexample() { return {HistoryAdds::example()}; }
};

/// Of simulated records whose ends have a known law.
struct KnownIncidence {
  double concordance, error, bias;  ///< of the truth; mean |learned - known| and learned - known by the horizon
  FOVEA_FINDING(verdict, "known_incidence", "the true incidence is known and was compared with", concordance, error,
                bias)
  bool holds() const { return !std::isnan(error); }
  std::string sentence() const {
    return concat("Of these simulated records the truth is known: its C-index is ", plain_text(concordance, 3),
                  ", the learned incidence by the horizon is off by ", plain_text(error, 3), " in the mean, and too ",
                  bias < 0 ? "low" : "high", " by ", plain_text(std::abs(bias), 2), ".");
  }
  static KnownIncidence example() { return {0.7, 0.05, -0.01}; }
  static KnownIncidence counterexample() { return {0.7, std::nan(""), 0}; }
};

/// Behind study::StudyScore: what alarms at one wanted rate are worth. NaN where too few stays say it.
struct AlarmsCompared {
  double rate, precision, low, high;  ///< alarms per stay-day; share of them that are right, with its interval
  NamedNumbers others;                ///< precision of what attention is compared with
  double sensitivity, lead;
  FOVEA_FINDING(verdict, "alarms_compared", "enough alarms went off to say how many are right", rate, precision, low,
                high, others, sensitivity, lead)
  bool holds() const { return !std::isnan(precision); }
  std::string sentence() const {
    const auto percent = [](double share) { return plain_text(std::round(100 * share), 3); };
    std::string list;
    for (const auto& [name, share] : others)
      list += concat(list.empty() ? " (" : ", ", name, " ", percent(share), " %");
    return concat("With ", plain_text(rate, 2), " alarms per stay-day ", percent(precision), " % [", percent(low), ", ",
                  percent(high), "] of them are right", list, list.empty() ? "" : ")",
                  std::isnan(sensitivity)
                      ? std::string()
                      : concat(", and ", percent(sensitivity), " % of the stays with the outcome had one"),
                  std::isnan(lead) ? std::string()
                                   : concat(", ", plain_text(std::round(lead), 4), " hours before death (median)"),
                  ".");
  }
  static AlarmsCompared example() { return {0.2, 0.36, 0.31, 0.41, {{"noise", 0.16}}, 0.6, 12}; }
  static AlarmsCompared counterexample() { return {0.2, std::nan(""), 0, 0, {}, 0, 0}; }
};

/// Of what no model sees: the place of a record in the files, or its number.
struct OutcomeFollowsOrder {
  std::string probe;
  double auroc, low, high;
  FOVEA_FINDING(note, "outcome_follows_order", "the interval of the AUROC of the order of records leaves out 0.5",
                probe, auroc, low, high)
  bool holds() const { return low > 0.5 || high < 0.5; }
  std::string sentence() const {
    return concat("The outcome can be predicted from the ", probe, " (AUROC ", rounded_text(auroc, 3), " [",
                  rounded_text(low, 3), ", ", rounded_text(high, 3),
                  "]), which no model sees: find out how the records were selected, numbered and sorted.");
  }
  static OutcomeFollowsOrder example() { return {"record number", 0.7, 0.6, 0.8}; }
  static OutcomeFollowsOrder counterexample() { return {"record number", 0.52, 0.47, 0.57}; }
};

}  // namespace fovea::ehr
