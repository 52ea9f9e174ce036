#pragma once
/// The table of methods that look for lags in series sampled together: ours and its peers. One line a method in
/// methods.inl; `fovea list methods` prints it, the tests walk it, `lag.discover` runs whichever is asked for.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/config/shared_key.hpp"
#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::methods {

struct MethodEntry {
  std::string_view name;
  std::string_view title;    ///< as people write it
  std::string_view meaning;  ///< what a link's strength and p-value are, and what is conditioned on
  std::string_view source;   ///< author, year
  bool conditional;          ///< a link tells what no other series tells
  bool at_rate;              ///< links count at a false discovery rate of LagSettings::level
  Findings (*find)(const datasets::series::SeriesTable& table, const LagSettings& settings, const Random& random);
};

/// Ours first, then alphabetical.
std::span<const MethodEntry> methods();

std::vector<std::string> method_names();
/// The key method.name of the experiments that search with one of them.
const SharedChoice<>& method_key();

/// Throws ArgumentError that lists the names there are.
const MethodEntry& method_of(std::string_view name);

}  // namespace fovea::lag::methods
