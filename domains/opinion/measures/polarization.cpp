#include "fovea/domains/opinion/measures/polarization.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/core/attention/fast/line_attention.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea::opinion::measures {

namespace {

void require_ascending(std::span<const double> values, const char* who) {
  require(!values.empty(), who, ": there are no opinions; at least one is needed.");
  for (std::size_t i = 1; i < values.size(); ++i)
    require(values[i - 1] <= values[i], who, ": opinion ", i,
            " is smaller than the one before it; sort the opinions first.");
}

/// The mean distance of each from all: those below are passed upwards, those above not yet.
std::vector<double> mean_distances(std::span<const double> ascending, double centre) {
  const auto n = static_cast<double>(ascending.size());
  double above = 0, below = 0;
  for (const double x : ascending) above += x - centre;
  std::vector<double> distances(ascending.size());
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    const double x = ascending[i] - centre;
    const auto rank = static_cast<double>(i);
    above -= x;
    distances[i] = ((x * rank - below) + (above - x * (n - rank - 1))) / n;
    below += x;
  }
  return distances;
}

/// The Gaussian kernel density at each value.
std::vector<double> densities_at(std::span<const double> values, double bandwidth) {
  std::vector<double> sums(values.size()), unused(values.size());
  LineAttention().gaussian_sums(values, values, values, {}, bandwidth * bandwidth, sums, unused);
  const double scale = 1 / (static_cast<double>(values.size()) * bandwidth * std::sqrt(2 * std::numbers::pi));
  for (double& sum : sums) sum *= scale;
  return sums;
}

Index pairs(Index count) { return count * (count - 1) / 2; }

/// Agreement of a layer: which categories are full.
double layer_agreement(const std::vector<bool>& full) {
  const auto categories = static_cast<Index>(full.size());
  const Index size = std::count(full.begin(), full.end(), true);
  Index unimodal = 0, deviating = 0, before = 0;
  for (const bool is_full : full) {
    if (is_full) {
      ++before;
    } else {
      unimodal += pairs(before) + pairs(size - before);
      deviating += before * (size - before);
    }
  }
  const auto k = static_cast<double>(categories), up = static_cast<double>(unimodal),
             down = static_cast<double>(deviating);
  const double u = unimodal + deviating == 0 ? 1 : ((k - 2) * up - (k - 1) * down) / ((k - 2) * (up + down));
  return u * (1 - static_cast<double>(size - 1) / (k - 1));
}

}  // namespace

double der_bandwidth(double sd, std::size_t n, double alpha) {
  return 4.7 * sd / std::sqrt(static_cast<double>(n)) * std::pow(alpha, 0.1);
}

double der(std::span<const double> ascending, double alpha, double bandwidth) {
  require_ascending(ascending, "der");
  require(alpha >= 0.25 && alpha <= 1, "der: alpha = ", alpha, ", but must be in [0.25, 1].");
  require(bandwidth >= 0, "der: bandwidth = ", bandwidth, ", but must be >= 0.");
  if (ascending.front() == ascending.back()) return 0;
  const Moments m = moments(ascending);
  const double width = bandwidth > 0 ? bandwidth : der_bandwidth(std::sqrt(m.variance), ascending.size(), alpha);
  const std::vector<double> density = densities_at(ascending, width);
  const std::vector<double> distance = mean_distances(ascending, m.mean);
  double sum = 0;
  for (std::size_t i = 0; i < distance.size(); ++i) sum += exponential(alpha * logarithm(density[i])) * distance[i];
  return sum / static_cast<double>(ascending.size());
}

double wolfson(std::span<const double> ascending) {
  require_ascending(ascending, "wolfson");
  const auto n = static_cast<double>(ascending.size());
  // Both terms at once, each opinion with the one as far from the other end: no sum is larger than its result.
  double sum = 0;
  for (std::size_t low = 0, high = ascending.size() - 1; low < high; ++low, --high)
    sum += (1 - static_cast<double>(high - low) / n) * (ascending[high] - ascending[low]);
  return 2 * sum / n;
}

double agreement(std::span<const Index> counts) {
  std::vector<double> masses;
  for (const Index count : counts) {
    require(count >= 0, "agreement: a category holds ", count, " agents, but must hold at least 0.");
    masses.push_back(static_cast<double>(count));
  }
  return agreement(masses);
}

double agreement(std::span<const double> masses) {
  require(masses.size() >= 3, "agreement: there are ", masses.size(), " categories, but must be at least 3.");
  std::vector<double> left(masses.begin(), masses.end());
  double agents = 0, sum = 0;
  for (const double mass : masses) {
    require(mass >= 0 && std::isfinite(mass), "agreement: a category holds ", mass, ", but must hold at least 0.");
    agents += mass;
  }
  require(agents > 0, "agreement: all categories are empty; at least one agent is needed.");
  for (;;) {
    std::vector<bool> full(left.size());
    double height = 0;
    for (std::size_t c = 0; c < left.size(); ++c) {
      full[c] = left[c] > 0;
      if (full[c] && (height == 0 || left[c] < height)) height = left[c];
    }
    if (height == 0) return sum / agents;
    double members = 0;
    for (std::size_t c = 0; c < left.size(); ++c)
      if (full[c]) left[c] -= height, members += height;
    sum += members * layer_agreement(full);
  }
}

std::vector<Index> category_counts(std::span<const double> values, double low, double high, Index categories) {
  require(low < high && std::isfinite(high - low), "category_counts: the scale is from ", low, " to ", high,
          ", but its upper end must exceed its lower end.");
  require(categories >= 1, "category_counts: categories = ", categories, ", but must be >= 1.");
  std::vector<Index> counts(categories, 0);
  const double per_length = static_cast<double>(categories) / (high - low);
  for (const double x : values) {
    const double place = std::clamp(std::floor((x - low) * per_length), 0.0, static_cast<double>(categories - 1));
    ++counts[static_cast<std::size_t>(place)];
  }
  return counts;
}

}  // namespace fovea::opinion::measures
