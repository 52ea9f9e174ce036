#include "fovea/domains/nowcast/series/columns.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/missing.hpp"

namespace fovea::nowcast {

const std::vector<Column>& classical_columns() {
  static const std::vector<Column> columns{
      {.name = "payrolls, 3-month growth", .series = "PAYEMS", .logarithm = true, .change = 3},
      {.name = "industrial production, 3-month growth", .series = "INDPRO", .logarithm = true, .change = 3},
      {.name = "real income, 3-month growth", .series = "W875RX1", .logarithm = true, .change = 3},
      {.name = "real sales, 3-month growth", .series = "CMRMTSPLx", .logarithm = true, .change = 3},
      {.name = "yield spread, 12 months ago", .series = "GS10-TB3MS", .ago = 12},
      {.name = "unemployment, 3-month change", .series = "UNRATE", .change = 3},
      {.name = "share prices, 3-month growth", .series = "S&P 500", .logarithm = true, .change = 3},
      {.name = "claims, 3-month growth", .series = "CLAIMSx", .logarithm = true, .change = 3},
      {.name = "yield spread, lowest of 18 months", .series = "GS10-TB3MS", .lowest = 18},
      {.name = "building permits, 12-month growth", .series = "PERMIT", .logarithm = true, .change = 12},
      {.name = "credit spread", .series = "BAA-AAA"},
  };
  return columns;
}

double value_of(const Column& column, const std::vector<KnownSeries>& series, Index now) {
  const KnownSeries* const found = find_series(series, column.series);
  const Index newest = found == nullptr ? -1 : found->newest(now);
  if (newest < 0) return kNan;
  const auto at = [&](Index month) { return column.logarithm ? std::log(found->at(month)) : found->at(month); };
  double value = kNan;
  for (Index back = 0; back < column.lowest; ++back) {
    const Index month = newest - column.ago - back;
    const double here = column.change > 0 ? at(month) - at(month - column.change) : at(month);
    if (std::isnan(here)) return kNan;
    value = back == 0 ? here : std::min(value, here);
  }
  return std::isfinite(value) ? value : kNan;
}

}  // namespace fovea::nowcast
