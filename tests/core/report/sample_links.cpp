#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/core/base/missing.hpp"
#include "sample_results.hpp"

namespace fovea {
namespace {

const std::vector<std::string> kSeries{"rain", "snow", "upper river", "lower river", "well"};
constexpr std::size_t kWindows = 3, kLags = 12;

struct SampleLink {
  std::int64_t cause, effect, lag;
  double strength;
};
const std::vector<SampleLink> kSampleLinks{{0, 2, 3, 0.82}, {1, 2, 9, 0.31}, {2, 3, 2, 0.74},  {3, 2, 1, -0.2},
                                           {0, 4, 7, 0.44}, {4, 3, 4, -0.5}, {0, 4, 11, 0.25}, {4, 4, 1, 0.9}};

void add_matrix(Results& results) {
  const std::size_t n = kSeries.size();
  std::vector<double> strength(n * n, kNan);
  std::vector<std::int64_t> lag(n * n, 0);
  for (const SampleLink& link : kSampleLinks) {
    const auto at = static_cast<std::size_t>(link.effect) * n + static_cast<std::size_t>(link.cause);
    if (link.cause == link.effect || !std::isnan(strength[at])) continue;
    strength[at] = link.strength;
    lag[at] = link.lag;
  }
  results.coordinate("cause", kSeries, "", "cause");
  results.coordinate("effect", kSeries, "", "effect");
  results.add("strength", {"effect", "cause"}, strength, "1", "partial correlation");
  results.add("lag_of_pair", {"effect", "cause"}, lag, "days", "lag");
  results.figure({.kind = "heatmap",
                  .name = "matrix",
                  .title = "Which series drives which, after how many days",
                  .caption = "Number: lag; colour: partial correlation; empty: no link that counts.",
                  .variables = {"strength"},
                  .x = "cause",
                  .y = "effect",
                  .labels = "lag_of_pair"});
}

void add_graph(Results& results) {
  std::vector<std::int64_t> source, target;
  std::vector<double> weight, x, y;
  std::vector<std::string> label;
  for (const SampleLink& link : kSampleLinks) {
    source.push_back(link.cause);
    target.push_back(link.effect);
    label.push_back(std::to_string(link.lag) + " d");
  }
  for (std::size_t w = 0; w < kWindows; ++w)
    for (std::size_t k = 0; k < kSampleLinks.size(); ++k)
      weight.push_back((k + w) % 4 == 3 ? kNan : kSampleLinks[k].strength * (1 - 0.1 * static_cast<double>(w)));
  for (std::size_t i = 0; i < kSeries.size(); ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(kSeries.size());
    x.push_back(std::sin(angle));
    y.push_back(std::cos(angle));
  }
  results.coordinate("series", kSeries, "", "series");
  results.coordinate("window", std::vector<double>{100, 300, 500}, "days", "middle of the window");
  results.add("series_x", {"series"}, x, "1", "x");
  results.add("series_y", {"series"}, y, "1", "y");
  results.add("memory", {"series"}, std::vector<double>{0.1, 0.6, 0.4, 0.5, 0.9}, "1", "memory");
  results.data.dimension("link", source.size());
  results.add("link_cause", {"link"}, source, "1", "cause");
  results.add("link_effect", {"link"}, target, "1", "effect");
  results.add("link_label", {"link"}, label, "", "lag");
  results.add("link_strength", {"window", "link"}, weight, "1", "strength of the link");
  results.figure({.kind = "network",
                  .name = "graph",
                  .title = "The graph of the links",
                  .caption = "Arrows point from cause to effect; beside them the lag.",
                  .variables = {"memory"},
                  .x = "series",
                  .position_x = "series_x",
                  .position_y = "series_y",
                  .edge_source = "link_cause",
                  .edge_target = "link_effect",
                  .labels = "link_label",
                  .directed = true,
                  .edge_weight = "link_strength"});
}

void add_profile(Results& results) {
  std::vector<double> lags, profile, low, high;
  for (std::size_t l = 1; l <= kLags; ++l) lags.push_back(static_cast<double>(l));
  for (std::size_t w = 0; w < kWindows; ++w)
    for (const double lag : lags)
      profile.push_back(0.8 * std::exp(-std::abs(lag - 3 - static_cast<double>(w))) - 0.05 * std::cos(3 * lag));
  for (const double lag : lags) {
    low.push_back(-0.12 - 0.002 * lag);
    high.push_back(lag == 6 ? kNan : 0.12 + 0.002 * lag);
  }
  results.coordinate("lag", lags, "days", "lag");
  results.add("profile", {"window", "lag"}, profile, "1", "partial correlation");
  results.add("null_low", {"lag"}, low, "1", "without effect, 95 % lie here");
  results.add("null_high", {"lag"}, high, "1", "upper end of the null band");
  results.figure({.kind = "lines",
                  .name = "profile",
                  .title = "Profile of one link over the lag",
                  .caption = "Grey: where 95 % of values lie when there is no link.",
                  .variables = {"profile"},
                  .x = "lag",
                  .band_low = "null_low",
                  .band_high = "null_high"});
}

/// What the marks of the other figures choose: a profile for each of three pairs.
void add_pairs(Results& results) {
  std::vector<double> course;
  for (std::size_t pair = 0; pair < 3; ++pair)
    for (std::size_t l = 1; l <= kLags; ++l) course.push_back(static_cast<double>(pair) + 0.1 * static_cast<double>(l));
  results.coordinate(
      "shown",
      std::vector<std::string>{"rain \u2192 upper river", "snow \u2192 upper river", "lower river \u2194 upper river"},
      "", "pair of series");
  results.add("course", {"shown", "lag"}, course, "1", "response");
  results.figure({.name = "course",
                  .title = "The response of a pair",
                  .caption = "After an impulse of the cause.",
                  .variables = {"course"},
                  .x = "lag"});
}

/// Columns whose order is that of numbers, of numbers in several units, of powers of ten and of words.
void add_link_table(Results& results) {
  std::vector<std::string> cause, effect;
  for (const SampleLink& link : kSampleLinks) {
    cause.push_back(kSeries[static_cast<std::size_t>(link.cause)]);
    effect.push_back(kSeries[static_cast<std::size_t>(link.effect)]);
  }
  results.add("row_cause", {"link"}, cause, "", "cause");
  results.add("row_effect", {"link"}, effect, "", "effect");
  results.add("row_time", {"link"},
              std::vector<std::string>{"3 days", "90 min", "36 h", "1 day", "1 h 5 min", "", "11 days", "40 s"}, "",
              "time");
  results.add("row_p", {"link"},
              std::vector<std::string>{"2\u00d710\u207b\u00b9\u00b2", "0.03", "< 10\u207b\u00b3\u2070\u2070", "0.2",
                                       "0.004 *", "1\u00d710\u207b\u2075", "0.03", "no value"},
              "", "p-value");
  results.add(
      "row_size", {"link"},
      std::vector<std::string>{"0.82 \u00b1 0.02", "0.31 \u00b1 0.11", "(7.4 \u00b1 0.1)\u00d710\u2076",
                               "\u22120.2 \u00b1 0.1", "0.44", "\u22120.5 (\u22120.7 to \u22120.3)", "0.25", "0.9"},
      "", "size");
  results.figure({.kind = "table",
                  .name = "rows",
                  .title = "The links as rows",
                  .caption = "A click on a row shows its pair.",
                  .variables = {"row_cause", "row_effect", "row_time", "row_p", "row_size"},
                  .x = "link"});
}

/// Fifteen lines; the last is a thousand times as high as the others.
void add_many_lines(Results& results) {
  constexpr std::size_t kStations = 15;
  std::vector<std::string> names;
  std::vector<double> level;
  for (std::size_t s = 0; s < kStations; ++s) {
    names.push_back("station " + std::to_string(s + 1));
    for (std::size_t l = 1; l <= kLags; ++l)
      level.push_back((s + 1 == kStations ? 1000.0 : 1.0) *
                      (static_cast<double>(s) + std::sin(static_cast<double>(l))));
  }
  results.coordinate("station", names, "", "station");
  results.add("level", {"station", "lag"}, level, "m", "level");
  results.figure({.name = "levels",
                  .title = "Fifteen stations",
                  .caption = "Each station has a name.",
                  .variables = {"level"},
                  .x = "lag",
                  .hue = "station"});
}

}  // namespace

Results sample_links() {
  Results results;
  results.data.attributes["title"] = "Rain, snow and two rivers";
  add_matrix(results);
  add_graph(results);
  add_profile(results);
  add_pairs(results);
  add_link_table(results);
  add_many_lines(results);
  results.figure({.kind = "table",
                  .name = "memory_of_series",
                  .title = "The series",
                  .caption = "How strongly a series depends on its own past.",
                  .variables = {"memory"},
                  .x = "series",
                  .fold = "More"});
  results.check({"links", "number of links", "by hand", 8, 8, relative(0)});
  results.verdict("Rain drives the upper river after 3 days.");
  return results;
}

}  // namespace fovea
