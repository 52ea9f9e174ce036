#include "fovea/core/statistics/distributions/normal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

/// The quantile of a lower tail, p <= 1/2, to 4.5e-4.
double rough_lower_quantile(double p) {
  const double t = std::sqrt(-2.0 * std::log(p));
  const double numerator = 2.515517 + t * (0.802853 + t * 0.010328);
  const double denominator = 1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return numerator / denominator - t;
}

double lower_quantile(double p) {
  double x = rough_lower_quantile(p);
  for (int round = 0; round < 3; ++round) {
    // Newton on log Phi(x) - log p keeps its digits in the far tail, where Phi itself is nearly flat.
    const double cdf = normal_cdf(x);
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    const double ratio = cdf / density;
    const double error = ratio * std::log(cdf / p);
    const double curvature = -x - 1.0 / ratio;  // (log Phi)'' / (log Phi)'
    x -= error / (1.0 - 0.5 * error * curvature);
  }
  return x;
}

}  // namespace

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double normal_quantile(double p) {
  require(p >= 0.0 && p <= 1.0, "normal_quantile: p = ", p, ", but a probability lies in [0, 1].");
  if (p == 0.0) return -std::numeric_limits<double>::infinity();
  if (p == 1.0) return std::numeric_limits<double>::infinity();
  if (p == 0.5) return 0.0;
  return p < 0.5 ? lower_quantile(p) : -lower_quantile(1.0 - p);
}

RankQuantiles::RankQuantiles(std::size_t count) {
  constexpr std::size_t kKept = 2;
  thread_local std::array<std::shared_ptr<std::vector<double>>, kKept> kept;
  auto place =
      std::find_if(kept.begin(), kept.end() - 1, [&](const auto& of) { return of && of->size() == 2 * count; });
  if (!*place || (*place)->size() != 2 * count)
    *place = std::make_shared<std::vector<double>>(2 * count, std::numeric_limits<double>::quiet_NaN());
  std::rotate(kept.begin(), place, place + 1);
  quantiles_ = kept.front();
}

double RankQuantiles::at(double rank) const {
  double& quantile = (*quantiles_)[static_cast<std::size_t>(2 * rank)];
  if (std::isnan(quantile)) quantile = normal_quantile(2 * rank / static_cast<double>(quantiles_->size()));
  return quantile;
}

}  // namespace fovea
