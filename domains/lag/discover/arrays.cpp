#include "fovea/domains/lag/discover/arrays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
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
  std::vector<double> times, effects, causes;
  for (std::size_t m = 0; m < moments; ++m) times.push_back(static_cast<double>(first + m) * discovery.table.step);
  for (const methods::Link& link : shown) {
    const std::vector<double> effect = standardised(discovery.table, link.effect);
    const std::vector<double> cause = standardised(discovery.table, link.cause);
    const double sign = link.strength < 0 ? -1 : 1;
    for (std::size_t m = 0; m < moments; ++m) {
      const std::size_t now = first + m, lag = link.lag;
      effects.push_back(effect[now]);
      causes.push_back(now >= lag ? sign * cause[now - lag] : kNaN);
    }
  }
  const std::string unit = discovery.table.time_unit.empty() ? "steps" : discovery.table.time_unit;
  results.coordinate("moment", times, unit, "time since the first row");
  results.add("shown_effect", {"shown", "moment"}, effects, "1", "effect, standardised");
  results.add("shown_cause", {"shown", "moment"}, causes, "1",
              "cause shifted by its lag, standardised, with its sign changed where the strength is negative");
}

void write_views(const Discovery& discovery, const std::vector<methods::Link>& links, Results& results) {
  std::map<std::tuple<Index, Index, Index>, const attention::AttentionView*> views;
  for (std::size_t i = 0; i < discovery.views.size(); ++i) {
    const methods::Link& link = discovery.ours.findings.links[i];
    views[{link.cause, link.effect, link.lag}] = &discovery.views[i];
  }
  std::vector<double> weights, gradients;
  std::vector<std::string> credible;
  for (const methods::Link& link : links) {
    if (link.kind != methods::EffectKind::steady) {  // not what the heads look for
      weights.push_back(kNaN), gradients.push_back(kNaN), credible.emplace_back();
      continue;
    }
    const attention::AttentionView& view = *views.at({link.cause, link.effect, link.lag});
    weights.push_back(view.weight);
    gradients.push_back(view.gradient);
    credible.push_back(view.credible_lags.empty() ? "" : series::lag_set_text(view.credible_lags));
  }
  results.add("link_attention", {"link"}, weights, "1", "attention");
  results.add("link_gradient", {"link"}, gradients, "1", "gradient");
  results.add("link_lags", {"link"}, credible, "", "credible lags, which hold 95 % of the weight");
}

bool any_too_small(const std::vector<methods::Link>& links) {
  return std::any_of(links.begin(), links.end(),
                     [](const methods::Link& link) { return methods::too_small(link.p_value); });
}

constexpr const char *kLog10P = "log10 of the p-value", *kLog10Q = "log10 of the q-value";

void write_small_cells(const Discovery& discovery, const LagGrid& grid, Results& results) {
  if (!any_too_small(discovery.ours.findings.links)) return;
  std::vector<double> p(grid.size(), kNaN), q = p;
  for (const methods::Link& link : discovery.ours.findings.links) {
    const std::size_t place = grid.place(link);
    if (place == std::string::npos) continue;
    p[place] = methods::log10_p(link);
    q[place] = methods::log10_q(link);
  }
  results.add("log10_p", {"effect", "cause", "lag"}, p, "1", kLog10P);
  results.add("log10_q", {"effect", "cause", "lag"}, q, "1", kLog10Q);
}

void write_small_links(const std::vector<methods::Link>& links, Results& results) {
  if (!any_too_small(links)) return;
  std::vector<double> p, q;
  for (const methods::Link& link : links) {
    p.push_back(methods::log10_p(link));
    q.push_back(methods::log10_q(link));
  }
  results.add("link_log10_p", {"link"}, p, "1", kLog10P);
  results.add("link_log10_q", {"link"}, q, "1", kLog10Q);
}

constexpr double kLeastSaid = 1e-300;
constexpr const char* kBelowLeast = "< 10\u207b\u00b3\u2070\u2070";

}  // namespace

std::string probability_words(const char* letter, double probability) {
  return concat(letter, ' ', probability < kLeastSaid ? kBelowLeast : "= " + rounded_text(probability, 2));
}

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
  std::vector<double> strength(grid.size(), kNaN), p = strength, q = strength, counts(grid.size(), 0);
  for (const methods::Link& link : discovery.ours.findings.links) {
    const std::size_t place = grid.place(link);
    if (place == std::string::npos) continue;
    strength[place] = link.strength;
    p[place] = link.p_value;
    q[place] = link.q_value;
    counts[place] = link.counts ? 1 : 0;
  }
  const std::vector<std::string> cube{"effect", "cause", "lag"};
  results.add("strength", cube, strength, "1", "strength of the partial effect");
  results.add("p_value", cube, p, "1", "p-value of no partial effect");
  results.add("q_value", cube, q, "1", "q-value: smallest false discovery rate at which the link is significant");
  results.add("counts", cube, counts, "1", "1 where the link is significant");
  write_small_cells(discovery, grid, results);
  if (discovery.views.empty()) return;
  std::vector<double> attention(grid.size(), kNaN), gradient = attention;
  for (std::size_t i = 0; i < discovery.views.size(); ++i) {
    const std::size_t place = grid.place(discovery.ours.findings.links[i]);
    if (place == std::string::npos) continue;
    attention[place] = discovery.views[i].weight;
    gradient[place] = discovery.views[i].gradient;
  }
  results.add("attention", cube, attention, "1",
              "attention: posterior probability that a head selects this past value");
  results.add("gradient", cube, gradient, "1", "mean gradient of the forecast, standardised");
}

void write_matrix(const Discovery& discovery, const LagGrid& grid, Results& results) {
  std::vector<double> lag(grid.effects.size() * grid.causes, kNaN), strength = lag;
  std::vector<std::string> text(lag.size());
  const auto enter = [&](Index effect, Index cause, const methods::Link& link, bool more) {
    const std::size_t row = grid.effect_place(effect);
    if (row == std::string::npos) return;
    const std::size_t place = row * grid.causes + cause;
    if (!std::isnan(lag[place])) return;  // a link of no direction does not hide one that has its own
    lag[place] = static_cast<double>(link.lag);
    strength[place] = link.strength;
    text[place] = concat(series::lag_time(discovery.table, link.lag), link.directed ? "" : "\u2194", more ? "+" : "",
                         stars_of(link.q_value));
  };
  std::map<std::pair<Index, Index>, int> lags;
  for (const methods::Link& link : discovery.ours.findings.links)
    if (link.counts) ++lags[{link.effect, link.cause}];
  const std::vector<methods::Link> surest = methods::strongest_lags(discovery.ours.findings);
  for (const methods::Link& link : surest)
    if (!link.self()) enter(link.effect, link.cause, link, lags.at({link.effect, link.cause}) > 1);
  for (const methods::Link& link : surest)
    if (!link.directed) enter(link.cause, link.effect, link, false);
  results.add("found_lag", {"effect", "cause"}, lag, "steps", "lag of the pair's most significant link");
  results.add("found_strength", {"effect", "cause"}, strength, "1", "strength, of the pair's most significant link");
  results.add("found_text", {"effect", "cause"}, text, "", "lag in " + series::lag_unit(discovery.table));
}

namespace {

std::string kind_text(const Discovery& discovery, const methods::Link& link) {
  if (link.self()) return "own past";
  if (link.kind == methods::EffectKind::changing) return "drives (changing)";
  if (link.kind == methods::EffectKind::variance) return "moves the variance of";
  if (link.kind == methods::EffectKind::product)
    return concat("times ", name_of(discovery.table, link.with), " (", series::lag_text(discovery.table, link.with_lag),
                  ") drives");
  return link.directed ? "drives" : "moves with";
}

/// How the effect answers: of a product also the other cause.
void write_answers(const Discovery& discovery, const std::vector<methods::Link>& links, Results& results) {
  std::vector<std::string> answers, others, tests;
  std::vector<double> lags;
  for (const methods::Link& link : links) {
    const bool product = link.with >= 0;
    answers.emplace_back(methods::name_of(link.kind));
    tests.push_back(concat(methods::name_of(link.test), link.bent ? ", bent" : ""));
    others.push_back(product ? name_of(discovery.table, link.with) : "");
    lags.push_back(product ? static_cast<double>(link.with_lag) : kNaN);
  }
  results.add("link_answer", {"link"}, answers, "", "how the effect answers: steady, changing, product or variance");
  results.add("link_test", {"link"}, tests, "", "test");
  results.add("link_with", {"link"}, others, "", "other cause of a product");
  results.add("link_with_lag", {"link"}, lags, "steps", "its lag");
}

}  // namespace

void write_links(const Discovery& discovery, const std::vector<methods::Link>& links, Results& results) {
  std::vector<std::string> causes, effects, kinds, q_words;
  std::vector<double> lags, times, strengths, p, q, self;
  std::vector<std::int64_t> numbers;
  for (const methods::Link& link : links) {
    numbers.push_back(static_cast<std::int64_t>(numbers.size()) + 1);
    causes.push_back(name_of(discovery.table, link.cause));
    effects.push_back(name_of(discovery.table, link.effect));
    lags.push_back(static_cast<double>(link.lag));
    times.push_back(static_cast<double>(link.lag) * discovery.table.step);
    strengths.push_back(link.strength);
    p.push_back(link.p_value);
    q.push_back(link.q_value);
    q_words.push_back(link.q_value < kLeastSaid ? kBelowLeast : rounded_text(link.q_value, 3));
    self.push_back(link.self() ? 1 : 0);
    kinds.push_back(kind_text(discovery, link));
  }
  results.coordinate("link", numbers, "1", "link, those between series first, by q-value");
  results.add("link_cause", {"link"}, causes, "", "cause");
  results.add("link_effect", {"link"}, effects, "", "effect");
  results.add("link_lag", {"link"}, lags, "steps", "lag");
  results.add("link_time", {"link"}, times, discovery.table.time_unit, "lag, in time");
  results.add("link_strength", {"link"}, strengths, "1", "strength");
  results.add("link_p", {"link"}, p, "1", "p-value");
  results.add("link_q", {"link"}, q, "1", "q-value");
  results.add("link_q_words", {"link"}, q_words, "", "q-value");
  write_small_links(links, results);
  results.add("link_kind", {"link"}, kinds, "", "kind");
  write_answers(discovery, links, results);
  results.add("link_self", {"link"}, self, "1", "1 for a series with itself");
  if (!discovery.views.empty()) write_views(discovery, links, results);
  write_remarks(discovery, links, results);
}

void write_profiles(const Discovery& discovery, const LagGrid& grid, Results& results) {
  const std::vector<methods::Link> shown = shown_links(discovery);
  if (shown.empty()) return;
  const std::vector<methods::Link>& links = discovery.ours.findings.links;
  const std::size_t width = grid.lags.size();
  std::vector<std::string> names;
  std::vector<double> profile(shown.size() * width, kNaN), low = profile, high = profile, attention = profile,
                                                           gradient = profile;
  for (std::size_t s = 0; s < shown.size(); ++s) {
    names.push_back(pair_called(discovery, shown[s]));
    std::vector<const methods::Link*> pair;
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (links[i].cause != shown[s].cause || links[i].effect != shown[s].effect) continue;
      pair.push_back(&links[i]);
      const auto lag = std::lower_bound(grid.lags.begin(), grid.lags.end(), links[i].lag) - grid.lags.begin();
      const std::size_t place = s * width + lag;
      profile[place] = links[i].strength;
      if (discovery.views.empty()) continue;
      attention[place] = discovery.views[i].weight;
      gradient[place] = discovery.views[i].gradient;
    }
    const double half = null_half_width(pair);
    std::fill_n(low.begin() + static_cast<std::ptrdiff_t>(s * width), width, -half);
    std::fill_n(high.begin() + static_cast<std::ptrdiff_t>(s * width), width, half);
  }
  std::vector<double> times;
  for (const Index lag : grid.lags) times.push_back(series::lag_time(discovery.table, lag));
  const std::vector<std::string> over{"shown", "profile_lag"};
  results.coordinate("shown", names, "", "pair of series");
  results.coordinate("profile_lag", times, series::lag_unit(discovery.table), "lag");
  results.add("profile", over, profile, "1", "strength, a partial correlation");
  results.add("profile_low", over, low, "1", "95 % range without an effect, lower end");
  results.add("profile_high", over, high, "1", "95 % range without an effect, upper end");
  if (!discovery.views.empty()) {
    results.add("profile_attention", over, attention, "1", "attention weight");
    results.add("profile_gradient", over, gradient, "1", "gradient of the forecast");
  }
  write_overlays(discovery, shown, results);
  write_responses(discovery, shown, results);
}

}  // namespace fovea::lag::discover
