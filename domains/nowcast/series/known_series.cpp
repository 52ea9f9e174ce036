#include "fovea/domains/nowcast/series/known_series.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::nowcast {

namespace {

constexpr Index kLongestLag = 24;

/// A series that is the difference of two others, released when both are.
struct Difference {
  std::string_view name, words, minuend, subtrahend;
};
constexpr Difference kDifferences[] = {{"GS10-TB3MS", "the yield spread", "GS10", "TB3MS"},
                                       {"BAA-AAA", "the credit spread", "BAA", "AAA"}};

std::pair<std::string, std::string> parted(const std::string& key, const std::string& entry) {
  const std::size_t at = entry.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == entry.size())
    throw DataError(concat(key, ": '", entry, "' is no entry of the form SERIES=VALUE."));
  return {entry.substr(0, at), entry.substr(at + 1)};
}

bool is_known(std::string_view name) {
  return std::any_of(series_rules().begin(), series_rules().end(), [&](const auto& rule) { return rule.name == name; });
}

/// Whole numbers by the names of known series.
std::map<std::string, Index> numbers_of(const std::string& key, const std::vector<std::string>& entries, Index least,
                                        Index most) {
  std::map<std::string, Index> numbers;
  for (const std::string& entry : entries) {
    const auto [name, text] = parted(key, entry);
    Index number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < least || number > most)
      throw DataError(
          concat(key, ": '", entry, "', but the number must be a whole one from ", least, " to ", most, "."));
    if ((name != "*" || key != "data.lags") && !is_known(name))
      throw DataError(concat(key, ": '", name, "' is none of the series that nowcasts use; see domains/nowcast."));
    numbers[name] = number;
  }
  return numbers;
}

std::map<std::string, std::string> names_of(const SeriesSettings& settings) {
  std::map<std::string, std::string> names;
  for (const std::string& entry : settings.names) {
    const auto [name, own] = parted("data.names", entry);
    if (!is_known(name))
      throw DataError(concat("data.names: '", name, "' is none of the series that nowcasts use; see domains/nowcast."));
    names[name] = own;
  }
  return names;
}

std::string own_name(const std::map<std::string, std::string>& names, const std::string& name) {
  const auto found = names.find(name);
  return found == names.end() ? name : found->second;
}

/// Values of months that are released later become others of like size.
void make_noise(Index first_month, Index lag, Index after, datasets::panels::PanelSeries& series) {
  const Random random = Random(1).stream(series.name);
  for (std::size_t i = 0; i < series.values.size(); ++i)
    if (first_month + static_cast<Index>(i) + lag > after)
      series.values[i] *= std::exp(random.normal(static_cast<std::uint64_t>(i)));
}

void add_differences(std::vector<KnownSeries>& all) {
  for (const Difference& difference : kDifferences) {
    const KnownSeries *const a = find_series(all, difference.minuend), *const b =
                                                                           find_series(all, difference.subtrahend);
    if (a == nullptr || b == nullptr) continue;
    KnownSeries made{std::string(difference.name),
                     std::string(difference.words),
                     std::max(a->lag, b->lag),
                     a->first_month,
                     Run::none,
                     a->values,
                     {}};
    for (std::size_t i = 0; i < made.values.size(); ++i) made.values[i] -= b->values[i];
    made.changes = made.values;
    all.push_back(std::move(made));
  }
}

}  // namespace

const std::vector<SeriesRule>& series_rules() {
  // Lags: the publication calendars of BLS, BEA, Census, the Federal Reserve and the University of Michigan.
  static const std::vector<SeriesRule> rules{
      {"AAA", "yields of the safest bonds", 0, 2, Run::none},
      {"AWHMAN", "hours in manufacturing", 1, 1, Run::falls},
      {"BAA", "yields of riskier bonds", 0, 2, Run::none},
      {"CLAIMSx", "claims for unemployment insurance", 0, 5, Run::rises},
      {"CMRMTSPLx", "real sales", 2, 5, Run::falls},
      {"CPIAUCSL", "consumer prices", 1, 6, Run::none},
      {"FEDFUNDS", "the federal funds rate", 0, 2, Run::rises},
      {"GS10", "ten-year yields", 0, 2, Run::none},
      {"INDPRO", "industrial production", 1, 5, Run::falls},
      {"OILPRICEx", "the oil price", 0, 6, Run::none},
      {"PAYEMS", "payrolls", 1, 5, Run::falls},
      {"PERMIT", "building permits", 1, 4, Run::falls},
      {"S&P 500", "share prices", 0, 5, Run::falls},
      {"TB3MS", "three-month yields", 0, 2, Run::none},
      {"UMCSENTx", "consumer sentiment", 0, 2, Run::falls},
      {"UNRATE", "unemployment", 1, 2, Run::rises},
      {"W875RX1", "real income", 1, 5, Run::falls},
  };
  return rules;
}

double KnownSeries::at(Index month) const {
  const Index i = month - first_month;
  return i < 0 || i >= months() ? kNan : values[i];
}

Index KnownSeries::newest(Index now) const {
  for (Index month = now - lag; month >= now - lag - kStalest; --month)
    if (!std::isnan(at(month))) return month;
  return -1;
}

datasets::panels::Codes codes_of(const SeriesSettings& settings) {
  datasets::panels::Codes codes;
  const auto names = names_of(settings);
  for (const auto& [name, code] : numbers_of("data.codes", settings.codes, 1, 7))
    codes[own_name(names, name)] = static_cast<int>(code);
  return codes;
}

datasets::panels::Codes usual_codes(const SeriesSettings& settings) {
  datasets::panels::Codes codes;
  const auto names = names_of(settings);
  for (const SeriesRule& rule : series_rules()) codes[own_name(names, std::string(rule.name))] = rule.code;
  return codes;
}

std::vector<KnownSeries> known_series(const datasets::panels::MonthlyPanel& panel, const SeriesSettings& settings,
                                      std::vector<std::string>& notes) {
  const auto names = names_of(settings);
  const auto lags = numbers_of("data.lags", settings.lags, 0, kLongestLag);
  std::vector<KnownSeries> all;
  std::string missing;
  for (const SeriesRule& rule : series_rules()) {
    const std::string name(rule.name);
    const auto* const series = panel.find(own_name(names, name));
    if (series == nullptr) {
      missing += (missing.empty() ? "" : ", ") + name;
      continue;
    }
    const auto own = lags.find(name), of_all = lags.find("*");
    const Index lag = own != lags.end() ? own->second : of_all != lags.end() ? of_all->second : rule.lag;
    datasets::panels::PanelSeries known = *series;
    if (settings.noise_after) make_noise(panel.first_month, lag, *settings.noise_after, known);
    all.push_back({name, std::string(rule.words), lag, panel.first_month, rule.run, known.values,
                   datasets::panels::transformed(known)});
  }
  if (all.empty())
    throw DataError(concat(panel.source, ": none of its ", counted(std::ssize(panel.series), "column"),
                           " is a series that nowcasts use (", missing,
                           "); name the columns in data.names, such as \"PAYEMS=payrolls\"."));
  if (!missing.empty())
    notes.push_back(concat(std::filesystem::path(panel.source).filename().string(), ": has no ", missing, '.'));
  add_differences(all);
  return all;
}

const KnownSeries* find_series(const std::vector<KnownSeries>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const KnownSeries& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace fovea::nowcast
