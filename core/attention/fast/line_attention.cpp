#include "fovea/core/attention/fast/line_attention.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "fovea/core/attention/fast/arguments.hpp"
#include "fovea/core/attention/fast/dot_product_curve.hpp"
#include "fovea/core/attention/fast/key_tree.hpp"
#include "fovea/core/attention/fast/line_boxes.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea {
namespace {

using namespace fovea::fast;

constexpr double kLineLeastLog = -600;  // see gaussian_sums()
constexpr double kLineFarScore = 1e300, kLineMostRankValue = 1e290;
constexpr const char* kLineGaussian = "gaussian attention on the line";

bool same_numbers(std::span<const double> a, std::span<const double> b) {
  return a.data() == b.data() && a.size() == b.size();
}

struct LineArguments {
  LineKeys keys;
  Range queries;
  Index query_count;  ///< of all ranks
};

/// Ranges and counts of all ranks instead of this rank's.
void agree(const char* who, const Ranks& ranks, LineArguments& all, Range& values) {
  const Index size = ranks.size();
  constexpr Index kRanges = 3;
  Range* ranges[kRanges] = {&all.keys.range, &all.queries, &values};
  std::vector<double> numbers(2 * kRanges + 2 * size, 0.0);
  double* counts = numbers.data() + 2 * kRanges;
  for (Index r = 0; r < kRanges; ++r) {
    numbers[2 * r] = -ranges[r]->low;
    numbers[2 * r + 1] = ranges[r]->high;
  }
  counts[ranks.rank()] = static_cast<double>(all.keys.all);
  counts[size + ranks.rank()] = static_cast<double>(all.query_count);
  ranks.largest(numbers);
  for (Index r = 0; r < kRanges; ++r) *ranges[r] = {-numbers[2 * r], numbers[2 * r + 1]};
  const auto agreed = [&](const char* what, const double* parts) {
    Index sum = 0;
    for (Index r = 0; r < size; ++r) sum += static_cast<Index>(parts[r]);
    for (Index r = 0; r < size; ++r)
      require(static_cast<Index>(parts[r]) == rank_part(sum, r, size).count, who, ": rank ", r, " has ",
              static_cast<Index>(parts[r]), " of ", sum, " ", what, ", but must have ", rank_part(sum, r, size).count,
              "; cut them by rank_part().");
    return sum;
  };
  all.keys.all = agreed("keys", counts);
  all.query_count = agreed("queries", counts + size);
}

LineArguments checked(const char* who, std::span<const double> queries, std::span<const double> keys,
                      std::span<const double> values, std::span<const double> strengths, double temperature,
                      const Ranks& ranks) {
  must_be_as_many(who, "values", values.size(), keys.size(), "keys");
  must_be_as_many(who, "strengths", strengths.size(), keys.size(), "keys", true);
  must_be_positive(who, "the temperature", temperature);
  const Range key_range = finite_range(who, "keys", keys);
  const Range query_range = same_numbers(queries, keys) ? key_range : finite_range(who, "queries", queries);
  Range value_range = same_numbers(values, keys) ? key_range : finite_range(who, "values", values);
  const double strongest = strengths.empty() ? 1 : range_of_strengths(who, strengths).high;
  const Index key_count = static_cast<Index>(keys.size());
  LineArguments all{
      {keys, values, strengths, key_range, 0, strongest, key_count}, query_range, static_cast<Index>(queries.size())};
  if (!ranks.alone()) {
    require(strengths.empty(), who, ": there are strengths, but over several ranks all must be 1; leave them out.");
    agree(who, ranks, all, value_range);
  }
  const double largest = std::max(std::abs(value_range.low), std::abs(value_range.high));
  require(ranks.alone() || all.keys.all == 0 || largest < kLineMostRankValue, who, ": the largest value is ", largest,
          ", but must be below ", kLineMostRankValue, " over several ranks; run it in one process.");
  all.keys.largest_value = largest;
  return all;
}

}  // namespace

struct LineAttention::Workspace {
  explicit Workspace(const Ranks& of) : ranks(of), boxes(of) {}
  const Ranks& ranks;
  LineBoxes boxes;
  KeyTree tree;
  DotProductCurve curve;
};

LineAttention::LineAttention(const Ranks& ranks) : workspace_(std::make_unique<Workspace>(ranks)) {}
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
  const Ranks& ranks = workspace_->ranks;
  LineBoxes& boxes = workspace_->boxes;
  const LineArguments arguments = checked(kLineGaussian, queries, keys, values, strengths, temperature, ranks);
  const Range& range = arguments.keys.range;
  if (arguments.query_count == 0) return;
  std::vector<Index> left(0);
  if (arguments.keys.all > 0 && boxes.suit(arguments.keys, arguments.queries, arguments.query_count, temperature)) {
    left = boxes.sums(queries, arguments.keys, weight_sums, value_sums);
    if (!ranks.any(!left.empty())) return;
    left = boxes.close_sums(queries, arguments.keys, std::move(left), weight_sums, value_sums);
    if (!ranks.alone())
      require(!ranks.any(!left.empty() && arguments.keys.own() < arguments.keys.all), kLineGaussian,
              ": a query is far from every key, but over several ranks must be near one; run it in one process.");
    if (left.empty()) return;
  } else {
    require(ranks.alone() || arguments.keys.all == 0, kLineGaussian, ": keys from ", range.low, " to ", range.high,
            " at temperature ", temperature, " need too many boxes for several ranks; run it in one process.");
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
  require(workspace_->ranks.alone(), kWho, ": there are ", workspace_->ranks.size(),
          " ranks, but must be one; run it in one process.");
  const LineArguments arguments = checked(kWho, queries, keys, values, strengths, temperature, alone());
  const Index count = static_cast<Index>(queries.size());
  KeyTree& tree = workspace_->tree;
  if (count > 0) tree.build(arguments.keys);
  if (tree.empty() || count == 0) return std::fill(outputs.begin(), outputs.end(), 0.0);
  // x / T, so far only that x y / T stays finite: beyond it the first or the last key alone is heard anyway.
  const double farthest = std::max({std::abs(tree.first()), std::abs(tree.last()), 1e-290});
  const double most = farthest > 1 ? kLineFarScore / farthest : kLineFarScore;
  const auto scaled = [=](double x) { return std::clamp(x / temperature, -most, most); };
  DotProductCurve& curve = workspace_->curve;
  const bool fits = curve.fit(tree, scaled(arguments.queries.low), scaled(arguments.queries.high),
                              arguments.keys.largest_value, count);
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
