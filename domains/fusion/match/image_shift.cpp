#include "fovea/domains/fusion/match/image_shift.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/statistics/bootstrap.hpp"
#include "fovea/domains/fusion/flood/pixel_columns.hpp"

namespace fovea::fusion::match {

namespace {

constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
constexpr Index kSmoothSide = 3;  // of the squares that smooth, twice
constexpr Index kSmoothEdge = 2 * (kSmoothSide / 2);

/// Length of the gradient of a channel after smoothing, NaN at the edge and beside what is not seen.
std::vector<float> channel_gradient(const PairScene& scene, const Matrix<float>& channels, Index channel) {
  const std::size_t count = scene.pixels();
  std::vector<float> values(count), valid(count);
  for (std::size_t i = 0; i < count; ++i) {
    const float x = channels(channel, static_cast<Index>(i));
    valid[i] = std::isnan(x) ? 0 : 1, values[i] = std::isnan(x) ? 0 : x;
  }
  Index rows = scene.rows, columns = scene.columns;
  for (int turn = 0; turn < 2; ++turn) {
    values = flood::square_means(values, valid, rows, columns, kSmoothSide / 2, {kSmoothSide})[0];
    rows -= 2 * (kSmoothSide / 2), columns -= 2 * (kSmoothSide / 2);
    valid.assign(values.size(), 1);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::isnan(values[i])) valid[i] = 0, values[i] = 0;
  }
  std::vector<float> lengths(count, kNothing);
  for (Index r = 1; r + 1 < rows; ++r)
    for (Index c = 1; c + 1 < columns; ++c) {
      const auto at = [&](Index down, Index right) { return (r + down) * columns + c + right; };
      const Index pixel = (r + kSmoothEdge) * scene.columns + c + kSmoothEdge;
      if (std::isnan(channels(channel, pixel))) continue;
      if (valid[at(-1, 0)] == 0 || valid[at(1, 0)] == 0 || valid[at(0, -1)] == 0 || valid[at(0, 1)] == 0) continue;
      lengths[pixel] = std::hypot(values[at(1, 0)] - values[at(-1, 0)], values[at(0, 1)] - values[at(0, -1)]);
    }
  return lengths;
}

/// Of the first `count` channels, each in units of its mean; then its logarithm, so that single edges do not rule.
std::vector<float> gradients(const PairScene& scene, const Matrix<float>& channels, Index count) {
  std::vector<std::vector<float>> each(count);
  for_each_task(count, true, [&](Index b) { each[b] = channel_gradient(scene, channels, b); });
  std::vector<float> sum(scene.pixels(), 0);
  for (const std::vector<float>& one : each) {
    double total = 0, seen = 0;
    for (const float x : one)
      if (!std::isnan(x)) total += static_cast<double>(x), ++seen;
    const auto unit = static_cast<float>(std::max(total / std::max(seen, 1.0), 1e-12));
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one[i] / unit;
  }
  for (float& x : sum) x = std::log1p(x / static_cast<float>(count));
  return sum;
}

/// Sums of a block for one shift.
struct BlockSums {
  double n = 0, a = 0, b = 0, aa = 0, bb = 0, ab = 0;
  void add(double x, double y) { n += 1, a += x, b += y, aa += x * x, bb += y * y, ab += x * y; }
  void add(const BlockSums& o) { n += o.n, a += o.a, b += o.b, aa += o.aa, bb += o.bb, ab += o.ab; }
  double correlation() const {
    const double va = aa - a * a / n, vb = bb - b * b / n;
    return n > 1 && va > 0 && vb > 0 ? (ab - a * b / n) / std::sqrt(va * vb) : -1;
  }
};

/// Correlations at all whole shifts, from sums of blocks.
class ShiftTable {
 public:
  ShiftTable(const PairScene& scene, const ShiftPlan& plan) : most_(plan.most), wide_(2 * plan.most + 1) {
    const std::vector<float> s1 = gradients(scene, scene.s1, 2), s2 = gradients(scene, scene.s2, scene.s2.rows());
    const Index across = (scene.columns + plan.block - 1) / plan.block,
                down = (scene.rows + plan.block - 1) / plan.block;
    blocks_.assign(across * down, std::vector<BlockSums>(wide_ * wide_));
    for_each_task(across * down, true, [&](Index k) {
      const Index top = k / across * plan.block, left = k % across * plan.block;
      for (Index r = std::max(top, most_); r < std::min(top + plan.block, scene.rows - most_); ++r)
        for (Index c = std::max(left, most_); c < std::min(left + plan.block, scene.columns - most_); ++c)
          add_pixel(s1, s2, scene.columns, r * scene.columns + c, blocks_[k]);
    });
    std::erase_if(blocks_, [](const std::vector<BlockSums>& block) { return block[0].n < 16; });
  }
  Index blocks() const { return std::ssize(blocks_); }

  struct Peak {
    double row = 0, column = 0, correlation = 0;
  };
  Peak peak(std::span<const Index> chosen) const {
    std::vector<BlockSums> sums(wide_ * wide_);
    for (const Index k : chosen)
      for (std::size_t s = 0; s < sums.size(); ++s) sums[s].add(blocks_[k][s]);
    std::vector<double> scores;
    for (const BlockSums& one : sums) scores.push_back(one.correlation());
    const Index best = std::max_element(scores.begin(), scores.end()) - scores.begin();
    const Index r = best / wide_, c = best % wide_;
    return {static_cast<double>(r - most_) + fraction(scores, best, wide_, r),
            static_cast<double>(c - most_) + fraction(scores, best, 1, c), scores[best]};
  }

 private:
  /// A pixel counts where it is seen at every shift, so that all shifts are compared on the same pixels.
  void add_pixel(const std::vector<float>& s1, const std::vector<float>& s2, Index columns, Index pixel,
                 std::vector<BlockSums>& sums) const {
    const float x = s1[pixel];
    if (std::isnan(x)) return;
    const auto other = [&](Index s) { return s2[pixel + (s / wide_ - most_) * columns + s % wide_ - most_]; };
    for (Index s = 0; s < wide_ * wide_; ++s)
      if (std::isnan(other(s))) return;
    for (Index s = 0; s < wide_ * wide_; ++s) sums[s].add(static_cast<double>(x), static_cast<double>(other(s)));
  }
  /// Of the peak of the parabola through the best and its two neighbours; 0 at the end of the range.
  double fraction(const std::vector<double>& scores, Index best, Index step, Index place) const {
    if (place == 0 || place + 1 == wide_) return 0;
    const double low = scores[best - step], high = scores[best + step], middle = scores[best],
                 bend = low - 2 * middle + high;
    return bend < 0 ? std::clamp(0.5 * (low - high) / bend, -0.5, 0.5) : 0;
  }

  Index most_, wide_;
  std::vector<std::vector<BlockSums>> blocks_;
};

}  // namespace

ImageShift image_shift(const PairScene& scene, const ShiftPlan& plan, const Random& random) {
  const ShiftTable table(scene, plan);
  if (table.blocks() < 4)
    throw DataError(concat("scene ", scene.name, ": both sensors see ", counted(table.blocks(), "block"), " of ",
                           plan.block,
                           " pixels, but a shift with its interval needs at least 4; give a larger scene."));
  std::vector<Index> all(table.blocks());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<Index>(k);
  const BootstrapSettings settings{plan.draws, 0.95, BootstrapKind::percentile};
  const auto interval = [&](bool rows) {
    return bootstrap_interval(
        table.blocks(),
        [&](std::span<const Index> drawn) { return rows ? table.peak(drawn).row : table.peak(drawn).column; }, random,
        settings);
  };
  const BootstrapInterval row = interval(true), column = interval(false);
  return {row.estimate, row.low, row.high, column.estimate, column.low, column.high, table.peak(all).correlation};
}

PairScene with_moved_s1(const PairScene& scene, double down, double right) {
  PairScene moved = scene;
  for (Index i = 0; i < scene.pixels(); ++i) {
    const double r = static_cast<double>(i / scene.columns) - down, c = static_cast<double>(i % scene.columns) - right;
    const auto top = static_cast<Index>(std::floor(r)), left = static_cast<Index>(std::floor(c));
    const auto along = static_cast<float>(r - std::floor(r)), across = static_cast<float>(c - std::floor(c));
    moved.s1.col(i).setZero();
    for (Index k = 0; k < 4; ++k) {
      const float weight = (k / 2 == 1 ? along : 1 - along) * (k % 2 == 1 ? across : 1 - across);
      if (weight == 0) continue;
      const Index row = top + k / 2, column = left + k % 2;
      if (row < 0 || column < 0 || row >= scene.rows || column >= scene.columns)
        moved.s1.col(i).setConstant(kNothing);
      else
        moved.s1.col(i) += weight * scene.s1.col(row * scene.columns + column);
    }
  }
  return moved;
}

}  // namespace fovea::fusion::match
