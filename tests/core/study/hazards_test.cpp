/// Targets of hazards: their codes, estimators, scores and baselines, and a study that learns known ones.

#include "fovea/core/study/baselines/baselines.hpp"
#include "fovea/core/study/cases/split.hpp"
#include "fovea/core/study/hazards/hazard_scores.hpp"
#include "fovea/core/study/hazards/hazard_target.hpp"
#include "fovea/core/study/predict/prediction_rows.hpp"
#include "fovea/core/study/scores/scores.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/statistics/kaplan_meier.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

Target two_ends() {
  return {
      .kind = TargetKind::hazards, .name = "end", .unit = "yr", .classes = {"dead", "moved"}, .edges = {0, 1, 2, 5}};
}

Target one_end() {
  return {.kind = TargetKind::hazards, .name = "end", .unit = "yr", .classes = {"dead"}, .edges = {0, 1, 2}};
}

TEST_CASE("codes of hazards hold what was seen, and NaN what was not", "[study][hazards]") {
  const Target target = two_ends();
  CHECK(target.outputs() == 9);
  const std::vector<double> times{0.5, 1, 1, 3.4, 9, 3, kNan}, ends{1, 2, 0, 0, 1, 2, 1};
  const std::vector<double> codes = hazard_codes(target, times, ends);
  // survived * 3 + end: an end at an edge came before it; who is censored at an edge passed the interval.
  const auto whole = [](std::vector<double> values) {
    for (double& value : values) value = std::floor(value);
    return values;
  };
  CHECK(whole(hazard_codes(target, std::vector<double>{3.4, 3.6}, std::vector<double>{0, 0})) ==
        std::vector<double>{6, 9});
  CHECK(whole(std::vector<double>(codes.begin(), codes.end() - 1)) == std::vector<double>{1, 2, 3, 6, 9, 8});
  CHECK(std::isnan(codes.back()));
  const ObservedEnds seen = observed_ends(target, std::vector<double>(codes.begin(), codes.end() - 1));
  CHECK(seen.times == std::vector<double>{0.5, 0.5, 1, 2, 3, 2.5});
  CHECK(seen.ends == std::vector<Index>{1, 2, 0, 0, 0, 2});
  CHECK(support::refusal_of<ArgumentError>([&] { hazard_codes(target, times, std::vector<double>(7, 3)); }) ==
        "hazard_codes: an end is 3, but must be a whole number in [0, 2].");
}

TEST_CASE("codes keep the times themselves in their order, beyond the horizon too", "[study][hazards]") {
  const Target target = two_ends();  // edges 0, 1, 2, 5
  std::vector<double> times, ends;
  for (const double time :
       {0.0, 1e-7, 0.25, 0.5, 0.5000001, 0.75, 1.0, 1.5, 2.0, 2.2, 3.5, 3.6, 4.9, 5.0, 5.0001, 7.0, 900.0})
    for (const double end : {0.0, 1.0, 2.0}) times.push_back(time), ends.push_back(end);
  const ObservedEnds exact = exact_ends(target, hazard_codes(target, times, ends));
  for (std::size_t i = 0; i < times.size(); ++i) {
    INFO(times[i] << " ended by " << ends[i]);
    CHECK(exact.ends[i] == static_cast<Index>(ends[i]));
    CHECK((i == 0 || exact.times[i] >= exact.times[i - 1]));
    CHECK((i < 6 || times[i] == times[i - 1] || exact.times[i] > exact.times[i - 1]));
    CHECK((times[i] == 0 || i % 3 == 0 || exact.times[i] == exact.times[i - 1]));
  }
}

TEST_CASE("the C-index of hazards is that of the times themselves", "[study][hazards]") {
  const Target target = one_end();
  std::vector<double> times, ends;
  Matrix<double> mean(60, 2);
  const Random random(5);
  for (std::uint64_t i = 0; i < 60; ++i) {
    times.push_back(std::round(400 * random.uniform(i, 0)) / 100);
    ends.push_back(random.uniform(i, 1) < 0.6 ? 1 : 0);
    mean(static_cast<Index>(i), 1) = std::round(20 * (random.uniform(i, 2) - 0.1 * times.back())) / 20;
    mean(static_cast<Index>(i), 0) = mean(static_cast<Index>(i), 1) / 2;
  }
  double right = 0, pairs = 0;  // Harrell et al. 1982, by the definition
  for (std::size_t i = 0; i < 60; ++i)
    for (std::size_t j = 0; j < 60; ++j) {
      const bool first = ends[i] == 1 && (times[i] < times[j] || (times[i] == times[j] && ends[j] == 0));
      if (!first || i == j) continue;
      const double a = mean(static_cast<Index>(i), 1), b = mean(static_cast<Index>(j), 1);
      ++pairs;
      right += a > b ? 1 : a == b ? 0.5 : 0;
    }
  const double found =
      hazard_concordance_score(target, mean, hazard_codes(target, times, ends))(std::vector<double>(60, 1.0));
  CHECK(found == right / pairs);
}

TEST_CASE("incidences of codes are those of Kaplan and Meier at the edges", "[study][hazards]") {
  const Target target = one_end();
  // 4 at risk in the first year, 1 ends; then one is censored at its end, 1 of 2 ends.
  const std::vector<double> codes =
      hazard_codes(target, std::vector<double>{0.5, 1, 1.5, 9}, std::vector<double>{1, 0, 1, 0});
  std::vector<double> errors;
  const std::vector<double> shares = incidences_of(target, codes, &errors);
  CHECK(std::abs(shares[0] - 0.25) < 1e-12);
  CHECK(std::abs(shares[1] - (1 - 0.75 * 0.5)) < 1e-12);
  const auto plain = support::kaplan_meier(std::vector<double>{0.5, 1, 1.5, 2}, std::vector<Index>{1, 0, 1, 0});
  CHECK(std::abs(shares[1] - (1 - support::survival_at(plain, 2))) < 1e-12);
  CHECK(std::abs(errors[1] - plain[2].error) < 1e-12);
}

TEST_CASE("members of hazards are averaged as incidences", "[study][hazards]") {
  const Target target = one_end();
  const Matrix<double> certain{{0, 0, 0, 0}}, rare{{-std::log(3.0), 0, -std::log(3.0), 0}};
  const std::vector<Matrix<double>> outputs{certain, rare};
  const Predictions both = combined_hazards(target, outputs);
  CHECK(std::abs(both.mean(0, 0) - (0.5 + 0.25) / 2) < 1e-12);
  CHECK(std::abs(both.mean(0, 1) - (0.75 + 0.4375) / 2) < 1e-12);
  CHECK(std::abs(both.spread(0, 0) - 0.25 / std::sqrt(2.0)) < 1e-12);
}

TEST_CASE("scores of hazards equal examples by hand", "[study][hazards]") {
  const Target target = one_end();
  const std::vector<double> codes =
      hazard_codes(target, std::vector<double>{0.5, 1, 1.5, 9}, std::vector<double>{1, 0, 1, 0});
  Matrix<double> mean(4, 2);
  mean << 0.4, 0.6, 0.1, 0.7, 0.2, 0.5, 0.1, 0.2;
  const std::vector<double> once(4, 1), without_third{1, 1, 0, 1};
  // Pairs: 1 ended before 2 (risk .6 < .7), 3 and 4; 3 ended before 4; 2 left before 3 ended.
  CHECK(std::abs(hazard_concordance_score(target, mean, codes)(once) - 0.75) < 1e-12);
  CHECK(std::abs(hazard_concordance_score(target, mean, codes)(without_third) - 0.5) < 1e-12);
  // 2 left after the first year, one of three: of the rest 3 and 4 stand for 1.5 each.
  CHECK(hazard_auroc_score(target, mean, codes)(once) == 1);
  CHECK(std::abs(hazard_brier_score(target, mean, codes)(once) - (0.16 + 1.5 * 0.25 + 1.5 * 0.04) / 4) < 1e-12);
  Matrix<double> discordant = mean;
  discordant(3, 1) = 0.55;
  CHECK(std::abs(hazard_auroc_score(target, discordant, codes)(once) - 1 / (1 + 1.5)) < 1e-12);
  // Without 2 nobody was censored.
  const std::vector<double> without_second{1, 0, 1, 1};
  CHECK(std::abs(hazard_auroc_score(target, discordant, codes)(without_second) - 0.5) < 1e-12);
  CHECK(std::abs(hazard_brier_score(target, mean, codes)(without_second) - (0.16 + 0.25 + 0.04) / 3) < 1e-12);
  CHECK(std::abs(hazard_observed_score(target, mean, codes)(once) - 0.625 / 0.5) < 1e-12);
  const double likelihood = -(std::log(0.4) + std::log(0.9) + std::log(0.3) + std::log(0.8)) / 4;
  CHECK(std::abs(hazard_likelihood_score(target, mean, codes)(once) - likelihood) < 1e-12);
  const std::vector<double> doubled{2, 0, 0, 1};
  CHECK(std::abs(hazard_observed_score(target, mean, codes)(doubled) - (2.0 / 3) / ((1.2 + 0.2) / 3)) < 1e-12);
}

TEST_CASE("scores of the second end count the first among the others", "[study][hazards]") {
  const Target target = two_ends();
  const std::vector<double> codes =
      hazard_codes(target, std::vector<double>{0.5, 1.5, 2, 9}, std::vector<double>{2, 1, 0, 0});
  Matrix<double> mean = Matrix<double>::Zero(4, 6);
  mean.col(5) << 0.3, 0.2, 0.1, 0.4;  // of "moved" by the horizon
  const std::vector<double> once(4, 1);
  // 3 left after two years, one of two: 4 stands for 2.
  CHECK(std::abs(hazard_brier_score(target, mean, codes, 2)(once) - (0.49 + 0.04 + 2 * 0.16) / 4) < 1e-12);
  CHECK(std::abs(hazard_auroc_score(target, mean, codes, 2)(once) - 1.0 / 3) < 1e-12);
  // 1 moved before 2 (censored by death), 3 and 4.
  CHECK(std::abs(hazard_concordance_score(target, mean, codes, 2)(once) - 2.0 / 3) < 1e-12);
  CHECK(std::abs(hazard_observed_score(target, mean, codes, 2)(once) - 0.25 / 0.25) < 1e-12);
  CHECK(scores_of(target).size() == 9);
  CHECK(scores_of(target)[4].name == "concordance_2");
  CHECK(scores_of(target)[4].title == "C-index of 'moved'");
  CHECK(scores_of(one_end())[0].title == "C-index");
}

TEST_CASE("weights for censoring give the Brier score that all would have, and leaving out the censored does not",
          "[study][hazards][statistics]") {
  const Target target = one_end();
  const Random random(9);
  constexpr Index kRows = 20000;
  std::vector<double> times, ends, full_times, known;
  Matrix<double> mean(kRows, 2);
  for (Index i = 0; i < kRows; ++i) {
    const auto entity = static_cast<std::uint64_t>(i);
    const double hazard = 0.1 + 0.5 * random.uniform(entity, 0);
    mean.row(i) << hazard, 1 - (1 - hazard) * (1 - hazard);
    const double time = random.uniform(entity, 1) < hazard ? 0.5 : random.uniform(entity, 2) < hazard ? 1.5 : 9;
    const bool lost = random.uniform(entity, 3) < 0.5 && time > 1;
    full_times.push_back(time);
    times.push_back(lost ? 1 : time);
    ends.push_back(lost || time > 2 ? 0 : 1);
    known.push_back(lost ? 0 : 1);
  }
  const std::vector<double> once(kRows, 1), all_ends(kRows, 1);
  const double of_all = hazard_brier_score(target, mean, hazard_codes(target, full_times, all_ends))(once),
               weighted = hazard_brier_score(target, mean, hazard_codes(target, times, ends))(once),
               left_out = hazard_brier_score(target, mean, hazard_codes(target, full_times, all_ends))(known);
  // a square has a deviation of about 0.2, half of those at risk count twice: standard error 0.002; 4 of them
  CHECK(std::abs(weighted - of_all) < 0.008);
  CHECK(std::abs(left_out - of_all) > 0.01);
}

TEST_CASE("a likelihood takes the share of an end in its interval", "[study][hazards]") {
  const Target target = two_ends();
  Matrix<double> mean(1, 6);
  mean << 0.1, 0.2, 0.15, 0.3, 0.2, 0.5;
  const std::vector<double> once{1};
  const auto score = [&](double time, double end) {
    return hazard_likelihood_score(target, mean,
                                   hazard_codes(target, std::vector<double>{time}, std::vector<double>{end}))(once);
  };
  CHECK(std::abs(score(1.5, 2) + std::log(0.1)) < 1e-12);
  CHECK(std::abs(score(2, 0) + std::log(0.55)) < 1e-12);
  CHECK(score(0.5, 0) == 0);
}

TEST_CASE("shifts of hazards expect as many ends as were seen", "[study][hazards]") {
  const Target target = two_ends();
  constexpr Index kRows = 300;
  const Random random(3);
  std::vector<Matrix<double>> outputs{Matrix<double>(kRows, 9), Matrix<double>(kRows, 9)};
  std::vector<double> times, ends;
  for (Index i = 0; i < kRows; ++i) {
    const auto entity = static_cast<std::uint64_t>(i);
    for (Index c = 0; c < 9; ++c) {
      outputs[0](i, c) = random.normal(entity, static_cast<std::uint64_t>(c));
      outputs[1](i, c) = outputs[0](i, c) + 0.1;
    }
    times.push_back(5 * random.uniform(entity, 20));
    ends.push_back(static_cast<double>(random.below(3, entity, 21)));
  }
  std::vector<double> codes = hazard_codes(target, times, ends);
  codes[7] = kNan;
  const std::vector<double> shifts = hazard_shifts(target, outputs, codes);
  REQUIRE(shifts.size() == 2);
  const Predictions plain = combined_hazards(target, outputs, shifts);
  double seen = 0, expected = 0;
  const learning::HazardTargets known = hazards_of_codes(target, codes);
  for (Index end = 1; end <= 2; ++end) {
    seen = expected = 0;
    for (Index i = 0; i < kRows; ++i) {
      const std::size_t row = i;
      if (i == 7) continue;
      seen += known.ends[row] == end ? 1 : 0;
      for (const Matrix<double>& output : outputs)
        for (Index t = 0; t < known.survived[row] + (known.ends[row] > 0 ? 1 : 0); ++t) {
          double sum = std::exp(output(i, 3 * t + 2));
          for (Index k = 0; k < 2; ++k) sum += std::exp(output(i, 3 * t + k) + shifts[k]);
          expected += std::exp(output(i, 3 * t + end - 1) + shifts[end - 1]) / sum / 2;
        }
    }
    CHECK(std::abs(seen - expected) < 1e-6);
  }
  CHECK(plain.mean.maxCoeff() < 1);
  CHECK(hazard_shifts(target, outputs, std::vector<double>(kRows, kNan)).empty());
}

TEST_CASE("strata of hazards are the ends, whenever they come", "[study][hazards]") {
  Cases cases;
  const Target target = two_ends();
  cases.targets = hazard_codes(target, std::vector<double>{0.5, 1.5, 4, 4, kNan}, std::vector<double>{1, 1, 2, 0, 1});
  cases.offsets = {0, 0, 0, 0, 0, 0};
  CHECK(strata_of(cases, target) == std::vector<Index>{1, 1, 2, 0, -1});
}

TEST_CASE("rows of hazards have a column for each end and time", "[study][hazards]") {
  CHECK(prediction_header(two_ends()) ==
        "id,p_dead_by_1,p_moved_by_1,p_dead_by_2,p_moved_by_2,p_dead_by_5,p_moved_by_5,spread\n");
}

/// Cases of one number x: in each of three years logit(death) = x - 1.5, logit(moving) = -2 against neither; one in
/// three is lost in a year drawn at random.
class KnownHazards final : public LearnedTask {
 public:
  std::string_view name() const override { return "toy.hazards"; }
  std::string_view summary() const override { return "known hazards"; }
  int result_version() const override { return 1; }
  void keys(Schema& schema) const override { schema.file("data.file", "none"); }
  Target target(const Config&) const override {
    return {.kind = TargetKind::hazards, .name = "end", .classes = {"dead", "moved"}, .edges = {0, 1, 2, 3}};
  }
  static Matrix<double> logits(double x) { return Matrix<double>{{x - 1.5, -2, 0, x - 1.5, -2, 0, x - 1.5, -2, 0}}; }

  std::unique_ptr<CaseReader> open(const Config& config, const Random& random) const override {
    constexpr Index kCases = 2500;
    Cases cases;
    cases.features = {{"x", "1", {}}};
    cases.values.resize(kCases, 1);
    std::vector<double> times, ends;
    for (Index b = 0; b < kCases; ++b) {
      const auto entity = static_cast<std::uint64_t>(b);
      const double x = random.normal(entity, 0);
      cases.values(b, 0) = static_cast<float>(x);
      cases.offsets.push_back(b + 1);
      cases.ids.push_back(concat("case ", b));
      const Matrix<double> shares = learning::hazard_incidences(logits(x), 2);
      double time = 3.5, end = 0, drawn = random.uniform(entity, 1);
      for (Index t = 0; t < 3 && end == 0; ++t)
        for (Index k = 0; k < 2 && end == 0; ++k) {
          drawn -= shares(0, 3 * t + k) - (t > 0 ? shares(0, 3 * t + k - 3) : 0);
          if (drawn < 0) time = static_cast<double>(t) + 0.5, end = static_cast<double>(k + 1);
        }
      const double lost = random.uniform(entity, 2) < 0.33 ? std::floor(3 * random.uniform(entity, 3)) : 9;
      if (lost < time) time = lost, end = 0;
      times.push_back(time);
      ends.push_back(end);
    }
    cases.targets = hazard_codes(target(config), times, ends);
    return reader_of(std::move(cases));
  }
  void examine(const StudyOutcome& outcome, Results& results) const override {
    double error = 0;
    for (Index b = 0; b < outcome.cases.count(); ++b) {
      const Matrix<double> truth =
          learning::hazard_incidences(logits(static_cast<double>(outcome.cases.values(b, 0))), 2);
      error += std::abs(outcome.predictions.mean(b, 4) - truth(0, 6));
    }
    results.scalar("error", error / static_cast<double>(outcome.cases.count()), "1", "mean error of the incidence");
  }
};

TEST_CASE("a study finds known hazards in spite of censoring and a competing end", "[study][hazards][long]") {
  const Study study(std::make_unique<KnownHazards>());
  const Results results = support::run_of(
      study,
      {"split.folds=2", "split.validation=0", "training.epochs=15", "training.patience=0", "training.batch_tokens=64",
       "ensemble.members=2", "model.width=8", "model.heads=1", "model.blocks=1", "explain.cases=0"},
      2);
  // The base rate's error is .14.
  CHECK(results.data.at("error").reals()[0] < 0.08);
  const auto& value = results.data.at("score_value").reals();
  REQUIRE(value.size() == 3 * 9);
  CHECK(value[0] > 0.68);                       // concordance
  CHECK(std::abs(value[3] - 1) < 0.1);          // observed over expected
  CHECK(std::abs(value[7] - 1) < 0.15);         // of the second end, which x does not tell
  CHECK((value[5] > 0.5 && value[5] < 0.7));    // its AUROC: who is likely to die is less likely to move
  CHECK(std::abs(value[18] - 0.5) < 0.02);      // the base rate's concordance
  CHECK(std::abs(value[9] - value[0]) < 0.01);  // ridge: one number orders as well
  CHECK(value[2] < value[20]);                  // Brier score beside that of the base rate
  CHECK(value[8] < value[26]);                  // likelihood, too
  CHECK(results.verdict().find("C-index of 'dead' 0.") == 0);
  CHECK(results.figures().front().name == "incidence_by_risk");
  const auto& predicted = results.data.at("group_predicted").reals();
  const auto& low = results.data.at("group_low").reals();
  const auto& high = results.data.at("group_high").reals();
  REQUIRE(predicted.size() == 9);
  for (std::size_t i = 0; i < 9; ++i) CHECK((low[i] - 0.03 < predicted[i] && predicted[i] < high[i] + 0.03));
  CHECK(results.data.at("end_observed").reals().size() == 6);
  CHECK(results.data.at("tenth_observed").reals().size() == 20);
}

}  // namespace
}  // namespace fovea::study
