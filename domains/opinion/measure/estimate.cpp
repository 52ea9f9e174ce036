#include "fovea/domains/opinion/measure/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/domains/opinion/measure/sides.hpp"

namespace fovea::opinion::measure {

namespace {

using Draws = std::vector<std::vector<double>>;  // of each draw its numbers

constexpr std::size_t kFewestUnits = 2;  // of a single one every draw is the same, which says nothing of its error

std::vector<double> column_of(const Draws& draws, std::size_t place) {
  std::vector<double> numbers;
  for (const std::vector<double>& draw : draws)
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
  const auto tail = static_cast<double>(1 + std::min<std::ptrdiff_t>(at_most, at_least));
  estimate.p = std::min(1.0, 2 * tail / static_cast<double>(1 + sorted.size()));
}

/// Tasks in blocks, with a word on the progress after each; `from` and `to`: of the whole.
template <typename Task>
void for_each_block(Index count, const Plan& plan, double from, double to, const Task& task) {
  constexpr Index kBlock = 32;
  for (Index first = 0; first < count; first += kBlock) {
    const Index size = std::min(kBlock, count - first);
    for_each_task(size, true, [&](Index k) { task(first + k); });
    if (plan.progress)
      plan.progress(from + (to - from) * static_cast<double>(first + size) / static_cast<double>(count));
  }
}

/// Rows group by group, in each by ascending answers.
class Sample {
 public:
  explicit Sample(const Answers& answers) : answers_(answers), rows_(answers.groups.size()) {
    std::vector<std::size_t> order(answers.value.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return answers.value[a] < answers.value[b]; });
    for (const std::size_t row : order) rows_[answers.group[row]].push_back(row);
    all_ = std::move(order);
    if (answers.weight.empty() && answers.unit.empty()) number_values();
  }

  std::size_t groups() const { return rows_.size(); }

  /// Each row as often as `times` says; empty: once.
  measures::Masses masses(std::size_t group, const std::vector<std::uint32_t>& times) const {
    measures::Masses masses;
    for (const std::size_t row : rows_[group])
      masses.add(answers_.value[row], times.empty() ? answers_.weight_of(row) : answers_.weight_of(row) * times[row]);
    return masses;
  }

  /// The masses of all groups after their rows, or whole units, were drawn again.
  std::vector<measures::Masses> redrawn(const Random& random, std::uint64_t draw) const {
    std::vector<measures::Masses> masses(rows_.size());
    if (place_.empty()) {
      const std::vector<std::uint32_t> times = drawn(random, draw);
      for (std::size_t g = 0; g < rows_.size(); ++g) masses[g] = this->masses(g, times);
      return masses;
    }
    for (std::size_t g = 0; g < rows_.size(); ++g) {
      std::vector<std::uint32_t> times(value_[g].size(), 0);
      for (std::uint64_t k = 0; k < rows_[g].size(); ++k)
        ++times[place_[g][random.below(rows_[g].size(), k, draw * rows_.size() + g)]];
      for (std::size_t v = 0; v < times.size(); ++v) masses[g].add(value_[g][v], times[v]);
    }
    return masses;
  }

  /// The masses of all groups after the rows of each set of groups were shuffled over them.
  std::vector<measures::Masses> shuffled(const std::vector<std::vector<std::size_t>>& sets, const Random& random,
                                         std::uint64_t draw) const {
    std::vector<std::size_t> group(answers_.value.size());
    for (std::size_t s = 0; s < sets.size(); ++s) {
      std::vector<std::size_t> rows, label;
      for (const std::size_t g : sets[s])
        for (const std::size_t row : rows_[g]) rows.push_back(row), label.push_back(g);
      for (std::uint64_t k = label.size(); k > 1; --k)
        std::swap(label[k - 1], label[random.below(k, k, draw * sets.size() + s)]);
      for (std::size_t k = 0; k < rows.size(); ++k) group[rows[k]] = label[k];
    }
    std::vector<measures::Masses> masses(rows_.size());
    for (const std::size_t row : all_) masses[group[row]].add(answers_.value[row], answers_.weight_of(row));
    return masses;
  }

 private:
  /// Of rows without weights it is enough to count how often each answer is drawn.
  void number_values() {
    place_.resize(rows_.size());
    value_.resize(rows_.size());
    for (std::size_t g = 0; g < rows_.size(); ++g)
      for (const std::size_t row : rows_[g]) {
        if (value_[g].empty() || value_[g].back() != answers_.value[row]) value_[g].push_back(answers_.value[row]);
        place_[g].push_back(static_cast<std::uint32_t>(value_[g].size() - 1));
      }
  }

  /// How often each row is drawn.
  std::vector<std::uint32_t> drawn(const Random& random, std::uint64_t draw) const {
    std::vector<std::uint32_t> times(answers_.value.size(), 0);
    if (!answers_.unit.empty()) {
      std::vector<std::uint32_t> of_unit(answers_.units, 0);
      for (std::uint64_t k = 0; k < of_unit.size(); ++k) ++of_unit[random.below(of_unit.size(), k, draw)];
      for (std::size_t row = 0; row < times.size(); ++row) times[row] = of_unit[answers_.unit[row]];
      return times;
    }
    for (std::size_t g = 0; g < rows_.size(); ++g)
      for (std::uint64_t k = 0; k < rows_[g].size(); ++k)
        ++times[rows_[g][random.below(rows_[g].size(), k, draw * rows_.size() + g)]];
    return times;
  }

  const Answers& answers_;
  std::vector<std::vector<std::size_t>> rows_;
  std::vector<std::vector<std::uint32_t>> place_;  // of each row, among value_; empty: with weights or units
  std::vector<std::vector<double>> value_;         // of each group, ascending
  std::vector<std::size_t> all_;
};

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
Draws null_draws(const Answers& answers, const Sample& sample, const std::vector<double>& first, const Plan& plan,
                 double step, const Random& random) {
  Draws draws(plan.null_draws);
  const std::vector<std::vector<std::size_t>> sets = exchangeable(answers);
  const double size = effective_sizes(answers).front();
  for_each_block(plan.null_draws, plan, plan.from + 0.7 * (plan.to - plan.from), plan.to, [&](Index k) {
    std::vector<double>& numbers = draws[k];
    const auto draw = static_cast<std::uint64_t>(k);
    if (answers.groups.size() == 1) {
      numbers = normal_twin(first, size, plan, step, random, draw);
      return;
    }
    for (const measures::Masses& masses : sample.shuffled(sets, random, draw)) {
      const std::vector<double> of_group = measures::measure_line(masses, plan.line);
      numbers.insert(numbers.end(), of_group.begin(), of_group.end());
    }
  });
  // A set of one group has nobody to change places with.
  const std::size_t each = measures::line_measures().size();
  for (const std::vector<std::size_t>& set : sets)
    if (set.size() == 1 && answers.groups.size() > 1)
      for (std::vector<double>& numbers : draws)
        std::fill_n(numbers.begin() + static_cast<std::ptrdiff_t>(set[0] * each), each, kNan);
  return draws;
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
      for (const std::vector<double>& draw : draws)
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

measures::Masses masses_of(const Answers& answers, Index group) { return Sample(answers).masses(group, {}); }

Estimates estimate_answers(const Answers& answers, const Plan& plan, double step, const Random& random) {
  const Sample sample(answers);
  const std::size_t groups = sample.groups(), each = measures::line_measures().size();
  std::vector<std::vector<double>> value(groups);
  for_each_task(static_cast<Index>(groups), true, [&](Index g) {
    const std::size_t place = g;
    value[place] = measures::measure_line(sample.masses(place, {}), plan.line);
  });
  const Random who = random.stream("respondents");
  Draws draws(plan.draws);
  for_each_block(plan.draws, plan, plan.from, plan.from + 0.7 * (plan.to - plan.from), [&](Index k) {
    for (const measures::Masses& masses : sample.redrawn(who, static_cast<std::uint64_t>(k))) {
      const std::vector<double> numbers = measures::measure_line(masses, plan.line);
      std::vector<double>& all = draws[k];
      all.insert(all.end(), numbers.begin(), numbers.end());
    }
  });
  const Draws nulls = null_draws(answers, sample, value[0], plan, step, random.stream("null"));
  const std::vector<std::size_t> units = units_of(answers);
  Estimates estimates;
  estimates.group.resize(groups);
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t m = 0; m < each; ++m) {
      Estimate estimate{value[g][m], kNan, kNan, kNan, kNan, kNan, kNan};
      if (units[g] >= kFewestUnits) add_interval(column_of(draws, g * each + m), draws.size(), plan.level, estimate);
      add_null(column_of(nulls, g * each + m), nulls.size(), plan.level, estimate);
      estimates.group[g].push_back(estimate);
    }
  if (answers.waves()) estimates.changes = changes_of(answers.groups, estimates.group, units, draws, plan.level);
  return estimates;
}

Estimates estimate_ties(const Ties& ties, const std::vector<AnswerGroup>& groups, const Plan& plan,
                        const Random& random) {
  const std::vector<NodeSides> sides = ties.groups.empty() ? std::vector<NodeSides>{ties} : ties.groups;
  const Random weights = random.stream("edges"), twins = random.stream("rewired");
  Draws draws(plan.draws), nulls(plan.null_draws);
  const auto measure_all = [&](const Ties& network, const std::vector<double>& drawn, std::vector<double>& numbers) {
    for (const NodeSides& of : sides) {
      const NodeSides& used = ties.groups.empty() ? network : of;  // a twin's may be its own
      const std::vector<double> one = measure_ties(network.graph, used, plan.hubs, drawn);
      numbers.insert(numbers.end(), one.begin(), one.end());
    }
  };
  for_each_block(plan.draws + plan.null_draws, plan, plan.from, plan.to, [&](Index task) {
    if (task < plan.draws) {
      const std::size_t draw = task;
      measure_all(ties, drawn_weights(ties.graph, weights, draw), draws[draw]);
      return;
    }
    const Index k = task - plan.draws;
    Ties twin = ties;
    twin.graph = rewired(ties.graph, twins.stream(std::to_string(k)));
    if (ties.from == SidesFrom::network) twin.side = find_sides(twin.graph);
    measure_all(twin, {}, nulls[k]);
  });
  std::vector<double> value;
  measure_all(ties, {}, value);
  Estimates estimates;
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
