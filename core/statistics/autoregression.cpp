#include "fovea/core/statistics/autoregression.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/attention/kernels/exponential.hpp"
#include "fovea/core/error.hpp"

namespace fovea {

std::vector<double> autocorrelations(std::span<const double> x, long last, std::span<const long> recording_starts) {
  require(last >= 0, "autocorrelations: the last lag is ", last, ", but must be >= 0.");
  double sum = 0, known = 0;
  for (const double value : x)
    if (!std::isnan(value)) sum += value, known += 1;
  std::vector<double> about(x.size(), 0.0);  // what is not known adds nothing
  const double mean = known > 0 ? sum / known : 0.0;
  for (std::size_t t = 0; t < x.size(); ++t)
    if (!std::isnan(x[t])) about[t] = x[t] - mean;
  std::vector<std::size_t> starts(recording_starts.begin(), recording_starts.end());
  if (starts.empty()) starts.push_back(0);
  starts.push_back(x.size());
  std::vector<double> rho(static_cast<std::size_t>(last) + 1, 0.0);
  for (std::size_t lag = 0; lag < rho.size(); ++lag) {
    double pairs = 0, present = 0;
    for (std::size_t r = 0; r + 1 < starts.size(); ++r)
      for (std::size_t t = starts[r] + lag; t < starts[r + 1]; ++t) {
        pairs += 1;
        present += std::isnan(x[t]) || std::isnan(x[t - lag]) ? 0 : 1;
        rho[lag] += about[t] * about[t - lag];
      }
    if (present > 0) rho[lag] *= pairs / present;
  }
  const double whole = rho[0];
  for (double& value : rho) value = whole > 0 ? value / whole : 0.0;
  rho[0] = 1;
  return rho;
}

std::vector<Autoregression> autoregressions(std::span<const double> rho) {
  std::vector<Autoregression> fits{{{}, 1.0}};
  for (std::size_t order = 1; order < rho.size(); ++order) {
    const Autoregression& before = fits.back();
    double rest = rho[order];
    for (std::size_t k = 1; k < order; ++k) rest -= before.coefficients[k - 1] * rho[order - k];
    const double partial = before.variance > 0 ? std::clamp(rest / before.variance, -1.0, 1.0) : 0.0;
    Autoregression next{before.coefficients, before.variance * (1 - partial * partial)};
    for (std::size_t k = 1; k < order; ++k) next.coefficients[k - 1] -= partial * before.coefficients[order - k - 1];
    next.coefficients.push_back(partial);
    fits.push_back(std::move(next));
  }
  return fits;
}

const Autoregression& best_by_aic(std::span<const Autoregression> fits, double n) {
  require(!fits.empty(), "best_by_aic: there are no fits.");
  const auto criterion = [&](const Autoregression& fit) {
    return n * logarithm(std::max(fit.variance, 1e-300)) + 2 * static_cast<double>(fit.coefficients.size());
  };
  const Autoregression* best = &fits.front();
  for (const Autoregression& fit : fits)
    if (criterion(fit) < criterion(*best)) best = &fit;
  return *best;
}

}  // namespace fovea
