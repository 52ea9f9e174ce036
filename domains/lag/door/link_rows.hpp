#pragma once
/// The links of a result of lag.discover, one by one.

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/dataset.hpp"

namespace fovea::lag::door {

struct LinkRow {
  std::string cause, effect;
  std::int64_t lag = 0;  ///< steps
  double strength = 0, p = 1, q = 1;
  bool counts = true;
  bool directed = true;             ///< false: within a step, and which of the two is the cause is not known
  double log10_p = 0, log10_q = 0;  ///< also where p and q are too small for a double; -inf: nothing more is known
  double effect_size = kNan, effect_low = kNan, effect_high = kNan;  ///< of one unit of the cause; NaN: not estimated
  std::string unit = {};                                             ///< of the effect; empty: not known
  bool self() const { return cause == effect; }
};

/// Those that count, by q.
std::vector<LinkRow> counting_rows(const Dataset& data);
/// Every one that was tested, by q; those that count where the arrays are too large to be stored.
std::vector<LinkRow> all_rows(const Dataset& data);
/// The lags at which something was tested, ascending.
std::vector<std::int64_t> tested_lags(const Dataset& data);

/// The texts of an array.
const std::vector<std::string>& words(const Dataset& data, const std::string& name);

}  // namespace fovea::lag::door
