#pragma once
/// A simulated economy as FRED-MD would show it, with recessions that are known.

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/panels/panel.hpp"
#include "fovea/datasets/panels/recessions.hpp"

namespace fovea::nowcast {

struct SimulatedPanelSettings {
  Index first_month = 12 * 1959;
  Index months = 780;  ///< at least 120
  /// Recessions last 6 to 18 months and begin 60 to 96 months after one another.
  Index shortest_recession = 6, longest_recession = 18;
  Index shortest_cycle = 60, longest_cycle = 96;
};

struct SimulatedPanel {
  datasets::panels::MonthlyPanel panel;
  datasets::panels::Recessions recessions;  ///< of all months of the panel
};

/// Seventeen series with the names, codes, units and sizes of FRED-MD. A cycle c runs from 0 in growth to 1 in
/// recession; it drives
///   leading      spread GS10 - TB3MS and permits 12 and 8 months ahead, sentiment and share prices 5 and 4, claims 2;
///                the oil price jumps 1 to 9 months ahead of every other recession, and sometimes without one
///   coincident   payrolls, industrial production, real income, real sales, unemployment, hours
///   lagging      BAA - AAA within recessions, prices
/// by logarithms that grow by a trend less what the cycle takes, with independent noise of the size that FRED-MD shows;
/// rates are never below .01 per cent. Some turns of leading series are false: no recession follows. The last rows are
/// ragged: 1 month of series that are released a month later is empty, 2 of CMRMTSPLx, and sentiment is quarterly until
/// 1977. The same Random gives the same bits.
SimulatedPanel simulated_panel(const Random& random, const SimulatedPanelSettings& settings = {});

}  // namespace fovea::nowcast
