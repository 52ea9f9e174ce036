#pragma once
/// The keys of lag.discover.

#include <string>
#include <vector>

#include "fovea/domains/lag/knowledge/keys.hpp"
#include "fovea/domains/lag/methods/methods.hpp"
#include "fovea/domains/lag/nature/keys.hpp"
#include "fovea/domains/lag/series/input.hpp"

namespace fovea::lag::discover {

inline constexpr const char* kUsual = "usual";
inline constexpr const char *kChanging = "changing", *kProduct = "product", *kVariance = "variance", *kNone = "none";

struct DiscoverSettings {
  series::SeriesAsked series;
  bool difference = false;
  Index made_steps = 600;
  std::vector<std::string> targets;  ///< empty: all
  Index longest_lag = 0;             ///< 0: chosen from the data
  std::string lags;                  ///< a set; empty: 1 to longest_lag
  bool contemporaneous = true;
  double level = 0.05;
  std::string method = methods::method_names().front();
  std::vector<std::string> beside = {kUsual};
  std::vector<std::string> further = {kChanging, kProduct, kVariance};
  nature::AdjustmentAsked adjust;
  Index surrogates = 40;
  knowledge::Written known;
  Index shown = 12;

  bool chooses_lags() const { return lags.empty() && longest_lag == 0; }
  bool looks_for(const char* kind) const;
};

const Keys<DiscoverSettings>& discover_keys();

/// Rules between the keys, and texts that cannot be read.
void check_rules(const DiscoverSettings& settings, const Complain& complain);

}  // namespace fovea::lag::discover
