#include "fovea/core/statistics/bootstrap.hpp"
#include "fovea/core/statistics/folds.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

struct GroupedExamples {
  std::vector<Index> groups, classes;
};

/// Groups of 1 ... 30 examples; the share of class 1 differs from group to group.
GroupedExamples grouped_examples(Index groups) {
  const Random random = Random(8).stream("groups");
  GroupedExamples examples;
  std::uint64_t draws = 0;
  for (Index g = 0; g < groups; ++g) {
    const auto size = static_cast<Index>(1 + random.below(30, draws++));
    const double share = random.uniform(draws++) < 0.7 ? 0.1 : 0.6;
    for (Index k = 0; k < size; ++k) {
      examples.groups.push_back(1000 - 7 * g);
      examples.classes.push_back(random.uniform(draws++) < share ? 1 : 0);
    }
  }
  return examples;
}

std::vector<Index> sizes_of_folds(const std::vector<Index>& fold, Index folds) {
  std::vector<Index> sizes(folds);
  for (const Index f : fold) ++sizes[f];
  return sizes;
}

double mean_at(const std::vector<double>& values, std::span<const Index> rows) {
  double sum = 0;
  for (const Index i : rows) sum += values[i];
  return sum / static_cast<double>(rows.size());
}

/// mean (x - m)^2
double variance_at(const std::vector<double>& values, std::span<const Index> rows) {
  const double mean = mean_at(values, rows);
  double sum = 0;
  for (const Index i : rows) sum += std::pow(values[i] - mean, 2);
  return sum / static_cast<double>(rows.size());
}

}  // namespace

TEST_CASE("folds: no group is in two, and sizes differ by no more than the largest group", "[statistics][folds]") {
  const GroupedExamples examples = grouped_examples(40);
  for (const Index folds : {2, 5, 10, 40}) {
    const std::vector<Index> fold = group_folds(examples.groups, folds, Random(1));
    std::map<Index, std::set<Index>> of_group;
    for (std::size_t i = 0; i < fold.size(); ++i) of_group[examples.groups[i]].insert(fold[i]);
    for (const auto& [group, where] : of_group) CHECK(where.size() == 1);
    const std::vector<Index> sizes = sizes_of_folds(fold, folds);
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    CHECK(*least >= 1);
    CHECK(*most - *least <= 30);
    if (folds == 5) CHECK(*most - *least <= 3);  // small groups come last and fill up
  }
}

TEST_CASE("folds are a function of the seed, and single examples are dealt evenly", "[statistics][folds]") {
  std::vector<Index> singles(103);
  std::iota(singles.begin(), singles.end(), 0);
  const std::vector<Index> fold = group_folds(singles, 5, Random(1));
  CHECK(fold == group_folds(singles, 5, Random(1)));
  CHECK(fold != group_folds(singles, 5, Random(2)));
  std::vector<Index> sizes = sizes_of_folds(fold, 5);
  std::sort(sizes.begin(), sizes.end());
  CHECK(sizes == std::vector<Index>{20, 20, 21, 21, 21});
  const FoldSplit split = split_of_fold(fold, 2);
  CHECK(split.training.size() + split.validation.size() == 103);
  for (const Index i : split.validation) CHECK(fold[i] == 2);
  CHECK(std::is_sorted(split.training.begin(), split.training.end()));
}

TEST_CASE("stratified folds have like shares of each class", "[statistics][folds]") {
  const GroupedExamples examples = grouped_examples(120);
  const auto widest = [&](const std::vector<Index>& fold) {
    std::vector<double> ones(5), all(5);
    for (std::size_t i = 0; i < fold.size(); ++i) {
      ones[fold[i]] += static_cast<double>(examples.classes[i]);
      all[fold[i]] += 1;
    }
    double low = 1, high = 0;
    for (std::size_t f = 0; f < 5; ++f) {
      low = std::min(low, ones[f] / all[f]);
      high = std::max(high, ones[f] / all[f]);
    }
    return high - low;
  };
  const double stratified = widest(group_folds(examples.groups, 5, Random(1), examples.classes));
  CHECK(stratified < 0.03);
  CHECK(stratified < widest(group_folds(examples.groups, 5, Random(1))));
}

TEST_CASE("folds refuse fewer groups than folds", "[statistics][folds][errors]") {
  CHECK_THROWS_WITH(group_folds(std::vector<Index>{4, 4, 9}, 3, Random(1)),
                    "group_folds: there are 2 groups for 3 folds; each fold needs at least one group.");
  CHECK_THROWS_AS(group_folds(std::vector<Index>{4, 9}, 1, Random(1)), ArgumentError);
  CHECK_THROWS_AS(group_folds(std::vector<Index>{4, 9}, 2, Random(1), std::vector<Index>{1}), ArgumentError);
}

TEST_CASE("bootstrap intervals of a published example", "[statistics][bootstrap]") {
  // The variance of Efron and Tibshirani's spatial data A (1993, table 14.2): percentile (100.8, 233.9) and BCa
  // (115.8, 259.6) at level 0.9. They drew 2000 times: their ends have a standard error of about 2.5, ours of 0.8.
  const std::vector<double> a{48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6,
                              0,  33, 28, 34, 4,  32, 24, 47, 41, 24, 26, 30, 41};
  const auto variance = [&](std::span<const Index> rows) { return variance_at(a, rows); };
  BootstrapSettings settings{20000, 0.9, BootstrapKind::percentile};
  const BootstrapInterval percentile = bootstrap_interval(26, variance, Random(1), settings);
  CHECK(std::abs(percentile.estimate - 171.5) < 0.05);
  CHECK(std::abs(percentile.low - 100.8) < 5);
  CHECK(std::abs(percentile.high - 233.9) < 5);
  settings.kind = BootstrapKind::bca;
  const BootstrapInterval bca = bootstrap_interval(26, variance, Random(1), settings);
  CHECK(std::abs(bca.low - 115.8) < 5);
  CHECK(std::abs(bca.high - 259.6) < 7);
}

TEST_CASE("the bootstrap's standard error of a mean is the formula's", "[statistics][bootstrap][twin]") {
  const Random random = Random(3).stream("sample");
  std::vector<double> values;
  for (std::uint64_t k = 0; k < 60; ++k) values.push_back(random.normal(k));
  std::vector<Index> all(60);
  std::iota(all.begin(), all.end(), 0);
  const auto mean = [&](std::span<const Index> rows) { return mean_at(values, rows); };
  const BootstrapInterval interval = bootstrap_interval(60, mean, Random(1), {20000, 0.95, BootstrapKind::bca});
  const double error = std::sqrt(variance_at(values, all) / 60);
  CHECK(std::abs(interval.error / error - 1) < 0.025);  // 5 / sqrt(2 x 20000)
  CHECK(std::abs(interval.high - interval.low - 2 * 1.96 * error) < 0.1 * error * 2);
}

TEST_CASE("groups are drawn whole: copies of an example bring no certainty", "[statistics][bootstrap]") {
  const Random random = Random(3).stream("copies");
  std::vector<double> values;
  std::vector<Index> groups;
  for (Index k = 0; k < 40; ++k)
    for (int copy = 0; copy < 5; ++copy) {
      values.push_back(random.normal(static_cast<std::uint64_t>(k)));
      groups.push_back(-k);
    }
  const auto mean = [&](std::span<const Index> rows) { return mean_at(values, rows); };
  const BootstrapInterval whole = bootstrap_interval(200, mean, Random(1), {}, groups);
  const BootstrapInterval single = bootstrap_interval(200, mean, Random(1));
  CHECK(std::abs(whole.error / single.error - std::sqrt(5.0)) < 0.2);  // 5 / sqrt(2 x 2000) each
}

TEST_CASE("BCa intervals of a skewed mean cover as often as they say", "[statistics][bootstrap]") {
  // Exponential samples of 40, 400 of them: coverage 0.9 has a standard error of 0.015; the interval's own error at
  // this size is about 0.02. 4 standard errors: a false alarm below 1e-4.
  const Random random = Random(6).stream("coverage");
  int covered = 0;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    std::vector<double> values;
    for (std::uint64_t k = 0; k < 40; ++k) values.push_back(-std::log(1 - random.uniform(k, trial)));
    const auto mean = [&](std::span<const Index> rows) { return mean_at(values, rows); };
    const BootstrapInterval interval =
        bootstrap_interval(40, mean, random.stream("draws"), {500, 0.9, BootstrapKind::bca});
    covered += interval.low <= 1 && 1 <= interval.high;
  }
  CHECK(covered > 400 * (0.9 - 0.02 - 0.06));
  CHECK(covered < 400 * (0.9 + 0.06));
}

TEST_CASE("a bootstrap leaves undefined draws out and refuses what cannot be", "[statistics][bootstrap][errors]") {
  const std::vector<double> values{1, 2, 3, 4};
  const auto spread = [&](std::span<const Index> rows) {
    const double variance = variance_at(values, rows);
    return variance > 0 ? std::log(variance) : std::nan("");
  };
  const BootstrapInterval interval = bootstrap_interval(4, spread, Random(1));
  CHECK(interval.draws < 2000);
  CHECK(interval.draws > 1900);  // all four equal: 4 / 4^4 = 1.6 %
  const auto never = [](std::span<const Index>) { return std::nan(""); };
  CHECK_THROWS_WITH(bootstrap_interval(4, never, Random(1)), "bootstrap: the statistic of the data is NaN.");
  const auto one = [](std::span<const Index>) { return 1.0; };
  const BootstrapInterval flat = bootstrap_interval(4, one, Random(1));
  CHECK((flat.low == 1 && flat.high == 1 && flat.error == 0));
  CHECK_THROWS_WITH(bootstrap_interval(3, one, Random(1), {}, std::vector<Index>{7, 7, 7}),
                    "bootstrap: there is only one group; at least 2 are needed.");
  CHECK_THROWS_AS(bootstrap_interval(4, one, Random(1), {9}), ArgumentError);
  CHECK_THROWS_AS(bootstrap_interval(4, one, Random(1), {100, 1.0}), ArgumentError);
}

TEST_CASE("the difference of two measures is drawn in pairs: it is the interval of the differences",
          "[statistics][bootstrap]") {
  const Random random = Random(11).stream("pairs");
  std::vector<double> first, second, difference;
  for (std::uint64_t k = 0; k < 80; ++k) {
    const double common = 5 * random.normal(k);
    first.push_back(common + 0.1 * random.normal(k, 1));
    second.push_back(common);
    difference.push_back(first.back() - second.back());
  }
  const auto mean_of = [](const std::vector<double>& values) {
    return [&values](std::span<const Index> rows) { return mean_at(values, rows); };
  };
  const BootstrapInterval paired = bootstrap_difference(80, mean_of(first), mean_of(second), Random(1));
  const BootstrapInterval direct = bootstrap_interval(80, mean_of(difference), Random(1));
  CHECK(std::abs(paired.low - direct.low) < 1e-12);  // sums of 80 numbers of about 5
  CHECK(std::abs(paired.high - direct.high) < 1e-12);
  CHECK(paired.error < bootstrap_interval(80, mean_of(first), Random(1)).error / 20);
}

TEST_CASE("a draw as weights measures what a draw as rows measures", "[statistics][bootstrap][twin]") {
  const Random random = Random(12).stream("weights");
  std::vector<double> scores;
  std::vector<Index> outcomes;
  for (std::uint64_t k = 0; k < 60; ++k) {
    outcomes.push_back(random.uniform(k) < 0.3 ? 1 : 0);
    scores.push_back(std::floor(4 * (random.normal(k, 1) + static_cast<double>(outcomes.back()))));  // with ties
  }
  const RankedOutcomes ranked(scores, outcomes);
  const auto by_rows = [&](std::span<const Index> rows) {
    std::vector<double> some;
    std::vector<Index> theirs;
    for (const Index row : rows) {
      some.push_back(scores[row]);
      theirs.push_back(outcomes[row]);
    }
    return auroc(some, theirs);
  };
  const auto by_weights = [&](std::span<const Index> rows) { return ranked.auroc(times_drawn(rows, 60)); };
  const BootstrapInterval rows = bootstrap_interval(60, by_rows, Random(1)),
                          weights = bootstrap_interval(60, by_weights, Random(1));
  CHECK((rows.low == weights.low && rows.high == weights.high && rows.estimate == weights.estimate));
  CHECK_THROWS_WITH(times_drawn(std::vector<Index>{3}, 3), "times_drawn: row 3 of 3; a row must be in [0, 3).");
}
