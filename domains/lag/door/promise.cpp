#include "fovea/domains/lag/door/promise.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/lag/discover/findings.hpp"
#include "fovea/domains/lag/door/link_rows.hpp"
#include "fovea/domains/lag/findings.hpp"
#include "fovea/domains/lag/methods/finders.hpp"
#include "fovea/domains/lag/methods/methods.hpp"
#include "fovea/domains/lag/pair/findings.hpp"
#include "fovea/domains/lag/series/lag_set.hpp"

namespace fovea::lag::door {

namespace {

std::string lags_in_words(const Results& results) {
  const std::vector<std::int64_t> lags = tested_lags(results.data);
  if (lags.empty()) return "";
  return concat(lags.size() == 1 ? "lag " : "lags ", series::lag_set_text(std::vector<Index>(lags.begin(), lags.end())),
                " (in steps)");
}

std::string further_in_words(const discover::DiscoverSettings& asked) {
  if (asked.further.empty() || asked.looks_for(discover::kNone)) return "";
  return concat(
      " Effects that change in time and effects on the variance have tests of their own, each kind at a false "
      "discovery rate of ",
      100 * asked.level,
      " % by itself; these presume residuals that are symmetric about 0, whatever their tails and variances.");
}

std::string promise_of_attention(const Results& results, const discover::DiscoverSettings& asked) {
  const double links = results.data.at("links_between").reals().front();
  const double promised = results.data.at("links_promised").reals().front();
  const std::string level = concat(100 * asked.level, " %");
  const std::string covers =
      links == 0
          ? concat("No steady link between series is significant; where there is none, a pair is linked in at ",
                   "most ", level, " of tables")
          : concat("It covers ",
                   promised < links ? concat(promised, " of the ")
                   : links > 1      ? "all "
                                    : "the ",
                   counted(static_cast<std::int64_t>(links), "significant link"),
                   " between series: of the pairs of series that are linked at most ", level, " are false on average");
  return concat(
      covers, "; own pasts are a family of their own at the same rate. Tested at ", lags_in_words(results),
      ": one p-value of an ordered pair over its lags (Simes 1986) and one of a pair within the step, the false "
      "discovery "
      "rate of Benjamini & Hochberg (1995) over the pairs, then the lags of those that stand (Benjamini & Bogomolov "
      "2014); "
      "p-values within a step are doubled, those after one are multiplied as surrogates of the table ask for. Examined "
      "on "
      "this table, and a reason for no promise: squares and products of past values, memory beyond what was given, "
      "series "
      "that move together within the step, noise of measurement, few distinct values and missing cells. This presumes "
      "what was not: that series are stationary but for what is held fixed, that no common cause is missing from the "
      "table whose traces are weaker than these tests can show, and that tests are independent or positively "
      "dependent. A "
      "season, trend or shift that series share and that the notes do not name breaks it",
      results.found<MayWander>() ? ", and so does a random walk: the notes name series that may be one." : ".",
      further_in_words(asked));
}

}  // namespace

std::string promise_of_links(const Results& results, const discover::DiscoverSettings& asked) {
  const methods::MethodEntry& method = methods::method_of(asked.method);
  if (results.found<FalseLinksOnSurrogates>() || results.found<SharedCourseExplainsLinks>())
    return "None: the same search links more pairs on surrogates of this table than the level allows, whatever the "
           "threshold, or most links are explained by a course that the series share: see the verdict.";
  if (results.found<HiddenFactor>()) return "None: " + HiddenFactor::reason();
  if (!method.at_rate)
    return concat(
        "None: links are significant by the method's own rule whatever the number of tests, so the false discovery "
        "rate is not controlled (",
        method.meaning, ").");
  const auto unpromised = results.found<discover::UnpromisedLinks>();
  if (unpromised && unpromised->links > 0 && unpromised->unpromised == unpromised->links)
    return "None: " + unpromised->sentence();
  if (method.find == &methods::find_by_attention) return promise_of_attention(results, asked);
  return concat(
      "Of the significant links at most ", 100 * asked.level,
      " % are false on average: the false discovery rate of Benjamini & Hochberg (1995) over all tests at ",
      lags_in_words(results), ". This presumes stationary series, ",
      method.conditional ? "linear dependence on the past, residuals without memory, no common cause that is missing "
                           "from the table"
                         : "the method's null distribution",
      ", and tests that are independent or positively dependent",
      method.conditional ? "." : "; links through other series are taken for true ones.",
      " A season, trend or shift that series share breaks it",
      results.found<MayWander>() ? ", and so does a random walk: the notes name series that may be one." : ".");
}

std::string promise_of_pairs(const Results& results, const pair::PairAsked& asked) {
  const double level = asked.level;
  const auto draws = static_cast<double>(asked.study.draws);
  const std::string intervals = concat(
      " The intervals hold the lag with a posterior probability of 68 and 95 % if the response echoes the driver "
      "through a top hat",
      asked.study.tails ? " or an exponential" : "", ", and the curves are damped random walks.");
  if (results.found<pair::NoPairCanBeRelated>())
    return concat("No pair can be significant: ", draws,
                  " simulated unrelated pairs cannot show a false-alarm probability of ", level, '.', intervals);
  const std::size_t pairs = results.data.at("lag").size();
  return concat("An unrelated pair is significant with a probability of at most ", level,
                ", if both curves are damped random walks with the stated errors (against ", draws,
                " simulated unrelated pairs with the same times); ",
                pairs > 1 ? concat("this holds for each of the ", pairs, " pairs alone, not for all together.")
                          : std::string("a season or trend that both share breaks it."),
                intervals);
}

}  // namespace fovea::lag::door
