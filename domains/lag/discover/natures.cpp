/// What each series is, and what is held fixed in the tests.

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
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

template <typename Of>
std::vector<double> numbers_of(const Discovery& discovery, const Of& of) {
  std::vector<double> numbers;
  for (const nature::SeriesNature& one : discovery.natures) numbers.push_back(static_cast<double>(of(one)));
  return numbers;
}

void write_texts(const Discovery& discovery, Results& results) {
  std::vector<std::string> levels, variances;
  for (const nature::SeriesNature& one : discovery.natures) {
    levels.push_back(rows_in_words(one.level_breaks));
    variances.push_back(rows_in_words(one.variance_breaks));
  }
  results.add("series_level_breaks", {"series"}, levels, "", "rows at which the level changes");
  results.add("series_variance_breaks", {"series"}, variances, "", "rows at which the variance changes");
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
  results.coordinate("series", discovery.table.names, "", "series");
  const auto add = [&](const char* name, const std::vector<double>& numbers, const char* units, const char* meaning) {
    results.add(name, {"series"}, numbers, units, meaning);
  };
  using Nature = nature::SeriesNature;
  add("series_memory", numbers_of(discovery, [](const Nature& s) { return s.memory; }), "1",
      "correlation with the value one step before");
  add("series_order", numbers_of(discovery, [](const Nature& s) { return s.order; }), "steps",
      "order of the autoregression");
  add("series_unit_root_p", numbers_of(discovery, [](const Nature& s) { return s.unit_root_p; }), "1",
      "p-value of a unit root");
  add("series_trend_p", numbers_of(discovery, [](const Nature& s) { return s.trend_p; }), "1",
      "p-value of no straight trend");
  add("series_season", numbers_of(discovery, [](const Nature& s) { return s.season_steps; }), "steps",
      "period of the most conspicuous wave");
  add("series_season_p", numbers_of(discovery, [](const Nature& s) { return s.season_p; }), "1",
      "p-value of no such wave");
  write_texts(discovery, results);
  add("series_zeros", numbers_of(discovery, [](const Nature& s) { return s.zeros; }), "1", "share of zeros");
  add("series_distinct", numbers_of(discovery, [](const Nature& s) { return s.distinct; }), "1", "different values");
  add("series_tails", numbers_of(discovery, [](const Nature& s) { return s.tails; }), "1", "excess kurtosis");
  add("series_outliers", numbers_of(discovery, [](const Nature& s) { return s.outliers; }), "1",
      "values beyond 4 robust deviations");
}

void add_natures_table(const Discovery& discovery, Results& results) {
  if (discovery.natures.empty()) return;
  results.figure({.kind = "table",
                  .name = "series",
                  .title = "What the series are",
                  .caption = "Each by itself, before anything is held fixed. Trend, season and breaks of the level are "
                             "tested beside the series' own past. The season is the most conspicuous wave; its p-value "
                             "says whether there is one. Breaks: rows at which a new level or a new variance begins.",
                  .variables = {"series_memory", "series_unit_root_p", "series_trend_p", "series_season",
                                "series_season_p", "series_level_breaks", "series_variance_breaks", "series_zeros",
                                "series_distinct", "series_tails", "series_outliers"},
                  .x = "series",
                  .digits = 2});
}

}  // namespace fovea::lag::discover
