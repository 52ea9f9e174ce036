#pragma once
/// Series of a panel with what is known about them: words for people, release lags, transformations.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/datasets/panels/panel.hpp"

namespace fovea::nowcast {

/// What a run of rises or falls of a series means, if anything.
enum class Run { none, falls, rises };

/// A series that the domain knows, by its name in FRED-MD.
struct SeriesRule {
  std::string_view name;
  std::string_view words;  ///< in sentences: "payrolls"
  /// Months between the month that a value speaks of and the end of the month in which it is released.
  Index lag;
  int code;  ///< of its transformation, where a file has none (McCracken & Ng 2016)
  Run run;
};

/// In alphabetical order of the names.
const std::vector<SeriesRule>& series_rules();

/// A series of a panel as it becomes known. The spread GS10 - TB3MS and the premium BAA - AAA are series, too.
struct KnownSeries {
  std::string name, words;
  Index lag = 0;
  Index first_month = 0;
  Run run = Run::none;
  std::vector<double> values, changes;  ///< one a month, NaN: empty; changes: transformed by its code
  Index months() const { return static_cast<Index>(values.size()); }
  /// Of a month; NaN outside.
  double at(Index month) const;
  /// The last month with a value among those that are released by the end of `now`, at most kStalest months older than
  /// the lag says; -1: none.
  Index newest(Index now) const;
};
/// A quarterly value is at most two months older than a monthly one; a file that is late shows one month more.
inline constexpr Index kStalest = 3;

/// "PAYEMS=1": what the keys data.lags, data.codes and data.names say of single series.
struct SeriesSettings {
  std::vector<std::string> names = {};  ///< "PAYEMS=employment": the file's name of a known series
  std::vector<std::string> lags = {};   ///< "PAYEMS=2", or "*=1" for all
  std::vector<std::string> codes = {};  ///< "PAYEMS=5"
  /// To examine whether anything looks ahead: what is released later than this month becomes noise.
  std::optional<Index> noise_after = {};
};

/// What data.codes says, by the names that the file has. Throws DataError that names the key for an entry that is none.
datasets::panels::Codes codes_of(const SeriesSettings& settings);
/// Codes of the table by these names, for files without any.
datasets::panels::Codes usual_codes(const SeriesSettings& settings);

/// The series of the panel that the table knows, in its order, then the spread and the premium. notes: what is not
/// there. Throws DataError where none is.
std::vector<KnownSeries> known_series(const datasets::panels::MonthlyPanel& panel, const SeriesSettings& settings,
                                      std::vector<std::string>& notes);

const KnownSeries* find_series(const std::vector<KnownSeries>& all, std::string_view name);

}  // namespace fovea::nowcast
