#include "fovea/domains/lag/discover/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/lag/discover/arrays.hpp"
#include "fovea/domains/lag/discover/promises.hpp"
#include "fovea/domains/lag/discover/verdict.hpp"
#include "fovea/domains/lag/methods/methods.hpp"
#include "fovea/domains/lag/series/input.hpp"
#include "fovea/domains/lag/series/lag_set.hpp"

namespace fovea::lag::discover {

namespace {

constexpr std::size_t kMostTableLinks = 5000;
constexpr Index kMostSeriesDrawn = 400;  // along a side of the matrix

std::vector<methods::Link> between_series(const std::vector<methods::Link>& links) {
  std::vector<methods::Link> others;
  for (const methods::Link& link : links)
    if (!link.self()) others.push_back(link);
  return others;
}

void add_matrix_picture(const Discovery& discovery, Results& results) {
  const std::string unit = series::lag_unit(discovery.table);
  results.figure(
      {.kind = "heatmap",
       .name = "matrix",
       .title = "Significant links: effect, cause and lag in " + unit,
       .caption = "Each row is an effect, each column a cause. The number is the lag in " + unit +
                  " of the pair's most significant link, the colour its strength. * means q < .05, "
                  "** q < .01, *** q < .001, + further significant lags, ? that the link is not promised (why, the "
                  "verdict says). \u2194 means a link within a step, "
                  "which has no direction and is in "
                  "both cells. Empty: no significant link. Own pasts are in the table only.",
       .variables = {"found_strength"},
       .x = "cause",
       .y = "effect",
       .labels = "found_text"});
}

void add_pictures_of_pairs(const Discovery& discovery, std::size_t pairs, Results& results) {
  const std::size_t shown = discovery.shown;
  const std::string which =
      pairs > shown ? concat(" Shown are the ", shown, " most significant of ", pairs, " pairs (shown.pairs).") : "";
  Figure profile{.name = "profile",
                 .title = "How strength depends on the lag",
                 .caption =
                     "Strength of the partial effect at each lag. The band contains 95 % of the strengths without an "
                     "effect, by the test's p-values.",
                 .variables = {"profile"},
                 .x = "profile_lag",
                 .band_low = "profile_low",
                 .band_high = "profile_high"};
  if (!discovery.views.empty()) {
    profile.variables = {"profile", "profile_attention", "profile_gradient"};
    profile.value_label = "strength, weight, gradient";
    profile.caption +=
        " For comparison, the attention to this lag and the gradient of the forecast, in standard deviations. Where "
        "the three disagree, only the test is evidence of a link.";
  }
  profile.caption += which;
  results.figure(profile);
  results.figure({.name = "overlay",
                  .title = "Both series, the cause shifted by its lag",
                  .caption = "Effect, and cause shifted by its lag, each in its own standard deviations, over a "
                             "section in the middle of the table. The sign of the cause is changed where the strength "
                             "is negative. Relations through other series are included.",
                  .variables = {"shown_effect", "shown_cause"},
                  .x = "moment",
                  .value_label = "standard deviations from the mean"});
}

std::vector<std::string> columns_of_links(const Discovery& discovery) {
  std::vector<std::string> columns{"link_cause", "link_kind", "link_effect"};
  columns.push_back(discovery.table.time_unit.empty() ? "link_lag" : "link_time");
  for (const char* column : {"link_strength", "link_q_words", "link_promise"}) columns.push_back(column);
  if (!discovery.views.empty())
    for (const char* column : {"link_attention", "link_gradient"}) columns.push_back(column);
  if (!discovery.views.empty())
    for (const char* column : {"link_test", "link_remark"}) columns.push_back(column);
  if (!discovery.beside.empty()) columns.push_back("link_beside");
  return columns;
}

void add_tables(const Discovery& discovery, bool has_links, Results& results) {
  if (has_links)
    results.figure(
        {.kind = "table",
         .name = "links",
         .title = "Significant links: test, attention and gradient",
         .caption =
             "Links between series first, then effects that change in time, products of two causes and effects on the "
             "variance (by tests of their own), then own pasts. Strength: partial correlation of the effect with this "
             "past value, given the rest of the past. q-value: smallest false discovery rate at which the link is "
             "significant (p-values are in result.h5). Promised: at most the level of the links with yes are false on "
             "average; why others are not, the verdict and the notes say. May drive: the 95 % interval of its effect "
             "holds 0. Attention: posterior probability that a head selects this past "
             "value. Gradient: of the forecast, in standard deviations. Test: which test the p-value is of, the "
             "weaker of Student's t and of the better of two others (robust: variance for unequal and serially "
             "correlated errors; normal scores of the values). Bent: a response that is not monotone. Other methods: "
             "how many of those below find it too.",
         .variables = columns_of_links(discovery),
         .x = "link",
         .digits = 3});
  add_effect_tables(discovery, results);
  if (!discovery.beside.empty())
    results.figure(
        {.kind = "table",
         .name = "methods",
         .title = "What other methods find on the same series",
         .caption =
             "Links between series, each with its lag, that are significant by each method's own rule, and how many of "
             "them are in the table above too. Cross-correlations and transfer entropy test two series at a time, so "
             "that relations through other series are included.",
         .variables = {"method_links", "method_shared"},
         .x = "method"});
}

void add_figures(const Discovery& discovery, const std::vector<methods::Link>& counting, bool has_links,
                 Results& results) {
  std::set<std::pair<Index, Index>> pairs;
  bool between = false;
  for (const methods::Link& link : counting) {
    between = between || !link.self();
    if (!link.self() || !between) pairs.emplace(link.cause, link.effect);
  }
  if (between && discovery.table.series() <= kMostSeriesDrawn) add_matrix_picture(discovery, results);
  add_graph(discovery, counting, results);
  if (!pairs.empty()) add_pictures_of_pairs(discovery, pairs.size(), results);
  add_response_picture(results);
  add_tables(discovery, has_links, results);
}

/// Links between series, then further effects, then own pasts.
std::vector<methods::Link> with_further(const Discovery& discovery, const std::vector<methods::Link>& counting) {
  std::vector<methods::Link> listed = counting;
  const auto own = std::find_if(listed.begin(), listed.end(), [](const methods::Link& link) { return link.self(); });
  listed.insert(own, discovery.further.links.begin(), discovery.further.links.end());
  return listed;
}

void add_further_notes(const Discovery& discovery, Results& results) {
  for (const std::string& sentence : discovery.further.sentences)
    results.note(concat("Beyond steady effects: ", sentence, '.'));
  for (const std::string& note : discovery.further.notes) results.note(note);
}

void add_scalars(const Discovery& discovery, const std::vector<methods::Link>& between, std::size_t self,
                 Results& results) {
  results.scalar("links_between", static_cast<double>(between.size()), "1", "significant links between series");
  results.scalar("links_promised", static_cast<double>(promised_of(between)), "1", "of these, promised");
  results.scalar("links_further", static_cast<double>(discovery.further.links.size()), "1",
                 "effects that change in time, products and effects on the variance, significant too");
  results.scalar("links_self", static_cast<double>(self), "1", "significant links of a series with its own past");
  results.scalar("lag_largest", series::lag_time(discovery.table, discovery.settings.lags.back()),
                 series::lag_unit(discovery.table), "largest lag tested");
  if (discovery.surrogates.draws > 0) {
    const attention::SurrogateCheck& check = discovery.surrogates;
    results.scalar("surrogates", static_cast<double>(check.draws), "1", "surrogates of the table without lagged links");
    results.scalar("surrogate_links", check.false_pairs, "1", "pairs of series with a significant link a surrogate");
    results.scalar("surrogate_raised", check.raised, "1",
                   "factor of the p-values of lagged links, chosen on surrogates");
    results.scalar("surrogate_remaining", check.remaining, "1", "the same with that factor");
    results.headline(
        {.variable = "surrogate_remaining",
         .label = "Pairs linked on a surrogate",
         .meaning = check.kept ? "Measured: same search, no lagged links." : "More than can be promised."});
  }
  results.scalar("links_tested", static_cast<double>(discovery.ours.findings.links.size()), "1", "links tested");
  results.headline({.variable = "links_between",
                    .label = "Significant links between series",
                    .meaning = how_many_false(discovery, between)});
  results.headline(
      {.variable = "links_tested", .label = "Links tested", .meaning = "Cause, effect and lag, own past included."});
  results.headline({.variable = "lag_largest",
                    .label = "Largest lag tested",
                    .meaning = discovery.lags_chosen ? "Chosen from the data, see the notes." : "As given."});
}

/// Made series: their links are known.
void add_truth_checks(const Discovery& discovery, const std::vector<methods::Link>& found, Results& results) {
  std::set<std::tuple<Index, Index, Index>> known;
  for (const methods::Link& link : discovery.truth)
    if (!link.self()) known.insert({link.cause, link.effect, link.lag});
  double hits = 0;
  for (const methods::Link& link : found) hits += known.count({link.cause, link.effect, link.lag}) > 0 ? 1 : 0;
  const double all = static_cast<double>(known.size());
  results.scalar("true_links_found", hits / all, "1", "share of the true links found at their lag");
  results.scalar("false_links", static_cast<double>(found.size()) - hits, "1", "false links found");
  results.check({"true_links_found", "share of the true links found at their lag", "the links of the simulation", 1,
                 hits / all, absolute(0)});
  // Two false links beside six true ones happen at a rate of 5 %; three or more came in 1 of 40 seeds.
  results.check({"false_links", "false links found", "Benjamini & Hochberg 1995", 0,
                 static_cast<double>(found.size()) - hits, absolute(2)});
}

}  // namespace

void write_discovery(const Discovery& discovery, Results& results) {
  const LagGrid grid(discovery.table, discovery.settings);
  std::vector<methods::Link> counting = methods::counting_links(discovery.ours.findings);
  std::stable_partition(counting.begin(), counting.end(), [](const methods::Link& link) { return !link.self(); });
  const std::vector<methods::Link> between = between_series(counting);
  add_verdict(discovery, between, results);
  if (!discovery.file.empty())
    results.title(concat(discovery.file, ": ", counted(std::ssize(between), "significant link")));
  results.note(what_to_believe(discovery, between));
  for (const std::string& note : discovery.ours.findings.notes) results.note(note);
  add_further_notes(discovery, results);
  write_doubts(discovery, results);
  write_natures(discovery, results);
  for (const std::string& note : discovery.notes) results.note(note);
  if (discovery.walks) results.finding(*discovery.walks);  // its note is among them
  add_scalars(discovery, between, counting.size() - between.size(), results);
  write_cells(discovery, grid, results);
  std::vector<methods::Link> listed = with_further(discovery, counting);
  if (listed.size() > kMostTableLinks) {
    results.note(concat("The table has the first ", kMostTableLinks, " of ", listed.size(), " links."));
    listed.resize(kMostTableLinks);
  }
  if (!listed.empty()) {
    write_links(discovery, listed, results);
    write_skill(discovery, grid, results);
  }
  if (!counting.empty()) {
    write_matrix(discovery, grid, results);
    write_profiles(discovery, grid, results);
  }
  write_methods(discovery, results);
  add_figures(discovery, counting, !listed.empty(), results);
  add_natures_table(discovery, results);
  if (!discovery.truth.empty()) add_truth_checks(discovery, between, results);
  results.note(concat("Method ", discovery.ours.name, ": ", discovery.ours.meaning, "."));
}

}  // namespace fovea::lag::discover
