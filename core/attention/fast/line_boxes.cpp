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
  const double farthest = std::max({std::abs(keys.range.low), std::abs(keys.range.high)});
  if (!(width_ > 1e-290 && farthest / width_ < kBoxMostBoxes && deviation < 1e290)) return false;
  const double inverse = 1 / width_, reach = static_cast<double>(reach_);
  const double first_key = box_of(keys.range.low, inverse), last_key = box_of(keys.range.high, inverse);
  const double first = std::max(box_of(std::max(queries.low, -1e300), inverse), first_key - reach);
  const double last = std::max(std::min(box_of(queries.high, inverse), last_key + reach), first);
  const double first_row = std::min(first_key, first - reach), last_row = std::max(last_key, last + reach);
  const double points = static_cast<double>(query_count) + static_cast<double>(keys.positions.size());
  if (last_row - first_row > points / (2 * kBoxPointsPerBox) + 6 * reach) return false;
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
        for (Index d = 0; d < offsets; ++d) error += errors_[d] * moments_.row(from + d)[0];
        least[b + 1] = error / kVouched;
      },
      64);
}

std::vector<Index> LineBoxes::sums(std::span<const double> queries, const LineKeys& keys, std::span<double> weight_sums,
                                   std::span<double> value_sums) {
  moments_.collect(key_row_, keys);
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

}  // namespace fovea::fast
