#include "fovea/core/attention/fast/key_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea::fast {
namespace {

constexpr Index kTreeLeaf = 32, kTreeChunk = 4096;
constexpr double kTreeSeries = 0.7;         // 0.7^16 / 16! = 2e-16
constexpr double kTreeGaussianHalf = 0.25;  // of sqrt(T): 0.25^16 / sqrt(16!) = 5e-17
constexpr double kTreeNothing = 42;         // e^-42 = 6e-19
constexpr double kTreeLn2 = 0.69314718055994531;
constexpr double kTreeMost = std::numeric_limits<double>::max();
constexpr double kTreeInfinity = std::numeric_limits<double>::infinity();

double bounded(double x) { return std::clamp(x, -kTreeMost, kTreeMost); }

/// Weights exp(x (y - r)), r the end of the keys where they are largest: all exponents are at most 0.
struct ProductKernel {
  double x, reference;
  double exponent(double y) const { return bounded(x * (y - reference)); }
  double most(double low, double high) const { return std::max(exponent(low), exponent(high)); }
  double least(double low, double high) const { return std::min(exponent(low), exponent(high)); }
  bool is_series(double, double half) const { return std::abs(x) * half <= kTreeSeries; }
  void coefficients(double, double half, double* c) const {
    const double z = x * half;
    c[0] = 1;
    for (Index k = 1; k < kLineTerms; ++k) c[k] = c[k - 1] * z / static_cast<double>(k);
  }
};

/// Weights exp(((x - r)^2 - (x - y)^2) / 2T), r the key next to x: exponents relative to that of r, without
/// cancellation.
struct GaussianKernel {
  double x, reference, temperature, deviation;
  double exponent(double y) const {
    return bounded(bounded((reference - y) / temperature) / 2 * bounded((y - x) + (reference - x)));
  }
  double most(double low, double high) const { return exponent(std::clamp(x, low, high)); }
  double least(double low, double high) const { return std::min(exponent(low), exponent(high)); }
  bool is_series(double middle, double half) const {
    return half <= kTreeGaussianHalf * deviation && std::abs(x - middle) * (half / temperature) <= kTreeSeries;
  }
  /// exp(X z - z^2 / 2) = sum_k He_k(X) z^k / k!
  void coefficients(double middle, double half, double* c) const {
    const double at = (x - middle) / deviation, z = half / deviation;
    c[0] = 1;
    c[1] = at * z;
    for (Index k = 1; k + 1 < kLineTerms; ++k) c[k + 1] = z * (at * c[k] - z * c[k - 1]) / static_cast<double>(k + 1);
  }
};

/// What a query has found, up to kRoom terms at a time: each a weight's exponent and the sums that it multiplies.
class Terms {
 public:
  void add(double exponent, double weight, double value, double position) {
    if (count_ == kRoom) flush();
    exponents_[count_] = exponent;
    parts_[0][count_] = weight;
    parts_[1][count_] = value;
    parts_[2][count_++] = position;
    top_ = std::max(top_, exponent);
  }
  TreeSums total() {
    flush();
    return {sums_[0], sums_[1], sums_[2]};
  }
  double scale() const { return scale_; }

 private:
  static constexpr Index kRoom = 256;
  /// Everything relative to the largest exponent so far.
  void flush() {
    if (count_ == 0) return;
    if (top_ > scale_) {
      const double shrink = exponential(std::max(scale_ - top_, -kTreeMost));
      for (double& sum : sums_) sum *= shrink;
      scale_ = top_;
    }
    for (Index i = 0; i < count_; ++i) exponents_[i] = std::max(exponents_[i] - scale_, -kTreeMost);
    kernels<double>().exponentials(exponents_, count_, 0, exponents_);
    for (int r = 0; r < 3; ++r)
      for (Index i = 0; i < count_; ++i) sums_[r] += parts_[r][i] * exponents_[i];
    count_ = 0;
  }
  Index count_ = 0;
  double top_ = -kTreeInfinity, scale_ = -kTreeInfinity, sums_[3] = {0, 0, 0};
  double exponents_[kRoom], parts_[3][kRoom];
};

}  // namespace

void KeyTree::build(const LineKeys& keys) {
  order_.sort(keys.positions);
  const std::size_t all = keys.positions.size();
  room(positions_, static_cast<Index>(all));
  room(strengths_, static_cast<Index>(all));
  room(products_, static_cast<Index>(all));
  std::size_t used = 0;
  if (keys.strengths.empty()) {
    used = all;
    for_each_task((static_cast<Index>(all) + kTreeChunk - 1) / kTreeChunk, all > kTreeChunk, [&](Index chunk) {
      const std::size_t first = chunk * kTreeChunk;
      for (std::size_t r = first; r < std::min(all, first + kTreeChunk); ++r) {
        positions_[r] = order_.numbers()[r];
        strengths_[r] = 1;
        products_[r] = keys.values[order_.places()[r]];
      }
    });
  }
  for (std::size_t r = used; r < all; ++r) {
    const std::size_t j = order_.places()[r];
    const double g = keys.strengths[j];
    if (g == 0) continue;
    positions_[used] = order_.numbers()[r];
    strengths_[used] = g;
    products_[used++] = g * keys.values[j];
  }
  count_ = static_cast<Index>(used);
  levels_.clear();
  Index first = 0;
  for (Index run = kTreeLeaf; count_ > 0; run *= 2) {
    levels_.push_back({first, (count_ + run - 1) / run, run});
    first += levels_.back().count;
    if (levels_.back().count == 1) break;
  }
  nodes_.resize(first);
  room(moments_, first * kBoxSize);
  for (std::size_t level = 0; level < levels_.size(); ++level)
    for_each_task(
        levels_[level].count, levels_[level].count > 256,
        [&](Index place) {
          if (level == 0)
            fill_leaf(place);
          else
            merge(levels_[level], place, levels_[level - 1]);
        },
        16);
}

void KeyTree::fill_leaf(Index leaf) {
  const Index from = leaf * kTreeLeaf, to = std::min(count_, from + kTreeLeaf);
  Node& node = nodes_[leaf];
  node.low = positions_[from];
  node.high = positions_[to - 1];
  node.middle = node.low / 2 + node.high / 2;
  node.half = std::max(node.high - node.middle, node.middle - node.low);
  double* moments = moments_.data() + leaf * kBoxSize;
  std::fill(moments, moments + kBoxSize, 0.0);
  for (Index j = from; j < to; ++j) {
    const double t = node.half > 0 ? (positions_[j] - node.middle) / node.half : 0;
    double power = 1;
    for (Index k = 0; k < kLineTerms; ++k, power *= t) {
      moments[k] += strengths_[j] * power;
      moments[kLineTerms + k] += products_[j] * power;
    }
  }
  node.log_mass = logarithm(moments[0]);
}

/// Moments about another middle: t' = shift + shrink t, so t'^k = sum_l (k over l) shift^(k-l) shrink^l t^l.
void KeyTree::merge(const Level& level, Index place, const Level& below) {
  const Index children = std::min<Index>(2, below.count - 2 * place);
  const Node* child = nodes_.data() + below.first + 2 * place;
  Node& node = nodes_[level.first + place];
  node.low = child[0].low;
  node.high = child[children - 1].high;
  node.middle = node.low / 2 + node.high / 2;
  node.half = std::max(node.high - node.middle, node.middle - node.low);
  double* moments = moments_.data() + (level.first + place) * kBoxSize;
  std::fill(moments, moments + kBoxSize, 0.0);
  for (Index c = 0; c < children; ++c) {
    const double shift = node.half > 0 ? (child[c].middle - node.middle) / node.half : 0;
    const double shrink = node.half > 0 ? child[c].half / node.half : 0;
    double row[kLineTerms] = {1};  // the coefficients of t'^k
    const double* own = moments_.data() + (below.first + 2 * place + c) * kBoxSize;
    for (Index k = 0; k < kLineTerms; ++k) {
      for (Index l = 0; l <= k; ++l) {
        moments[k] += row[l] * own[l];
        moments[kLineTerms + k] += row[l] * own[kLineTerms + l];
      }
      if (k + 1 < kLineTerms) row[k + 1] = 0;
      for (Index l = std::min<Index>(k + 1, kLineTerms - 1); l >= 0; --l)
        row[l] = shift * row[l] + (l > 0 ? shrink * row[l - 1] : 0);
    }
  }
  node.log_mass = logarithm(moments[0]);
}

template <typename Kernel>
double KeyTree::bound(const Kernel& kernel, const Node& node) const {
  return node.log_mass + kernel.most(node.low, node.high);
}

/// `found`: a lower bound of the logarithm of the sum.
template <typename Kernel, typename Found>
void KeyTree::visit(const Kernel& kernel, std::size_t level, Index place, double& found, Found& terms) const {
  const Node& here = node(level, place);
  found = std::max(found, here.log_mass + kernel.least(here.low, here.high));
  if (kernel.is_series(here.middle, here.half)) {
    double coefficients[kLineTerms], sums[2], moved = 0;
    const double* moments = moments_.data() + (levels_[level].first + place) * kBoxSize;
    kernel.coefficients(here.middle, here.half, coefficients);
    line_kernels().weigh_terms(coefficients, moments, sums);
    for (Index k = 0; k + 1 < kLineTerms; ++k) moved += coefficients[k] * moments[k + 1];
    terms.add(kernel.exponent(here.middle), sums[0], sums[1], here.middle * sums[0] + here.half * moved);
    return;
  }
  if (level == 0) {
    for (Index j = place * kTreeLeaf; j < std::min(count_, (place + 1) * kTreeLeaf); ++j) {
      const std::size_t key = j;
      const double exponent = kernel.exponent(positions_[key]);
      found = std::max(found, exponent + kTreeLn2 * std::ilogb(strengths_[key]));
      terms.add(exponent, strengths_[key], products_[key], strengths_[key] * positions_[key]);
    }
    return;
  }
  const Index left = 2 * place, right = left + 1;
  if (right == levels_[level - 1].count) return visit(kernel, level - 1, left, found, terms);
  const double bounds[2] = {bound(kernel, node(level - 1, left)), bound(kernel, node(level - 1, right))};
  const int better = bounds[1] > bounds[0] ? 1 : 0;
  if (bounds[better] >= found - kTreeNothing) visit(kernel, level - 1, left + better, found, terms);
  if (bounds[1 - better] >= found - kTreeNothing) visit(kernel, level - 1, left + 1 - better, found, terms);
}

TreeSums KeyTree::gaussian(double x, double temperature, double least_log) const {
  const double* end = positions_.data() + count_;
  const double* next = std::lower_bound(positions_.data(), end, x);
  const double* nearest = next == end ? next - 1 : next;
  if (next != positions_.data() && next != end && x - next[-1] < *next - x) nearest = next - 1;
  const GaussianKernel kernel{x, *nearest, temperature, std::sqrt(temperature)};
  Terms terms;
  double found = -kTreeInfinity;
  visit(kernel, levels_.size() - 1, 0, found, terms);
  TreeSums sums = terms.total();
  const double distance = x - *nearest;
  const double log = std::max(bounded(-bounded(distance / temperature) / 2 * distance), least_log) + terms.scale();
  const double factor = exponential(log);
  return {sums.weight * factor, sums.value * factor, sums.position / sums.weight};
}

TreeSums KeyTree::product(double x) const {
  Terms terms;
  double found = -kTreeInfinity;
  visit(ProductKernel{x, x > 0 ? last() : first()}, levels_.size() - 1, 0, found, terms);
  TreeSums sums = terms.total();
  sums.position /= sums.weight;
  return sums;
}

}  // namespace fovea::fast
