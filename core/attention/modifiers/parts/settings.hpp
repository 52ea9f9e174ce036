#pragma once
/// The settings that several modifiers have in common. Internal to core/attention.

#include <algorithm>
#include <initializer_list>
#include <limits>

#include "fovea/core/attention/modifier_settings.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea {

inline constexpr double kAnySize = std::numeric_limits<double>::infinity();
inline constexpr double kMostPositions = 1e9;  ///< no set is longer

inline ModifierSetting flag_setting(std::string_view key, bool fallback, std::string meaning) {
  return {key, ModifierSetting::Kind::flag, {fallback ? 1.0 : 0.0}, 0, 1, false, "", std::move(meaning)};
}

inline ModifierSetting whole_setting(std::string_view key, double fallback, double low, double high,
                                     std::string_view unit, std::string meaning) {
  return {key, ModifierSetting::Kind::whole, {fallback}, low, high, false, unit, std::move(meaning)};
}

inline ModifierSetting positive_setting(std::string_view key, double fallback, std::string_view unit,
                                        std::string meaning, double most = kAnySize) {
  return {key, ModifierSetting::Kind::real, {fallback}, 0, most, true, unit, std::move(meaning)};
}

/// Of modifiers with parameters: whether each head has its own.
inline ModifierSetting per_head_setting(bool fallback) {
  return flag_setting("per_head", fallback, "true: one for each head; false: one for all heads");
}

/// Where the heads start; `key`: the parameter that is spread. See log_starts().
inline ModifierSetting spread_setting(std::string_view key, double fallback) {
  const std::string name(key);
  return {
      "spread",
      ModifierSetting::Kind::real,
      {fallback},
      1,
      1e6,
      false,
      "",
      "with per_head, heads start from " + name + " / spread to " + name + " * spread, in equal ratios; 1: all alike"};
}

inline ModifierSetting past_only_setting() {
  return flag_setting("past_only", false, "whether a token attends only to itself and to earlier tokens");
}

/// Of a number > 0, also of one so small that it has fewer digits.
inline double log_of(double number) { return logarithm(std::max(number, std::numeric_limits<double>::min())); }

/// theta = log of each key's value, that of spread_key spread over the heads; once for all heads, or for each.
template <typename Real>
std::vector<Real> log_starts(const ModifierValues& values, std::string_view spread_key,
                             std::initializer_list<std::string_view> keys) {
  const bool per_head = values.flag("per_head");
  const Index count = per_head ? values.heads : 1;
  const double reach = per_head ? logarithm(values.real("spread")) : 0;
  std::vector<Real> theta;
  for (Index head = 0; head < count; ++head) {
    // from -1 for the first head to 1 for the last; a single head stands in the middle
    const double place = count == 1 ? 0 : 2 * static_cast<double>(head) / static_cast<double>(count - 1) - 1;
    for (const std::string_view key : keys)
      theta.push_back(static_cast<Real>(log_of(values.real(key)) + (key == spread_key ? reach * place : 0.0)));
  }
  return theta;
}

/// The settings of a modifier that a config cannot give: `but` is the reason.
template <typename Real>
ModifierSettings<Real> not_in_configs(std::string_view but) {
  ModifierSettings<Real> settings;
  settings.refusal = but;
  return settings;
}

}  // namespace fovea
