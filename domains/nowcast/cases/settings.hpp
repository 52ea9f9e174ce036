#pragma once
/// What a nowcast may be told about its data and its months.

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/core/config/keys.hpp"
#include "fovea/domains/nowcast/cases/month_cases.hpp"
#include "fovea/domains/nowcast/series/known_series.hpp"

namespace fovea::nowcast {

struct RecessionSettings {
  std::vector<std::string> panels;  ///< one path of a file or folder; none: simulated
  std::string panel, recessions;    ///< paths: the first of `panels`; none: simulated
  SeriesSettings series;
  CaseSettings cases;
  std::string first = "1975-01";  ///< the first month that is nowcast: those before teach alone
  std::string start = "1985-01";  ///< the first month that is scored
  Index refit = 12;               ///< months
  bool check_future = false;
  std::uint64_t seed = 1;  ///< of a simulated panel: the run's
};
const Keys<RecessionSettings>& recession_keys();
/// With the run's seed and `panel`.
RecessionSettings recession_settings(const Config& config);

}  // namespace fovea::nowcast
