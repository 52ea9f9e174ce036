#pragma once
/// A link in all its forms: the arrays over "link" of a result of lag.discover, CSV, JSON and the edge of a graph. Each
/// column is declared once, in link_rows.cpp.

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/columns.hpp"

namespace fovea::lag::discover {

struct LinkRow {
  std::string cause, effect;
  std::int64_t lag = 0;  ///< steps
  double strength = 0, p = 1, q = 1;
  bool counts = true;                     ///< significant
  bool promised = false;                  ///< it counts, and its share of false ones is promised
  bool directed = true;                   ///< false: within a step, and which of the two is the cause is not known
  double log10_p = kNan, log10_q = kNan;  ///< also where p and q are too small for a double
  // What the link does, in the series' own units; NaN: not estimated.
  double effect_size = kNan, effect_low = kNan, effect_high = kNan;  ///< of one unit of the cause
  std::string unit = {};                                             ///< empty: not known, or a pure number
  double total_size = kNan, total_low = kNan, total_high = kNan;     ///< the sum over the lags of the cause, if several
  double lag_low = kNan, lag_high = kNan;                            ///< steps; of the pair's most significant link
  std::string kind = "steady";  ///< or changing, product, variance: how the effect answers
  std::string with = {};        ///< other cause of a product, else empty
  double with_lag = kNan;       ///< its lag
  std::string test = {};        ///< which decided the p-value; empty: the method has one, or the link does not count

  // On the page alone.
  double time = kNan;                        ///< the lag, in the unit of time
  std::string said = {};                     ///< "drives", kMovesWith, kMovesAgainst, "own past", ...
  std::string q_words = {};                  ///< "3.2e-05", "< 10\u207b\u00b3\u2070\u2070"
  double attention = kNan, gradient = kNan;  ///< NaN: not what the heads look for
  std::string lags = {};                     ///< that hold 95 % of the attention
  std::string beside = {}, remark = {};      ///< who else finds it; whether test, attention and gradient agree
  std::string effect_words = {}, total_words = {}, lag_words = {};
  double bent_p = kNan;

  bool self() const { return cause == effect; }
};

/// What is said of a link without direction, by the sign of its strength.
inline constexpr std::string_view kMovesWith = "moves with", kMovesAgainst = "moves against";

/// The arrays that not every result has, and the units of the others.
struct LinkArrays {
  bool small = false;    ///< log10 of p and q: some is too small for a double
  bool effects = false;  ///< in the series' own units
  bool views = false;    ///< what attention and gradient say
  bool beside = false;   ///< other methods were asked
  std::string time_unit = {}, lag_unit = "steps";
};

/// All columns. The arrays are those of LinkArrays and of every result; CSV and JSON have the same columns always.
Columns link_columns(const std::vector<LinkRow>& links, const LinkArrays& arrays = {});

/// Back from the arrays of a result, in their order; those that count. NaN where log10 of p or q is not known.
std::vector<LinkRow> read_links(const Dataset& data);

/// The texts of an array.
const std::vector<std::string>& words(const Dataset& data, const std::string& name);
/// Of an array that is stored where some probability is too small for a double; else log10 of the probability. NaN
/// where that is not finite.
double log10_at(const Dataset& data, const std::string& array, std::size_t place, double probability);

constexpr const char *kLog10P = "log10 of the p-value", *kLog10Q = "log10 of the q-value";

}  // namespace fovea::lag::discover
