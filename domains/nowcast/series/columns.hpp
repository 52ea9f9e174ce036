#pragma once
/// The classical columns of recession models, as they were known at the end of each month.

#include <string>
#include <vector>

#include "fovea/domains/nowcast/series/known_series.hpp"

namespace fovea::nowcast {

/// A column of the ridge part: a change or a level of one series at its newest release.
struct Column {
  std::string name;    ///< unique
  std::string series;  ///< of known_series()
  bool logarithm = false;
  Index change = 0;  ///< over so many months; 0: the level
  Index ago = 0;     ///< months before the newest
  Index lowest = 1;  ///< over so many months
};

/// 3-month growth of payrolls, production, income, sales, share prices and claims, 3-month change of unemployment, the
/// spread 12 months ago (Estrella & Mishkin 1998) and its lowest of 18 months, 12-month growth of permits, the premium
/// BAA - AAA. Permits, lowest spread and premium were chosen by leaving out the recessions before 1985 (README).
const std::vector<Column>& classical_columns();

/// At the end of a month; NaN where a value that it takes is not known then.
double value_of(const Column& column, const std::vector<KnownSeries>& series, Index now);

}  // namespace fovea::nowcast
