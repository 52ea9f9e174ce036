#include "fovea/domains/lag/discover/verdict.hpp"

#include <algorithm>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/lag/discover/findings.hpp"
#include "fovea/domains/lag/discover/promises.hpp"
#include "fovea/domains/lag/methods/methods.hpp"
#include "fovea/domains/lag/series/input.hpp"
#include "fovea/domains/lag/series/lag_set.hpp"

namespace fovea::lag::discover {

namespace {

constexpr std::size_t kPairsSaid = 3;  // in the verdict

const std::string& called(const Discovery& discovery, Index series) { return discovery.table.names[series]; }

/// " after 3 and 6 steps", " within a step and after 1 step": the significant lags of the pair, at most three of them.
std::string lags_of_pair(const Discovery& discovery, const std::vector<methods::Link>& links,
                         const methods::Link& pair) {
  std::vector<Index> lags;
  for (const methods::Link& link : links)
    if (link.cause == pair.cause && link.effect == pair.effect && lags.size() < 3) lags.push_back(link.lag);
  std::sort(lags.begin(), lags.end());
  std::string text = lags.front() == 0 ? " within a step" : "";
  if (lags.front() == 0) lags.erase(lags.begin());
  if (lags.empty()) return text;
  text += text.empty() ? " after " : " and after ";
  for (std::size_t i = 0; i + 1 < lags.size(); ++i)
    text += concat(series::lag_time(discovery.table, lags[i]), i + 2 == lags.size() ? " and " : ", ");
  return text + series::lag_text(discovery.table, lags.back());
}

/// The most significant pairs, each with its lags.
std::string surest_pairs(const Discovery& discovery, const std::vector<methods::Link>& links) {
  std::set<std::pair<Index, Index>> said;
  std::string text;
  for (const methods::Link& link : links) {
    if (said.size() == kPairsSaid) break;
    if (!said.emplace(link.cause, link.effect).second) continue;
    text += concat(text.empty() ? "" : "; ",
                   link.directed ? concat(called(discovery, link.cause), ' ', verb_of(discovery, link), ' ',
                                          called(discovery, link.effect), lags_of_pair(discovery, links, link))
                                 : sentence_of(discovery, link));
  }
  return text;
}

/// "lags 0 to 5 days", "lags 0 to 11.5 seconds", "lags 1-3,7 steps of 15 minutes", "lag 1 step"
std::string lags_looked_at(const Discovery& discovery) {
  std::vector<Index> lags = discovery.settings.lags;
  if (discovery.settings.contemporaneous) lags.insert(lags.begin(), 0);
  const datasets::series::SeriesTable& table = discovery.table;
  const std::string last = series::lag_text(table, lags.back());
  if (lags.size() == 1) return concat("lag ", last);
  if (lags.back() - lags.front() + 1 == std::ssize(lags))
    return concat("lags ", series::lag_time(table, lags.front()), " to ", last);
  if (table.step == 1) return concat("lags ", series::lag_set_text(lags), last.substr(last.find(' ')));
  return concat(
      "lags ", series::lag_set_text(lags), " steps of ",
      table.time_unit.empty() ? concat(table.step) : datasets::series::time_text(table.step, table.time_unit));
}

std::string rate_in_words(const Discovery& discovery, const std::vector<methods::Link>& links) {
  const std::ptrdiff_t promised = promised_of(links);
  if (!methods::method_of(discovery.ours.name).at_rate) return "This method does not control the share of false links.";
  if (promised == 0) return "The share of false links is not known here: see the first sentence of the verdict.";
  return concat("Of ", promised < std::ssize(links) ? "the promised links" : "such links", " at most ",
                100 * discovery.settings.level,
                " % are false by chance, on average, unless series share a course that the notes do not name.",
                promised < std::ssize(links) ? " Of the others, marked ?, the share is not known." : "");
}

}  // namespace

std::string_view verb_of(const Discovery& discovery, const methods::Link& link) {
  return may_be_nothing(discovery, link) ? "may drive" : "drives";
}

std::string sentence_of(const Discovery& discovery, const methods::Link& link) {
  if (!link.directed)
    return concat(called(discovery, link.cause), " and ", called(discovery, link.effect), " move ",
                  link.strength < 0 ? "against each other" : "together", " within a step");
  return concat(called(discovery, link.cause), ' ', verb_of(discovery, link), ' ', called(discovery, link.effect),
                link.lag == 0 ? " within a step" : " after " + series::lag_text(discovery.table, link.lag));
}

std::string how_many_false(const Discovery& discovery, const std::vector<methods::Link>& links) {
  if (!methods::method_of(discovery.ours.name).at_rate) return std::string(kOwnRule);
  const std::ptrdiff_t promised = promised_of(links), count = std::ssize(links);
  if (!rate_is_kept(discovery) || (count > 0 && promised == 0)) return std::string(kRateUnknown);
  return concat("FDR ", 100 * discovery.settings.level, " %",
                promised < count ? concat(" of the ", promised, " promised") : "");
}

void add_verdict(const Discovery& discovery, const std::vector<methods::Link>& links, Results& results) {
  const attention::SurrogateCheck& check = discovery.surrogates;
  const attention::SharedCourse& shared = discovery.shared;
  const attention::HiddenFactors& hidden = discovery.hidden;
  using attention::kHiddenParticipation, attention::kHiddenShare, attention::kMostRaised;
  if (!results.finding(FalseLinksOnSurrogates{check.draws, check.false_pairs, check.raised, kMostRaised}))
    results.finding(
        SharedCourseExplainsLinks{shared.explained, shared.links, shared.dropped, attention::kFewestExplained});
  results.finding(HiddenFactor{hidden.share, hidden.participation, kHiddenShare, kHiddenParticipation});
  say_reasons(discovery, links, results);
  const std::string tested = concat(how_many_false(discovery, links), ", ", lags_looked_at(discovery));
  std::set<std::pair<Index, Index>> pairs;
  for (const methods::Link& link : links) pairs.emplace(link.cause, link.effect);
  const auto count = static_cast<std::int64_t>(links.size());
  results.finding(NoSignificantLink{count, discovery.table.series(), tested});
  results.finding(SignificantLinks{count, discovery.table.series(), pairs.size() <= kPairsSaid, tested,
                                   surest_pairs(discovery, links)});
  results.finding(FewLinksOnSurrogates{check.draws, check.false_pairs, check.raised, check.remaining, kMostRaised,
                                       count, promised_of(links)});
  const std::vector<std::string>& further = discovery.further.sentences;
  results.finding(BeyondSteadyEffects{std::ssize(further), further.empty() ? "" : further.front()});
  results.finding(LinksOfWanderers{count, discovery.wandering});
}

/// In plain words: what a significant link means, and how many may be false.
std::string what_to_believe(const Discovery& discovery, const std::vector<methods::Link>& links) {
  if (links.empty())
    return "How to read this: no past value of one series significantly improves the forecast of another. This does "
           "not prove that there is no link: a link may be too weak for so few steps, longer than the tested lags, or "
           "of a form that is neither monotone nor bent.";
  const methods::MethodEntry& method = methods::method_of(discovery.ours.name);
  std::string text = concat(
      "How to read this: a significant link means that ",
      method.conditional ? "this past value improves the forecast of the effect beyond everything else in the table. "
                         : "the two series are related at this lag, directly or through other series. ",
      rate_in_words(discovery, links), " A cause that is missing from the table can imitate a link.");
  if (std::any_of(links.begin(), links.end(), [](const methods::Link& link) { return !link.directed; }))
    text += " For links within a step marked \u2194 the data do not show a direction.";
  return text;
}

}  // namespace fovea::lag::discover
