#include "fovea/core/attention/fast/line_attention.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/attention/fast/arguments.hpp"
#include "fovea/core/attention/fast/dot_product_curve.hpp"
#include "fovea/core/attention/fast/key_tree.hpp"
#include "fovea/core/attention/fast/line_boxes.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea {
namespace {

using namespace fovea::fast;

constexpr double kLineLeastLog = -600;  // see gaussian_sums()
constexpr double kLineFarScore = 1e300;
constexpr const char* kLineGaussian = "gaussian attention on the line";

bool same_numbers(std::span<const double> a, std::span<const double> b) {
  return a.data() == b.data() && a.size() == b.size();
}

struct LineArguments {
  LineKeys keys;
  Range queries;
  double largest_value;
};

LineArguments checked(const char* who, std::span<const double> queries, std::span<const double> keys,
                      std::span<const double> values, std::span<const double> strengths, double temperature) {
  must_be_as_many(who, "values", values.size(), keys.size(), "keys");
  must_be_as_many(who, "strengths", strengths.size(), keys.size(), "keys", true);
  must_be_positive(who, "the temperature", temperature);
  const Range key_range = finite_range(who, "keys", keys);
  const Range query_range = same_numbers(queries, keys) ? key_range : finite_range(who, "queries", queries);
  const Range value_range = same_numbers(values, keys) ? key_range : finite_range(who, "values", values);
  range_of_strengths(who, strengths);
  return {{keys, values, strengths, key_range},
          query_range,
          std::max(std::abs(value_range.low), std::abs(value_range.high))};
}

}  // namespace

struct LineAttention::Workspace {
  LineBoxes boxes;
  KeyTree tree;
  DotProductCurve curve;
};

LineAttention::LineAttention() : workspace_(std::make_unique<Workspace>()) {}
LineAttention::~LineAttention() = default;
LineAttention::LineAttention(LineAttention&&) noexcept = default;
LineAttention& LineAttention::operator=(LineAttention&&) noexcept = default;

void LineAttention::gaussian_sums(std::span<const double> queries, std::span<const double> keys,
                                  std::span<const double> values, std::span<const double> strengths, double temperature,
                                  std::span<double> weight_sums, std::span<double> value_sums) {
  must_be_as_many(kLineGaussian, "sums of weights", weight_sums.size(), queries.size(), "queries");
  must_be_as_many(kLineGaussian, "sums of values", value_sums.size(), queries.size(), "queries");
  sum_gaussian(queries, keys, values, strengths, temperature, weight_sums, value_sums);
}

void LineAttention::gaussian(std::span<const double> queries, std::span<const double> keys,
                             std::span<const double> values, std::span<const double> strengths, double temperature,
                             std::span<double> outputs) {
  must_be_as_many(kLineGaussian, "outputs", outputs.size(), queries.size(), "queries");
  sum_gaussian(queries, keys, values, strengths, temperature, {}, outputs);
}

/// weight_sums empty: the quotients in value_sums.
void LineAttention::sum_gaussian(std::span<const double> queries, std::span<const double> keys,
                                 std::span<const double> values, std::span<const double> strengths, double temperature,
                                 std::span<double> weight_sums, std::span<double> value_sums) {
  const LineArguments arguments = checked(kLineGaussian, queries, keys, values, strengths, temperature);
  const Index count = static_cast<Index>(queries.size());
  if (count == 0) return;
  std::vector<Index> left(0);
  if (!keys.empty() && workspace_->boxes.suit(arguments.keys, arguments.queries, count, temperature)) {
    left = workspace_->boxes.sums(queries, arguments.keys, weight_sums, value_sums);
    if (left.empty()) return;
  } else {
    left.resize(queries.size());
    std::iota(left.begin(), left.end(), Index{0});
  }
  KeyTree& tree = workspace_->tree;
  tree.build(arguments.keys);
  for_each_task(
      static_cast<Index>(left.size()), left.size() > 512,
      [&](Index n) {
        const std::size_t i = left[n];
        const TreeSums sums = tree.empty() ? TreeSums{} : tree.gaussian(queries[i], temperature, kLineLeastLog);
        if (weight_sums.empty()) {
          value_sums[i] = sums.weight > 0 ? sums.value / sums.weight : 0;
        } else {
          weight_sums[i] = sums.weight;
          value_sums[i] = sums.value;
        }
      },
      64);
}

void LineAttention::dot_product(std::span<const double> queries, std::span<const double> keys,
                                std::span<const double> values, std::span<const double> strengths, double temperature,
                                std::span<double> outputs) {
  constexpr const char* kWho = "dot-product attention on the line";
  must_be_as_many(kWho, "outputs", outputs.size(), queries.size(), "queries");
  const LineArguments arguments = checked(kWho, queries, keys, values, strengths, temperature);
  const Index count = static_cast<Index>(queries.size());
  KeyTree& tree = workspace_->tree;
  if (count > 0) tree.build(arguments.keys);
  if (tree.empty() || count == 0) return std::fill(outputs.begin(), outputs.end(), 0.0);
  // x / T, so far only that x y / T stays finite: beyond it the first or the last key alone is heard anyway.
  const double farthest = std::max({std::abs(tree.first()), std::abs(tree.last()), 1e-290});
  const double most = farthest > 1 ? kLineFarScore / farthest : kLineFarScore;
  const auto scaled = [=](double x) { return std::clamp(x / temperature, -most, most); };
  DotProductCurve& curve = workspace_->curve;
  const bool fits =
      curve.fit(tree, scaled(arguments.queries.low), scaled(arguments.queries.high), arguments.largest_value, count);
  for_each_task((count + 63) / 64, count > 4096,
                [&](Index block) {
                  for (Index n = 64 * block; n < std::min(count, 64 * block + 64); ++n) {
                    const std::size_t i = n;
                    if (fits) {
                      outputs[i] = curve(scaled(queries[i]));
                    } else {
                      const TreeSums sums = tree.product(scaled(queries[i]));
                      outputs[i] = sums.value / sums.weight;
                    }
                  }
                },
                16);
}

}  // namespace fovea
