#pragma once
/// What nowcasts state in words, each kind with its condition.

#include <cmath>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::nowcast {

/// One file speaks of all months.
struct RevisedValues {
  bool one_file;
  FOVEA_FINDING(note, "revised_values", "values are those of one late file", one_file)
  bool holds() const { return one_file; }
  std::string sentence() const {
    return "Pseudo real time: each month is nowcast from what was released by its end, but with revised values, as one "
           "file has them; a folder of vintages gives those of the time.";
  }
  static RevisedValues example() { return {true}; }
  static RevisedValues counterexample() { return {false}; }
};

/// Months with the recessions that they are near, each of which is predicted from the others.
struct MonthsByRecession {
  Index recessions, far, twice;  ///< months near none, and months near more than one
  FOVEA_FINDING(note, "months_by_recession", "months are parted by recessions", recessions, far, twice)
  bool holds() const { return recessions > 0; }
  std::string sentence() const {
    return concat("A part is a recession with the months near it, of which there are ", recessions,
                  far > 0 ? concat("; ", counted(far, "month"), " far from all teach alone") : "",
                  twice > 0 ? concat("; ", counted(twice, "month"), " near two recessions ", twice == 1 ? "is" : "are",
                                     " in both parts, with half the weight in each.")
                            : ".");
  }
  static MonthsByRecession example() { return {9, 180, 48}; }
  static MonthsByRecession counterexample() { return {0, 0, 0}; }
};

/// With fewer all of two equally good models' recessions favour the same one by chance in more than 5 % of cases:
/// 2 / 2^5 = 6 %. No difference is then more than a tie.
inline constexpr Index kFewestToTell = 6;

/// Scores over months in which both outcomes occur, and the simple model of least Brier score.
struct NowcastStands {
  Index months, in_recession, recessions;
  double auroc, brier;
  std::string peer;
  double peer_brier;
  Index better;  ///< 1: ours, by more than the interval; -1: the peer; 0: a tie
  FOVEA_FINDING(verdict, "nowcast_stands", "nowcasts are compared with the strongest simple model", months,
                in_recession, recessions, auroc, brier, peer, peer_brier, better)
  bool holds() const { return auroc == auroc && peer_brier == peer_brier; }
  std::string sentence() const {
    return concat("AUROC ", plain_text(auroc), ", Brier score ", plain_text(brier), " over ", months, " months, ",
                  in_recession, " of them in ", counted(recessions, "recession"), ". The strongest simple model (",
                  peer, ") has a Brier score of ", plain_text(peer_brier),
                  recessions < kFewestToTell ? concat(": a tie; fewer than ", kFewestToTell, " recessions cannot tell.")
                  : better == 0              ? ": a tie, by drawing recessions."
                  : better == 1              ? ", worse by more than the 95 % interval over recessions."
                                             : ", better by more than the 95 % interval over recessions.");
  }
  static NowcastStands example() { return {468, 36, 4, 0.995, 0.0167, "logistic, eight columns", 0.0188, 0}; }
  static NowcastStands counterexample() { return {468, 0, 0, kNan, 0.01, "", kNan, 0}; }
};

/// What attention to events adds to the ridge part, in Brier scores.
struct AttentionBesideRidge {
  double both, ridge;
  double low, high;  ///< 95 % interval of ridge less both
  Index recessions;
  FOVEA_FINDING(verdict, "attention_beside_ridge", "attention is compared with the ridge part alone", both, ridge, low,
                high, recessions)
  bool holds() const { return both == both && ridge == ridge; }
  std::string sentence() const {
    const bool known = low == low && high == high, few = recessions < kFewestToTell;
    return concat(
        "With attention to events the Brier score is ", plain_text(both), ", with the ridge part alone ",
        plain_text(ridge),
        !known            ? "; one recession gives no interval."
        : low > 0 && !few ? ": attention improves it by more than the 95 % interval."
        : high < 0 && !few
            ? ": attention makes it worse by more than the 95 % interval."
            : concat(": a tie, the 95 % interval of the difference is ", plain_text(low), " to ", plain_text(high),
                     few ? concat("; fewer than ", kFewestToTell, " recessions cannot tell.") : "."));
  }
  static AttentionBesideRidge example() { return {0.0167, 0.0175, -0.0002, 0.0015, 4}; }
  static AttentionBesideRidge counterexample() { return {kNan, kNan, kNan, kNan, 4}; }
};

/// Intervals over recessions, of which there are few.
struct FewRecessions {
  Index recessions;
  FOVEA_FINDING(note, "few_recessions", "intervals rest on few recessions", recessions)
  bool holds() const { return recessions > 0 && recessions < 20; }
  std::string sentence() const {
    const std::string all = concat("All figures rest on ", counted(recessions, "recession"));
    if (recessions == 1) return all + ", of which there are no intervals; a model can be right by luck.";
    if (recessions >= kFewestToTell)
      return all + "; intervals by drawing them are rough, and a model can be right by luck.";
    return concat(all, ": of two equally good models all of them would favour the same one by chance alone in ",
                  plain_text(200 * std::pow(0.5, recessions)),
                  " % of cases, so that no difference is more than a tie.");
  }
  static FewRecessions example() { return {4}; }
  static FewRecessions counterexample() { return {0}; }
};

/// Mean AUROC over recessions, each predicted from the others.
struct RecessionsLeftOut {
  Index recessions;
  double ours, ridge, eight;
  FOVEA_FINDING(verdict, "recessions_left_out", "each recession is predicted from the others", recessions, ours, ridge,
                eight)
  bool holds() const { return ours == ours && ridge == ridge && eight == eight; }
  std::string sentence() const {
    return concat("Each of ", counted(recessions, "recession"), " predicted from the others: mean AUROC ",
                  plain_text(ours), ", with the ridge part alone ", plain_text(ridge),
                  ", of a logistic regression on eight columns ", plain_text(eight), '.');
  }
  static RecessionsLeftOut example() { return {9, 0.975, 0.972, 0.967}; }
  static RecessionsLeftOut counterexample() { return {9, kNan, kNan, kNan}; }
};

/// Half-lives of kinds of events over models that each learned without one recession.
struct HalfLivesToldByData {
  Index kinds, learned;
  double start;           ///< months
  std::string strongest;  ///< of those that are told by the data, the kind of largest effect
  double half_life, low, high;
  FOVEA_FINDING(note, "half_lives_told_by_data", "half-lives are compared with their start", kinds, learned, start,
                strongest, half_life, low, high)
  bool holds() const { return kinds > 0; }
  std::string sentence() const {
    if (learned == 0)
      return concat("No half-life is claimed: of ", counted(kinds, "kind"), " of events none has an interval over ",
                    "recessions that leaves out the start of ", plain_text(start), " months.");
    return concat("The data tell the half-lives of ", learned, " of ", counted(kinds, "kind"),
                  " of events; of largest effect: ", strongest, ", ", plain_text(half_life), " months [",
                  plain_text(low), ", ", plain_text(high),
                  "]. Those of the others are little more than their start of ", plain_text(start), " months.");
  }
  static HalfLivesToldByData example() { return {36, 2, 3, "claims: surprise", 2.2, 1.9, 2.6}; }
  static HalfLivesToldByData counterexample() { return {0, 0, 3, "", kNan, kNan, kNan}; }
};

}  // namespace fovea::nowcast
