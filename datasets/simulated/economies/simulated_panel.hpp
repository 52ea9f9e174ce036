#pragma once
/// A simulated economy as FRED-MD would show it, with recessions that are known.

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/panels/panel.hpp"
#include "fovea/datasets/panels/recessions.hpp"

namespace fovea::datasets::simulated {

struct SimulatedPanelSettings {
  Index first_month = 12 * 1959;
  Index months = 780;  ///< at least 120
  /// Recessions last 6 to 18 months and begin 60 to 96 months after one another.
  Index shortest_recession = 6, longest_recession = 18;
  Index shortest_cycle = 60, longest_cycle = 96;
};

struct SimulatedPanel {
  panels::MonthlyPanel panel;
  panels::Recessions recessions;  ///< of all months of the panel
};

/// Seventeen series with the names, codes, units and sizes of FRED-MD. A cycle runs from 0 in growth to a depth of 0.7
/// to 1.5 in a recession; it moves
///   leading      spread GS10 - TB3MS about 12 months ahead, permits 7, sentiment and share prices 5 (each lead is
///   drawn
///                about these for each recession); the oil price jumps 1 to 9 months ahead of half of the recessions
///   coincident   payrolls, industrial production, real income, real sales, unemployment; claims, hours and BAA - AAA
///                one month ahead
/// either the growth of logarithms or what a series moves about, with independent noise. Between recessions the leading
/// ones sometimes turn in vain. As at the end of the last month a series that is released a month later lacks its last
/// value, and CMRMTSPLx two; sentiment is quarterly until 1977. The same Random gives the same bits. Throws
/// ArgumentError for settings out of range.
SimulatedPanel simulated_panel(const Random& random, const SimulatedPanelSettings& settings = {});

}  // namespace fovea::datasets::simulated
