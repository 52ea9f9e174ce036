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
constexpr double kSureWeight = 0.9, kNoWeight = 0.05;  // of attention, probabilities
constexpr Index kMostSeriesDrawn = 400;                // along a side of the matrix

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

std::string verdict_of(const Discovery& discovery, const std::vector<Link>& links) {
  const std::string share = concat(100 * discovery.settings.level, " %");
  const std::string asked =
      concat(discovery.table.series(), " series", " and lags ", lag_set_text(discovery.settings.lags), " steps");
  if (links.empty())
    return concat("No link between the series counts: among ", asked, ", none passes at a false discovery rate of ",
                  share, ".");
  std::string text =
      concat(links.size(), links.size() == 1 ? " link" : " links", " between the series count",
             links.size() == 1 ? "s" : "", " at a false discovery rate of ", share, " (", asked, "); the surest: ");
  for (std::size_t i = 0; i < std::min<std::size_t>(3, links.size()); ++i)
    text += concat(i == 0 ? "" : "; ", sentence_of(discovery, links[i]));
  return text + ".";
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
  Figure matrix = figure_of(FigureKind::heatmap, "matrix", "Which series drives which",
                            "Each row is an effect, each column a cause; the colour is the strength of the strongest "
                            "link of the pair that counts, the number its lag in steps. Empty: no link counts. On the "
                            "diagonal a series' own past.",
                            {"found_strength"}, "cause");
  matrix.y = "effect";
  matrix.labels = "found_lag";
  results.figure(matrix);
}

void add_pictures_of_pairs(bool has_attention, Results& results) {
  Figure profile = figure_of(FigureKind::lines, "profile", "How strength depends on the lag",
                             "Strength of the partial effect at each lag. In the band lie 95 % of the "
                             "strengths where there is no effect, by the test's own p-values.",
                             {"profile"}, "lag");
  if (has_attention) {
    profile.variables = {"profile", "profile_attention", "profile_gradient"};
    profile.caption +=
        " Beside it the attention on this cause and lag, and the gradient of the forecast: where the three "
        "disagree, believe the test.";
  }
  profile.band_low = "profile_low";
  profile.band_high = "profile_high";
  results.figure(profile);
  results.figure(figure_of(FigureKind::lines, "overlay", "The series one above the other at the lag that was found",
                           "Effect, and cause moved later by its lag; both with mean 0 and standard deviation 1. What "
                           "they share by way of other series is in this picture too.",
                           {"shown_effect", "shown_cause"}, "moment"));
}

std::vector<std::string> columns_of_links(const Discovery& discovery) {
  std::vector<std::string> columns{"link_cause", "link_kind", "link_effect", "link_lag"};
  if (!discovery.table.time_unit.empty() || discovery.table.step != 1) columns.push_back("link_time");
  for (const char* column : {"link_strength", "link_p", "link_q"}) columns.push_back(column);
  if (!discovery.views.empty())
    for (const char* column : {"link_attention", "link_gradient", "link_lags"}) columns.push_back(column);
  return columns;
}

void add_figures(const Discovery& discovery, bool has_links, Results& results) {
  if (has_links && discovery.table.series() <= kMostSeriesDrawn) add_matrix_picture(results);
  if (has_links) {
    results.figure(figure_of(FigureKind::table, "links", "Links that count",
                             "By q-value. Strength is signed: what the cause adds to everything else.",
                             columns_of_links(discovery), "link"));
    add_pictures_of_pairs(!discovery.views.empty(), results);
  }
  if (!discovery.beside.empty())
    results.figure(figure_of(FigureKind::table, "methods", "What other methods find on the same series",
                             "Links between series that count by each method's own rule, and how many of them the "
                             "first finds too.",
                             {"method_links", "method_shared"}, "method"));
}

void add_scalars(const Discovery& discovery, std::size_t links, std::size_t self, Results& results) {
  results.scalar("links_between", static_cast<double>(links), "1", "links between series that count");
  results.scalar("links_self", static_cast<double>(self), "1", "links of a series with itself that count");
  results.scalar("lag_largest", static_cast<double>(discovery.settings.lags.back()), "steps", "largest lag looked at");
  results.scalar("links_tested", static_cast<double>(discovery.ours.findings.links.size()), "1", "links tested");
  results.headline({"links_between", "Links between series", "", "",
                    concat("that count at a false discovery rate of ", 100 * discovery.settings.level, " %")});
  results.headline({"links_tested", "Links tested", "", "", "cause, effect and lag, own past included"});
  results.headline({"lag_largest", "Largest lag looked at", "", "", "given, or chosen: see the notes"});
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
    if (link.counts && link.lag > 0 && view.weight < kNoWeight && !link.self())
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
  const std::vector<Link> between = between_series(counting);
  results.verdict(verdict_of(discovery, between));
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
  add_figures(discovery, !counting.empty(), results);
  if (!discovery.truth.empty()) add_truth_checks(discovery, between, results);
  results.note(concat("Method ", discovery.ours.name, ": ", discovery.ours.meaning, "."));
  for (const std::string& note : discovery.notes) results.note(note);
  for (const std::string& note : discovery.ours.findings.notes) results.note(note);
  for (const std::string& note : disagreements(discovery)) results.note(note);
}

}  // namespace fovea::lag
