#pragma once
/// What the page and the terminal say of the links in sentences.

#include "fovea/domains/lag/discover/outcome.hpp"

namespace fovea::lag::discover {

/// "rain drives town after 1 hour", "... within a step", "rain and snow move together within a step".
/// drives: what stands in place of the verb of a directed link, such as "would drive".
std::string sentence_of(const Discovery& discovery, const methods::Link& link, std::string_view drives = "drives");

/// "FDR 5 %"; unknown where a hidden factor moves most series or surrogates have too many false links.
std::string how_many_false(const Discovery& discovery);

/// The findings of the verdict, first why no rate can be promised. links: the significant ones between series.
void add_verdict(const Discovery& discovery, const std::vector<methods::Link>& links, Results& results);

/// In plain words: what a significant link means, and how many may be false.
std::string what_to_believe(const Discovery& discovery, const std::vector<methods::Link>& links);

}  // namespace fovea::lag::discover
