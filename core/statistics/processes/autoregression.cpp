#include "fovea/core/statistics/processes/autoregression.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/matrix.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/processes/fourier.hpp"

namespace fovea {

namespace {

constexpr std::size_t kWorthFourier = 250000;  // products of a series: fewer are summed in less time than transforms
constexpr std::size_t kLagsTogether = 8;  // lags whose sums grow side by side: one alone waits for each addition to end

std::vector<double> sums_by_fourier(const std::vector<double>& v, const std::vector<std::size_t>& starts,
                                    std::size_t last) {
  std::vector<double> all(last + 1, 0.0);
  for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
    const std::vector<double> part =
        lagged_products_by_fourier(std::span(v).subspan(starts[r], starts[r + 1] - starts[r]), last);
    for (std::size_t lag = 0; lag <= last; ++lag) all[lag] += part[lag];
  }
  return all;
}

/// sum_t v[t] v[t - lag] for lags 0 to last, each in the order of t; starts: of the recordings, with the end behind.
std::vector<double> lagged_products(const std::vector<double>& v, const std::vector<std::size_t>& starts,
                                    std::size_t last) {
  if (v.size() * last > kWorthFourier) return sums_by_fourier(v, starts, last);
  using Sums = Eigen::Array<double, kLagsTogether, 1>;  // the longest lag first, as the values lie in memory
  std::vector<double> all(last + kLagsTogether, 0.0);
  for (std::size_t first = 0; first <= last; first += kLagsTogether) {
    const std::size_t longest = first + kLagsTogether - 1;
    Sums sums = Sums::Zero();
    for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
      const std::size_t all_reach = std::min(starts[r] + longest, starts[r + 1]);
      for (std::size_t t = starts[r] + first; t < all_reach; ++t)
        for (std::size_t lag = first; lag <= t - starts[r]; ++lag)
          sums[static_cast<Eigen::Index>(longest - lag)] += v[t] * v[t - lag];
      for (std::size_t t = starts[r] + longest; t < starts[r + 1]; ++t)
        sums += v[t] * Eigen::Map<const Sums>(v.data() + t - longest);
    }
    for (std::size_t k = 0; k < kLagsTogether; ++k)
      all[first + k] = sums[static_cast<Eigen::Index>(kLagsTogether - 1 - k)];
  }
  all.resize(last + 1);
  return all;
}

}  // namespace

std::vector<double> autocorrelations(std::span<const double> x, long last, std::span<const long> recording_starts) {
  require(last >= 0, "autocorrelations: the last lag is ", last, ", but must be >= 0.");
  double sum = 0, known = 0;
  for (const double value : x)
    if (!std::isnan(value)) sum += value, known += 1;
  const double mean = known > 0 ? sum / known : 0.0;
  std::vector<double> about(x.size(), 0.0), there(x.size(), 0.0);  // what is not known adds nothing
  for (std::size_t t = 0; t < x.size(); ++t)
    if (!std::isnan(x[t])) about[t] = x[t] - mean, there[t] = 1;
  std::vector<std::size_t> starts(recording_starts.begin(), recording_starts.end());
  if (starts.empty()) starts.push_back(0);
  starts.push_back(x.size());
  const std::size_t lags = last;
  std::vector<double> rho = lagged_products(about, starts, lags);
  if (known < static_cast<double>(x.size())) {
    std::vector<double> present = lagged_products(there, starts, lags);
    for (double& count : present) count = std::round(count);
    for (std::size_t lag = 0; lag < rho.size(); ++lag) {
      double pairs = 0;
      for (std::size_t r = 0; r + 1 < starts.size(); ++r)
        pairs += std::max(0.0, static_cast<double>(starts[r + 1] - starts[r]) - static_cast<double>(lag));
      if (present[lag] > 0) rho[lag] *= pairs / present[lag];
    }
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
