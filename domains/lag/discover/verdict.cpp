#include "fovea/domains/lag/discover/verdict.hpp"

#include <algorithm>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
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
                   link.directed ? concat(called(discovery, link.cause), " drives ", called(discovery, link.effect),
                                          lags_of_pair(discovery, links, link))
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

/// What the second look found, in half a sentence or two.
std::string further_said(const Discovery& discovery) {
  const std::vector<std::string>& sentences = discovery.further.sentences;
  if (sentences.empty()) return "";
  return concat(" Beyond steady effects: ", sentences.front(),
                sentences.size() > 1 ? concat("; and ", sentences.size() - 1, " more, see the notes.") : ".");
}

bool promised(const Discovery& discovery) { return discovery.surrogates.kept && !discovery.shared.found; }

/// The first sentence where surrogates or what all series share forbid a promise.
std::string no_promise(const Discovery& discovery) {
  if (promised(discovery)) return "";
  return (discovery.surrogates.kept ? course_finding(discovery).sentence() : surrogates_finding(discovery).sentence()) +
         ' ';
}

std::string surrogates_said(const Discovery& discovery) {
  const attention::SurrogateCheck& check = discovery.surrogates;
  if (check.draws == 0 || !check.kept) return "";
  if (check.raised > 1)
    return concat(" On ", check.draws, " surrogates of this table without lagged links ",
                  rounded_text(check.false_links, 2), " false links a table were found; thresholds were raised until ",
                  rounded_text(check.remaining, 2), " were.");
  return concat(" On ", check.draws, " surrogates of this table, which have no lagged links, the search finds ",
                rounded_text(check.false_links, 2), " false links a table.");
}

}  // namespace

std::string sentence_of(const Discovery& discovery, const methods::Link& link, std::string_view drives) {
  if (!link.directed)
    return concat(called(discovery, link.cause), " and ", called(discovery, link.effect),
                  " move together within a step");
  return concat(called(discovery, link.cause), ' ', drives, ' ', called(discovery, link.effect),
                link.lag == 0 ? " within a step" : " after " + series::lag_text(discovery.table, link.lag));
}

FalseLinksOnSurrogates surrogates_finding(const Discovery& discovery) {
  const attention::SurrogateCheck& check = discovery.surrogates;
  return {check.draws, check.false_links, check.raised, attention::kMostRaised};
}

SharedCourseExplainsLinks course_finding(const Discovery& discovery) {
  const attention::SharedCourse& shared = discovery.shared;
  return {shared.explained, shared.links, shared.dropped, attention::kFewestExplained};
}

std::string how_many_false(const Discovery& discovery) {
  if (discovery.hidden.found || !promised(discovery)) return std::string(kRateUnknown);
  if (!methods::method_of(discovery.ours.name).at_rate) return std::string(kOwnRule);
  return concat("FDR ", 100 * discovery.settings.level, " %");
}

std::string verdict_of(const Discovery& discovery, const std::vector<methods::Link>& links) {
  const std::string tested = concat(" among ", discovery.table.series(), " series (", how_many_false(discovery), ", ",
                                    lags_looked_at(discovery), ")");
  const std::string hidden =
      discovery.hidden.found ? " The FDR is unknown because a hidden factor moves most series: see the notes." : "";
  if (links.empty())
    return concat(no_promise(discovery), "No significant link", tested, ".", surrogates_said(discovery),
                  further_said(discovery), hidden);
  std::set<std::pair<Index, Index>> pairs;
  for (const methods::Link& link : links) pairs.emplace(link.cause, link.effect);
  std::string text =
      concat(no_promise(discovery), counted(std::ssize(links), "significant link"), tested,
             pairs.size() > kPairsSaid ? ", the most significant: " : ": ", surest_pairs(discovery, links), ".",
             surrogates_said(discovery), further_said(discovery), hidden);
  if (discovery.may_wander) text += " Some series may be random walks or trends: see the notes.";
  const std::size_t places = disagreements(discovery).size();
  if (places > 0) text += " Attention, gradient and test disagree on some links: see the notes.";
  return text;
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
      discovery.hidden.found ? "The share of false links is not known here, because a hidden factor moves most series."
      : !promised(discovery) ? "The share of false links is not known here: see the first sentence of the verdict."
      : method.at_rate
          ? concat("Of such links at most ", 100 * discovery.settings.level,
                   " % are false by chance, on average, unless series share a course that the notes do not name.")
          : "This method does not control the share of false links.",
      " A cause that is missing from the table can imitate a link.");
  if (std::any_of(links.begin(), links.end(), [](const methods::Link& link) { return !link.directed; }))
    text += " For links within a step marked \u2194 the data do not show a direction.";
  return text;
}

}  // namespace fovea::lag::discover
