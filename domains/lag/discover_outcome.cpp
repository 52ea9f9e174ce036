#include "fovea/domains/lag/discover_outcome.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "fovea/core/error.hpp"
#include "fovea/core/report/text.hpp"
#include "fovea/domains/lag/discover_arrays.hpp"
#include "fovea/domains/lag/lag_set.hpp"
#include "fovea/domains/lag/series_input.hpp"

namespace fovea::lag {

namespace {

constexpr std::size_t kMostTableLinks = 5000;
constexpr std::size_t kMostWarnings = 6;
constexpr std::size_t kPairsSaid = 3;    // in the verdict
constexpr double kSureWeight = 0.9;      // of attention, a probability
constexpr Index kMostSeriesDrawn = 400;  // along a side of the matrix

std::vector<Link> between_series(const std::vector<Link>& links) {
  std::vector<Link> others;
  for (const Link& link : links)
    if (!link.self()) others.push_back(link);
  return others;
}

const std::string& called(const Discovery& discovery, Index series) {
  return discovery.table.names[static_cast<std::size_t>(series)];
}

std::string sentence_of(const Discovery& discovery, const Link& link) {
  if (!link.directed)
    return concat(called(discovery, link.cause), " and ", called(discovery, link.effect), " move together at once");
  return concat(called(discovery, link.cause), " drives ", called(discovery, link.effect), " after ",
                lag_text(discovery.table, link.lag));
}

/// "3 and 6 steps": the lags of the pair that count, at most three of them.
std::string lags_of_pair(const Discovery& discovery, const std::vector<Link>& links, const Link& pair) {
  std::vector<Index> lags;
  for (const Link& link : links)
    if (link.cause == pair.cause && link.effect == pair.effect && lags.size() < 3) lags.push_back(link.lag);
  std::sort(lags.begin(), lags.end());
  std::string text;
  for (std::size_t i = 0; i + 1 < lags.size(); ++i)
    text += concat(static_cast<double>(lags[i]) * discovery.table.step, i + 2 == lags.size() ? " and " : ", ");
  return text + lag_text(discovery.table, lags.back());
}

/// The surest pairs, each with its lags.
std::string surest_pairs(const Discovery& discovery, const std::vector<Link>& links) {
  std::set<std::pair<Index, Index>> said;
  std::string text;
  for (const Link& link : links) {
    if (said.size() == kPairsSaid) break;
    if (!said.emplace(link.cause, link.effect).second) continue;
    text += concat(text.empty() ? "" : "; ",
                   link.directed ? concat(called(discovery, link.cause), " drives ", called(discovery, link.effect),
                                          " after ", lags_of_pair(discovery, links, link))
                                 : sentence_of(discovery, link));
  }
  return text;
}

/// "lags 0 to 5 steps"
std::string lags_looked_at(const LagSettings& settings) {
  std::vector<Index> lags = settings.lags;
  if (settings.contemporaneous) lags.insert(lags.begin(), 0);
  std::string text = lag_set_text(lags);
  if (text.find(',') == std::string::npos && text.find('-') != std::string::npos)
    text.replace(text.find('-'), 1, " to ");
  return concat(lags.size() == 1 ? "lag " : "lags ", text, text == "1" ? " step" : " steps");
}

std::string verdict_of(const Discovery& discovery, const std::vector<Link>& links) {
  const std::string rate = concat(100 * discovery.settings.level, " %");
  if (links.empty())
    return concat("No link between the series counts: of ", discovery.table.series(), " series at ",
                  lags_looked_at(discovery.settings), " none passes at a false discovery rate of ", rate, ".");
  std::set<std::pair<Index, Index>> pairs;
  for (const Link& link : links) pairs.emplace(link.cause, link.effect);
  std::string text = concat(links.size(), links.size() == 1 ? " link" : " links", " between the ",
                            discovery.table.series(), " series count", links.size() == 1 ? "s" : "",
                            pairs.size() > kPairsSaid ? ", the surest: " : ": ", surest_pairs(discovery, links),
                            ". Looked at ", lags_looked_at(discovery.settings), ", false discovery rate ", rate, ".");
  const std::size_t places = disagreements(discovery).size();
  if (places > 0) text += " Attention, gradient and test do not agree everywhere: see the notes.";
  return text;
}

/// In plain words: what a link says, how many may be false, and what the other methods say.
std::string what_to_believe(const Discovery& discovery, const std::vector<Link>& links) {
  if (links.empty())
    return "What to believe: no past value of one series improves the forecast of another by more than chance would. "
           "That is no proof that there is no link: it may be too weak for so few steps, longer than the lags looked "
           "at, or of a form that is neither monotone nor bent.";
  std::string text = concat(
      "What to believe: a link that counts says that this past value improves the forecast of the effect beyond all "
      "else in the table. Of such links ",
      100 * discovery.settings.level,
      " % are false by chance on average, unless a note says otherwise. A cause that is missing from the table can "
      "imitate a link.");
  if (std::any_of(links.begin(), links.end(), [](const Link& link) { return !link.directed; }))
    text += " Links within a step (\u2194) have no direction.";
  return text;
}

Figure figure_of(FigureKind kind, const char* name, const char* title, const char* caption,
                 std::vector<std::string> variables, const char* x) {
  Figure figure;
  figure.kind = kind;
  figure.name = name;
  figure.title = title;
  figure.caption = caption;
  figure.variables = std::move(variables);
  figure.x = x;
  return figure;
}

void add_matrix_picture(Results& results) {
  Figure matrix = figure_of(
      FigureKind::heatmap, "matrix", "Which series drives which, and after how many steps",
      "Each row is an effect, each column a cause. The number is the lag in steps of the surest link of the pair, the "
      "colour its strength; + stands for further lags of the pair, \u2194 for a link within a step: it has no "
      "direction "
      "and stands in both cells. Empty: no link counts. Own pasts are in the table only.",
      {"found_strength"}, "cause");
  matrix.y = "effect";
  matrix.labels = "found_text";
  results.figure(matrix);
}

void add_pictures_of_pairs(const Discovery& discovery, std::size_t pairs, Results& results) {
  const auto shown = static_cast<std::size_t>(discovery.shown);
  const std::string which =
      pairs > shown ? concat(" Here are the ", shown, " surest of ", pairs, " pairs (shown.pairs sets another number).")
                    : "";
  Figure profile = figure_of(FigureKind::lines, "profile", "How strength depends on the lag",
                             "Strength of the partial effect at each lag; in the band lie 95 % of the "
                             "strengths where there is no effect, by the test's own p-values.",
                             {"profile"}, "lag");
  if (!discovery.views.empty()) {
    profile.variables = {"profile", "profile_attention", "profile_gradient"};
    profile.value_label = "strength, weight, gradient";
    profile.caption +=
        " Beside it the attention on this lag and the gradient of the forecast, in standard "
        "deviations: where the three disagree, believe the test.";
  }
  profile.caption += which;
  profile.band_low = "profile_low";
  profile.band_high = "profile_high";
  results.figure(profile);
  Figure overlay = figure_of(
      FigureKind::lines, "overlay", "The two series, the cause moved by its lag",
      "Effect, and cause moved later by its lag, each in its own standard deviations, over a stretch in the middle of "
      "the table; the cause is turned over where the strength is negative. What the two share by way of other series "
      "is in this picture too.",
      {"shown_effect", "shown_cause"}, "moment");
  overlay.value_label = "standard deviations from the mean";
  results.figure(overlay);
}

std::vector<std::string> columns_of_links(const Discovery& discovery) {
  std::vector<std::string> columns{"link_cause", "link_kind", "link_effect", "link_lag"};
  if (!discovery.table.time_unit.empty() || discovery.table.step != 1) columns.push_back("link_time");
  for (const char* column : {"link_strength", "link_q"}) columns.push_back(column);
  if (!discovery.views.empty())
    for (const char* column : {"link_attention", "link_gradient"}) columns.push_back(column);
  if (!discovery.views.empty()) columns.push_back("link_remark");
  if (!discovery.beside.empty()) columns.push_back("link_beside");
  return columns;
}

void add_tables(const Discovery& discovery, bool has_links, Results& results) {
  if (has_links) {
    Figure links = figure_of(
        FigureKind::table, "links", "Links that count: test, attention and gradient side by side",
        "Links between series first, then own pasts. Strength: partial correlation of the effect with this past value, "
        "given all else that tells. q-value: the false discovery rate at which the link just counts (p-values are in "
        "result.h5). Attention: the probability that the forecast looks here. Gradient: of the forecast, in standard "
        "deviations. Other methods: how many of those below find it too.",
        columns_of_links(discovery), "link");
    links.digits = 3;
    results.figure(links);
  }
  if (!discovery.beside.empty())
    results.figure(figure_of(FigureKind::table, "methods", "What other methods find on the same series",
                             "Links between series, each with its lag, that count by each method's own rule, and how "
                             "many of them are on this page too. Cross-correlations and transfer entropy see two "
                             "series at a time: what these share by way of others counts there as well.",
                             {"method_links", "method_shared"}, "method"));
}

void add_figures(const Discovery& discovery, const std::vector<Link>& counting, Results& results) {
  std::set<std::pair<Index, Index>> pairs;
  bool between = false;
  for (const Link& link : counting) {
    between = between || !link.self();
    if (!link.self() || !between) pairs.emplace(link.cause, link.effect);
  }
  if (between && discovery.table.series() <= kMostSeriesDrawn) add_matrix_picture(results);
  if (!pairs.empty()) add_pictures_of_pairs(discovery, pairs.size(), results);
  add_tables(discovery, !pairs.empty(), results);
}

void add_scalars(const Discovery& discovery, std::size_t links, std::size_t self, Results& results) {
  results.scalar("links_between", static_cast<double>(links), "1", "links between series that count");
  results.scalar("links_self", static_cast<double>(self), "1", "links of a series with itself that count");
  results.scalar("lag_largest", static_cast<double>(discovery.settings.lags.back()), "steps", "largest lag looked at");
  results.scalar("links_tested", static_cast<double>(discovery.ours.findings.links.size()), "1", "links tested");
  results.headline({"links_between", "Links between series", "", "",
                    concat("that count at a false discovery rate of ", 100 * discovery.settings.level, " %")});
  results.headline({"links_tested", "Links tested", "", "", "cause, effect and lag, own past included"});
  results.headline({"lag_largest", "Largest lag looked at", "", "",
                    discovery.lags_chosen ? "chosen from the data: see the notes" : "as it was asked for"});
}

/// Made series: their links are known.
void add_truth_checks(const Discovery& discovery, const std::vector<Link>& found, Results& results) {
  std::set<std::tuple<Index, Index, Index>> known;
  for (const Link& link : discovery.truth)
    if (!link.self()) known.insert({link.cause, link.effect, link.lag});
  double hits = 0;
  for (const Link& link : found) hits += known.count({link.cause, link.effect, link.lag}) > 0 ? 1 : 0;
  const double all = static_cast<double>(known.size());
  results.scalar("true_links_found", hits / all, "1", "share of the true links found at their lag");
  results.scalar("false_links", static_cast<double>(found.size()) - hits, "1", "links found that are none");
  results.check({"true_links_found", "true links found at their lag, share", "the links that made the series", 1,
                 hits / all, 0, false});
  // Two false links beside six true ones happen at a rate of 5 %; three or more came in 1 of 40 seeds.
  results.check({"false_links", "links found that are none", "Benjamini & Hochberg 1995", 0,
                 static_cast<double>(found.size()) - hits, 2, false});
}

}  // namespace

std::vector<std::string> disagreements(const Discovery& discovery) {
  std::vector<std::string> warnings;
  const std::vector<Link>& links = discovery.ours.findings.links;
  if (discovery.views.empty()) return warnings;
  std::set<std::pair<Index, Index>> counted;
  for (const Link& link : links)
    if (link.counts) counted.emplace(link.effect, link.cause);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    const AttentionView& view = discovery.views[i];
    const std::string p = "p = " + number_text(link.p_value, 2);
    if (view.weight > kSureWeight && !counted.contains({link.effect, link.cause}))
      warnings.push_back(concat("Attention and test disagree: ", sentence_of(discovery, link), " with weight ",
                                number_text(view.weight, 2), ", but no link of the two counts (", p,
                                "); do not believe the weight."));
    if (link.counts && link.lag > 0 && view.weight < kNoAttention && !link.self())
      warnings.push_back(concat("Attention and test disagree: ", sentence_of(discovery, link), " counts (", p,
                                "), but attention hardly looks there (weight ", number_text(view.weight, 2),
                                "); look at its profile."));
    if (link.counts && link.lag > 0 && view.bent_share < 0.5 && view.gradient * link.strength < 0)
      warnings.push_back(concat("Gradient and test disagree: ", sentence_of(discovery, link), " with strength ",
                                number_text(link.strength, 2), ", but the forecast's gradient is ",
                                number_text(view.gradient, 2), "; do not believe the sign."));
  }
  if (warnings.size() > kMostWarnings) {
    const std::size_t more = warnings.size() - kMostWarnings;
    warnings.resize(kMostWarnings);
    warnings.push_back(concat("Attention, gradient and test disagree in ", more, " more places."));
  }
  return warnings;
}

void write_discovery(const Discovery& discovery, Results& results) {
  const LagGrid grid(discovery.table, discovery.settings);
  std::vector<Link> counting = counting_links(discovery.ours.findings);
  std::stable_partition(counting.begin(), counting.end(), [](const Link& link) { return !link.self(); });
  const std::vector<Link> between = between_series(counting);
  results.verdict(verdict_of(discovery, between));
  results.note(what_to_believe(discovery, between));
  for (const std::string& warning : disagreements(discovery)) results.note(warning);
  add_scalars(discovery, between.size(), counting.size() - between.size(), results);
  write_cells(discovery, grid, results);
  if (counting.size() > kMostTableLinks) {
    results.note(concat("The table has the first ", kMostTableLinks, " of ", counting.size(), " links."));
    counting.resize(kMostTableLinks);
  }
  if (!counting.empty()) {
    write_matrix(discovery, grid, results);
    write_links(discovery, counting, results);
    write_profiles(discovery, grid, results);
  }
  write_methods(discovery, results);
  add_figures(discovery, counting, results);
  if (!discovery.truth.empty()) add_truth_checks(discovery, between, results);
  results.note(concat("Method ", discovery.ours.name, ": ", discovery.ours.meaning, "."));
  for (const std::string& note : discovery.notes) results.note(note);
  for (const std::string& note : discovery.ours.findings.notes) results.note(note);
}

}  // namespace fovea::lag
