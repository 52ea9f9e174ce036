#pragma once
/// Which significant links are promised: of such links at most the level are false on average. theory.md has the rule.

#include <string>
#include <vector>

#include "fovea/domains/lag/discover/outcome.hpp"

namespace fovea::lag::discover {

/// Sets Link::promised of every link of `discovery`. Promised is what is significant where the method keeps a rate, the
/// surrogates keep it, no course is shared and no factor hidden, nothing speaks against links into the effect
/// (Discovery::doubts; of a link without direction, into either), and the link's own effect is not nothing().
/// Discovery::effects must be there by then.
void settle_promises(Discovery& discovery);

/// How many of them are.
std::ptrdiff_t promised_of(const std::vector<methods::Link>& links);

/// The table as a whole keeps a promise, by a method that makes one.
bool rate_is_kept(const Discovery& discovery);

/// A lagged link between series whose own effect's 95 % interval holds 0, and that is not of a bent response, which a
/// slope does not show: it may drive.
bool may_be_nothing(const Discovery& discovery, const methods::Link& link);

/// Something that speaks against a promise.
struct Reason {
  std::string kind;            ///< a DoubtKind's name, or "no_effect"
  std::string text, remedy;    ///< a clause without a full stop; what to do, in sentences
  std::vector<Index> targets;  ///< into which links are not promised, ascending
  Index links = 0;             ///< of the significant ones between series
  bool as_first = false;       ///< the text is that of one of several such
};
/// links: the significant ones between series. The reason with the most links first; those without a link last.
std::vector<Reason> reasons_against(const Discovery& discovery, const std::vector<methods::Link>& links);

/// The first sentence of the verdict, where links are not promised that the table as a whole would let be, and notes of
/// the reasons.
void say_reasons(const Discovery& discovery, const std::vector<methods::Link>& links, Results& results);

/// Over "doubt": series, kind, reason and remedy, one of each series and reason; nothing where there is none.
void write_doubts(const Discovery& discovery, Results& results);

}  // namespace fovea::lag::discover
