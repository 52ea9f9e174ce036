#include "fovea/core/attention/fast/window_sums.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/core/attention/fast/arguments.hpp"
#include "fovea/core/attention/fast/exact_sums.hpp"
#include "fovea/core/attention/fast/sorted_order.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea {
namespace {

using namespace fovea::fast;

constexpr Index kWindowRun = 2048;  // keys or queries of a task
constexpr Index kWindowAhead = 24;  // queries whose outputs, anywhere in memory, are asked for in time

/// The first place from `near` on, on either side, where `behind` does not hold; it holds for all places before some
/// place, and near that the search takes few steps.
template <typename Behind>
Index first_not(Index near, Index count, const Behind& behind) {
  Index step = 1;
  if (near < count && behind(near)) {
    Index low = near;  // behind(low) holds
    while (low + step < count && behind(low + step)) low += step, step *= 2;
    for (Index high = std::min(count, low + step);;) {
      if (high - low <= 1) return high;
      const Index middle = low + (high - low) / 2;
      (behind(middle) ? low : high) = middle;
    }
  }
  Index high = near;  // behind(high) does not hold
  while (high - step >= 0 && !behind(high - step)) high -= step, step *= 2;
  for (Index low = std::max<Index>(-1, high - step);;) {
    if (high - low <= 1) return high;
    const Index middle = low + (high - low) / 2;
    (behind(middle) ? low : high) = middle;
  }
}

/// The first place from `near` on where `behind` does not hold, as first_not(), mostly not far behind `near`. Behind
/// the last place it must not hold. Without a branch that nobody can foresee.
template <typename Behind>
[[gnu::always_inline]] inline Index next_not(Index near, Index count, const Behind& behind) {
  static_assert(SortedOrder::kBehind == 4);
  if (near > 0 && !behind(near - 1)) return first_not(near, count, behind);
  const Index steps =
      (behind(near) ? 1 : 0) + (behind(near + 1) ? 1 : 0) + (behind(near + 2) ? 1 : 0) + (behind(near + 3) ? 1 : 0);
  return steps < 4 ? near + steps : first_not(near + steps, count, behind);
}

}  // namespace

struct WindowSums::Workspace {
  SortedOrder keys, queries;
  std::span<const double> value, strength;
  bool values_are_keys = false;
  double shrink = 1;  ///< power of 2 that takes the largest strength below 1
  FixedPoint values, weights;
  double least_weight = 0;  ///< mean strength of a window below which too little of it is left in the sums
  AlignedVector<WholeParts> value_sums, weight_sums;      ///< of the keys of a run before this one
  std::vector<WholeParts> values_before, weights_before;  ///< of the runs before

  void add_up();
  void add_up_run(Index run);
  double mean(Index from, Index to) const;
  double weighted_mean(double sum, Index from, Index to) const;
  double mean_of_each(Index from, Index to) const;
};

void WindowSums::Workspace::add_up() {
  const Index count = keys.count(), runs = count / kWindowRun + 1;
  room(value_sums, runs * kWindowRun);
  if (!strength.empty()) room(weight_sums, runs * kWindowRun);
  values_before.assign(runs + 1, {});
  weights_before.assign(runs + 1, {});
  for_each_task(
      runs, runs > 1, [&](Index run) { add_up_run(run); }, 4);
  for (std::size_t run = 0; run < static_cast<std::size_t>(runs); ++run) {
    values_before[run + 1] += values_before[run];
    weights_before[run + 1] += weights_before[run];
  }
}

void WindowSums::Workspace::add_up_run(Index run) {
  const std::size_t from = run * kWindowRun;
  const std::size_t some = std::min(kWindowRun, keys.count() - run * kWindowRun);
  double numbers[kWindowRun], weight[kWindowRun];
  const auto sum_to = [&](const double* x, const FixedPoint& scale, AlignedVector<WholeParts>& sums) {
    WholeParts sum;
    for (std::size_t r = 0; r < some; ++r) {
      sums[from + r] = sum;
      sum += scale.whole(x[r]);
    }
    if (some < static_cast<std::size_t>(kWindowRun)) sums[from + some] = sum;
    return sum;
  };
  const std::uint32_t* places = keys.places() + from;
  if (values_are_keys && strength.empty()) {
    values_before[run + 1] = sum_to(keys.numbers() + from, values, value_sums);
    return;
  }
  for (std::size_t r = 0; r < some; ++r) numbers[r] = value[places[r]];
  if (!strength.empty()) {
    for (std::size_t r = 0; r < some; ++r) {
      weight[r] = strength[places[r]] * shrink;
      numbers[r] *= weight[r];
    }
    weights_before[run + 1] = sum_to(weight, weights, weight_sums);
  }
  values_before[run + 1] = sum_to(numbers, values, value_sums);
}

/// What the keys of ranks from .. to - 1 add up to.
[[gnu::always_inline]] inline WholeParts sum_between(const AlignedVector<WholeParts>& sums,
                                                     const std::vector<WholeParts>& before, Index from, Index to) {
  constexpr std::size_t kRun = kWindowRun;
  const std::size_t a = from, b = to;
  WholeParts sum = sums[b] - sums[a];
  sum += before[b / kRun] - before[a / kRun];
  return sum;
}

[[gnu::always_inline]] inline double WindowSums::Workspace::mean(Index from, Index to) const {
  const double sum = values.approximate(sum_between(value_sums, values_before, from, to));
  const double count = static_cast<double>(to - from);
  if (!strength.empty()) return weighted_mean(sum, from, to);
  return from < to ? values.number(sum / count) : 0;
}

double WindowSums::Workspace::weighted_mean(double sum, Index from, Index to) const {
  if (from >= to) return 0;
  const double weight = weights.number(weights.approximate(sum_between(weight_sums, weights_before, from, to)));
  if (weight < static_cast<double>(to - from) * least_weight) return mean_of_each(from, to);
  return values.number(sum / weight);
}

/// Where all strengths are so far below the largest that little of them is left in the sums.
double WindowSums::Workspace::mean_of_each(Index from, Index to) const {
  double most = 0, sum = 0, weight = 0;
  for (Index r = from; r < to; ++r) most = std::max(most, strength[keys.places()[r]]);
  if (most == 0) return 0;
  for (Index r = from; r < to; ++r) {
    const double g = strength[keys.places()[r]] / most;
    sum += g * value[keys.places()[r]];
    weight += g;
  }
  return sum / weight;
}

WindowSums::WindowSums() : workspace_(std::make_unique<Workspace>()) {}
WindowSums::~WindowSums() = default;
WindowSums::WindowSums(WindowSums&&) noexcept = default;
WindowSums& WindowSums::operator=(WindowSums&&) noexcept = default;

void WindowSums::means(std::span<const double> queries, std::span<const double> keys, std::span<const double> values,
                       std::span<const double> strengths, std::span<const double> bounds, std::span<double> outputs) {
  constexpr const char* kWho = "window sums";
  must_be_as_many(kWho, "values", values.size(), keys.size(), "keys");
  must_be_as_many(kWho, "strengths", strengths.size(), keys.size(), "keys", true);
  must_be_as_many(kWho, "outputs", outputs.size(), queries.size(), "queries");
  if (bounds.size() != 1) must_be_as_many(kWho, "bounds", bounds.size(), queries.size(), "queries");
  const bool same = queries.data() == keys.data() && queries.size() == keys.size();
  const bool values_are_keys = values.data() == keys.data();
  const Range key_range = finite_range(kWho, "keys", keys);
  if (!same) finite_range(kWho, "queries", queries);
  const Range range = values_are_keys ? key_range : finite_range(kWho, "values", values);
  const Range strength_range = range_of_strengths(kWho, strengths);
  for (const double bound : bounds) must_be_positive(kWho, "a bound", bound);
  Workspace& work = *workspace_;
  work.value = values;
  work.strength = strengths;
  work.values_are_keys = values_are_keys;
  const Index all = static_cast<Index>(keys.size());
  work.values = FixedPoint(keys.empty() ? 0 : std::max(std::abs(range.low), std::abs(range.high)), all);
  if (!strengths.empty()) {
    int exponent = 0;
    std::frexp(strength_range.high, &exponent);
    work.shrink = std::ldexp(1.0, -std::clamp(exponent, -1000, 1000));
    work.weights = FixedPoint(1.0, all);
    work.least_weight = std::ldexp(1.0, 53 - 2 * work.weights.low_bits());
  }
  work.keys.sort(keys);
  if (!same) work.queries.sort(queries);
  work.add_up();
  const SortedOrder& order = same ? work.keys : work.queries;
  const double* y = work.keys.numbers();
  const Index count = order.count();
  for_each_task((count + kWindowRun - 1) / kWindowRun, count > kWindowRun,
                [&](Index run) {
                  Index from = run * kWindowRun * all / std::max<Index>(count, 1), to = from;
                  for (Index r = run * kWindowRun; r < std::min(count, (run + 1) * kWindowRun); ++r) {
                    const double x = order.numbers()[r];
                    const std::size_t i = order.places()[r];
                    if (r + kWindowAhead < count)
                      __builtin_prefetch(outputs.data() + order.places()[r + kWindowAhead], 1);
                    const double bound = bounds[bounds.size() == 1 ? 0 : i];
                    from = next_not(from, all, [=](Index j) { return y[j] - x < -bound; });
                    to = next_not(to, all, [=](Index j) { return y[j] - x <= bound; });
                    outputs[i] = work.mean(from, to);
                  }
                },
                2);
}

}  // namespace fovea
