/// What each series is, and what is held fixed in the tests.

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/datasets/series/file.hpp"
#include "fovea/datasets/series/text.hpp"
#include "fovea/domains/lag/discover/arrays.hpp"
#include "fovea/domains/lag/methods/finders.hpp"
#include "fovea/domains/lag/methods/methods.hpp"

namespace fovea::lag::discover {

namespace {

/// "501, 801": rows from 1.
std::string rows_in_words(const std::vector<Index>& rows) {
  std::string text;
  for (const Index row : rows) text += concat(text.empty() ? "" : ", ", row + 1);
  return text;
}

constexpr double kSeasonLevel = 0.01;  // that of breaks

Columns nature_columns(const Discovery& discovery) {
  using Nature = nature::SeriesNature;
  const auto name = [&](const Nature&, std::size_t place) { return discovery.table.names[place]; };
  const auto season = [](const Nature& one) { return one.season_p < kSeasonLevel ? one.season_steps : kNan; };
  const auto levels = [](const Nature& one) { return rows_in_words(one.level_breaks); };
  const auto variances = [](const Nature& one) { return rows_in_words(one.variance_breaks); };
  return rows("series", discovery.natures, name, "series")
      .prefix("series_")
      .number("memory", &Nature::memory, "correlation with the value one step before")
      .number("order", &Nature::order, "order of the autoregression", "steps")
      .shown({.table = false})
      .number("unit_root_p", &Nature::unit_root_p, "p-value of a unit root")
      .number("trend_p", &Nature::trend_p, "p-value of no straight trend")
      .number("season", season, "period of the season, where its p-value is below .01", "steps")
      .number("season_p", &Nature::season_p, "p-value of no season")
      .text("level_breaks", levels, "rows at which the level changes")
      .text("variance_breaks", variances, "rows at which the variance changes")
      .number("zeros", &Nature::zeros, "share of zeros")
      .number("distinct", &Nature::distinct, "different values")
      .number("tails", &Nature::tails, "excess kurtosis")
      .number("outliers", &Nature::outliers, "values beyond 4 robust deviations");
}

/// Methods that were told of conditions and do not look at them.
std::string textbook_methods(const Discovery& discovery) {
  std::string names;
  const auto add = [&](const std::string& name) {
    if (methods::method_of(name).find != &methods::find_by_attention) names += concat(names.empty() ? "" : ", ", name);
  };
  add(discovery.ours.name);
  for (const MethodOutcome& method : discovery.beside) add(method.name);
  return names;
}

}  // namespace

void write_natures(const Discovery& discovery, Results& results) {
  for (const nature::Adjustment& one : discovery.adjustments) results.note(one.sentence);
  if (!discovery.given.empty())
    results.note(concat("Only given, neither cause nor effect: ", datasets::series::listed(discovery.given), '.'));
  const std::string textbook = textbook_methods(discovery);
  if (discovery.settings.conditions.cols() > 0 && !textbook.empty())
    results.note(
        concat("Only the attention holds these courses fixed. In their textbook form, without them: ", textbook, "."));
  if (discovery.natures.empty()) return;
  nature_columns(discovery).write(results);
}

void add_natures_table(const Discovery& discovery, Results& results) {
  if (discovery.natures.empty()) return;
  nature_columns(discovery).table(
      results, {.name = "series",
                .title = "What the series are",
                .caption = "Each by itself, before anything is held fixed. Trend, season and breaks of the level are "
                           "tested given the series' own past, which may hold a season as well: the notes say which "
                           "seasons are held fixed. Breaks: rows at which a new level or a new variance begins.",
                .digits = 2});
}

}  // namespace fovea::lag::discover
