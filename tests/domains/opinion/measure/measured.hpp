#pragma once
/// What opinion.measure makes of settings, for its tests.

#include <algorithm>
#include <string>
#include <vector>

#include "fovea/tests/support/catch.hpp"
#include "fovea/tests/support/runs/run.hpp"

namespace fovea::support {

inline Results measured(const std::vector<std::string>& settings) { return run_of("opinion.measure", settings); }

/// A part of a measure, such as its value or its low end, of one group.
inline double value_of(const Results& results, const std::string& measure, const char* part = "value",
                       std::size_t group = 0) {
  const auto& names = std::get<std::vector<std::string>>(results.data.at("measure").values);
  const std::size_t place = std::find(names.begin(), names.end(), measure) - names.begin();
  REQUIRE(place < names.size());
  return results.data.at(part).reals()[place * results.data.size_of("group") + group];
}

}  // namespace fovea::support
