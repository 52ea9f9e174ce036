#include "fovea/domains/opinion/measures/crowd_moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"
#include "fovea/domains/opinion/society/block_sums.hpp"

namespace fovea::opinion::measures {

namespace {

/// Sums over all opinions x: add(x, sums) adds those of one.
template <std::size_t kWidth, typename Add>
std::vector<double> line_sums(const Matrix<double>& opinions, const Ranks& ranks, const Add& add) {
  return society::sum_by_blocks(ranks, opinions.rows(), kWidth, [&](Index first, Index last, double* sums) {
    std::array<double, kWidth> own{};
    for (Index i = first; i < last; ++i) add(opinions.data()[i], own);
    std::copy(own.begin(), own.end(), sums);
  });
}

}  // namespace

CrowdMoments crowd_moments(const Matrix<double>& opinions, const Ranks& ranks) {
  const auto agents = static_cast<double>(ranks.total(opinions.rows()));
  const auto [low, high] = society::range_of(ranks, opinions, 0);
  CrowdMoments line;
  line.mean = line_sums<1>(opinions, ranks, [](double x, auto& sums) { sums[0] += x; })[0] / agents;
  // The mean once more, of what is left of it by rounding: then the skewness of equal camps is 0.
  const std::vector<double> about = line_sums<2>(opinions, ranks, [&](double x, auto& sums) {
    const double d = x - line.mean;
    sums[0] += d;
    sums[1] += d * d;
  });
  line.variance = about[1] / agents;
  const double rest = about[0] / agents;
  const std::vector<double> central = line_sums<3>(opinions, ranks, [&](double x, auto& sums) {
    const double d = (x - line.mean) - rest;
    sums[0] += d * d;
    sums[1] += d * d * d;
    sums[2] += d * d * d * d;
  });
  const double second = central[0] / agents, size = std::max(std::abs(low), std::abs(high));
  line.bimodality = kNan;
  if (!(std::sqrt(second) > kRoundingSpread * size)) return line;
  const double skewness = central[1] / agents / std::pow(second, 1.5);
  line.bimodality = (skewness * skewness + 1) / (central[2] / agents / (second * second));
  return line;
}

}  // namespace fovea::opinion::measures
