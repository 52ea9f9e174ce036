#include "fovea/domains/nowcast/events/events.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "fovea/core/base/missing.hpp"
#include "fovea/domains/nowcast/events/surprises.hpp"

namespace fovea::nowcast {

namespace {

constexpr double kLargest = 3;      ///< size of an event
constexpr double kRounding = 1e-9;  ///< by which a difference of decimals may fall short

/// The events of a kind, whose series is released `lag` months late.
struct OfKind {
  EventKind kind;
  Index lag = 0;
  std::vector<Event> events = {};
  void add(double size, Index month) { events.push_back({0, size, month + lag}); }
};

/// What rules find, by the names of the kinds, which then have numbers.
struct Found {
  std::map<std::string, OfKind> by_name;
  OfKind& of(const KnownSeries& series, const std::string& what) {
    const EventKind kind{series.words, what};
    return by_name.insert({kind.name(), {kind, series.lag}}).first->second;
  }
};

double change(const KnownSeries& series, Index month, Index months) {
  return series.at(month) - series.at(month - months);
}
double growth(const KnownSeries& series, Index month, Index months) {
  const double before = series.at(month - months);
  return before > 0 ? series.at(month) / before - 1 : kNan;
}
using SeriesMeasure = std::function<double(const KnownSeries&, Index month)>;

/// The lowest of a measure over the `months` months before; NaN where one is NaN.
double low_before(const SeriesMeasure& measure, const KnownSeries& series, Index month, Index months) {
  double low = kNan;
  for (Index back = 1; back <= months; ++back) {
    const double value = measure(series, month - back);
    if (std::isnan(value)) return kNan;
    low = back == 1 ? value : std::min(low, value);
  }
  return low;
}
double above_low(const SeriesMeasure& measure, const KnownSeries& series, Index month) {
  return measure(series, month) - low_before(measure, series, month, 12);
}
double value_at(const KnownSeries& series, Index month) { return series.at(month); }
double three_month_mean(const KnownSeries& series, Index month) {
  return (series.at(month) + series.at(month - 1) + series.at(month - 2)) / 3;
}
/// Minus the rise of prices over a year, in per cent.
double less_inflation(const KnownSeries& series, Index month) { return -100 * growth(series, month, 12); }
double faster_than_in_a_year(const KnownSeries& series, Index month) {
  return low_before(&less_inflation, series, month, 12) - less_inflation(series, month);
}

struct Threshold {
  const char *series, *what;
  double least;           ///< that the measure must reach
  SeriesMeasure measure;  ///< NaN where a value that it takes is empty
};

const std::vector<Threshold>& thresholds() {
  using S = const KnownSeries&;
  static const std::vector<Threshold> all{
      {"BAA-AAA", "widens by .3 points", 0.3, [](S s, Index m) { return above_low(&value_at, s, m); }},
      {"CLAIMSx", "up 20 % in 3 months", 0.2, [](S s, Index m) { return growth(s, m, 3); }},
      {"CPIAUCSL", "rise faster than in the last year", 0.2, &faster_than_in_a_year},
      {"GS10-TB3MS", "turns negative", 2 * kRounding, [](S s, Index m) { return -s.at(m); }},
      {"OILPRICEx", "up 30 % in 3 months", 0.3, [](S s, Index m) { return growth(s, m, 3); }},
      {"PERMIT", "down 20 % in a year", 0.2, [](S s, Index m) { return -growth(s, m, 12); }},
      {"S&P 500", "down 10 % in 3 months", 0.1, [](S s, Index m) { return -growth(s, m, 3); }},
      {"UMCSENTx", "down 10 points in a year", 10, [](S s, Index m) { return -change(s, m, 12); }},
      {"UNRATE", "half a point above its low", 0.5, [](S s, Index m) { return above_low(&three_month_mean, s, m); }},
  };
  return all;
}

void find_crossings(const KnownSeries& series, Found& found) {
  for (const Threshold& threshold : thresholds()) {
    if (threshold.series != series.name) continue;
    OfKind& passed = found.of(series, threshold.what);
    std::optional<bool> before;  // of the last month that tells
    for (Index month = series.first_month; month < series.first_month + series.months(); ++month) {
      const double measure = threshold.measure(series, month);
      if (std::isnan(measure)) continue;
      const bool now = measure > threshold.least - kRounding;
      if (now && before == false) passed.add(1, month);
      before = now;
    }
  }
}

void find_runs(const KnownSeries& series, Found& found) {
  if (series.run == Run::none) return;
  constexpr Index kLeast = 3;
  OfKind& runs = found.of(series, series.run == Run::falls ? "falls in a row" : "rises in a row");
  Index length = 0;
  for (Index month = series.first_month + 1; month < series.first_month + series.months(); ++month) {
    const double step = change(series, month, 1);
    length = (series.run == Run::falls ? step < 0 : step > 0) ? length + 1 : 0;
    if (length >= kLeast) runs.add(std::min(static_cast<double>(length - kLeast + 1), kLargest), month);
  }
}

void find_rate_moves(const KnownSeries& series, Found& found) {
  constexpr double kLeast = 0.25, kMost = 1.5;
  if (series.name != "FEDFUNDS") return;
  OfKind &raised = found.of(series, "raised"), &cut = found.of(series, "cut");
  for (Index month = series.first_month + 1; month < series.first_month + series.months(); ++month) {
    const double step = change(series, month, 1);
    if (std::abs(step) > kLeast - kRounding) (step > 0 ? raised : cut).add(std::min(std::abs(step), kMost), month);
  }
}

bool has_surprises(const KnownSeries& series) {
  const auto& names = {"AAA", "BAA", "GS10", "TB3MS", "GS10-TB3MS", "BAA-AAA"};  // yields: their spreads are columns
  return std::none_of(names.begin(), names.end(), [&](const char* name) { return series.name == name; });
}

void find_surprises(const KnownSeries& series, Found& found) {
  constexpr double kLeast = 1;  // in deviations
  if (!has_surprises(series)) return;
  OfKind& surprises = found.of(series, "surprise");
  const std::vector<double> errors = forecast_errors(series.changes);
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (std::abs(errors[i]) >= kLeast)
      surprises.add(std::clamp(errors[i], -kLargest, kLargest), series.first_month + static_cast<Index>(i));
}

}  // namespace

Events find_events(const std::vector<KnownSeries>& series) {
  Found found;
  for (const KnownSeries& one : series) {
    find_surprises(one, found);
    find_runs(one, found);
    find_crossings(one, found);
    find_rate_moves(one, found);
  }
  Events all;
  for (auto& [name, of_kind] : found.by_name) {
    for (Event& event : of_kind.events) event.kind = std::ssize(all.kinds);
    all.kinds.push_back(of_kind.kind);
    all.events.insert(all.events.end(), of_kind.events.begin(), of_kind.events.end());
  }
  std::stable_sort(all.events.begin(), all.events.end(),
                   [](const Event& a, const Event& b) { return a.released < b.released; });
  return all;
}

}  // namespace fovea::nowcast
