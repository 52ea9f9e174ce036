/// Effects in the series' own units, as arrays over the links, the series and the shown pairs.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
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

bool has_totals(const effects::Effects& effects) {
  return std::any_of(effects.links.begin(), effects.links.end(),
                     [](const auto& link) { return !std::isnan(link.second.total.size); });
}

}  // namespace

void add_effects(const Discovery& discovery, const std::vector<methods::Link>& links, std::vector<LinkRow>& table) {
  if (!discovery.effects) return;
  const double step = series::lag_time(discovery.table, 1);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const effects::LinkEffect& one = discovery.effects->of(links[i]);
    LinkRow& row = table[i];
    row.unit = effect_unit(discovery, links[i]);
    row.effect_size = one.effect.size, row.effect_low = one.effect.low, row.effect_high = one.effect.high;
    row.total_size = one.total.size, row.total_low = one.total.low, row.total_high = one.total.high;
    row.lag_low = one.lag.low, row.lag_high = one.lag.high;
    row.effect_words = estimate_words(one.effect, row.unit);
    row.total_words = estimate_words(one.total, row.unit);
    row.lag_words = range_words(one.lag.low * step, one.lag.high * step);
    row.bent_p = one.bent_p;
  }
}

void write_skill(const Discovery& discovery, const LagGrid& grid, Results& results) {
  if (!discovery.effects) return;
  std::vector<double> skill;
  for (const Index effect : grid.effects) skill.push_back(discovery.effects->skill[effect]);
  results.add("forecast_skill", {"effect"}, skill, "1",
              "forecast skill: share of the own past's squared error that the causes take away, out of sample");
}

void write_responses(const Discovery& discovery, const std::vector<methods::Link>& shown, Results& results) {
  if (!discovery.effects || discovery.effects->models.empty() || shown.empty()) return;
  const effects::Effects& effects = *discovery.effects;
  const Index horizon = std::min(kLongestHorizon, 2 * effects.longest_lag);
  double paths = 0;
  for (const effects::TargetModel& model : effects.models) paths += static_cast<double>(model.slope.size());
  if (100 * paths * static_cast<double>(horizon * std::ssize(shown)) > kMostResponses) return;
  std::vector<double> times;
  std::vector<ValueInterval> responses;
  for (Index h = 0; h <= horizon; ++h) times.push_back(series::lag_time(discovery.table, h));
  for (const effects::Response& one : effects::responses_of(effects, shown, horizon, discovery.effects_random))
    for (std::size_t h = 0; h < one.mean.size(); ++h) responses.push_back({one.mean[h], one.low[h], one.high[h]});
  results.coordinate("horizon", times, series::lag_unit(discovery.table), "time after the impulse");
  rows({"shown", "horizon"}, responses)
      .interval(
          "response", [](const ValueInterval& one) { return one; }, "response to one unit of the cause", "")
      .ends("95 % band, lower end", "95 % band, upper end")
      .write(results);
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
