/// Crossings where networks are drawn: their critical places differ, so that curves of two sizes meet by chance too.

#include <algorithm>
#include <cmath>

#include "fovea/core/statistics/line_fit.hpp"
#include "fovea/domains/opinion/phase/rounds.hpp"

namespace fovea::opinion::phase {

namespace {

// Of U4 of the largest size from the middle of a window to its end: over many networks U4 bends less than of one.
constexpr double kNetworksRise = 0.25;
// U4 at the crossing in mean field, from that of disorder to 2/3: .2705 from 0, .476 from 1/3.
constexpr double kMeanFieldLevel = 0.42;
// A window shrinks to a half in a round at most.
constexpr double kNetworksShrinking = 0.5;
// Share of the draws of a bootstrap that may be without a crossing.
constexpr double kLost = 0.05;

}  // namespace

CrossingWindow window_among_networks(const PhaseSettings& settings, const std::vector<RoundCell>& cells,
                                     const CrossingWindow& window) {
  std::vector<double> controls, cumulants;
  double first = kNan, last = kNan;  // of the coarse grid
  for (const CumulantPoint& point : cumulant_points(cells, 0, settings.low, settings.high)) {
    if (point.size_class + 1 != settings.sizes.size()) continue;
    const double cumulant = pooled_estimate(point.replicas, OrderStatistic::binder).value;
    if (std::isnan(first)) first = cumulant;
    last = cumulant;
    if (point.control < window.low || point.control > window.high) continue;
    controls.push_back(point.control);
    cumulants.push_back(cumulant);
  }
  if (controls.size() < 3) return window;
  const LineFit line = fit_line(controls, cumulants);
  const double level = std::min(first, last) + kMeanFieldLevel * std::abs(first - last);
  const double at = std::clamp((level - line.intercept) / line.slope, window.low, window.high);
  const double half = 0.5 * (window.high - window.low);
  const double next = std::clamp(kNetworksRise / std::abs(line.slope), kNetworksShrinking * half, half);
  return {at - next, at + next};
}

bool stands_out(const CrossingInterval& found) { return found.lost < kLost && found.binder_low > 0; }

}  // namespace fovea::opinion::phase
