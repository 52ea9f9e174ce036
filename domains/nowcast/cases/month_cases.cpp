#include "fovea/domains/nowcast/cases/month_cases.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/study/cases/days.hpp"
#include "fovea/domains/nowcast/series/columns.hpp"

namespace fovea::nowcast {

namespace {

constexpr Index kOrigin = 12 * 1900;

/// Tokens by the names of their classes, until all classes are known.
struct Collected {
  std::vector<std::string> names;
  std::map<std::string, std::size_t> numbers;
  struct Token {
    std::size_t name;
    double value, time;
  };
  std::vector<Token> tokens;
  std::vector<Index> offsets{0};

  std::size_t number(const std::string& name) {
    const auto [found, added] = numbers.emplace(name, names.size());
    if (added) names.push_back(name);
    return found->second;
  }
  void add(const std::string& name, double value, double time) { tokens.push_back({number(name), value, time}); }
};

/// Gives numbers to all classes that these series can have. What happens later then decides nothing about a model's
/// parameters.
void add_classes(const KnownMonths& known, Collected& all) {
  for (const Column& column : classical_columns())
    if (find_series(known.series, column.series) != nullptr) all.number(kColumnPrefix + column.name);
  all.number(kNothing);
  for (const EventKind& kind : known.events.kinds) all.number(kind.name());
}

/// Adds the tokens of a month, unless it has too few columns.
bool add_month(Index month, const KnownMonths& known, const CaseSettings& settings, Collected& all) {
  std::vector<std::pair<std::string, double>> columns;
  for (const Column& column : classical_columns())
    if (const double value = value_of(column, known.series, month); !std::isnan(value))
      columns.emplace_back(kColumnPrefix + column.name, value);
  if (std::ssize(columns) < settings.fewest) return false;
  const double now = time_of(month);
  for (const auto& [name, value] : columns) all.add(name, value, now);
  all.add(kNothing, 0, now);
  const auto& events = known.events.events;
  auto event = std::lower_bound(events.begin(), events.end(), month - settings.window + 1,
                                [](const Event& e, Index m) { return e.released < m; });
  for (; event != events.end() && event->released <= month; ++event)
    all.add(known.events.kinds[event->kind].name(), event->size, time_of(event->released));
  all.offsets.push_back(std::ssize(all.tokens));
  return true;
}

/// The tokens of all cases, those of a case in the order of their classes and times.
void put_tokens(Collected& all, study::Cases& cases) {
  cases.classes = all.names;
  std::sort(cases.classes.begin(), cases.classes.end());
  std::vector<std::uint16_t> place(all.names.size());
  for (std::size_t k = 0; k < all.names.size(); ++k)
    place[k] = static_cast<std::uint16_t>(std::lower_bound(cases.classes.begin(), cases.classes.end(), all.names[k]) -
                                          cases.classes.begin());
  for (std::size_t b = 0; b + 1 < all.offsets.size(); ++b)
    std::stable_sort(all.tokens.begin() + all.offsets[b], all.tokens.begin() + all.offsets[b + 1],
                     [&](const auto& one, const auto& other) { return place[one.name] < place[other.name]; });
  cases.values.resize(std::ssize(all.tokens), 1);
  for (std::size_t i = 0; i < all.tokens.size(); ++i) {
    cases.values(static_cast<Index>(i), 0) = static_cast<float>(all.tokens[i].value);
    cases.times.push_back(all.tokens[i].time);
    cases.kinds.push_back(place[all.tokens[i].name]);
  }
  cases.offsets = all.offsets;
}

}  // namespace

double time_of(Index month) { return static_cast<double>(month - kOrigin); }
Index month_of(double time) { return static_cast<Index>(std::lround(time)) + kOrigin; }
std::string date_of(Index month) { return datasets::panels::month_text(month) + "-01"; }

Index month_of_date(const std::string& text) {
  int year = 0, month = 0, read = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d%n", &year, &month, &read) != 2 || month < 1 || month > 12) return -1;
  const std::string rest = text.substr(static_cast<std::size_t>(read));
  return rest.empty() || rest == "-01" ? 12 * Index{year} + month - 1 : -1;
}

KnownMonths known_months(std::vector<KnownSeries> series) {
  KnownMonths known{std::move(series), {}};
  known.events = find_events(known.series);
  return known;
}

study::Cases month_cases(Index first, Index last, const std::function<const KnownMonths&(Index month)>& known,
                         const datasets::panels::Recessions* recessions, const CaseSettings& settings) {
  Collected all;
  study::Cases cases;
  cases.features = {{"size", "1", {}, true}};
  cases.time_unit = study::kMonthsSince1900;
  for (Index month = first; month <= last; ++month) {
    const KnownMonths& here = known(month);
    add_classes(here, all);
    if (!add_month(month, here, settings, all)) continue;
    cases.ids.push_back(date_of(month));
    cases.ends.push_back(time_of(month));
    if (recessions == nullptr) continue;
    cases.targets.push_back(recessions->at(month + settings.horizon));
    cases.known.push_back(time_of(month + settings.horizon + settings.delay));
  }
  put_tokens(all, cases);
  cases.reading.noun = "month";
  cases.reading.token = "token";
  return cases;
}

std::vector<RecessionEpisode> episodes_of(const datasets::panels::Recessions& recessions) {
  std::vector<RecessionEpisode> episodes;
  for (Index month = recessions.first_month; month <= recessions.last_month(); ++month) {
    if (!(recessions.at(month) == 1)) continue;
    if (episodes.empty() || episodes.back().last + 1 < month)
      episodes.push_back({month, month});
    else
      episodes.back().last = month;
  }
  return episodes;
}

Index nearest_episode(const std::vector<RecessionEpisode>& episodes, Index month) {
  Index nearest = 0, least = -1;
  for (std::size_t e = 0; e < episodes.size(); ++e) {
    const Index distance = std::max({episodes[e].first - month, month - episodes[e].last, Index{0}});
    if (least < 0 || distance < least) least = distance, nearest = static_cast<Index>(e);
  }
  return nearest;
}

}  // namespace fovea::nowcast
