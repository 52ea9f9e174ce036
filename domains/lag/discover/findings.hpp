#pragma once
/// What the pages of lag.discover say in words beside the links that they find (lag/findings.hpp), by kind.

#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::lag::discover {

/// unpromised: significant links between series that the table as a whole would let be promised. reason: of most of
/// them, as the beginning of a sentence; further: how many other reasons there are.
struct UnpromisedLinks {
  std::string reason;
  std::int64_t further, unpromised, links;
  FOVEA_FINDING(verdict, "unpromised_links", "something speaks against some of the significant links", reason, further,
                unpromised, links)
  bool holds() const { return unpromised > 0; }
  std::string sentence() const {
    const std::string more =
        further > 0 ? concat(" (and ", counted(further, "further reason"), ", see the notes)") : "";
    if (links == 1) return concat(reason, more, ": the only link is not promised.");
    if (unpromised == links) return concat(reason, more, ": none of ", links, " links is promised.");
    return concat(reason, more, ": ", unpromised, " of ", links, " links ", unpromised == 1 ? "is" : "are",
                  " not promised.");
  }
  static UnpromisedLinks example() { return {"x4 answers more than lines show, such as x3 times x5", 0, 9, 31}; }
  static UnpromisedLinks counterexample() { return {"x4 answers more than lines show, such as x3 times x5", 0, 0, 31}; }
};

/// No link is significant, and something speaks against the search.
struct NothingFoundInDoubt {
  std::string reason;
  std::int64_t further, links;
  FOVEA_FINDING(verdict, "nothing_found_in_doubt", "no link is significant, and something speaks against the search",
                reason, further, links)
  bool holds() const { return links == 0 && !reason.empty(); }
  std::string sentence() const {
    return concat(reason, further > 0 ? concat(" (and ", counted(further, "further reason"), ", see --json)") : "",
                  ": that no link is significant does not say that there is none.");
  }
  static NothingFoundInDoubt example() { return {"More than 30 % of the cells of 3 series are missing", 0, 0}; }
  static NothingFoundInDoubt counterexample() { return {"", 0, 0}; }
};

/// One of the reasons. targets: the series into which links are not promised; links: significant ones into them.
struct DoubtAboutLinks {
  std::string doubt, reason, remedy;
  bool as_first;  ///< of several such
  std::string targets;
  std::int64_t links;
  FOVEA_FINDING(note, "doubt_about_links", "a reason not to promise links that are significant", doubt, reason, remedy,
                as_first, targets, links)
  bool holds() const { return links > 0; }
  std::string sentence() const {
    return concat(doubt == "no_effect" ? "Not promised, and said to \"may drive\": " : "Links into ",
                  doubt == "no_effect"
                      ? ""
                      : concat(targets, " are not promised", as_first ? ", of which one shows why: " : ": "),
                  reason, ". ", remedy);
  }
  static DoubtAboutLinks example() {
    return {"few_values", "x3 has only 2 distinct values", "Use the numbers that it was made of.", false, "x1, x2", 4};
  }
  static DoubtAboutLinks counterexample() {
    return {"few_values", "x3 has only 2 distinct values", "Use the numbers that it was made of.", false, "x1, x2", 0};
  }
};

/// links: significant ones between series, of which so many are promised. Surrogates say nothing of what is not.
struct FewLinksOnSurrogates {
  std::int64_t draws;
  double false_pairs, raised;
  std::int64_t links, promised;
  FOVEA_FINDING(verdict, "few_links_on_surrogates", "surrogates have few false links at the thresholds as they are",
                draws, false_pairs, raised, links, promised)
  bool holds() const { return draws > 0 && raised <= 1 && (links == 0 || promised > 0); }
  std::string sentence() const {
    return concat("On ", draws, " surrogates of this table, which have no lagged links, the search links ",
                  rounded_text(false_pairs, 2), " pairs of series a table.");
  }
  static FewLinksOnSurrogates example() { return {40, 0.1, 1, 5, 4}; }
  static FewLinksOnSurrogates counterexample() { return {40, 0.1, 1, 5, 0}; }
};

struct ThresholdsRaised {
  std::int64_t draws;
  double false_pairs, remaining, raised, most_raised;
  FOVEA_FINDING(verdict, "thresholds_raised", "surrogates have few false links once the thresholds are raised", draws,
                false_pairs, remaining, raised, most_raised)
  bool holds() const { return draws > 0 && raised > 1 && raised <= most_raised; }
  std::string sentence() const {
    return concat("On ", draws, " surrogates of this table, which have no lagged links, ", rounded_text(false_pairs, 2),
                  " pairs of series a table were linked; thresholds were raised until ", rounded_text(remaining, 2),
                  " were.");
  }
  static ThresholdsRaised example() { return {40, 2, 0.1, 4, 64}; }
  static ThresholdsRaised counterexample() { return {40, 9, 3, 128, 64}; }
};

struct BeyondSteadyEffects {
  std::int64_t effects;
  std::string first;
  FOVEA_FINDING(verdict, "beyond_steady_effects", "effects that change, products or effects on the variance are found",
                effects, first)
  bool holds() const { return effects > 0; }
  std::string sentence() const {
    return concat("Beyond steady effects: ", first,
                  effects > 1 ? concat("; and ", effects - 1, " more, see the notes.") : ".");
  }
  static BeyondSteadyEffects example() { return {2, "a drives b until row 500"}; }
  static BeyondSteadyEffects counterexample() { return {0, ""}; }
};

struct RateUnknown {
  double share, participation, least_share, least_participation;
  FOVEA_FINDING(verdict, "rate_unknown", "a hidden factor moves most series", share, participation, least_share,
                least_participation)
  bool holds() const { return share > least_share && participation > least_participation; }
  std::string sentence() const {
    return "The FDR is unknown because a hidden factor moves most series: see the notes.";
  }
  static RateUnknown example() { return {0.4, 0.8, 0.25, 0.5}; }
  static RateUnknown counterexample() { return {0.4, 0.3, 0.25, 0.5}; }
};

struct LinksOfWanderers {
  std::int64_t links, wandering;
  FOVEA_FINDING(verdict, "links_of_wanderers", "links are significant, and some series may be random walks", links,
                wandering)
  bool holds() const { return links > 0 && wandering > 0; }
  std::string sentence() const { return "Some series may be random walks or trends: see the notes."; }
  static LinksOfWanderers example() { return {3, 1}; }
  static LinksOfWanderers counterexample() { return {0, 1}; }
};

struct ViewsDisagree {
  std::int64_t links, warnings;
  FOVEA_FINDING(verdict, "views_disagree", "links are significant, and attention, gradient and test disagree on some",
                links, warnings)
  bool holds() const { return links > 0 && warnings > 0; }
  std::string sentence() const { return "Attention, gradient and test disagree on some links: see the notes."; }
  static ViewsDisagree example() { return {3, 1}; }
  static ViewsDisagree counterexample() { return {3, 0}; }
};

}  // namespace fovea::lag::discover
