#pragma once
/// What lag's pages say in words, by kind.

#include <cmath>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::lag {

struct MayWander {
  std::size_t count;
  std::string series;  ///< their names
  FOVEA_FINDING(note, "may_wander", "the test of Dickey & Fuller does not reject a random walk for some series", count,
                series)
  bool holds() const { return count > 0; }
  std::string sentence() const {
    return concat(
        "May be a random walk or a trend (not rejected by the test of Dickey & Fuller 1979 at 5 %): ", series,
        ". Links between such series can be spurious (Granger & Newbold 1974): see whether they remain in the "
        "differences (data.difference; fovea lags --difference).");
  }
  static MayWander example() { return {2, "level and price"}; }
  static MayWander counterexample() { return {0, ""}; }
};

/// Links between series. tested: what the rate and the lags were; named: the most significant pairs.
struct SignificantLinks {
  std::int64_t links, series;
  bool all_named;
  std::string tested, named;
  FOVEA_FINDING(verdict, "significant_links", "links between series are significant", links, series, all_named, tested,
                named)
  bool holds() const { return links > 0; }
  std::string sentence() const {
    return concat(counted(links, "significant link"), " among ", series, " series (", tested,
                  all_named ? "): " : "), the most significant: ", named, ".");
  }
  static SignificantLinks example() { return {1, 2, true, "FDR 5 %, lags 1 to 9 steps", "a drives b after 2 steps"}; }
  static SignificantLinks counterexample() { return {0, 2, true, "FDR 5 %, lags 1 to 9 steps", ""}; }
};

struct NoSignificantLink {
  std::int64_t links, series;
  std::string tested;
  FOVEA_FINDING(verdict, "no_significant_link", "no link between series is significant", links, series, tested)
  bool holds() const { return links == 0; }
  std::string sentence() const { return concat("No significant link among ", series, " series (", tested, ")."); }
  static NoSignificantLink example() { return {0, 2, "FDR 5 %, lags 1 to 9 steps"}; }
  static NoSignificantLink counterexample() { return {1, 2, "FDR 5 %, lags 1 to 9 steps"}; }
};

constexpr std::string_view kNoPromise = "No false discovery rate can be promised: ";

struct FalseLinksOnSurrogates {
  std::int64_t draws;
  double false_pairs, raised, most_raised;
  FOVEA_FINDING(verdict, "false_links_on_surrogates", "surrogates have false links whatever the threshold", draws,
                false_pairs, raised, most_raised)
  bool holds() const { return raised > most_raised; }
  std::string sentence() const {
    return concat(kNoPromise, "on ", draws, " surrogates of this table, which have no lagged links, the search links ",
                  rounded_text(false_pairs, 2), " pairs of series a table.");
  }
  static FalseLinksOnSurrogates example() { return {20, 3.5, 128, 64}; }
  static FalseLinksOnSurrogates counterexample() { return {20, 0.5, 64, 64}; }
};

struct SharedCourseExplainsLinks {
  std::int64_t explained, links, dropped, fewest;
  FOVEA_FINDING(verdict, "shared_course_explains_links", "a course that all series share explains most lagged links",
                explained, links, dropped, fewest)
  bool holds() const { return explained >= fewest && 2 * explained > links; }
  std::string sentence() const {
    return concat(kNoPromise, "a course that the series share, and that is not in the table, explains ", explained,
                  " of ", counted(links, "lagged link"), "; ", dropped,
                  " are not significant given it and are left out.");
  }
  static SharedCourseExplainsLinks example() { return {4, 7, 2, 3}; }
  static SharedCourseExplainsLinks counterexample() { return {4, 8, 2, 3}; }
};

struct HiddenFactor {
  double share, participation, least_share, least_participation;
  FOVEA_FINDING(verdict, "hidden_factor", "a hidden factor moves most series, as seen in what the forecasts leave",
                share, participation, least_share, least_participation)
  bool holds() const { return share > least_share && participation > least_participation; }
  static std::string reason() {
    return "a hidden factor moves most series; of the links between series only the lagged ones in the upper of two "
           "classes of |t| are called significant.";
  }
  std::string sentence() const { return concat(kNoPromise, reason()); }
  static HiddenFactor example() { return {0.4, 0.8, 0.25, 0.5}; }
  static HiddenFactor counterexample() { return {0.4, 0.3, 0.25, 0.5}; }
};

/// A pair of curves of a file with several groups, by its place among the pairs.
struct PairOfGroup {
  std::int64_t pair;
  std::string group;
  FOVEA_FINDING(fact, "pair_of_group", "the pair is of a group that has a name", pair, group)
  bool holds() const { return !group.empty(); }
  std::string sentence() const { return concat("Pair ", pair + 1, " is of group ", group, "."); }
  static PairOfGroup example() { return {0, "NGC 5548"}; }
  static PairOfGroup counterexample() { return {0, ""}; }
};

/// What attention that is trained to forecast finds; share: of the delays, at noise as large as the effect.
struct AttentionOnDelays {
  double share, half, predicted;  ///< half: noise over effect at which half are found; NaN: none of those simulated
  bool as_predicted;              ///< all checks hold
  FOVEA_FINDING(verdict, "attention_on_delays", "attention is largest at the true delay more often than elsewhere",
                share, half, predicted, as_predicted)
  bool holds() const { return share > 0.5; }
  std::string sentence() const {
    return concat("Attention trained to forecast is largest at the true delay",
                  as_predicted ? "" : ", but not all checks hold", ": at noise as large as the effect it finds ",
                  std::round(1000 * share) / 10, " % of the delays, and half of them ",
                  std::isnan(half) ? std::string("at a noise outside those simulated")
                                   : concat("up to ", std::round(100 * half) / 100, " times the effect"),
                  ", predicted ", std::round(100 * predicted) / 100, ".");
  }
  static AttentionOnDelays example() { return {1, 5.1, 5.2, true}; }
  static AttentionOnDelays counterexample() { return {0.4, 5.1, 5.2, false}; }
};

struct AttentionOffDelays {
  double share;
  FOVEA_FINDING(verdict, "attention_off_delays", "attention is largest elsewhere for half of the delays", share)
  bool holds() const { return share <= 0.5; }
  std::string sentence() const {
    return concat("Attention trained to forecast is largest at the true delay for only ", std::round(1000 * share) / 10,
                  " % of the delays at noise as large as the effect.");
  }
  static AttentionOffDelays example() { return {0.4}; }
  static AttentionOffDelays counterexample() { return {0.6}; }
};

}  // namespace fovea::lag
