#include "fovea/core/study/scores/scores.hpp"

#include "fovea/core/statistics/bootstrap.hpp"
#include "fovea/core/statistics/calibration.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kScoreRounding = 1e-12;  // sums of some hundred numbers about 1

study::Target target_of(study::TargetKind kind) {
  study::Target target;
  target.kind = kind;
  if (kind == study::TargetKind::binary) target.classes = {"0", "1"};
  if (kind == study::TargetKind::classes) target.classes = {"a", "b", "c"};
  return target;
}

/// Predictions that know something about the targets, `per_group` rows a group.
struct ScoredSample {
  study::Target target;
  study::Predictions predictions;
  std::vector<double> targets;
  std::vector<Index> groups;

  std::vector<study::ScoreValue> scored(Index draws = 200) const {
    return study::scored(target, predictions, targets, groups, draws, Random(5));
  }
  study::ScoreValue named(const std::string& name, Index draws = 200) const {
    const auto scores = study::scores_of(target);
    for (std::size_t s = 0; s < scores.size(); ++s)
      if (scores[s].name == name) return scored(draws)[s];
    FAIL("no score " << name);
    return {};
  }
};

ScoredSample scored_sample(study::TargetKind kind, Index rows, Index per_group, std::uint64_t seed) {
  const Random random = Random(seed).stream("scored sample");
  ScoredSample sample;
  sample.target = target_of(kind);
  const Index columns = kind == study::TargetKind::classes ? 3 : 1;
  sample.predictions.mean.resize(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    const auto row = static_cast<std::uint64_t>(i);
    const double u = random.uniform(row, 0);
    sample.groups.push_back(i / per_group * 3 - 7);
    if (kind == study::TargetKind::binary) {
      sample.predictions.mean(i, 0) = std::round(u * 40) / 40;  // with ties
      sample.targets.push_back(random.uniform(row, 1) < 0.2 + 0.6 * u ? 1 : 0);
    } else if (kind == study::TargetKind::classes) {
      sample.targets.push_back(static_cast<double>(random.below(3, row, 1)));
      sample.predictions.mean.row(i).setConstant(0.5 * (1 - u));
      sample.predictions.mean(i, random.uniform(row, 2) < 0.6 ? static_cast<Index>(sample.targets.back()) : 1) = u;
    } else {
      sample.predictions.mean(i, 0) = 3 * u;
      sample.predictions.deviation.push_back(0.5 + random.uniform(row, 3));
      sample.targets.push_back(3 * u + sample.predictions.deviation.back() * random.normal(row, 4));
    }
  }
  sample.predictions.spread = Matrix<double>::Zero(rows, columns);
  return sample;
}

std::vector<Index> class_numbers(const std::vector<double>& targets) {
  return std::vector<Index>(targets.begin(), targets.end());
}

std::vector<double> first_column(const Matrix<double>& values) {
  std::vector<double> column;
  for (Index i = 0; i < values.rows(); ++i) column.push_back(values(i, 0));
  return column;
}

/// Rows with the numbers of a bootstrap draw.
ScoredSample rows_of(const ScoredSample& sample, std::span<const Index> rows) {
  ScoredSample drawn;
  drawn.target = sample.target;
  drawn.predictions.mean.resize(static_cast<Index>(rows.size()), sample.predictions.mean.cols());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::size_t row = rows[r];
    drawn.predictions.mean.row(static_cast<Index>(r)) = sample.predictions.mean.row(rows[r]);
    drawn.targets.push_back(sample.targets[row]);
    drawn.groups.push_back(0);  // one group: no draws
    if (!sample.predictions.deviation.empty()) drawn.predictions.deviation.push_back(sample.predictions.deviation[row]);
  }
  return drawn;
}

/// Risks of two classes, or incidences of two ends in two intervals, that are right, or that are too bold by a factor
/// of the log-odds; decided: with decisions.
ScoredSample risky_sample(study::TargetKind kind, Index rows, double boldness, bool decided) {
  const Random random = Random(static_cast<std::uint64_t>(rows)).stream("risky sample");
  const auto bold = [&](double p) { return 1 / (1 + std::pow((1 - p) / p, boldness)); };
  ScoredSample sample;
  sample.target = target_of(kind);
  const bool hazards = kind == study::TargetKind::hazards;
  if (hazards) sample.target.classes = {"died", "moved"}, sample.target.edges = {0, 1, 2};
  sample.predictions.mean.resize(rows, hazards ? 4 : 1);
  for (Index i = 0; i < rows; ++i) {
    const auto row = static_cast<std::uint64_t>(i);
    const double risk = 0.02 + 0.4 * random.uniform(row, 0) * random.uniform(row, 1), drawn = random.uniform(row, 2);
    sample.groups.push_back(i / 2);
    if (!hazards) {
      sample.predictions.mean(i, 0) = bold(risk);
      sample.targets.push_back(drawn < risk ? 1 : 0);
      if (decided) sample.predictions.decisions.push_back(risk > 0.15 ? 1 : 0);
      continue;
    }
    const double early = bold(risk) / 2;  // in each interval; the other end has half of it
    sample.predictions.mean.row(i) << early, early / 2, 2 * early, early;
    const bool lost = random.uniform(row, 3) < 0.2;
    const double time = std::floor(2 * random.uniform(row, 4));  // survived * 3 + end
    sample.targets.push_back(drawn < risk ? 3 * time + 1 : drawn < 1.5 * risk ? 3 * time + 2 : lost ? 3 : 6);
  }
  sample.predictions.spread = Matrix<double>::Zero(rows, sample.predictions.mean.cols());
  return sample;
}

/// Checks that each interval holds its score, and that a score without an interval has a floor.
void check_ranges(const ScoredSample& sample) {
  const auto scores = study::scores_of(sample.target, !sample.predictions.decisions.empty());
  const auto values = sample.scored(200);
  REQUIRE(values.size() == scores.size());
  for (std::size_t s = 0; s < scores.size(); ++s) {
    const study::ScoreValue& one = values[s];
    INFO(scores[s].name << " " << one.value << " [" << one.low << ", " << one.high << "], rows "
                        << sample.targets.size());
    if (std::isnan(one.value)) continue;
    CHECK(one.low <= one.high);
    if (scores[s].range == study::ScoreRange::interval) {
      CHECK(one.low <= one.value);
      CHECK(one.value <= one.high);
      CHECK(std::isnan(one.floor));
    } else {
      CHECK(one.low <= one.floor);
      CHECK(one.floor <= one.high);
    }
  }
}

constexpr study::TargetKind kKinds[]{study::TargetKind::binary, study::TargetKind::classes, study::TargetKind::number};

}  // namespace

TEST_CASE("the scores of a study are the metrics of its predictions", "[study][scores][twin]") {
  const ScoredSample two = scored_sample(study::TargetKind::binary, 300, 3, 1);
  const std::vector<double> p = first_column(two.predictions.mean);
  const std::vector<Index> y = class_numbers(two.targets);
  CHECK(two.named("auroc").value == auroc(p, y));
  CHECK(two.named("average_precision").value == average_precision(p, y));
  CHECK(std::abs(two.named("brier").value - brier_score(p, y)) < kScoreRounding);
  CHECK(std::abs(two.named("log_loss").value - log_loss(p, y)) < kScoreRounding);
  CHECK(std::abs(two.named("calibration_error").value - expected_calibration_error(p, y)) < kScoreRounding);

  const ScoredSample many = scored_sample(study::TargetKind::classes, 300, 3, 2);
  const std::vector<Index> classes = class_numbers(many.targets);
  CHECK(std::abs(many.named("accuracy").value - accuracy(many.predictions.mean, classes)) < kScoreRounding);
  CHECK(std::abs(many.named("log_loss").value - log_loss(many.predictions.mean, classes)) < kScoreRounding);
  CHECK(std::abs(many.named("brier").value - brier_score(many.predictions.mean, classes)) < kScoreRounding);

  const ScoredSample real = scored_sample(study::TargetKind::number, 300, 3, 3);
  const std::vector<double> means = first_column(real.predictions.mean);
  CHECK(std::abs(real.named("absolute_error").value - mean_absolute_error(means, real.targets)) < kScoreRounding);
  CHECK(std::abs(real.named("squared_error").value - root_mean_squared_error(means, real.targets)) < kScoreRounding);
  CHECK(std::abs(real.named("r_squared").value - coefficient_of_determination(means, real.targets)) < kScoreRounding);
  CHECK(std::abs(real.named("negative_log_likelihood").value -
                 gaussian_negative_log_likelihood(means, real.predictions.deviation, real.targets)) < kScoreRounding);
  // 300 draws with the right deviations: the standard error of a share of 0.9 is 0.017; 4 of them
  CHECK(std::abs(real.named("coverage_90").value - 0.9) < 0.07);
}

TEST_CASE("AUROC and calibration of several classes are those worked out by hand", "[study][scores]") {
  ScoredSample sample;
  sample.target = target_of(study::TargetKind::classes);
  sample.targets = {0, 1, 2, 0};
  sample.groups = {0, 1, 2, 3};
  sample.predictions.mean = Matrix<double>{{0.6, 0.3, 0.1}, {0.7, 0.2, 0.1}, {0.1, 0.1, 0.8}, {0.5, 0.4, 0.1}};
  // a: 0.6, 0.5 against 0.7, 0.1: 2 of 4; b: 0.2 against 0.3, 0.1, 0.4: 1 of 3; c: all right
  CHECK(std::abs(sample.named("macro_auroc").value - (0.5 + 1.0 / 3 + 1) / 3) < kScoreRounding);
  // largest probabilities 0.6, 0.7, 0.8, 0.5, each in a bin of its own, and right, wrong, right, right
  CHECK(std::abs(sample.named("calibration_error").value - (0.4 + 0.7 + 0.2 + 0.5) / 4) < kScoreRounding);
  sample.targets = {0, 1, 1, 0};  // c never happens: the mean of a and b
  // b: 0.2, 0.1 against 0.3, 0.4: none
  CHECK(std::abs(sample.named("macro_auroc").value - (0.5 + 0) / 2) < kScoreRounding);
}

TEST_CASE("the intervals of all scores are those of bootstrap_interval over whole groups", "[study][scores][twin]") {
  BootstrapSettings settings;
  settings.draws = 60;
  settings.kind = BootstrapKind::percentile;
  for (const study::TargetKind kind : kKinds) {
    const ScoredSample sample = scored_sample(kind, 120, 4, 8);
    const auto values = sample.scored(settings.draws);
    for (std::size_t s = 0; s < values.size(); ++s) {
      if (study::scores_of(sample.target)[s].range != study::ScoreRange::interval) continue;
      const auto statistic = [&](std::span<const Index> rows) { return rows_of(sample, rows).scored()[s].value; };
      const BootstrapInterval interval = bootstrap_interval(120, statistic, Random(5), settings, sample.groups);
      INFO(study::scores_of(sample.target)[s].name);
      CHECK(std::abs(values[s].value - interval.estimate) < kScoreRounding);
      CHECK(std::abs(values[s].low - interval.low) < kScoreRounding);
      CHECK(std::abs(values[s].high - interval.high) < kScoreRounding);
      CHECK(values[s].low < values[s].high);
    }
  }
}

TEST_CASE("what is called a 95 % interval holds its score, for every score of every kind",
          "[study][scores][property]") {
  using enum study::TargetKind;
  for (const Index rows : {60, 200, 900}) {
    for (const study::TargetKind kind : kKinds) check_ranges(scored_sample(kind, rows, 2, 8));
    for (const study::TargetKind kind : {binary, hazards})
      for (const double boldness : {1.0, 0.5, 2.0})
        for (const bool decided : {false, true})
          if (!decided || kind == binary) check_ranges(risky_sample(kind, rows, boldness, decided));
  }
}

TEST_CASE("the floor of a score is where it lies if the risks are exactly right", "[study][scores][statistics]") {
  // Of 40 samples with right risks 90 % lie between; fewer than 30 do so with probability 0.002.
  const auto within = [](double boldness) {
    int held = 0;
    for (Index k = 0; k < 40; ++k) {
      const ScoredSample sample = risky_sample(study::TargetKind::binary, 200 + k, boldness, true);
      const auto scores = study::scores_of(sample.target, true);
      const auto values = sample.scored(100);
      for (std::size_t s = 0; s < scores.size(); ++s)
        if (scores[s].name == "sized_calibration_error" && values[s].low <= values[s].value &&
            values[s].value <= values[s].high)
          ++held;
    }
    return held;
  };
  CHECK(within(1.0) >= 30);
  CHECK(within(0.4) < 10);
}

TEST_CASE("rows that only repeat their group make no interval narrower", "[study][scores]") {
  ScoredSample sample = scored_sample(study::TargetKind::binary, 100, 1, 4);
  const study::ScoreValue once = sample.named("auroc", 2000);
  std::vector<Index> rows;
  for (Index i = 0; i < 100; ++i) rows.insert(rows.end(), 5, i);
  ScoredSample five = rows_of(sample, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) five.groups[i] = rows[i];
  const study::ScoreValue repeated = five.named("auroc", 2000);
  CHECK(std::abs(repeated.low - once.low) < kScoreRounding);
  CHECK(std::abs(repeated.high - once.high) < kScoreRounding);
}

TEST_CASE("the interval of AUROC holds chance for labels by chance", "[study][scores][statistics]") {
  // 40 seeds at the level 0.95: fewer than 34 hold it with probability 0.004.
  int held = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    ScoredSample sample = scored_sample(study::TargetKind::binary, 200, 2, 100 + seed);
    for (std::size_t i = 0; i < sample.targets.size(); ++i)
      sample.targets[i] = Random(seed).stream("labels").uniform(i) < 0.4 ? 1 : 0;
    const study::ScoreValue area = sample.named("auroc", 500);
    if (area.low <= 0.5 && 0.5 <= area.high) ++held;
  }
  CHECK(held >= 34);
}

TEST_CASE("what the data cannot tell is NaN and no error", "[study][scores][limit]") {
  ScoredSample sample = scored_sample(study::TargetKind::binary, 50, 1, 6);
  sample.targets.assign(50, 1.0);
  CHECK(std::isnan(sample.named("auroc").value));
  CHECK(std::isnan(sample.named("auroc").low));
  CHECK(sample.named("brier").low < sample.named("brier").high);

  ScoredSample one_group = scored_sample(study::TargetKind::number, 50, 50, 6);
  CHECK(one_group.named("absolute_error").value > 0);
  CHECK(std::isnan(one_group.named("absolute_error").low));
  CHECK(std::isnan(one_group.named("absolute_error").high));
  one_group.targets.assign(50, 2.0);
  CHECK(std::isnan(one_group.named("r_squared").value));

  ScoredSample two_groups = scored_sample(study::TargetKind::binary, 4, 2, 6);
  two_groups.targets = {0, 0, 1, 1};  // every second draw has one class alone
  CHECK_FALSE(std::isnan(two_groups.named("auroc").value));
  CHECK_NOTHROW(two_groups.scored(10));

  for (const study::TargetKind kind : kKinds)
    for (const study::ScoreValue& value : scored_sample(kind, 0, 1, 6).scored()) {
      CHECK(std::isnan(value.value));
      CHECK(std::isnan(value.low));
    }
}

TEST_CASE("scores have the same bits for any number of threads", "[study][scores][threads]") {
  const int before = omp_get_max_threads();
  for (const study::TargetKind kind : kKinds) {
    const ScoredSample sample = scored_sample(kind, 1200, 2, 9);
    omp_set_num_threads(1);
    const auto one = sample.scored(100);
    for (const int threads : {2, 3, 5}) {
      omp_set_num_threads(threads);
      const auto many = sample.scored(100);
      for (std::size_t s = 0; s < one.size(); ++s) {
        CHECK(one[s].value == many[s].value);
        CHECK(one[s].low == many[s].low);
        CHECK(one[s].high == many[s].high);
      }
    }
  }
  omp_set_num_threads(before);
}

TEST_CASE("scores refuse shapes and targets that do not fit", "[study][scores]") {
  ScoredSample sample = scored_sample(study::TargetKind::binary, 20, 1, 6);
  CHECK_THROWS_WITH(sample.scored(9), "scored: draws = 9, but must be >= 10.");
  sample.targets[3] = 2;
  CHECK_THROWS_WITH(sample.scored(), "scored: a target is 2, but must be a whole number in [0, 2).");
  sample.targets.pop_back();
  CHECK_THROWS_WITH(sample.scored(), "scored: there are 20 predictions, 19 targets and 20 groups; as many are needed.");
  ScoredSample wide = scored_sample(study::TargetKind::classes, 20, 1, 6);
  wide.target.classes.push_back("d");
  CHECK_THROWS_WITH(wide.scored(), "scored: the predictions have 3 columns, but must have 4.");
  ScoredSample bare = scored_sample(study::TargetKind::number, 20, 1, 6);
  bare.predictions.deviation.clear();
  CHECK_THROWS_WITH(bare.scored(), "scored: there are 20 means but 0 deviations; each mean needs one.");
}
