#include "fovea/domains/opinion/society/block_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/attention/fast/exact_sums.hpp"

namespace fovea::opinion::society {

namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMostBlocks = std::int64_t{1} << 22;  // of 1e11 agents

}  // namespace

std::vector<double> add_blocks(const Ranks& ranks, std::span<const double> table, Index width) {
  std::vector<double> largest(width, 0.0);
  for (std::size_t k = 0; k < table.size(); ++k) {
    const double size = std::abs(table[k]);
    largest[k % width] = std::max(largest[k % width], std::isfinite(size) ? size : kEndless);
  }
  ranks.largest(largest);
  std::vector<fast::FixedPoint> scales;
  for (const double size : largest) scales.emplace_back(std::isfinite(size) ? size : 0, kMostBlocks);
  std::vector<fast::WholeParts> whole(width);
  for (std::size_t k = 0; k < table.size(); ++k)
    if (std::isfinite(largest[k % width])) whole[k % width] += scales[k % width].whole(table[k]);
  std::vector<std::int64_t> parts;
  for (const fast::WholeParts& sum : whole) parts.insert(parts.end(), {sum.high, sum.low});
  ranks.sum(parts);
  std::vector<double> sums(width);
  for (Index k = 0; k < width; ++k)
    sums[k] = std::isfinite(largest[k]) ? scales[k].number(scales[k].approximate({parts[2 * k], parts[2 * k + 1]}))
                                        : kEndless;
  return sums;
}

std::pair<double, double> range_of(const Ranks& ranks, double low, double high) {
  ranks.least({&low, 1});
  ranks.largest({&high, 1});
  return {low, high};
}

std::pair<double, double> range_of(const Ranks& ranks, const Matrix<double>& opinions, Index component) {
  const Index blocks = (opinions.rows() + kRankBlock - 1) / kRankBlock;
  std::vector<std::pair<double, double>> ends(blocks, {kEndless, -kEndless});
  for_each_task(blocks, blocks > 1, [&](Index block) {
    auto [low, high] = ends[block];
    for (Index i = block * kRankBlock; i < std::min(opinions.rows(), (block + 1) * kRankBlock); ++i) {
      low = std::min(low, opinions(i, component));
      high = std::max(high, opinions(i, component));
    }
    ends[block] = {low, high};
  });
  double low = kEndless, high = -kEndless;
  for (const auto& [least, most] : ends) low = std::min(low, least), high = std::max(high, most);
  return range_of(ranks, low, high);
}

std::pair<Index, double> first_not_finite(const Ranks& ranks, const Matrix<double>& opinions, Index first) {
  const Index blocks = (opinions.size() + kRankBlock - 1) / kRankBlock;
  std::vector<Index> found(blocks, -1);
  for_each_task(blocks, blocks > 1, [&](Index block) {
    for (Index k = block * kRankBlock; k < std::min(opinions.size(), (block + 1) * kRankBlock); ++k)
      if (!std::isfinite(opinions.data()[k])) {
        found[block] = k;
        return;
      }
  });
  const auto place = std::find_if(found.begin(), found.end(), [](Index k) { return k >= 0; });
  const bool here = place != found.end();
  if (!ranks.any(here)) return {-1, 0};
  std::vector<double> own;
  if (here) own = {static_cast<double>(first + *place / opinions.cols()), opinions.data()[*place]};
  const std::vector<double> all = ranks.collect(own);  // the first rank that has one comes first
  return {static_cast<Index>(all[0]), all[1]};
}

}  // namespace fovea::opinion::society
