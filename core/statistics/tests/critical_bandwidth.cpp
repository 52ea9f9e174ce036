#include "fovea/core/statistics/tests/critical_bandwidth.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/tests/dip_test.hpp"

namespace fovea {
namespace {

constexpr std::size_t kDensityBins = 256;
constexpr double kDensityRoom = 0.15;  // beyond the sample on both sides, of its range
constexpr double kNarrowest = 0.7;     // bandwidth in bins; narrower ones see the bins
constexpr double kRipple = 1e-9;       // of the largest density: a rise below is rounding

/// A density on bins; distances are in bins.
class BinnedDensity {
 public:
  /// Of values on a line whose bin 0 begins at `low`.
  BinnedDensity(std::span<const double> values, double low, double width) : counts_(kDensityBins, 0.0) {
    for (const double value : values) {
      const double place = std::clamp(std::floor((value - low) / width), 0.0, static_cast<double>(kDensityBins - 1));
      counts_[static_cast<Index>(place)] += 1 / static_cast<double>(values.size());
    }
  }

  std::vector<double> smoothed(double bandwidth) const {
    std::vector<double> kernel(kDensityBins), density(kDensityBins, 0.0);
    for (std::size_t d = 0; d < kDensityBins; ++d) {
      const double z = static_cast<double>(d) / bandwidth;
      kernel[d] = std::exp(-0.5 * z * z);
    }
    for (std::size_t from = 0; from < kDensityBins; ++from) {
      if (counts_[from] == 0) continue;
      for (std::size_t to = 0; to < kDensityBins; ++to)
        density[to] += counts_[from] * kernel[to > from ? to - from : from - to];
    }
    return density;
  }

  /// The bins of the modes whose basins hold at least the share.
  std::vector<std::size_t> modes(double bandwidth, double least_share) const {
    const std::vector<double> density = smoothed(bandwidth);
    const double ripple = kRipple * *std::max_element(density.begin(), density.end());
    std::vector<std::size_t> found;
    std::size_t top = 0, trough = 0;
    double share = 0;
    bool rising = true;
    for (std::size_t b = 0; b < kDensityBins; ++b) {
      if (rising && density[b] > density[top]) top = b;
      if (rising && density[b] < density[top] - ripple) rising = false, trough = b;
      if (!rising && density[b] < density[trough]) trough = b;
      if (!rising && density[b] > density[trough] + ripple) {  // a new basin began at the trough
        for (std::size_t back = trough + 1; back < b; ++back) share -= counts_[back];
        if (share >= least_share) found.push_back(top);
        share = 0;
        for (std::size_t back = trough + 1; back < b; ++back) share += counts_[back];
        rising = true, top = b;
      }
      share += counts_[b];
    }
    if (share >= least_share) found.push_back(top);
    return found;
  }

 private:
  std::vector<double> counts_;
};

/// From wide to narrow until there are more than `most` modes, then between the last two.
double critical_bandwidth(const BinnedDensity& density, std::size_t most, double least_share) {
  constexpr double kStep = 0.9;
  double wide = kDensityBins;
  while (wide > kNarrowest && density.modes(kStep * wide, least_share).size() <= most) wide *= kStep;
  if (wide <= kNarrowest) return wide;
  double narrow = kStep * wide;
  for (int k = 0; k < 20; ++k) {
    const double middle = 0.5 * (narrow + wide);
    (density.modes(middle, least_share).size() <= most ? wide : narrow) = middle;
  }
  return wide;
}

struct ThinnedSample {
  std::vector<double> values;
  double low = 0, width = 1, mean = 0, variance = 0;
};

ThinnedSample thinned_sample(std::span<const double> values) {
  ThinnedSample sample;
  const std::size_t kept = std::min(values.size(), kModeSample);
  for (std::size_t k = 0; k < kept; ++k) sample.values.push_back(values[k * values.size() / kept]);
  const auto [least, most] = std::minmax_element(sample.values.begin(), sample.values.end());
  const double range = *most - *least;
  sample.low = *least - kDensityRoom * range;
  sample.width = (1 + 2 * kDensityRoom) * range / static_cast<double>(kDensityBins);
  for (const double value : sample.values) sample.mean += value / static_cast<double>(kept);
  for (const double value : sample.values)
    sample.variance += (value - sample.mean) * (value - sample.mean) / static_cast<double>(kept);
  return sample;
}

/// p_k: how often samples of the density of k modes have more.
double chance_of_modes(const ThinnedSample& sample, double bins, std::size_t most, const Random& random,
                       const ModeSettings& settings) {
  const std::size_t n = sample.values.size();
  if (bins <= kNarrowest) return 1;  // there are no more modes at any bandwidth
  const double h = bins * sample.width, shrink = 1 / std::sqrt(1 + h * h / sample.variance);
  int more = 0;
  std::vector<double> drawn(n);
  for (int draw = 0; draw < settings.draws; ++draw) {
    const Random here = random.stream(std::to_string(most)).stream(std::to_string(draw));
    for (std::size_t i = 0; i < n; ++i) {
      const auto from = static_cast<std::size_t>(here.uniform(i) * static_cast<double>(n));
      const double value = sample.values[std::min(from, n - 1)] + h * here.normal(n + i);
      drawn[i] = sample.mean + shrink * (value - sample.mean);
    }
    if (BinnedDensity(drawn, sample.low, sample.width).modes(bins, settings.least_share).size() > most) ++more;
  }
  return static_cast<double>(more) / static_cast<double>(settings.draws);
}

}  // namespace

Modes count_modes(std::span<const double> values, const Random& random, const ModeSettings& settings) {
  require(!values.empty(), "count_modes: there are no values; give at least one.");
  const ThinnedSample sample = thinned_sample(values);
  Modes modes;
  if (!(sample.width > 0) || !(sample.variance > 0)) {
    modes.chances = {1};
    modes.places = {values[0]};
    return modes;
  }
  const BinnedDensity density(sample.values, sample.low, sample.width);
  std::vector<double> ascending = sample.values;
  std::sort(ascending.begin(), ascending.end());
  modes.chances = {dip_p_value(dip(ascending), ascending.size(), random.stream("dip"))};
  for (std::size_t k = 2; modes.chances[0] < settings.level && k <= settings.most; ++k) {
    if (k == 2) modes.count = 2;
    const double bins = critical_bandwidth(density, k, settings.least_share);
    modes.chances.push_back(chance_of_modes(sample, bins, k, random, settings));
    if (modes.chances.back() < settings.level / static_cast<double>(settings.most) && k < settings.most)
      modes.count = k + 1;
    if (bins <= kNarrowest) break;
  }
  const double bins = critical_bandwidth(density, modes.count, settings.least_share);
  modes.bandwidth = bins * sample.width;
  for (const std::size_t bin : density.modes(bins, settings.least_share))
    modes.places.push_back(sample.low + (static_cast<double>(bin) + 0.5) * sample.width);
  return modes;
}

}  // namespace fovea
