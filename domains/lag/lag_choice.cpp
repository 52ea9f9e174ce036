#include "fovea/domains/lag/lag_choice.hpp"

#include <algorithm>

#include "fovea/core/error.hpp"

namespace fovea::lag {

std::vector<Index> chosen_lags(const SeriesTable& table, std::vector<std::string>& notes) {
  constexpr Index kMost = 10, kStepsPerLag = 20;
  const Index most = std::clamp<Index>(table.steps() / kStepsPerLag, 1, kMost);
  std::vector<Index> lags;
  for (Index lag = 1; lag <= most; ++lag) lags.push_back(lag);
  notes.push_back(
      concat("Lags up to ", most, " steps are looked at: one for each ", kStepsPerLag, " rows, at most ", kMost, "."));
  return lags;
}

}  // namespace fovea::lag
