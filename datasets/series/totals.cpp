/// Columns that only rise: numbers of the rows, parts of the calendar, running totals.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/datasets/series/findings.hpp"
#include "fovea/datasets/series/rows.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::series {

namespace {

/// A series that is no total rises ten times without a fall once in 10! tables of independent values.
constexpr std::size_t kFewestRises = 10;
/// Rises for each fall of a total that begins again: rain by the day falls back to 0 as often as it rises.
constexpr std::size_t kRisesToFall = 5;

/// How a series moves from row to row, where it is known in both and they are of one recording.
struct Walk {
  std::size_t steps = 0, rises = 0, falls = 0;
  double least_rise = std::numeric_limits<double>::infinity(), largest_rise = 0;
  double low = least_rise, high = -low;
  double highest_landing = high, lowest_height = low;  ///< behind and before falls

  /// The same rise in every step, or from its lowest value on again and again: three values at least.
  bool counts(std::size_t fewest) const {
    return rises >= fewest && rises + falls == steps && largest_rise - least_rise <= 1e-9 * largest_rise &&
           (falls == 0 || (highest_landing <= low && high - low > 1.5 * largest_rise));
  }
  /// Never falls, but perhaps to what one step can add to 0; or never rises.
  bool adds_up() const {
    if (rises == 0) return falls >= kFewestRises;
    const bool begins_again = low >= 0 && highest_landing <= largest_rise && lowest_height > largest_rise;
    return rises >= kFewestRises && (falls == 0 || (kRisesToFall * falls <= rises && begins_again));
  }
};

template <typename Starts>
Walk walk_of(std::span<const double> values, const Starts& starts) {
  Walk walk;
  std::size_t stretch = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool begins = stretch < starts.size() && static_cast<std::size_t>(starts[stretch]) == i;
    if (begins) ++stretch;
    if (std::isnan(values[i])) continue;
    walk.low = std::min(walk.low, values[i]);
    walk.high = std::max(walk.high, values[i]);
    if (begins || i == 0 || std::isnan(values[i - 1])) continue;
    const double change = values[i] - values[i - 1];
    ++walk.steps;
    if (change > 0) {
      ++walk.rises;
      walk.least_rise = std::min(walk.least_rise, change);
      walk.largest_rise = std::max(walk.largest_rise, change);
    } else if (change < 0) {
      ++walk.falls;
      walk.highest_landing = std::max(walk.highest_landing, values[i]);
      walk.lowest_height = std::min(walk.lowest_height, values[i - 1]);
    }
  }
  return walk;
}

/// Year, month, day or hour; weekdays and quarters count, and begin again.
bool repeats_calendar(const std::vector<double>& values, const std::vector<double>& days) {
  std::array<bool, 4> same{};
  same.fill(true);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    const std::string date = date_text(days[i]) + " 00";
    constexpr std::array<std::size_t, 4> kFrom{0, 5, 8, 11}, kLetters{4, 2, 2, 2};
    for (std::size_t p = 0; p < same.size(); ++p)
      same[p] = same[p] && values[i] == std::stod(date.substr(kFrom[p], kLetters[p]));
    if (std::find(same.begin(), same.end(), true) == same.end()) return false;
  }
  return true;
}

bool is_row_number(std::string_view name) {
  constexpr std::array<std::string_view, 13> kNames{"",    "index", "row",      "rows", "#",          "nr",        "no",
                                                    "no.", "id",    "rownames", "x",    "unnamed: 0", "row_number"};
  return std::find(kNames.begin(), kNames.end(), lower_name(name)) != kNames.end();
}

}  // namespace

void drop_counters(SeriesRows& rows, const SeriesFileOptions& options) {
  constexpr std::size_t kFewestNumbered = 3;  // where the name says so
  const std::vector<std::size_t> starts = rows.stretches();
  std::vector<bool> kept(rows.names.size(), true);
  std::vector<std::string> counters;
  for (std::size_t c = 0; c < rows.names.size(); ++c) {
    if (std::find(options.columns.begin(), options.columns.end(), rows.names[c]) != options.columns.end()) continue;
    const std::vector<double> values = rows.column(c);
    const bool is_named = !rows.times.empty() && is_row_number(rows.names[c]);
    kept[c] = !walk_of(values, starts).counts(is_named ? kFewestNumbered : kFewestRises) &&
              !(rows.kind == TimeKind::date && rows.rows() > kFewestRises && repeats_calendar(values, rows.times));
    if (!kept[c]) counters.push_back(rows.names[c].empty() ? concat("column ", rows.columns[c] + 1) : rows.names[c]);
  }
  if (counters.size() == rows.names.size()) return;
  rows.say(CountsRows{std::ssize(counters), listed(counters)});
  if (!counters.empty()) rows.keep(kept);
}

bool is_total(const std::vector<double>& values, const std::vector<std::size_t>& starts) {
  const Walk walk = walk_of(values, starts);
  return walk.adds_up() && !walk.counts(kFewestRises);
}

void take_increments(SeriesFile& file, const SeriesFileOptions& options) {
  SeriesTable& table = file.table;
  std::vector<std::string> names;
  std::size_t resets = 0, never_rise = 0;
  const bool keeps = file.irregular() || options.totals == "keep";
  const auto add = [&](const std::string& name, const Walk& walk) {
    if (!walk.adds_up() || walk.counts(kFewestRises)) return false;  // counters were asked for
    if (walk.rises > 0) resets += walk.falls;
    if (std::find(names.begin(), names.end(), name) != names.end()) return true;
    names.push_back(name);
    if (walk.rises == 0) ++never_rise;
    return true;
  };
  for (const CurveGroup& group : file.groups)
    for (const Curve& curve : group.curves) add(curve.name, walk_of(curve.value, std::vector<std::size_t>{0}));
  for (Index s = 0; s < table.series(); ++s) {
    std::vector<double> values(table.values.col(s).begin(), table.values.col(s).end());
    const Walk walk = walk_of(values, table.recording_starts);
    if (!add(table.names[s], walk) || keeps) continue;
    table.increments.push_back(s);
    for (Index t = table.steps() - 1; t > 0; --t) {
      const bool begins = std::binary_search(table.recording_starts.begin(), table.recording_starts.end(), t);
      const double change = values[t] - values[t - 1];
      table.values(t, s) = begins || (change < 0 && walk.rises > 0) ? kNan : change;
    }
    table.values(0, s) = kNan;
  }
  file.say(RunningTotals{std::ssize(names), static_cast<std::int64_t>(resets), static_cast<std::int64_t>(never_rise),
                         names.empty() ? "" : listed(names), !keeps});
}

}  // namespace fovea::datasets::series
