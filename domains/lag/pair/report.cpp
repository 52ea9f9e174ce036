#include "fovea/domains/lag/pair/report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "fovea/core/attention/fast/line_attention.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/data/least_value.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/lag/findings.hpp"
#include "fovea/domains/lag/pair/findings.hpp"

namespace fovea::lag::pair {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr int kMoments = 400;  // of the figure of both curves

/// A curve as attention over time sees it at some moments; NaN where no point is within 2 bandwidths.
std::vector<double> attended_curve(const ScaledCurve& curve, double shift, double bandwidth,
                                   const std::vector<double>& moments) {
  std::vector<double> keys, seen(moments.size()), weights(moments.size());
  for (const double t : curve.time) keys.push_back(t - shift);
  LineAttention attention;
  attention.gaussian_sums(moments, keys, curve.value, {}, bandwidth * bandwidth, weights, seen);
  std::size_t next = 0;
  for (std::size_t m = 0; m < moments.size(); ++m) {
    while (next < keys.size() && keys[next] < moments[m]) ++next;
    const bool near = (next < keys.size() && keys[next] - moments[m] <= 2 * bandwidth) ||
                      (next > 0 && moments[m] - keys[next - 1] <= 2 * bandwidth);
    seen[m] = near ? seen[m] / weights[m] : kUnknown;
  }
  return seen;
}

double middle_distance(const ScaledCurve& curve) {
  return (curve.time.back() - curve.time.front()) / static_cast<double>(curve.time.size() - 1) / 2;
}

/// Shifts and stretches the response so that it has the driver's mean and spread where both are seen.
void match_scale(const std::vector<double>& driver, std::vector<double>& response) {
  double count = 0, x = 0, y = 0, xx = 0, yy = 0;
  for (std::size_t m = 0; m < driver.size(); ++m) {
    if (std::isnan(driver[m]) || std::isnan(response[m])) continue;
    count += 1;
    x += driver[m];
    y += response[m];
    xx += driver[m] * driver[m];
    yy += response[m] * response[m];
  }
  if (count < 10) return;
  const double spread_x = xx / count - x * x / (count * count), spread_y = yy / count - y * y / (count * count);
  const double factor = spread_x > 0 && spread_y > 0 ? std::sqrt(spread_x / spread_y) : 1;
  for (double& value : response) value = x / count + factor * (value - y / count);
}

std::string pair_name(const PairInput& input) {
  const std::string names = input.driver.name + " \u2192 " + input.response.name;
  if (input.made) return input.group;
  return input.group.empty() ? names : input.group + ": " + names;
}

void write_curves(const std::vector<PairOutcome>& outcomes, Results& results) {
  double longest = 0;
  const auto begin = [](const PairOutcome& o) {
    return std::min(o.driver_curve.time.front(), o.response_curve.time.front() - o.posterior.lag);
  };
  for (const PairOutcome& o : outcomes)
    longest = std::max(longest,
                       std::max(o.driver_curve.time.back(), o.response_curve.time.back() - o.posterior.lag) - begin(o));
  struct Moment {
    double driver, response;
  };
  std::vector<double> since;
  std::vector<Moment> curves;
  for (int m = 0; m < kMoments; ++m) since.push_back(longest * m / (kMoments - 1));
  for (const PairOutcome& o : outcomes) {
    std::vector<double> moments = since;
    for (double& t : moments) t += begin(o);
    const double wide = std::max(o.bandwidth, middle_distance(o.response_curve));
    const std::vector<double> seen = attended_curve(o.driver_curve, 0, o.bandwidth, moments);
    std::vector<double> echo = attended_curve(o.response_curve, o.posterior.lag, wide, moments);
    match_scale(seen, echo);
    for (std::size_t m = 0; m < seen.size(); ++m) curves.push_back({seen[m], echo[m]});
  }
  results.coordinate("moment", since, "", "time since the first point");
  rows({"pair", "moment"}, curves)
      .number("driver_curve", &Moment::driver, "driver")
      .number("response_curve", &Moment::response, "response, shifted back by the lag")
      .write(results);
}

/// Where nearly all of the posterior lies, and a margin.
Interval shown_range(const PairOutcome& o) {
  constexpr double kShown = 0.999, kMargin = 0.15;
  const Interval held = shortest_interval(o.posterior, kShown);
  const double margin = kMargin * (held.high - held.low);
  return {std::max(held.low - margin, o.range.low), std::min(held.high + margin, o.range.high)};
}

/// Posterior per unit of time, straight lines between the middles of the cells; 0 outside of the range of lags.
std::vector<double> density_between(const LagPosterior& posterior, const std::vector<double>& lags) {
  const auto density = [&](std::size_t i) { return posterior.mass[i] / posterior.size[i]; };
  const std::size_t cells = posterior.mass.size();
  std::vector<double> found;
  for (const double lag : lags) {
    const std::size_t next =
        std::lower_bound(posterior.middle.begin(), posterior.middle.end(), lag) - posterior.middle.begin();
    const std::size_t high = std::min(next, cells - 1), low = next > 0 ? next - 1 : 0;
    const double distance = posterior.middle[high] - posterior.middle[low];
    const double part = distance > 0 ? (lag - posterior.middle[low]) / distance : 0;
    const bool outside = 2 * std::abs(lag - posterior.middle[low]) > posterior.size[low] && low == high;
    found.push_back(outside ? 0 : density(low) + part * (density(high) - density(low)));
  }
  return found;
}

/// The posterior where it is: of one pair over its lags, of several over lags less each one's median, as far as those
/// that count reach (as all do, if none counts).
void write_posterior_near(const std::vector<PairOutcome>& outcomes, double level, Results& results) {
  constexpr int kLags = 301;
  const bool one = outcomes.size() == 1;
  const auto counts = [&](const PairOutcome& o) { return o.alarm.probability <= level; };
  const auto origin = [&](const PairOutcome& o) { return one ? 0 : o.posterior.lag; };
  const bool none = std::none_of(outcomes.begin(), outcomes.end(), counts);
  Interval all{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const PairOutcome& o : outcomes) {
    if (!none && !counts(o)) continue;
    const Interval reach = shown_range(o);
    all = {std::min(all.low, reach.low - origin(o)), std::max(all.high, reach.high - origin(o))};
  }
  std::vector<double> densities;
  for (const PairOutcome& o : outcomes) {
    const std::vector<double> density =
        density_between(o.posterior, spread_lags({all.low + origin(o), all.high + origin(o)}, kLags));
    densities.insert(densities.end(), density.begin(), density.end());
  }
  results.coordinate("lag_near", spread_lags(all, kLags), "", one ? "lag" : "lag minus the pair's median lag");
  results.add("posterior_near", {"pair", "lag_near"}, std::move(densities), "1", "posterior density of the lag");
}

void write_profiles(const std::vector<PairOutcome>& outcomes, Results& results) {
  results.coordinate("lag_profile", outcomes.front().lags, "", "lag");
  struct AtLag {
    double density, attention;
    Interval band;
    double interpolated, discrete;
  };
  std::vector<AtLag> profiles;
  for (const PairOutcome& o : outcomes)
    for (std::size_t k = 0; k < o.lags.size(); ++k)
      profiles.push_back(
          {o.density[k], o.attention[k], {o.band.low[k], o.band.high[k]}, o.interpolated[k], o.discrete[k]});
  rows({"pair", "lag_profile"}, profiles)
      .number("posterior", &AtLag::density, "posterior density of the lag")
      .number("attention", &AtLag::attention, "attention over time")
      .range("attention", &AtLag::band, "lower end of the 95 % band of unrelated curves",
             "upper end of the 95 % band of unrelated curves")
      .number("interpolated", &AtLag::interpolated, "interpolated cross-correlation")
      .number("discrete", &AtLag::discrete, "z-transformed discrete correlation")
      .write(results);
}

void write_numbers(const PairInputs& inputs, const std::vector<PairOutcome>& outcomes, double level, Results& results) {
  using Of = const PairOutcome&;
  const auto input = [&](std::size_t pair) -> const PairInput& { return inputs.pairs[pair]; };
  const Shown made{.array = inputs.pairs.front().made};
  const auto outliers = [](Of o) { return o.posterior.driver_outliers + o.posterior.response_outliers; };
  const auto name = [&](Of, std::size_t pair) { return pair_name(input(pair)); };
  auto table = rows("pair", outcomes, name, "pair");
  table.text("driver", &PairOutcome::driver, "driver").text("response", &PairOutcome::response, "response");
  const auto number = [&](const char* column, const char* meaning, const auto& of) -> auto& {
    return table.number(column, of, meaning, "");  // times, and numbers beside them
  };
  const auto ends = [&](const char* low, const char* high, const std::string& whose, const auto& of) {
    const std::string share = std::string_view(low).ends_with("95") ? " (95 %)" : " (68 %)";
    table.range(low, of, whose + "from" + share, whose + "to" + share, "").end_names(low, high);
  };
  number("lag", "lag of the response behind the driver: median of its posterior", [](Of o) { return o.posterior.lag; });
  ends("lag_low68", "lag_high68", "", [](Of o) { return o.posterior.interval68; });
  ends("lag_low95", "lag_high95", "", [](Of o) { return o.posterior.interval95; });
  number("false_alarm", "false alarm: probability that unrelated curves look as related",
         [](Of o) { return o.alarm.probability; });
  number("main_share", "share of the posterior in its main mode", [](Of o) { return o.posterior.main_share; });
  number("width", "width of the best response function if it is a top hat, else 0",
         [](Of o) { return o.posterior.window.width; });
  number("tail", "time constant of the best response function if it is an exponential, else 0",
         [](Of o) { return o.posterior.window.tail; });
  number("log_bayes_factor", "log likelihood of one shared walk minus that of two",
         [](Of o) { return o.posterior.log_bayes_factor; });
  number("bandwidth", "bandwidth of the attention over time", &PairOutcome::bandwidth);
  number("outliers", "number of points of both curves that are probably outliers", outliers);
  number("attention_lag", "by attention: centroid of the profile", &PairOutcome::attention_lag);
  number("centroid_lag", "by interpolated cross-correlation: centroid", [](Of o) { return o.centroid.lag; });
  ends("centroid_low68", "centroid_high68", "its interval, ", [](Of o) { return o.centroid.interval68; });
  number("true_lag", "true lag", [&](Of, std::size_t pair) { return input(pair).true_lag; }).shown(made);
  const auto related = [&](Of, std::size_t pair) { return input(pair).related; };
  table.flag("related", related, "1: the response echoes the driver").shown(made);
  const auto counts = [&](Of o) { return o.alarm.probability <= level; };
  table.flag("counts", counts, "1: related at the level of the false alarm");
  table.write(results);
  set_least(results.data.at("false_alarm"), least_drawn_p(outcomes[0].alarm.drawn.size()));
}

void note_modes(const PairInput& input, const PairOutcome& outcome, double level, Results& results) {
  constexpr double kClear = 0.9;
  if (outcome.alarm.probability <= level && outcome.posterior.main_share < kClear)
    results.note(concat(pair_name(input), ": the posterior has more than one mode; the main one holds ",
                        std::round(100 * outcome.posterior.main_share),
                        " % of it. An interval may span several modes; see the posterior."));
}

void note_outliers(const PairInput& input, const PairOutcome& outcome, Results& results) {
  const LagPosterior& found = outcome.posterior;
  if (found.driver_outliers + found.response_outliers == 0) return;
  results.note(concat(pair_name(input), ": ", found.driver_outliers, " of ", outcome.driver_curve.time.size(),
                      " points of ", outcome.driver, " and ", found.response_outliers, " of ",
                      outcome.response_curve.time.size(), " of ", outcome.response,
                      " seem to be outliers, with errors much larger than stated; they are given less weight (full "
                      "weight with outliers = false)."));
}

}  // namespace

void write_pairs(const PairInputs& inputs, const std::vector<PairOutcome>& outcomes, double level, Results& results) {
  for (std::size_t p = 0; p < outcomes.size(); ++p) {
    if (!inputs.pairs[p].made) results.finding(PairOfGroup{static_cast<std::int64_t>(p), inputs.pairs[p].group});
    note_modes(inputs.pairs[p], outcomes[p], level, results);
    note_outliers(inputs.pairs[p], outcomes[p], results);
  }
  write_numbers(inputs, outcomes, level, results);
  results.scalar("level", level, "1", "false-alarm probability up to which a pair is reported as related");
  write_profiles(outcomes, results);
  write_posterior_near(outcomes, level, results);
  write_curves(outcomes, results);
  for (const std::string& note : inputs.notes) results.note(note);
  results.finding(NoPairCanBeRelated{least_drawn_p(outcomes[0].alarm.drawn.size()), level});
  if (outcomes.size() == 1)
    results.note(concat("Lags from ", outcomes[0].range.low, " to ", outcomes[0].range.high,
                        " were tested, in the unit of the times; lag.low and lag.high change this. A negative lag "
                        "means that the response comes first."));
}

}  // namespace fovea::lag::pair
