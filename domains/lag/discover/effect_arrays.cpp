/// Effects in the series' own units, as arrays over the links, the series and the shown pairs.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/lag/discover/arrays.hpp"
#include "fovea/domains/lag/series/input.hpp"

namespace fovea::lag::discover {

namespace {

constexpr Index kLongestHorizon = 200;  // steps
constexpr double kMostResponses = 2e8;  // products of numbers, with the draws of the bands

/// "0.3 (0.28 to 0.32) m3/s per mm"; empty for NaN.
std::string estimate_words(const effects::Estimate& estimate, const std::string& unit) {
  if (std::isnan(estimate.size)) return "";
  return concat(rounded_text(estimate.size, 3), " (", rounded_text(estimate.low, 3), " to ",
                rounded_text(estimate.high, 3), ')', unit.empty() ? "" : " ", unit);
}

/// "3 to 5", "3"; empty for NaN.
std::string range_words(double low, double high) {
  if (std::isnan(low)) return "";
  return low == high ? concat(low) : concat(low, " to ", high);
}

std::string effect_unit(const Discovery& discovery, const methods::Link& link) {
  const auto unit = [&](Index place) { return series::unit_in_name(discovery.table.names[place]); };
  const std::string effect = unit(link.effect), cause = unit(link.cause);
  if (effect == cause) return "";  // a pure number, or not known
  return concat(effect.empty() ? "units" : effect, " per ", cause.empty() ? "unit" : cause);
}

/// An estimate of each link, as three arrays.
struct EstimateColumns {
  std::vector<double> size, low, high;
  void add(const effects::Estimate& estimate) {
    size.push_back(estimate.size);
    low.push_back(estimate.low);
    high.push_back(estimate.high);
  }
  void write(const std::string& name, const std::string& middle, const std::string& units, const std::string& meaning,
             Results& results) const {
    if (!middle.empty()) results.add(name + middle, {"link"}, size, units, meaning);
    results.add(name + "_low", {"link"}, low, units, meaning + ", lower end of 95 %");
    results.add(name + "_high", {"link"}, high, units, meaning + ", upper end of 95 %");
  }
};

bool has_totals(const effects::Effects& effects) {
  return std::any_of(effects.links.begin(), effects.links.end(),
                     [](const auto& link) { return !std::isnan(link.second.total.size); });
}

void write_skill(const Discovery& discovery, const LagGrid& grid, Results& results) {
  std::vector<double> skill;
  for (const Index effect : grid.effects) skill.push_back(discovery.effects->skill[effect]);
  results.add("forecast_skill", {"effect"}, skill, "1",
              "forecast skill: share of the own past's squared error that the causes take away, out of sample");
}

}  // namespace

void write_effects(const Discovery& discovery, const LagGrid& grid, const std::vector<methods::Link>& links,
                   Results& results) {
  if (!discovery.effects) return;
  EstimateColumns effect, total, lag;
  std::vector<std::string> units, effect_words, total_words, lag_words;
  std::vector<double> bent;
  const double step = series::lag_time(discovery.table, 1);
  for (const methods::Link& link : links) {
    const effects::LinkEffect& one = discovery.effects->of(link);
    units.push_back(effect_unit(discovery, link));
    effect.add(one.effect);
    total.add(one.total);
    lag.add(one.lag);
    effect_words.push_back(estimate_words(one.effect, units.back()));
    total_words.push_back(estimate_words(one.total, units.back()));
    lag_words.push_back(range_words(one.lag.low * step, one.lag.high * step));
    bent.push_back(one.bent_p);
  }
  const std::string unit = series::lag_unit(discovery.table);
  effect.write("link_effect", "_size", "", "effect of one unit of the cause", results);
  total.write("link_total", "_size", "", "effect, sum over the significant lags of the cause", results);
  lag.write("link_lag", "", "steps", "lag of the pair", results);
  results.add("link_unit", {"link"}, units, "", "unit of the effect");
  results.add("link_effect_words", {"link"}, effect_words, "", "effect (95 %)");
  results.add("link_total_words", {"link"}, total_words, "", "sum over lags (95 %)");
  results.add("link_lag_words", {"link"}, lag_words, "", "95 % of the lag, in " + unit);
  results.add("link_bent_p", {"link"}, bent, "1", "p-value of no bent response beside the effect");
  write_skill(discovery, grid, results);
}

void write_responses(const Discovery& discovery, const std::vector<methods::Link>& shown, Results& results) {
  if (!discovery.effects || discovery.effects->models.empty() || shown.empty()) return;
  const effects::Effects& effects = *discovery.effects;
  const Index horizon = std::min(kLongestHorizon, 2 * effects.longest_lag);
  double paths = 0;
  for (const effects::TargetModel& model : effects.models) paths += static_cast<double>(model.slope.size());
  if (100 * paths * static_cast<double>(horizon * std::ssize(shown)) > kMostResponses) return;
  std::vector<double> mean, low, high, times;
  for (Index h = 0; h <= horizon; ++h) times.push_back(series::lag_time(discovery.table, h));
  for (const effects::Response& one : effects::responses_of(effects, shown, horizon, discovery.effects_random)) {
    mean.insert(mean.end(), one.mean.begin(), one.mean.end());
    low.insert(low.end(), one.low.begin(), one.low.end());
    high.insert(high.end(), one.high.begin(), one.high.end());
  }
  const std::vector<std::string> over{"shown", "horizon"};
  results.coordinate("horizon", times, series::lag_unit(discovery.table), "time after the impulse");
  results.add("response", over, mean, "", "response to one unit of the cause");
  results.add("response_low", over, low, "", "95 % band, lower end");
  results.add("response_high", over, high, "", "95 % band, upper end");
}

void add_effect_tables(const Discovery& discovery, Results& results) {
  if (!discovery.effects || discovery.effects->models.empty()) return;
  const bool in_steps = discovery.table.time_unit.empty();
  std::vector<std::string> columns{"link_cause", "link_effect", in_steps ? "link_lag" : "link_time", "link_lag_words",
                                   "link_effect_words"};
  if (has_totals(*discovery.effects)) columns.push_back("link_total_words");
  results.figure({.kind = "table",
                  .name = "effects",
                  .title = "Effects in the series' own units",
                  .caption = "Effect: what one unit of the cause adds to the effect at this lag, the other significant "
                             "causes and the own past held fixed, with its 95 % interval (least squares; Newey & West "
                             "1987). Weak links are estimated too large, because only the significant ones are here. "
                             "95 % of the lag: where the pair's strongest lag lies in 95 % of draws of the rows in "
                             "blocks.",
                  .variables = columns,
                  .x = "link",
                  .digits = 3});
  results.figure(
      {.kind = "table",
       .name = "skill",
       .title = "How much better the causes make the forecast",
       .caption = "Forecast skill: the share of the squared error of forecasts from the series' own past "
                  "that its significant causes take away, one step ahead, on the last 30 % of the rows by "
                  "regressions on the first 70 %. The links were found in all rows. No value: no significant cause.",
       .variables = {"forecast_skill"},
       .x = "effect",
       .digits = 3});
}

void add_response_picture(Results& results) {
  if (!results.data.has("response")) return;
  results.figure({.name = "response",
                  .title = "How the effect answers to one unit of the cause",
                  .caption =
                      "Impulse response: what follows in the effect, in its own units, when the cause alone rises "
                      "by one of its units for one step, on all ways through the significant lagged links. The "
                      "band holds 95 %. Links within a step are left out.",
                  .variables = {"response"},
                  .x = "horizon",
                  .band_low = "response_low",
                  .band_high = "response_high"});
}

}  // namespace fovea::lag::discover
