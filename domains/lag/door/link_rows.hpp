#pragma once
/// The links of a result of lag.discover, one by one.

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/dataset.hpp"

namespace fovea::lag::door {

/// What the link does, in the series' own units; NaN: not estimated.
struct RowEffect {
  double size = kNan, low = kNan, high = kNan;                    ///< of one unit of the cause
  double total_size = kNan, total_low = kNan, total_high = kNan;  ///< the sum over the lags of the cause, if several
  double lag_low = kNan, lag_high = kNan;                         ///< steps; of the pair's most significant link
  std::string unit = {};                                          ///< empty: not known, or a pure number
};

struct LinkRow {
  std::string cause, effect;
  std::int64_t lag = 0;  ///< steps
  double strength = 0, p = 1, q = 1;
  bool counts = true;
  bool directed = true;             ///< false: within a step, and which of the two is the cause is not known
  double log10_p = 0, log10_q = 0;  ///< also where p and q are too small for a double; -inf: nothing more is known
  RowEffect does = {};
  std::string kind = "steady";  ///< or changing, product, variance: how the effect answers
  std::string with = {};        ///< other cause of a product, else empty
  std::int64_t with_lag = 0;    ///< its lag
  std::string test = {};        ///< which decided the p-value; empty: the method has one, or the link does not count
  bool self() const { return cause == effect; }
};

/// Those that count, by q.
std::vector<LinkRow> counting_rows(const Dataset& data);
/// Every one that was tested, and the further effects that count, by q; those that count where the arrays are too large
/// to be stored.
std::vector<LinkRow> all_rows(const Dataset& data);
/// The lags at which something was tested, ascending.
std::vector<std::int64_t> tested_lags(const Dataset& data);

/// The texts of an array.
const std::vector<std::string>& words(const Dataset& data, const std::string& name);

}  // namespace fovea::lag::door
