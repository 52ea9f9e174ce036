#include "fovea/domains/lag/discover/settings.hpp"

#include <algorithm>

#include "fovea/domains/lag/series/lag_set.hpp"

namespace fovea::lag::discover {

namespace {

void check_further(const DiscoverSettings& settings, const Complain& complain) {
  for (const std::string& kind : settings.further) {
    if (kind == kChanging || kind == kProduct || kind == kVariance || (kind == kNone && settings.further.size() == 1))
      continue;
    complain("further.effects", concat("further.effects has '", kind, "', but must be a list of ", kChanging, ", ",
                                       kProduct, " and ", kVariance, ", or ", kNone, " alone."));
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
    all.group(series::series_keys("a simulated river with known links"), &S::series)
        .key(kDifference, &S::difference)
        .key(kMadeSteps, &S::made_steps)
        .key("data.targets", &S::targets, "effects to be explained; empty: all series")
        .key(kLongestLag, &S::longest_lag)
        .key("lags.set", &S::lags, "lags tested, such as 1-5,10,30; empty: 1 to lags.max")
        .key("lags.contemporaneous", &S::contemporaneous, "test lag 0 too, with methods that can")
        .key(kRate, &S::level)
        .choice(methods::method_key(), &S::method)
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

void check_rules(const DiscoverSettings& settings, const Complain& complain) {
  if (!settings.lags.empty()) complain_if_unreadable(complain, "lags.set", [&] { series::lag_set(settings.lags); });
  nature::check_adjustment_keys(settings.adjust, complain);
  knowledge::check_knowledge_keys(settings.known, complain);
  if (!settings.lags.empty() && settings.longest_lag > 0)
    complain("lags.max", "lags.max and lags.set both give the lags; give one of them.");
  check_further(settings, complain);
  for (const std::string& method : settings.beside)
    if (method != kUsual) complain_if_unreadable(complain, "method.beside", [&] { methods::method_of(method); });
}

}  // namespace fovea::lag::discover
