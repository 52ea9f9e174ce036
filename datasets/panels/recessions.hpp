#pragma once
/// Months of recession.

#include <optional>
#include <string>
#include <vector>

#include "fovea/datasets/panels/panel.hpp"

namespace fovea::datasets::panels {

struct Recessions {
  std::string source;  ///< the path
  Index first_month = 0;
  std::vector<double> in;               ///< one a month: 1 in recession, 0 not, NaN unknown
  std::vector<std::string> notes = {};  ///< a sentence each, that begins with the file
  Index last_month() const { return first_month + static_cast<Index>(in.size()) - 1; }
  double at(Index month) const;  ///< NaN outside
};

/// Reads either of
///   columns peak and trough: months of NBER's chronology, a recession being the months behind the peak up to the
///     trough, as in FRED's USREC. The first row may lack its peak, the last its trough: then the month behind the peak
///     is the last that is known. Months behind the last trough are unknown, or 0 up to known_through;
///   dates and a column of 0 and 1, without a gap: the only column, or USREC among others. An empty cell is unknown.
/// Throws DataError "FILE:row N, column 'x': ..." for anything else, StorageError where it cannot be read.
Recessions read_recessions(const std::string& path, std::optional<Index> known_through = {});

/// What is unknown in the months of the panel: a sentence each. Throws DataError where no month is known.
std::vector<std::string> unknown_months(const MonthlyPanel& panel, const Recessions& recessions);

}  // namespace fovea::datasets::panels
