#include "fovea/domains/lag/lag_choice.hpp"

#include <algorithm>

#include "fovea/core/error.hpp"

namespace fovea::lag {

LagChoice choose_lags(const SeriesTable& table, double) {
  constexpr Index kMost = 10, kStepsPerLag = 20;
  const Index most = std::clamp<Index>(table.steps() / kStepsPerLag, 1, kMost);
  LagChoice choice;
  for (Index lag = 1; lag <= most; ++lag) choice.lags.push_back(lag);
  choice.reason =
      concat("Lags up to ", most, " steps are looked at: one for each ", kStepsPerLag, " rows, at most ", kMost, ".");
  return choice;
}

}  // namespace fovea::lag
