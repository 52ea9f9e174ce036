#pragma once
/// What the pages of lag.discover say in words beside the links that they find (lag/findings.hpp), by kind.

#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::lag::discover {

/// unpromised: significant links between series that the table as a whole would let be promised. reason: of most of
/// them, as the beginning of a sentence; further: how many other reasons there are. Without a significant link it
/// speaks against the search.
struct UnpromisedLinks {
  std::string reason;
  std::int64_t further, unpromised, links;
  FOVEA_FINDING(verdict, "unpromised_links", "something speaks against significant links, or against finding none",
                reason, further, unpromised, links)
  bool holds() const { return unpromised > 0 || (links == 0 && !reason.empty()); }
  std::string sentence() const {
    const std::string more = further > 0 ? concat(" (and ", counted(further, "further reason"), ", see ",
                                                  links == 0 ? "--json)" : "the notes)")
                                         : "";
    if (links == 0) return concat(reason, more, ": that no link is significant does not say that there is none.");
    if (links == 1) return concat(reason, more, ": the only link is not promised.");
    if (unpromised == links) return concat(reason, more, ": none of ", links, " links is promised.");
    return concat(reason, more, ": ", unpromised, " of ", links, " links ", unpromised == 1 ? "is" : "are",
                  " not promised.");
  }
  static UnpromisedLinks example() { return {"x4 answers more than lines show, such as x3 times x5", 0, 9, 31}; }
  static UnpromisedLinks counterexample() { return {"x4 answers more than lines show, such as x3 times x5", 0, 0, 31}; }
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

/// links: significant ones between series, of which so many are promised: surrogates say nothing of what is not.
/// raised: the factor of the p-values at which `remaining` pairs a surrogate are left.
struct FewLinksOnSurrogates {
  std::int64_t draws;
  double false_pairs, raised, remaining, most_raised;
  std::int64_t links, promised;
  FOVEA_FINDING(verdict, "few_links_on_surrogates",
                "surrogates have few false links, or have once thresholds are raised", draws, false_pairs, raised,
                remaining, most_raised, links, promised)
  bool holds() const { return draws > 0 && raised <= most_raised && (raised > 1 || links == 0 || promised > 0); }
  std::string sentence() const {
    return concat("On ", draws, " surrogates of this table, which have no lagged links, the search links ",
                  rounded_text(false_pairs, 2), " pairs of series a table",
                  raised > 1 ? concat("; with raised thresholds ", rounded_text(remaining, 2), ".") : ".");
  }
  static FewLinksOnSurrogates example() { return {40, 2, 4, 0.1, 64, 5, 4}; }
  static FewLinksOnSurrogates counterexample() { return {40, 0.1, 1, 0.1, 64, 5, 0}; }
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

struct LinksOfWanderers {
  std::int64_t links, wandering;
  FOVEA_FINDING(verdict, "links_of_wanderers", "links are significant, and some series may be random walks", links,
                wandering)
  bool holds() const { return links > 0 && wandering > 0; }
  std::string sentence() const { return "Some series may be random walks or trends: see the notes."; }
  static LinksOfWanderers example() { return {3, 1}; }
  static LinksOfWanderers counterexample() { return {0, 1}; }
};

}  // namespace fovea::lag::discover
