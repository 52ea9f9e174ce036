#pragma once
/// Panels of monthly series: FRED-MD (McCracken & Ng 2016, J. Business & Economic Statistics 34, 574) and any wide CSV
/// with one row a month and one column a series.
///
///     sasdate,   PAYEMS, UNRATE, ...     names; the dates are the column date, sasdate, month, ..., or the first,
///     Transform:,5,      2,      ...     or year and month; codes 1 to 7, if the file has them
///     1/1/1959,  52478,  6,      ...     months without a gap in any spelling of datasets/series/dates.hpp, also
///                                        195901 and 1959:01
///
/// Packed by gzip or not, commas or semicolons (then perhaps decimal commas), BOM, CRLF; a cell that is empty, NA, "."
/// and so on is no value. Series may begin late, have gaps and end early. Every mistake is a DataError
/// "FILE:row N, column 'x': ...". A month is 12 * year + month - 1.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::datasets::panels {

/// "1959-01".
std::string month_text(Index month);

struct PanelSeries {
  std::string name;
  std::optional<int> code = {};  ///< of transformed(), 1 to 7; read_panel() gives one to each
  std::vector<double> values;    ///< one a month; NaN: empty; never infinite
};

struct MonthlyPanel {
  std::string source;  ///< the path
  Index first_month = 0;
  std::vector<PanelSeries> series;      ///< at least one; all of one length; each with a value
  std::vector<std::string> notes = {};  ///< what was assumed or left out: a sentence each, that begins with the file
  Index months() const { return series.empty() ? 0 : static_cast<Index>(series.front().values.size()); }
  Index last_month() const { return first_month + months() - 1; }
  const PanelSeries* find(std::string_view name) const;  ///< nullptr: not there
};

/// Codes by the names of series.
using Codes = std::map<std::string, int, std::less<>>;

/// codes: win over those of the file. Where the file has none at all, `usual` has them; series without one are left
/// out, which is noted; there must be one with. Throws DataError, also for rows that are no months, for a series
/// without a value, for values of which no logarithm can be taken where the code takes one, and for numbers such as
/// -999 that stand for a missing value; StorageError where it cannot be read.
MonthlyPanel read_panel(const std::string& path, const Codes& codes = {}, const Codes& usual = {});

/// The series by its code: 1 x, 2 difference, 3 second difference, 4 log x, 5 difference of log x, 6 second difference
/// of log x, 7 difference of x_t / x_(t-1) - 1. NaN where a value that it takes is empty or what comes out is not
/// finite. Throws ArgumentError without a code.
std::vector<double> transformed(const PanelSeries& series);

}  // namespace fovea::datasets::panels
