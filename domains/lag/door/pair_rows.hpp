#pragma once
/// The pairs of a result of lag.pair, one by one.

#include <string>
#include <vector>

#include "fovea/core/data/columns.hpp"
#include "fovea/core/data/getter.hpp"
#include "fovea/core/data/results.hpp"

namespace fovea::lag::door {

struct PairRow {
  std::string driver, response, group;  ///< group: empty where the file has one
  double lag = 0;
  ValueInterval within68, within95;
  double false_alarm = 1;
  bool counts = false;
  double least = 1;           ///< false alarm that the draws can give
  std::string bound() const;  ///< "<=" where the false alarm is that
};

std::vector<PairRow> pair_rows(const Results& results);

/// As CSV and JSON.
Columns pair_columns(const std::vector<PairRow>& pairs);

}  // namespace fovea::lag::door
