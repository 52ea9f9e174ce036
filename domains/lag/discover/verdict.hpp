#pragma once
/// What the page and the terminal say of the links in sentences.

#include "fovea/domains/lag/discover/outcome.hpp"

namespace fovea::lag::discover {

/// "drives", or "may drive" where the link's own effect may be nothing.
std::string_view verb_of(const Discovery& discovery, const methods::Link& link);

/// "rain drives town after 1 hour", "... within a step", "rain and snow move together within a step", or against each
/// other.
std::string sentence_of(const Discovery& discovery, const methods::Link& link);

/// "FDR 5 %", "FDR 5 % of the 22 promised"; unknown where no link is promised. links: the significant ones between
/// series.
std::string how_many_false(const Discovery& discovery, const std::vector<methods::Link>& links);

/// The findings of the verdict, first why no rate can be promised. links: the significant ones between series.
void add_verdict(const Discovery& discovery, const std::vector<methods::Link>& links, Results& results);

/// In plain words: what a significant link means, and how many may be false.
std::string what_to_believe(const Discovery& discovery, const std::vector<methods::Link>& links);

}  // namespace fovea::lag::discover
