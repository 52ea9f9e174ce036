#include "fovea/domains/opinion/measures/weighted.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "fovea/core/attention/fast/line_attention.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/tests/dip_test.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"

namespace fovea::opinion::measures {

namespace {

constexpr std::array<std::string_view, 13> kLineMeasures{
    "agreement",          "bimodality", "camp_distance", "camps", "der",      "dip",    "esteban_ray",
    "largest_camp_share", "mean",       "nearest_camps", "sd",    "variance", "wolfson"};

constexpr std::array<std::string_view, 5> kSideMeasures{"distance_of_means", "distance_of_medians", "eta_squared",
                                                        "overlap", "variance_between"};

struct LineMoments {
  double mean = 0, variance = 0, bimodality = kNan;
};

LineMoments moments_of(const Masses& masses, double total) {
  LineMoments moments;
  for (std::size_t k = 0; k < masses.value.size(); ++k) moments.mean += masses.mass[k] / total * masses.value[k];
  double third = 0, fourth = 0;
  for (std::size_t k = 0; k < masses.value.size(); ++k) {
    const double x = masses.value[k] - moments.mean, share = masses.mass[k] / total;
    moments.variance += share * x * x;
    third += share * x * x * x;
    fourth += share * x * x * x * x;
  }
  if (masses.value.size() == 1) moments.variance = 0;
  const double v = moments.variance;
  if (v > 0) moments.bimodality = (third * third / (v * v * v) + 1) / (fourth / (v * v));
  return moments;
}

/// Half of the mass is below; where an answer ends just there, midway to the next.
double median_of(const Masses& masses, double total) {
  constexpr double kRounding = 1e-12;
  double below = 0;
  for (std::size_t k = 0; k + 1 < masses.value.size(); ++k) {
    below += masses.mass[k] / total;
    if (below > 0.5 + kRounding) return masses.value[k];
    if (below > 0.5 - kRounding) return (masses.value[k] + masses.value[k + 1]) / 2;
  }
  return masses.value.back();
}

struct LineSide {
  double mass, mean, variance, median;
  std::vector<double> share;  // of each part of the scale
};

LineSide side_of(const Masses& masses, const LineSettings& settings) {
  const double total = masses.total();
  const LineMoments moments = moments_of(masses, total);
  LineSide side{total, moments.mean, moments.variance, median_of(masses, total),
                settings.held_in(settings.parts, masses)};
  for (double& share : side.share) share /= total;
  return side;
}

double common_share(const LineSide& a, const LineSide& b) {
  double common = 0;
  for (std::size_t k = 0; k < a.share.size(); ++k) common += std::min(a.share[k], b.share[k]);
  return std::min(1.0, common);
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

/// Camps along the line, with their mass and centre.
struct LineCamps {
  std::vector<double> share, centre;  ///< largest first
};

LineCamps camps_of(const Masses& masses, double total, double gap) {
  std::vector<std::pair<double, double>> camps;  // mass, and its sum of opinions
  for (std::size_t k = 0; k < masses.value.size(); ++k) {
    if (k == 0 || masses.value[k] - masses.value[k - 1] > gap) camps.emplace_back(0, 0);
    camps.back().first += masses.mass[k];
    camps.back().second += masses.mass[k] * masses.value[k];
  }
  std::stable_sort(camps.begin(), camps.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  LineCamps found;
  for (const auto& [mass, sum] : camps) {
    found.share.push_back(mass / total);
    found.centre.push_back(sum / mass);
  }
  return found;
}

double nearest_of(const LineCamps& camps) {
  std::vector<double> centres = camps.centre;
  std::sort(centres.begin(), centres.end());
  double nearest = centres.size() < 2 ? 0 : centres[1] - centres[0];
  for (std::size_t c = 2; c < centres.size(); ++c) nearest = std::min(nearest, centres[c] - centres[c - 1]);
  return nearest;
}

double esteban_ray_of(const LineCamps& camps, double alpha) {
  double sum = 0;
  for (std::size_t a = 0; a < camps.share.size(); ++a) {
    const double power = exponential((1 + alpha) * logarithm(camps.share[a]));
    double row = 0;
    for (std::size_t b = 0; b < camps.share.size(); ++b)
      row += camps.share[b] * std::abs(camps.centre[a] - camps.centre[b]);
    sum += power * row;
  }
  return sum;
}

double camps_with(const LineCamps& camps, double least_share) {
  // As Camps::at_least(): a share that is the least one counts, whatever the rounding of its sum.
  constexpr double kRounding = 1e-12;
  return static_cast<double>(std::count_if(camps.share.begin(), camps.share.end(),
                                           [&](double share) { return share >= least_share * (1 - kRounding); }));
}

}  // namespace

void Masses::add(double next_value, double next_mass) {
  require(value.empty() || next_value >= value.back(), "masses: ", next_value, " comes after ",
          value.empty() ? 0 : value.back(), "; add the values in ascending order.");
  require(next_mass >= 0 && std::isfinite(next_mass), "masses: a mass is ", next_mass, ", but must be >= 0.");
  if (next_mass == 0) return;
  if (!value.empty() && value.back() == next_value) {
    mass.back() += next_mass;
    return;
  }
  value.push_back(next_value);
  mass.push_back(next_mass);
}

double Masses::total() const {
  double sum = 0;
  for (const double one : mass) sum += one;
  return sum;
}

Masses masses_of(std::span<const double> ascending) {
  Masses masses;
  for (const double x : ascending) masses.add(x, 1);
  return masses;
}

std::vector<double> LineSettings::held_in(Index parts_of_scale, const Masses& masses) const {
  require(parts_of_scale >= 1 && scale_low < scale_high, "measures: ", parts_of_scale, " parts of the scale from ",
          scale_low, " to ", scale_high, "; it must have at least one, and its upper end exceed its lower end.");
  std::vector<double> held(parts_of_scale, 0);
  const double per_length = static_cast<double>(parts_of_scale) / (scale_high - scale_low);
  for (std::size_t k = 0; k < masses.value.size(); ++k) {
    const double place = std::clamp(std::floor((masses.value[k] - scale_low) * per_length), 0.0,
                                    static_cast<double>(parts_of_scale - 1));
    held[static_cast<std::size_t>(place)] += masses.mass[k];
  }
  return held;
}

double der_bandwidth(double sd, double n, double alpha) { return 4.7 * sd / std::sqrt(n) * std::pow(alpha, 0.1); }

double der(const Masses& masses, double alpha, double bandwidth) {
  require(alpha >= 0.25 && alpha <= 1, "der: alpha = ", alpha, ", but must be in [0.25, 1].");
  require(bandwidth >= 0, "der: bandwidth = ", bandwidth, ", but must be >= 0.");
  const std::size_t n = masses.value.size();
  if (n <= 1) return 0;
  const double total = masses.total();
  const auto [mean, variance, bimodality] = moments_of(masses, total);
  std::vector<double> share, density(n), unused(n);
  for (const double mass : masses.mass) share.push_back(mass / total);
  const double width = bandwidth > 0 ? bandwidth : der_bandwidth(std::sqrt(variance), total, alpha);
  LineAttention().gaussian_sums(masses.value, masses.value, masses.value, share, width * width, density, unused);
  const double scale = 1 / (width * std::sqrt(2 * std::numbers::pi));
  double above = 0, below = 0, share_below = 0, sum = 0;
  for (std::size_t k = 0; k < n; ++k) above += share[k] * (masses.value[k] - mean);
  for (std::size_t k = 0; k < n; ++k) {
    const double x = masses.value[k] - mean;
    above -= share[k] * x;
    const double share_above = std::max(0.0, 1 - share_below - share[k]);
    const double distance = (x * share_below - below) + (above - x * share_above);
    sum += share[k] * exponential(alpha * logarithm(scale * density[k])) * distance;
    below += share[k] * x;
    share_below += share[k];
  }
  return sum;
}

/// 2 sum over gaps of min(F, 1 - F)^2 times the gap: the difference of the means of the halves is the sum of 2 min(F,
/// 1 - F), the mean distance that of 2 F (1 - F).
double wolfson(const Masses& masses) {
  const double total = masses.total();
  double below = 0, sum = 0;
  for (std::size_t k = 0; k + 1 < masses.value.size(); ++k) {
    below += masses.mass[k] / total;
    const double less = std::max(0.0, std::min(below, 1 - below));
    sum += less * less * (masses.value[k + 1] - masses.value[k]);
  }
  return 2 * sum;
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

std::span<const std::string_view> line_measures() { return kLineMeasures; }

std::vector<double> measure_line(const Masses& masses, const LineSettings& settings) {
  require(settings.categories >= 3, "measure_line: categories = ", settings.categories, ", but must be >= 3.");
  require(settings.der_bandwidth > 0 && settings.camp_gap > 0, "measure_line: der_bandwidth and camp_gap must be > 0.");
  if (masses.value.empty()) return std::vector<double>(kLineMeasures.size(), kNan);
  const double total = masses.total();
  const LineMoments moments = moments_of(masses, total);
  const LineCamps camps = camps_of(masses, total, settings.camp_gap);
  return {agreement(settings.held_in(settings.categories, masses)),
          moments.bimodality,
          camps.centre.size() < 2 ? 0 : std::abs(camps.centre[0] - camps.centre[1]),
          camps_with(camps, settings.least_share),
          der(masses, settings.der_alpha, settings.der_bandwidth),
          dip(masses.value, masses.mass),
          esteban_ray_of(camps, settings.esteban_ray_alpha),
          camps.share.front(),
          moments.mean,
          nearest_of(camps),
          std::sqrt(moments.variance),
          moments.variance,
          wolfson(masses)};
}

std::span<const std::string_view> side_measures() { return kSideMeasures; }

std::vector<double> measure_sides(std::span<const Masses> sides, const LineSettings& settings) {
  std::vector<LineSide> there;
  double total = 0, within = 0, pairs = 0, means = 0, medians = 0, between = 0, common = 0;
  for (const Masses& masses : sides)
    if (!masses.value.empty()) total += there.emplace_back(side_of(masses, settings)).mass;
  if (there.size() < 2) return std::vector<double>(kSideMeasures.size(), kNan);
  for (std::size_t a = 0; a < there.size(); ++a) {
    within += there[a].mass / total * there[a].variance;
    for (std::size_t b = 0; b < a; ++b) {
      const double pair = there[a].mass / total * (there[b].mass / total), apart = there[a].mean - there[b].mean;
      pairs += pair;
      means += pair * std::abs(apart);
      medians += pair * std::abs(there[a].median - there[b].median);
      between += pair * apart * apart;  // the sum over sides of their squared distance from the mean, pair by pair
      common += pair * common_share(there[a], there[b]);
    }
  }
  const double spread = within + between;
  return {means / pairs, medians / pairs, spread > 0 ? between / spread : kNan, std::min(1.0, common / pairs), between};
}

}  // namespace fovea::opinion::measures
