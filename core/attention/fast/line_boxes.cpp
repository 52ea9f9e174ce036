#include "fovea/core/attention/fast/line_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea::fast {
namespace {

constexpr double kBoxWidest = 0.5;      // of sqrt(T): what the series leaves out is below 1e-16 of the largest weight
constexpr double kBoxFarthest = 9.0;    // of sqrt(T): exp(-x^2 / 2) = 3e-18
constexpr double kBoxMostBoxes = 1e15;  // whole numbers and their products with the width stay exact
constexpr double kBoxRounding = 4.5e-16;
constexpr Index kBoxPointsPerBox = 4, kBoxChunk = 8192;
constexpr double kBoxMostMoment = 1e300;
constexpr double kCloseParts = 4;  // narrow boxes in one: 12 sqrt(T) off the series is one in .75, .75^16 / 16! = 5e-16
constexpr double kCloseFarthest = 12;  // of sqrt(T): exp(-x^2 / 2) = 5e-32
constexpr double kCloseLeast = 1e-3;  // of the weight of a key at a query: what is farther off is nothing, of 1e11 keys
constexpr double kBoxInfinity = std::numeric_limits<double>::infinity();

/// He_n(D) exp(-D^2/2) (-1)^n / n! for n = 0 .. 2 kLineTerms - 2.
void gaussian_derivatives(double distance, double* a) {
  a[0] = exponential(-distance * distance / 2);
  a[1] = -distance * a[0];
  for (Index n = 1; n < 2 * kLineTerms - 2; ++n) a[n + 1] = -(distance * a[n] + a[n - 1]) / static_cast<double>(n + 1);
}

/// matrix(l, k): what moment l of the keys adds to power k of the field.
void fill_matrix(double distance, double half, double* matrix) {
  double a[2 * kLineTerms];
  gaussian_derivatives(distance, a);
  double power = 1;
  for (Index n = 0; n < 2 * kLineTerms - 1; ++n, power *= half) a[n] *= power;
  for (Index l = 0; l < kLineTerms; ++l) {
    double choose = l % 2 == 0 ? 1 : -1;  // (-1)^l (k + l)! / (k! l!)
    for (Index k = 0; k < kLineTerms; ++k) {
      matrix[l * kLineTerms + k] = a[k + l] * choose;
      choose = choose * static_cast<double>(k + 1 + l) / static_cast<double>(k + 1);
    }
  }
}

/// The error of one key at this distance of boxes: rounding and what the series leaves out (Cramer's bound for He_16),
/// as a part of a weight of 1.
double kernel_error(double distance, double ratio) {
  const double nearest = std::max(std::abs(distance) - ratio, 0.0);
  const double left_out = std::pow(ratio / 2, kLineTerms) * 1.5e-6;  // 2 * 1.09 / sqrt(16!), and 3 for later terms
  return kBoxRounding * exponential(-nearest * nearest / 2) + left_out * exponential(-distance * distance / 4);
}

double box_of(double x, double inverse) { return std::nearbyint(x * inverse); }

Index whole(double x) { return static_cast<Index>(x); }

}  // namespace

bool LineBoxes::suit(const LineKeys& keys, Range queries, Index query_count, double temperature) {
  const double deviation = std::sqrt(temperature);
  if (temperature != temperature_) prepare_matrices(temperature);
  const double farthest = std::max(std::abs(keys.range.low), std::abs(keys.range.high));
  if (!(width_ > 1e-290 && farthest / width_ < kBoxMostBoxes && deviation < 1e290)) return false;
  const double inverse = 1 / width_, reach = static_cast<double>(reach_);
  const double first_key = box_of(keys.range.low, inverse), last_key = box_of(keys.range.high, inverse);
  const double first = std::max(box_of(std::max(queries.low, -1e300), inverse), first_key - reach);
  const double last = std::max(std::min(box_of(queries.high, inverse), last_key + reach), first);
  const double first_row = std::min(first_key, first - reach), last_row = std::max(last_key, last + reach);
  const double points = static_cast<double>(query_count + keys.all);
  if (last_row - first_row > points / (2 * kBoxPointsPerBox) + 6 * reach) return false;
  block_ = BoxMoments::block_of(whole(last_key - first_key) + 1);
  blocks_ = (keys.all + block_ - 1) / block_;
  if (block_ != kRankBlock && !ranks_.alone()) return false;  // a rank may have half a block
  if (blocks_ > 1 && !(kCloseParts * farthest / width_ < kBoxMostBoxes && width_ / kCloseParts > 1e-290 &&
                       2 * static_cast<double>(block_) * keys.largest_strength * keys.largest_value < kBoxMostMoment))
    return false;
  key_row_ = {width_, inverse, first_row, whole(last_row - first_row) + kBoxesTogether};
  query_row_ = {width_, inverse, first - 1, whole(last - first) + 3};  // a box at each end for what is beyond
  field_shift_ = whole(first - first_row);
  return true;
}

void LineBoxes::prepare_matrices(double temperature) {
  const double deviation = std::sqrt(temperature);
  temperature_ = temperature;
  width_ = short_number(kBoxWidest * deviation);
  ratio_ = width_ / deviation;
  if (!(width_ > 0)) return;
  reach_ = whole(std::ceil(kBoxFarthest / ratio_));
  const Index offsets = 2 * reach_ + 1;
  room(matrices_, offsets * kLineTerms * kLineTerms);
  room(errors_, offsets);
  for (Index d = 0; d < offsets; ++d) {
    const double distance = static_cast<double>(reach_ - d) * ratio_;  // query centre - key centre
    fill_matrix(distance, ratio_ / 2, matrices_.data() + d * kLineTerms * kLineTerms);
    errors_[d] = kernel_error(distance, ratio_);
  }
}

void LineBoxes::spread() {
  const Index inner = query_row_.count - 2, groups = (inner + kBoxesTogether - 1) / kBoxesTogether;
  double* fields = zeros(fields_, (groups * kBoxesTogether + 2) * kBoxSize);
  for_each_task(
      groups, groups > 8,
      [&](Index group) {
        const Index box = group * kBoxesTogether;
        line_kernels().translate(matrices_.data(), 2 * reach_ + 1, moments_.row(field_shift_ - reach_ + box),
                                 fields + (box + 1) * kBoxSize);
      },
      8);
}

/// The least weight of each query box that the sums are exact for.
void LineBoxes::bound_errors() {
  const Index keys = key_row_.count, boxes = query_row_.count, offsets = 2 * reach_ + 1;
  double* masses = room(masses_, keys + 1);
  masses[0] = 0;
  for (Index b = 0; b < keys; ++b) masses[b + 1] = masses[b] + moments_.row(b)[0];
  const auto mass = [&](Index from, Index to) {
    return masses[std::clamp<Index>(to, 0, keys)] - masses[std::clamp<Index>(from, 0, keys)];
  };
  const double far = static_cast<double>(reach_) * ratio_;
  const double beyond = exponential(-far * far / 2), far_beyond = exponential(-2 * far * far);
  double* least = room(least_, boxes);
  least[0] = least[boxes - 1] = kBoxInfinity;
  for_each_task(
      boxes - 2, boxes > 256,
      [&](Index b) {
        const Index from = field_shift_ + b - reach_;
        double error = (mass(from - reach_, from) + mass(from + offsets, from + offsets + reach_)) * beyond +
                       masses[keys] * (far_beyond + beyond * kBoxRounding);
        for (Index d = 0; d < offsets; ++d)
          error += errors_[d] * moments_.row(from + d)[0] + moments_.rounding(from + d);
        least[b + 1] = error / kVouched;
      },
      64);
}

std::vector<Index> LineBoxes::sums(std::span<const double> queries, const LineKeys& keys, std::span<double> weight_sums,
                                   std::span<double> value_sums) {
  moments_.collect(key_row_, keys, block_);
  spread();
  bound_errors();
  const Index count = static_cast<Index>(queries.size()), chunks = (count + kBoxChunk - 1) / kBoxChunk;
  std::vector<std::vector<Index>> doubtful(chunks);
  for_each_task(chunks, true, [&](Index c) {
    std::uint32_t below[kBoxChunk];
    const Index from = c * kBoxChunk, some = std::min(kBoxChunk, count - from);
    double* weights = weight_sums.empty() ? nullptr : weight_sums.data() + from;
    const Index found = line_kernels().evaluate(query_row_, fields_.data(), least_.data(), queries.data() + from, some,
                                                weights, value_sums.data() + from, below);
    for (Index i = 0; i < found; ++i) doubtful[c].push_back(from + below[i]);
  });
  std::vector<Index> all;
  for (const std::vector<Index>& some : doubtful) all.insert(all.end(), some.begin(), some.end());
  return all;
}

std::pair<double, double> LineBoxes::close_sum(const BoxRow& row, double x) const {
  const double deviation = std::sqrt(temperature_), half = row.width / 2 / deviation,
               last = static_cast<double>(row.count - 1);
  const auto box_at = [&](double at) { return whole(std::clamp(std::floor(at * row.inverse) - row.first, 0.0, last)); };
  const Index to = std::min(box_at(x + kCloseFarthest * deviation) + 1, row.count - 1);
  double weight = 0, value = 0;
  for (Index box = box_at(x - kCloseFarthest * deviation); box <= to; ++box) {
    const double* moments = moments_.row(box);
    if (moments[0] == 0) continue;
    const double at = (x - (row.first + static_cast<double>(box)) * row.width) / deviation;
    double series[kLineTerms] = {1, at * half}, sums[2];  // exp(X z - z^2 / 2) = sum_k He_k(X) z^k / k!
    for (Index k = 1; k + 1 < kLineTerms; ++k)
      series[k + 1] = half * (at * series[k] - half * series[k - 1]) / static_cast<double>(k + 1);
    line_kernels().weigh_terms(series, moments, sums);
    const double factor = exponential(-at * at / 2);
    weight += factor * sums[0];
    value += factor * sums[1];
  }
  return {weight, value};
}

std::vector<Index> LineBoxes::close_sums(std::span<const double> queries, const LineKeys& keys,
                                         std::vector<Index> places, std::span<double> weight_sums,
                                         std::span<double> value_sums) {
  if (blocks_ <= 1 || !keys.strengths.empty()) return places;
  const double width = width_ / kCloseParts, inverse = 1 / width, first = box_of(keys.range.low, inverse);
  const BoxRow row{width, inverse, first, whole(box_of(keys.range.high, inverse) - first) + 1};
  moments_.collect(row, keys, block_);  // wide boxes have served
  for_each_task(
      static_cast<Index>(places.size()), places.size() > 64,
      [&](Index n) {
        Index& place = places[n];
        const auto [weight, value] = close_sum(row, queries[place]);
        if (!(weight >= kCloseLeast)) return;
        if (!weight_sums.empty()) weight_sums[place] = weight;
        value_sums[place] = weight_sums.empty() ? value / weight : value;
        place = -1;
      },
      16);
  std::erase(places, -1);
  return places;
}

}  // namespace fovea::fast
