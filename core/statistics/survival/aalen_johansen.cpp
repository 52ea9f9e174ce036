#include "fovea/core/statistics/survival/aalen_johansen.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/survival/observations.hpp"

namespace fovea {

namespace {

/// The sums over earlier times of which the variance of one end's incidence is made, so that each time costs O(1).
struct IncidenceVariance {
  double squares = 0, lines = 0, constants = 0;  ///< of F(t)^2, F(t) and 1

  void add(double incidence, double survival_before, double n, double d, double d_k) {
    const double jump = survival_before * d_k / (n * n);
    const double spread = d < n ? d / (n * (n - d)) : 0;  // at the last time nothing is left to spread
    squares += spread;
    lines -= 2 * (spread * incidence + jump);
    constants += spread * incidence * incidence + 2 * jump * incidence +
                 survival_before * survival_before * d_k * (n - d_k) / (n * n * n);
  }
  double at(double incidence) const {
    return std::max(0.0, squares * incidence * incidence + lines * incidence + constants);
  }
};

}  // namespace

std::vector<IncidenceStep> aalen_johansen(std::span<const double> times, std::span<const Index> ends, Index count) {
  require(count >= 1, "aalen_johansen: there are ", count, " ends, but must be at least 1.");
  std::vector<IncidenceStep> curve;
  std::vector<IncidenceVariance> variance(count);
  std::vector<double> incidence(variance.size()), error(variance.size());
  double survival = 1;
  for (const SurvivalTime& at : times_of_ends("aalen_johansen", times, ends, count)) {
    const auto n = static_cast<double>(at.at_risk), d = static_cast<double>(at.ended_all());
    for (std::size_t k = 0; k < incidence.size(); ++k) {
      const auto d_k = static_cast<double>(at.ended[k]);
      incidence[k] += survival * d_k / n;
      variance[k].add(incidence[k], survival, n, d, d_k);
      error[k] = std::sqrt(variance[k].at(incidence[k]));
    }
    survival *= (n - d) / n;
    curve.push_back({at.time, at.at_risk, survival, incidence, error});
  }
  return curve;
}

}  // namespace fovea
