#include "fovea/domains/lag/discover/settings.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/lag/series/lag_set.hpp"

namespace fovea::lag::discover {

namespace {

void check_further(const DiscoverSettings& settings, const Config& config, Complaints& complaints) {
  for (const std::string& kind : settings.further) {
    if (kind == kChanging || kind == kProduct || kind == kVariance || (kind == kNone && settings.further.size() == 1))
      continue;
    complaints.add(config.source("further.effects"),
                   concat("further.effects has '", kind, "', but must be a list of ", kChanging, ", ", kProduct,
                          " and ", kVariance, ", or ", kNone, " alone."));
  }
}

}  // namespace

bool DiscoverSettings::looks_for(const char* kind) const {
  return std::find(further.begin(), further.end(), kind) != further.end();
}

const Keys<DiscoverSettings>& discover_keys() {
  using S = DiscoverSettings;
  static const auto keys = [] {
    Keys<S> all;
    all.group(series::series_keys("a simulated river with known links"), &S::series);
    series::add_difference_key(all);
    all.key("data.made_steps", &S::made_steps, Range::between(50, 1e6), "", "steps of the simulated series")
        .key("data.targets", &S::targets, "effects to be explained; empty: all series")
        .key("lags.max", &S::longest_lag, Range::between(0, 1e6), "steps",
             "largest lag tested; 0: chosen from the data")
        .key("lags.set", &S::lags, "lags tested, such as 1-5,10,30; empty: 1 to lags.max")
        .key("lags.contemporaneous", &S::contemporaneous, "test lag 0 too, with methods that can")
        .key("test.level", &S::level, Range{0, 1, true, true}, "",
             "false discovery rate at which a link is significant")
        .choice("method.name", &S::method, methods::method_names(), "method by which links are searched and tested")
        .key("method.beside", &S::beside,
             "other methods for comparison; usual: those that take little time for these series; []: none")
        .key("further.effects", &S::further,
             "kinds of further effects that attention looks for: changing in time, product of two causes, variance")
        .added_later()
        .group(nature::adjustment_keys(), &S::adjust)
        .key("surrogates.draws", &S::surrogates, Range::between(0, 1000), "",
             "largest number of surrogates of the table, without lagged links, on which the search is checked")
        .added_later()
        .group(knowledge::knowledge_keys(), &S::known)
        .key("shown.pairs", &S::shown, Range::between(1, 200), "", "largest number of pairs whose profiles are drawn");
    return all;
  }();
  return keys;
}

void check_settings(const DiscoverSettings& settings, const Config& config, Complaints& complaints) {
  const auto check = [&](const char* key, const auto& read) {
    try {
      read();
    } catch (const ArgumentError& error) {
      complaints.add(config.source(key), error.what());
    }
  };
  if (!settings.lags.empty()) check("lags.set", [&] { series::lag_set(settings.lags); });
  nature::check_adjustment_keys(settings.adjust, config, complaints);
  knowledge::check_knowledge_keys(settings.known, config, complaints);
  if (!settings.lags.empty() && settings.longest_lag > 0)
    complaints.add(config.source("lags.max"), "lags.max and lags.set both give the lags; give one of them.");
  check_further(settings, config, complaints);
  for (const std::string& method : settings.beside)
    if (method != kUsual) check("method.beside", [&] { methods::method_of(method); });
}

}  // namespace fovea::lag::discover
