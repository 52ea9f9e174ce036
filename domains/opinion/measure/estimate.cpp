#include "fovea/domains/opinion/measure/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/data/least_value.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/domains/opinion/measure/sample.hpp"
#include "fovea/domains/opinion/measure/ties.hpp"
#include "fovea/domains/opinion/measures/measure_table.hpp"

namespace fovea::opinion::measure {

namespace {

constexpr std::size_t kFewestUnits = 2;  // of a single one every draw is the same, which says nothing of its error

std::vector<double> column_of(const Draws& draws, std::size_t place) {
  std::vector<double> numbers;
  for (const Draw& draw : draws)
    if (!std::isnan(draw[place])) numbers.push_back(draw[place]);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

/// Bias-corrected percentiles; NaN where most draws have no value, or nearly all lie on one side of the value: the
/// interval, which is moved by twice their median's distance, would not hold the value itself.
void add_interval(const std::vector<double>& sorted, std::size_t draws, double level, Estimate& estimate) {
  estimate.low = estimate.high = kNan;
  if (std::isnan(estimate.value) || 2 * sorted.size() < draws || sorted.empty()) return;
  const auto below = std::lower_bound(sorted.begin(), sorted.end(), estimate.value);
  const auto above = std::upper_bound(below, sorted.end(), estimate.value);
  const auto count = static_cast<double>(sorted.size());
  const double share = (static_cast<double>(below - sorted.begin()) + 0.5 * static_cast<double>(above - below)) / count;
  if (share <= 0.5 - level / 2 || share >= 0.5 + level / 2) return;
  const double bias = normal_quantile(share), z = normal_quantile(0.5 + level / 2);
  estimate.low = sorted_quantile(sorted, normal_cdf(2 * bias - z));
  estimate.high = sorted_quantile(sorted, normal_cdf(2 * bias + z));
}

void add_null(const std::vector<double>& sorted, std::size_t draws, double level, Estimate& estimate) {
  estimate.null_mean = estimate.null_low = estimate.null_high = estimate.p = kNan;
  if (sorted.empty() || 2 * sorted.size() < draws) return;
  estimate.null_mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
  estimate.null_low = sorted_quantile(sorted, 0.5 - level / 2);
  estimate.null_high = sorted_quantile(sorted, 0.5 + level / 2);
  if (std::isnan(estimate.value)) return;
  const auto at_most = std::upper_bound(sorted.begin(), sorted.end(), estimate.value) - sorted.begin();
  const auto at_least = sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), estimate.value);
  estimate.p = drawn_p(static_cast<std::size_t>(std::min<std::ptrdiff_t>(at_most, at_least)), sorted.size(), 2);
  estimate.least_p = least_drawn_p(sorted.size(), 2);
}

/// Of a measure of sides that differ more the larger it is, or the less (alike 1): see estimate_answers().
void add_sides_interval(const std::vector<double>& sorted, const std::vector<double>& nulls, std::size_t draws,
                        double level, double alike, Estimate& estimate) {
  const double value = estimate.value;
  const bool falls = alike > 0;
  if (!std::isnan(estimate.p)) {
    const auto far = falls ? std::upper_bound(nulls.begin(), nulls.end(), value) - nulls.begin()
                           : nulls.end() - std::lower_bound(nulls.begin(), nulls.end(), value);
    estimate.p = drawn_p(static_cast<std::size_t>(far), nulls.size());
    estimate.least_p = least_drawn_p(nulls.size());
  }
  estimate.low = estimate.high = kNan;
  if (std::isnan(value) || 2 * sorted.size() < draws || sorted.empty()) return;
  double& near = falls ? estimate.high : estimate.low;
  estimate.low = sorted_quantile(sorted, 0.5 - level / 2);
  estimate.high = sorted_quantile(sorted, 0.5 + level / 2);
  if (estimate.p > 1 - level) {
    near = alike;
    return;
  }
  const double drawn = near, moved = 2 * (sorted_quantile(sorted, 0.5) - value);
  const double unbiased = std::isnan(estimate.null_mean) ? value : value - (estimate.null_mean - alike);
  estimate.low = std::min(value, estimate.low - moved);
  estimate.high = std::max(value, estimate.high - moved);
  near = falls ? std::max(near, unbiased) : std::min(near, unbiased);
  if (falls ? near >= alike : near <= alike) near = falls ? std::max(value, drawn) : std::min(value, drawn);
}

/// The draws that are not there yet, in blocks, with a word on the progress after each; `from` and `to`: of the whole.
template <typename Task>
void draw_rest(Index count, Draws& draws, const Plan& plan, double from, double to, const Task& task) {
  while (std::ssize(draws) < count) {
    const Index first = std::ssize(draws), size = std::min(plan.block, count - first);
    draws.resize(first + size);
    for_each_task(size, true, [&](Index k) { task(first + k, draws[first + k]); });
    if (plan.progress)
      plan.progress(from + (to - from) * static_cast<double>(first + size) / static_cast<double>(count));
  }
}

void append(std::vector<double>& all, const std::vector<double>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Groups whose rows may change places: all, or those of the same place.
std::vector<std::vector<std::size_t>> exchangeable(const Answers& answers) {
  std::vector<std::vector<std::size_t>> sets;
  for (std::size_t g = 0; g < answers.groups.size(); ++g) {
    const bool same = g > 0 && (!answers.waves() || answers.groups[g].place == answers.groups[g - 1].place);
    if (!same) sets.emplace_back();
    sets.back().push_back(g);
  }
  return sets;
}

std::vector<double> numbers_of(const GroupMasses& masses, const measures::LineSettings& line) {
  std::vector<double> numbers = measures::measure_line(masses.all, line);
  if (!masses.side.empty()) append(numbers, measures::measure_sides(masses.side, line));
  return numbers;
}

/// As many normal opinions on the same scale.
std::vector<double> normal_twin(const std::vector<double>& value, double size, const Plan& plan, double step,
                                const Random& random, std::uint64_t draw) {
  const auto at = [&](std::string_view name) {
    const auto names = measures::line_measures();
    return value[std::find(names.begin(), names.end(), name) - names.begin()];
  };
  std::vector<double> opinions(static_cast<std::size_t>(std::max(2.0, std::round(size))));
  random.normals(0, draw, opinions);
  for (double& x : opinions) {
    x = at("mean") + at("sd") * x;
    if (step <= 0) continue;
    x = plan.line.scale_low + step * std::round((x - plan.line.scale_low) / step);
    x = std::clamp(x, plan.line.scale_low, plan.line.scale_high);
  }
  std::sort(opinions.begin(), opinions.end());
  measures::Masses masses;
  for (const double x : opinions) masses.add(x, 1);
  std::vector<double> numbers = measures::measure_line(masses, plan.line);
  for (std::size_t m = 0; m < numbers.size(); ++m) {
    const std::string_view name = measures::line_measures()[m];
    if (name == "mean" || name == "sd" || name == "variance") numbers[m] = kNan;
  }
  return numbers;
}

/// Of each null draw the numbers of all groups, one group after the other.
void draw_nulls(const Answers& answers, const Sample& sample, const std::vector<double>& first, const Plan& plan,
                double step, const Random& random, Draws& draws) {
  const std::vector<std::vector<std::size_t>> sets = exchangeable(answers);
  const double size = effective_sizes(answers).front();
  const Random of_sides = random.stream("sides");
  const bool one = answers.groups.size() == 1;
  std::vector<std::uint8_t> alone(answers.groups.size(), 0);  // such a group has nobody to change places with
  for (const std::vector<std::size_t>& set : sets)
    if (set.size() == 1 && !one) alone[set[0]] = 1;
  draw_rest(plan.null_draws, draws, plan, plan.from + 0.7 * (plan.to - plan.from), plan.to, [&](Index k, Draw& to) {
    const auto draw = static_cast<std::uint64_t>(k);
    const auto groups = one ? std::vector<measures::Masses>(1) : sample.shuffled(sets, random, draw);
    const auto sides = sample.sides() > 0 ? sample.with_shuffled_sides(of_sides, draw) : std::vector<GroupMasses>();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      append(to, one             ? normal_twin(first, size, plan, step, random, draw)
                 : alone[g] != 0 ? std::vector<double>(first.size(), kNan)
                                 : measures::measure_line(groups[g], plan.line));
      if (!sides.empty()) append(to, measures::measure_sides(sides[g].side, plan.line));
    }
  });
}

/// 0 where two numbers differ by the rounding of their sums alone.
double difference(double a, double b) {
  constexpr double kRounding = 1e-14;
  return std::abs(a - b) <= kRounding * std::max(std::abs(a), std::abs(b)) ? 0 : a - b;
}

/// units: of each group how many there are to draw.
std::vector<Change> changes_of(const std::vector<AnswerGroup>& groups, const std::vector<std::vector<Estimate>>& group,
                               const std::vector<std::size_t>& units, const Draws& draws, double level) {
  std::vector<Change> changes;
  for (std::size_t g = 1; g < group.size(); ++g) {
    if (groups[g].wave.empty() || groups[g].place != groups[g - 1].place) continue;
    Change change{g - 1, g, {}};
    const std::size_t each = group[g].size();
    for (std::size_t m = 0; m < each; ++m) {
      Estimate estimate;
      estimate.value = difference(group[g][m].value, group[g - 1][m].value);
      estimate.null_mean = estimate.null_low = estimate.null_high = estimate.p = kNan;
      std::vector<double> sorted;
      for (const Draw& draw : draws)
        if (const double d = draw[g * each + m] - draw[(g - 1) * each + m]; !std::isnan(d)) sorted.push_back(d);
      std::sort(sorted.begin(), sorted.end());
      if (std::min(units[g], units[g - 1]) < kFewestUnits) sorted.clear();
      add_interval(sorted, draws.size(), level, estimate);
      change.of.push_back(estimate);
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

/// Weights that are 1 on average, times the edges' own.
std::vector<double> drawn_weights(const society::Graph& graph, const Random& random, std::uint64_t draw) {
  std::vector<double> weights;
  for (std::size_t e = 0; e < graph.edges.size(); ++e)
    weights.push_back(graph.weight(e) * std::max(1e-12, -logarithm(1 - random.uniform(e, draw))));
  return weights;
}

}  // namespace

std::vector<double> effective_sizes(const Answers& answers) {
  std::vector<double> sum(answers.groups.size(), 0), squares(sum);
  for (std::size_t row = 0; row < answers.group.size(); ++row) {
    const std::size_t g = answers.group[row];
    sum[g] += answers.weight_of(row);
    squares[g] += answers.weight_of(row) * answers.weight_of(row);
  }
  for (std::size_t g = 0; g < sum.size(); ++g) sum[g] *= sum[g] / squares[g];
  return sum;
}

std::vector<std::size_t> units_of(const Answers& answers) {
  std::vector<std::size_t> units(answers.groups.size(), 0);
  std::set<std::pair<Index, Index>> met;
  for (std::size_t row = 0; row < answers.group.size(); ++row)
    if (answers.unit.empty() || met.emplace(answers.group[row], answers.unit[row]).second) ++units[answers.group[row]];
  return units;
}

void plan_draws(const Answers* answers, const Ties* ties, Plan& plan) {
  // Seconds on one core, as measured: each row and edge, with random walks, and for the null model.
  constexpr double kRow = 2e-7, kShuffledRow = 4e-7, kEdge = 2e-7, kWalkedEdge = 4e-6, kRewiredEdge = 7e-6, kLong = 300;
  const double rows = answers == nullptr ? 0 : static_cast<double>(answers->value.size());
  const double edges = ties == nullptr ? 0 : static_cast<double>(ties->graph.edges.size());
  const double groups = ties == nullptr ? 0 : static_cast<double>(std::max<std::size_t>(1, ties->groups.size()));
  const double walks = groups * edges * (plan.hubs > 0 ? kWalkedEdge : kEdge);
  const double draw = kRow * rows + walks + 1e-9, null = kShuffledRow * rows + walks + kRewiredEdge * edges + 1e-9;
  const auto set = [&](Index& draws, Index usual, double seconds) {
    if (draws < 0) draws = std::clamp(static_cast<Index>(kLong / seconds), usual / 5, usual);
  };
  set(plan.draws, kUsualDraws, draw);
  set(plan.null_draws, kUsualNullDraws, null);
  plan.seconds = static_cast<double>(plan.draws) * draw + static_cast<double>(plan.null_draws) * null;
  plan.block = std::max(thread_count(), std::min<Index>(32, static_cast<Index>(4 / null)));
}

measures::Masses masses_of(const Answers& answers, Index group) { return Sample(answers, {}).masses(group, {}).all; }

Estimates estimate_answers(const Answers& answers, const Plan& plan, double step, const Random& random,
                           const NodeSides& sides) {
  const Sample sample(answers, sides);
  const auto line = measures::line_measures(), between = measures::side_measures();
  const std::size_t groups = sample.groups(), each = line.size() + (sample.sides() > 0 ? between.size() : 0);
  std::vector<std::vector<double>> value(groups);
  for_each_task(static_cast<Index>(groups), true,
                [&](Index g) { value[g] = numbers_of(sample.masses(static_cast<std::size_t>(g), {}), plan.line); });
  DrawsDone none;
  Draws &draws = (plan.done == nullptr ? none : *plan.done).answers,
        &nulls = (plan.done == nullptr ? none : *plan.done).answers_null;
  const Random who = random.stream("respondents");
  draw_rest(plan.draws, draws, plan, plan.from, plan.from + 0.7 * (plan.to - plan.from), [&](Index k, Draw& to) {
    for (const GroupMasses& masses : sample.redrawn(who, static_cast<std::uint64_t>(k)))
      append(to, numbers_of(masses, plan.line));
  });
  draw_nulls(answers, sample, {value[0].begin(), value[0].begin() + std::ssize(line)}, plan, step,
             random.stream("null"), nulls);
  const std::vector<std::size_t> units = units_of(answers);
  Estimates estimates;
  estimates.names.assign(line.begin(), line.end());
  if (sample.sides() > 0) estimates.names.insert(estimates.names.end(), between.begin(), between.end());
  estimates.group.resize(groups);
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t m = 0; m < each; ++m) {
      Estimate estimate{value[g][m], kNan, kNan, kNan, kNan, kNan, kNan};
      const std::vector<double> drawn = column_of(draws, g * each + m), null = column_of(nulls, g * each + m);
      const bool known = units[g] >= kFewestUnits;
      if (known && m < line.size()) add_interval(drawn, draws.size(), plan.level, estimate);
      add_null(null, nulls.size(), plan.level, estimate);
      if (known && m >= line.size()) {
        const measures::MeasureEntry& entry = measures::find_measure(estimates.names[m]);
        add_sides_interval(drawn, null, draws.size(), plan.level, entry.name == "overlap" ? 1 : 0, estimate);
        estimate.low = std::max(estimate.low, entry.low), estimate.high = std::min(estimate.high, entry.high);
      }
      estimates.group[g].push_back(estimate);
    }
  if (answers.waves()) estimates.changes = changes_of(answers.groups, estimates.group, units, draws, plan.level);
  return estimates;
}

Estimates estimate_ties(const Ties& ties, const std::vector<AnswerGroup>& groups, const Plan& plan,
                        const Random& random) {
  const std::vector<NodeSides> sides = ties.groups.empty() ? std::vector<NodeSides>{ties} : ties.groups;
  const Random weights = random.stream("edges"), twins = random.stream("rewired");
  const auto measure_all = [&](const Ties& network, const std::vector<double>& drawn, std::vector<double>& numbers) {
    for (const NodeSides& of : sides)  // a twin's may be its own
      append(numbers, measure_ties(network.graph, ties.groups.empty() ? network : of, plan.hubs, drawn));
  };
  DrawsDone none;
  Draws& all = (plan.done == nullptr ? none : *plan.done).ties;
  draw_rest(plan.draws + plan.null_draws, all, plan, plan.from, plan.to, [&](Index k, Draw& to) {
    if (k < plan.draws) return measure_all(ties, drawn_weights(ties.graph, weights, k), to);
    Ties twin = ties;
    twin.graph = rewired(ties.graph, twins.stream(std::to_string(k - plan.draws)));
    if (ties.from == SidesFrom::network) twin.side = find_sides(twin.graph);
    measure_all(twin, {}, to);
  });
  const Draws draws(all.begin(), all.begin() + plan.draws), nulls(all.begin() + plan.draws, all.end());
  std::vector<double> value;
  measure_all(ties, {}, value);
  Estimates estimates;
  estimates.names = tie_measures();
  estimates.group.resize(sides.size());
  const std::size_t each = tie_measures().size();
  for (std::size_t k = 0; k < value.size(); ++k) {
    Estimate estimate{value[k], kNan, kNan, kNan, kNan, kNan, kNan};
    if (ties.graph.edges.size() >= kFewestUnits) add_interval(column_of(draws, k), draws.size(), plan.level, estimate);
    add_null(column_of(nulls, k), nulls.size(), plan.level, estimate);
    estimates.group[k / each].push_back(estimate);
  }
  const std::vector<std::size_t> units(groups.size(), ties.graph.edges.size());
  estimates.changes = changes_of(groups, estimates.group, units, draws, plan.level);
  return estimates;
}

}  // namespace fovea::opinion::measure
