#include "fovea/domains/lag/discover/arrays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/domains/lag/discover/verdict.hpp"
#include "fovea/domains/lag/series/input.hpp"
#include "fovea/domains/lag/series/lag_set.hpp"

namespace fovea::lag::discover {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostMoments = 150;          // of the series that are drawn one above the other
constexpr double kTwoSided95 = 1.959963984540054;  // normal quantile of 0.975

std::vector<std::string> names_at(const datasets::series::SeriesTable& table, const std::vector<Index>& places) {
  std::vector<std::string> names;
  for (const Index place : places) names.push_back(table.names[place]);
  return names;
}

std::string name_of(const datasets::series::SeriesTable& table, Index series) { return table.names[series]; }

/// Mean 0 and standard deviation 1 over what is there.
std::vector<double> standardised(const datasets::series::SeriesTable& table, Index series) {
  std::vector<double> values(table.values.col(series).begin(), table.values.col(series).end());
  double sum = 0, squares = 0, count = 0;
  for (const double value : values)
    if (!std::isnan(value)) sum += value, count += 1;
  const double mean = sum / count;
  for (const double value : values)
    if (!std::isnan(value)) squares += (value - mean) * (value - mean);
  const double deviation = std::sqrt(squares / count);
  for (double& value : values) value = (value - mean) / deviation;
  return values;
}

/// The surest pairs, those of a series with itself behind all others.
std::vector<methods::Link> shown_links(const Discovery& discovery) {
  std::vector<methods::Link> shown = methods::strongest_lags(discovery.ours.findings);
  std::stable_partition(shown.begin(), shown.end(), [](const methods::Link& link) { return !link.self(); });
  if (shown.size() > static_cast<std::size_t>(discovery.shown)) shown.resize(discovery.shown);
  return shown;
}

void write_overlays(const Discovery& discovery, const std::vector<methods::Link>& shown, Results& results) {
  const std::size_t steps = discovery.table.steps();
  const std::size_t moments = std::min(steps, kMostMoments), first = (steps - moments) / 2;
  struct Moment {
    double effect, cause;
  };
  std::vector<double> times;
  std::vector<Moment> both;
  const bool dated = discovery.table.dates.size() == steps;
  for (std::size_t m = 0; m < moments; ++m)
    times.push_back(dated ? discovery.table.dates[first + m] : static_cast<double>(first + m) * discovery.table.step);
  for (const methods::Link& link : shown) {
    const std::vector<double> effect = standardised(discovery.table, link.effect);
    const std::vector<double> cause = standardised(discovery.table, link.cause);
    const double sign = link.strength < 0 ? -1 : 1;
    for (std::size_t now = first; now < first + moments; ++now) {
      const std::size_t lag = link.lag;
      both.push_back({effect[now], now >= lag ? sign * cause[now - lag] : kNaN});
    }
  }
  const std::string unit = discovery.table.time_unit.empty() ? "steps" : discovery.table.time_unit;
  results.coordinate("moment", times, dated ? "days since 1970-01-01" : unit,
                     dated ? "date" : "time since the first row");
  rows({"shown", "moment"}, both)
      .number("shown_effect", &Moment::effect, "effect, standardised")
      .number("shown_cause", &Moment::cause,
              "cause shifted by its lag, standardised, with its sign changed where the strength is negative")
      .write(results);
}

bool any_too_small(const std::vector<methods::Link>& links) {
  return std::any_of(links.begin(), links.end(),
                     [](const methods::Link& link) { return methods::too_small(link.p_value); });
}

/// A link that was tested, at its place in the grid.
struct Cell {
  double strength = kNaN, p = kNaN, q = kNaN, log10_p = kNaN, log10_q = kNaN, attention = kNaN, gradient = kNaN;
  bool counts = false, promised = false;
};

std::vector<Cell> cells_of(const Discovery& discovery, const LagGrid& grid) {
  std::vector<Cell> cells(grid.size());
  for (std::size_t i = 0; i < discovery.ours.findings.links.size(); ++i) {
    const methods::Link& link = discovery.ours.findings.links[i];
    const std::size_t place = grid.place(link);
    if (place == std::string::npos) continue;
    cells[place] = {link.strength, link.p_value, link.q_value, methods::log10_p(link), methods::log10_q(link),
                    kNaN,          kNaN,         link.counts,  link.promised};
    if (discovery.views.empty()) continue;
    cells[place].attention = discovery.views[i].weight;
    cells[place].gradient = discovery.views[i].gradient;
  }
  return cells;
}

constexpr double kLeastSaid = 1e-300;
constexpr const char* kBelowLeast = "< 10\u207b\u00b3\u2070\u2070";

}  // namespace

std::string_view stars_of(double q_value) {
  return q_value < 0.001 ? "***" : q_value < 0.01 ? "**" : q_value < 0.05 ? "*" : "";
}

LagGrid::LagGrid(const datasets::series::SeriesTable& table, const methods::LagSettings& settings)
    : effects(settings.targets), lags(settings.lags), causes(table.series()) {
  if (effects.empty())
    for (Index effect = 0; effect < table.series(); ++effect) effects.push_back(effect);
  if (settings.contemporaneous) lags.insert(lags.begin(), 0);
}

std::size_t LagGrid::effect_place(Index effect) const {
  const auto found = std::lower_bound(effects.begin(), effects.end(), effect);
  return found == effects.end() || *found != effect ? std::string::npos
                                                    : static_cast<std::size_t>(found - effects.begin());
}

std::size_t LagGrid::place(const methods::Link& link) const {
  const std::size_t effect = effect_place(link.effect);
  const auto lag = std::lower_bound(lags.begin(), lags.end(), link.lag);
  if (effect == std::string::npos || lag == lags.end() || *lag != link.lag) return std::string::npos;
  return place(effect, link.cause, lag - lags.begin());
}

double null_half_width(const std::vector<const methods::Link*>& profile) {
  std::vector<double> spreads;
  for (const methods::Link* link : profile) {
    const double r = std::fabs(link->strength);
    if (!(r > 0 && r < 1) || !(link->p_value > 1e-300 && link->p_value < 0.999)) continue;
    spreads.push_back(std::atanh(r) / -normal_quantile(link->p_value / 2));
  }
  if (spreads.empty()) return kNaN;
  std::sort(spreads.begin(), spreads.end());
  return std::tanh(kTwoSided95 * sorted_quantile(spreads, 0.5));
}

void write_cells(const Discovery& discovery, const LagGrid& grid, Results& results) {
  const datasets::series::SeriesTable& table = discovery.table;
  results.coordinate("effect", names_at(table, grid.effects), "", "effect");
  results.coordinate("cause", table.names, "", "cause");
  std::vector<std::int64_t> lags(grid.lags.begin(), grid.lags.end());
  results.coordinate("lag", lags, "steps", "lag");
  results.scalar("lag_step", table.step, table.time_unit.empty() ? "1" : table.time_unit, "time of one step");
  if (grid.size() > kMostCells) {
    results.note(concat("The arrays over (effect, cause, lag) would have ", grid.size(),
                        " numbers each and are omitted; all significant links are stored."));
    return;
  }
  const Shown small{.array = any_too_small(discovery.ours.findings.links)}, view{.array = !discovery.views.empty()};
  rows({"effect", "cause", "lag"}, cells_of(discovery, grid))
      .number("strength", &Cell::strength, "strength of the partial effect")
      .number("p_value", &Cell::p, "p-value of no partial effect")
      .number("q_value", &Cell::q, "q-value: smallest false discovery rate at which the link is significant")
      .number("counts", &Cell::counts, "1 where the link is significant")
      .number("promised", &Cell::promised, "1 where it is promised too: at most the level of such links are false")
      .number("log10_p", &Cell::log10_p, kLog10P)
      .shown(small)
      .number("log10_q", &Cell::log10_q, kLog10Q)
      .shown(small)
      .number("attention", &Cell::attention, "attention: posterior probability that a head selects this past value")
      .shown(view)
      .number("gradient", &Cell::gradient, "mean gradient of the forecast, standardised")
      .shown(view)
      .write(results);
}

void write_matrix(const Discovery& discovery, const LagGrid& grid, Results& results) {
  struct Pair {
    double lag = kNaN, strength = kNaN;
    std::string text = {};
  };
  std::vector<Pair> pairs(grid.effects.size() * grid.causes);
  const auto enter = [&](Index effect, Index cause, const methods::Link& link, bool more) {
    const std::size_t row = grid.effect_place(effect);
    if (row == std::string::npos) return;
    Pair& pair = pairs[row * grid.causes + cause];
    if (!std::isnan(pair.lag)) return;  // a link of no direction does not hide one that has its own
    pair = {static_cast<double>(link.lag), link.strength,
            concat(series::lag_time(discovery.table, link.lag), link.directed ? "" : "\u2194",
                   link.promised ? "" : kNotPromised, more ? "+" : "", stars_of(link.q_value))};
  };
  std::map<std::pair<Index, Index>, int> lags;
  for (const methods::Link& link : discovery.ours.findings.links)
    if (link.counts) ++lags[{link.effect, link.cause}];
  const std::vector<methods::Link> surest = methods::strongest_lags(discovery.ours.findings);
  for (const methods::Link& link : surest)
    if (!link.self()) enter(link.effect, link.cause, link, lags.at({link.effect, link.cause}) > 1);
  for (const methods::Link& link : surest)
    if (!link.directed) enter(link.cause, link.effect, link, false);
  rows({"effect", "cause"}, pairs)
      .number("found_lag", &Pair::lag, "lag of the pair's most significant link", "steps")
      .number("found_strength", &Pair::strength, "strength, of the pair's most significant link")
      .text("found_text", &Pair::text, "lag in " + series::lag_unit(discovery.table))
      .write(results);
}

namespace {

std::string kind_text(const Discovery& discovery, const methods::Link& link) {
  if (link.self()) return "own past";
  if (!link.directed) return std::string(link.strength < 0 ? kMovesAgainst : kMovesWith);
  if (link.kind == methods::EffectKind::changing) return "drives (changing)";
  if (link.kind == methods::EffectKind::variance) return "moves the variance of";
  if (link.kind == methods::EffectKind::product)
    return concat("times ", name_of(discovery.table, link.with), " (", series::lag_text(discovery.table, link.with_lag),
                  ") drives");
  return std::string(verb_of(discovery, link));
}

LinkRow row_of(const Discovery& discovery, const methods::Link& link) {
  const bool product = link.with >= 0;
  LinkRow row{name_of(discovery.table, link.cause),
              name_of(discovery.table, link.effect),
              link.lag,
              link.strength,
              link.p_value,
              link.q_value};
  row.promised = link.promised;
  row.log10_p = methods::log10_p(link);
  row.log10_q = methods::log10_q(link);
  row.kind = methods::name_of(link.kind);
  row.with = product ? name_of(discovery.table, link.with) : "";
  row.with_lag = product ? static_cast<double>(link.with_lag) : kNaN;
  row.test = concat(methods::name_of(link.test), link.bent ? ", bent" : "");
  row.time = static_cast<double>(link.lag) * discovery.table.step;
  row.said = kind_text(discovery, link);
  row.q_words = link.q_value < kLeastSaid ? kBelowLeast : rounded_text(link.q_value, 3);
  return row;
}

}  // namespace

void write_links(const Discovery& discovery, const std::vector<methods::Link>& links, Results& results) {
  std::vector<LinkRow> table;
  for (const methods::Link& link : links) table.push_back(row_of(discovery, link));
  add_remarks(discovery, links, table);
  add_effects(discovery, links, table);
  link_columns(table, {.small = any_too_small(links),
                       .effects = discovery.effects.has_value(),
                       .views = !discovery.views.empty(),
                       .beside = !discovery.beside.empty(),
                       .time_unit = discovery.table.time_unit,
                       .lag_unit = series::lag_unit(discovery.table)})
      .write(results);
}

void write_profiles(const Discovery& discovery, const LagGrid& grid, Results& results) {
  const std::vector<methods::Link> shown = shown_links(discovery);
  if (shown.empty()) return;
  const std::vector<methods::Link>& links = discovery.ours.findings.links;
  const std::size_t width = grid.lags.size();
  struct AtLag {
    double strength = kNaN, attention = kNaN, gradient = kNaN, half = kNaN;
  };
  std::vector<std::string> names;
  std::vector<AtLag> profile(shown.size() * width);
  for (std::size_t s = 0; s < shown.size(); ++s) {
    names.push_back(pair_called(discovery, shown[s]));
    std::vector<const methods::Link*> pair;
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (links[i].cause != shown[s].cause || links[i].effect != shown[s].effect) continue;
      pair.push_back(&links[i]);
      const auto lag = std::lower_bound(grid.lags.begin(), grid.lags.end(), links[i].lag) - grid.lags.begin();
      AtLag& here = profile[s * width + lag];
      here.strength = links[i].strength;
      if (discovery.views.empty()) continue;
      here.attention = discovery.views[i].weight;
      here.gradient = discovery.views[i].gradient;
    }
    const double half = null_half_width(pair);
    for (std::size_t k = 0; k < width; ++k) profile[s * width + k].half = half;
  }
  std::vector<double> times;
  for (const Index lag : grid.lags) times.push_back(series::lag_time(discovery.table, lag));
  results.coordinate("shown", names, "", "pair of series");
  results.coordinate("profile_lag", times, series::lag_unit(discovery.table), "lag");
  const Shown view{.array = !discovery.views.empty()};
  const auto band = [](const AtLag& at) { return ValueInterval{at.strength, -at.half, at.half}; };
  rows({"shown", "profile_lag"}, profile)
      .interval("profile", band, "strength, a partial correlation")
      .ends("95 % range without an effect, lower end", "95 % range without an effect, upper end")
      .number("profile_attention", &AtLag::attention, "attention weight")
      .shown(view)
      .number("profile_gradient", &AtLag::gradient, "gradient of the forecast")
      .shown(view)
      .write(results);
  write_overlays(discovery, shown, results);
  write_responses(discovery, shown, results);
}

}  // namespace fovea::lag::discover
