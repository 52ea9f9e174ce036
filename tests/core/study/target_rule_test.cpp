/// What every kind of target promises to whoever asks its rule, and what is said of its scores.

#include "fovea/core/study/cases/target_rule.hpp"

#include <set>

#include "fovea/core/study/baselines/baselines.hpp"
#include "fovea/core/study/report/doubts.hpp"
#include "fovea/core/study/scores/scores.hpp"
#include "fovea/core/study/trees/tree_lesson.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {

namespace {

std::vector<Target> targets_of_all_kinds() {
  return {{.kind = TargetKind::binary, .name = "rise", .classes = {"falls", "rises"}},
          {.kind = TargetKind::classes, .name = "colour", .classes = {"red", "green", "blue"}},
          {.kind = TargetKind::hazards, .name = "end", .classes = {"dead", "moved"}, .edges = {0, 1, 2, 5}},
          {.kind = TargetKind::number, .name = "level", .classes = {}}};
}

Matrix<double> drawn(Index rows, Index columns, const Random& random) {
  Matrix<double> values(rows, columns);
  for (Index i = 0; i < values.size(); ++i) values.data()[i] = random.uniform(static_cast<std::uint64_t>(i)) - 0.5;
  return values;
}

auto cells_in(const std::string& line) { return 1 + std::count(line.begin(), line.end(), ','); }

}  // namespace

TEST_CASE("every kind of target has a rule of its own name", "[study]") {
  std::set<std::string_view> names;
  for (const Target& target : targets_of_all_kinds()) {
    names.insert(target.rule().name());
    CHECK(target.rule().real() == (target.rule().codes(target) == 0));
  }
  CHECK(names.size() == targets_of_all_kinds().size());
}

TEST_CASE("every kind of target that takes trees: both ways of growing learn a step, in the model's columns",
          "[study][trees][property]") {
  constexpr Index kRows = 3000;
  Matrix<float> rows(kRows, 1);
  for (Index i = 0; i < kRows; ++i) rows(i, 0) = static_cast<float>(i);
  BoostingSettings boosting{.rounds = 40, .learning_rate = 0.2, .row_share = 1, .column_share = 1};
  for (const Target& target : targets_of_all_kinds()) {
    const TargetRule& rule = target.rule();
    std::vector<float> outcomes;
    std::vector<double> targets;
    // Of hazards the first end at once, or none: the main score tells no times of ends apart.
    const Index steps = rule.real() ? 5 : rule.legible() ? rule.codes(target) : 2;
    const auto outcome_of = [&](Index step) {
      const Index code = rule.legible() ? step : step == 0 ? 1 : rule.outputs(target);
      return static_cast<float>(code) - (rule.real() ? 2 : 0);
    };
    for (Index i = 0; i < kRows; ++i) {
      outcomes.push_back(outcome_of(i * steps / kRows));
      // one code in ten is another in what is examined, so that no weight grows without end
      const bool other = !rule.real() && i % 10 == 0;
      targets.push_back(static_cast<double>(other ? outcome_of((i / 10) % steps) : outcomes.back()));
    }
    const Matrix<double> noise = 10 * drawn(kRows, target.outputs(), Random(8));
    for (const bool boosted : {true, false}) {
      DYNAMIC_SECTION(rule.name() << (boosted ? " boosted" : " forest")) {
        const auto trees = rule.grown(target, {rows, outcomes, {}, boosted ? &boosting : nullptr, {.trees = 60}, 1});
        REQUIRE(std::ssize(trees) == rule.tree_answers(target));
        const Index questions = rule.tree_questions(target);
        for (const BoostedTrees& one : trees) CHECK(fault_of(one, questions > 1 ? 2 : 1).empty());
        Matrix<double> answers(kRows * questions, rule.tree_answers(target));
        for (Index i = 0; i < answers.rows(); ++i) {
          const std::array<float, 2> row{rows(i / questions, 0), static_cast<float>(i % questions)};
          for (std::size_t k = 0; k < trees.size(); ++k)
            answers(i, static_cast<Index>(k)) = trees[k].log_odds(row.data());
        }
        rule.trees_to_outputs(!boosted, answers);
        answers.resize(kRows, answers.cols() * questions);
        CHECK(answers.cols() == target.outputs());
        const auto found = scored_once(target, combined(target, std::array{answers}, {}, 0, 1), targets);
        const auto constant = scored_once(target, base_rate(target, targets, kRows), targets);
        const double best = scores_of(target)[0].best;
        CHECK(std::abs(found[0].value - best) < 0.3 * std::abs(constant[0].value - best));
        const auto weights = rule.stacked(target, std::vector<Matrix<double>>{noise, answers}, targets);
        CHECK(weights[1] > 0.9);
      }
    }
  }
}

TEST_CASE("every kind of target: predictions, baselines and rows have the columns of its rule", "[study][property]") {
  constexpr Index kRows = 40;
  for (const Target& target : targets_of_all_kinds()) {
    DYNAMIC_SECTION(target.rule().name()) {
      const TargetRule& rule = target.rule();
      const Random random(7);
      const std::vector<Matrix<double>> outputs{drawn(kRows, target.outputs(), random.stream("first")),
                                                drawn(kRows, target.outputs(), random.stream("second"))};
      const Predictions found = combined(target, outputs, {}, 3, 2);
      CHECK(found.mean.cols() == rule.columns(target));
      CHECK(found.deviation.empty() != rule.real());

      std::vector<double> targets;
      for (Index i = 0; i < kRows; ++i)
        targets.push_back(static_cast<double>(rule.real() ? i : i % rule.codes(target)));
      const Matrix<double> columns = drawn(kRows, 2, random.stream("columns"));
      CHECK(base_rate(target, targets, 3).mean.cols() == rule.columns(target));
      CHECK(ridge(target, columns, targets, columns, targets, columns).mean.cols() == rule.columns(target));
      CHECK(scored_once(target, found, targets).size() == scores_of(target).size());

      CHECK(cells_in(rule.header(target, false)) + 1 == cells_in(rule.cells(target, found, 0)));
      if (!rule.binary()) continue;
      Predictions decided = found;
      decide_rows(decided, 0.5);
      CHECK(cells_in(rule.header(target, true)) + 1 == cells_in(rule.cells(target, decided, 0)));
    }
  }
}

TEST_CASE("a score that is not defined and one without an interval are told apart", "[study][findings]") {
  const NotEvaluable undefined{"AUROC", kNan, kNan}, wide{"AUROC", 0.7, kNan};
  CHECK(undefined.holds());
  CHECK(undefined.sentence() ==
        "The predictions cannot be evaluated: AUROC is not defined on the cases that were tested.");
  CHECK(wide.holds());
  CHECK(wide.sentence() == "The predictions cannot be evaluated: AUROC has no interval on the cases that were tested.");
}

TEST_CASE("a score is better than chance, no better, or worse, whichever way it is counted", "[study][findings]") {
  const auto kinds = [](double low, double high, bool less) {
    const AgainstChance score{"score", (low + high) / 2, low, high, 0.5, 0.5, less ? "the base rate" : "chance", less};
    return std::vector<bool>{StudyScore{score, {}, true}.holds(), NoBetterThanChance{score}.holds(),
                             WorseThanChance{score}.holds()};
  };
  CHECK(kinds(0.6, 0.7, false) == std::vector<bool>{true, false, false});
  CHECK(kinds(0.4, 0.6, false) == std::vector<bool>{false, true, false});
  CHECK(kinds(0.3, 0.4, false) == std::vector<bool>{false, false, true});
  CHECK(kinds(0.6, 0.7, true) == std::vector<bool>{false, false, true});
  CHECK(kinds(0.3, 0.4, true) == std::vector<bool>{true, false, false});
  const WorseThanChance reversed{{"AUROC", 0.4, 0.31, 0.48, 0.5, 0.74, "chance", false}};
  CHECK(reversed.sentence() ==
        "Worse than chance, which has 0.5: AUROC 0.4 [0.31, 0.48]; are the outcomes or their order reversed? The ridge "
        "model has 0.74.");
}

TEST_CASE("what is simpler and better, perfect scores and few cases are said, and not without reason",
          "[study][findings]") {
  CHECK(SimplerIsBetter{"error", "the ridge model", 0.9, 1.2, 1.0, 1.4, 1.5, true}.holds());
  CHECK(!SimplerIsBetter{"error", "the ridge model", 1.1, 1.2, 1.0, 1.4, 1.5, true}.holds());
  CHECK(!SimplerIsBetter{"error", "the ridge model", 0.9, 1.2, 1.0, 1.4, 0.8, true}.holds());  // worse than chance
  CHECK(!SimplerIsBetter{"AUROC", "boosted trees alone", 0.417, 0, 0, 0, 0.5, false}.holds());
  CHECK(!SimplerIsBetter{"error", "'x' alone", kNan, 1.2, 1.0, 1.4, 1.5, true}.holds());
  CHECK(NearlyPerfect{"mean absolute error", "attention", 0.001, 1.5, 0}.holds());
  CHECK(!NearlyPerfect{"accuracy", "attention", 0.999, 0.896, 1}.holds());  // most of it is the base rate
  CHECK(FewCases{"AUROC", 4000, 4000, 0.53, 0.5, 1, false}.holds());        // nothing was found
  CHECK(!FewCases{"AUROC", 4000, 4000, kNan, 0.5, 1, false}.holds());
  CHECK(
      FewCases{"mean absolute error", 12, 6, 0.9, 1.5, 0, true}.sentence() ==
      "12 tested cases of 6 groups would show that mean absolute error is below 1.5 in four of five such studies only "
      "where it is 0.9 or less.");
  CHECK(FewCases{"AUROC", 4, 4, 1, 0.5, 1, true}.sentence() ==
        "4 tested cases would show that AUROC is above 0.5 in four of five such studies not even where it is perfect.");
  CHECK(FewCases{"AUROC", 400, 4, 1, 0.5, 1, true}.sentence() ==
        "If the cases of a group are alike, 4 groups cannot show that AUROC is above 0.5 even where it is perfect; the "
        "interval does not take them for alike.");
  CHECK(BaseRateInstead{2, 5, 1, 1}.sentence() ==
        "In 2 of 5 folds no calibration line with a slope above 0 fits, so that the base rate of all cases stands for "
        "the risks. The final model predicts one risk for all cases, the base rate.");
  CHECK(BaseRateInstead{0, 0, 5, 1}.sentence().find("In 1 of 5 runs, on the validation part no calibration line") == 0);
  CHECK(BaseRateInstead{0, 0, 1, 1}.sentence().find("On the validation part no calibration line") == 0);
}

TEST_CASE("a part of the mixture without a weight adds nothing, and where all are alike none does",
          "[study][findings]") {
  const auto said = [](double attention, double trees, double forest) {
    return MixtureWeights{{{"attention", attention}, {"boosted trees", trees}, {"random forest", forest}}, "there"}
        .sentence();
  };
  CHECK(
      said(0.004, 0.696, 0.3) ==
      "Weights in the mixture, chosen there: attention 0.00, boosted trees 0.70, random forest 0.30. Without a weight, "
      "since the mixture is no better with it: attention.");
  CHECK(said(0.1, 0.6, 0.3).find("Without") == std::string::npos);
  CHECK(
      said(1.0 / 3, 1.0 / 3, 1.0 / 3) ==
      "All parts of the mixture have the same weight, since none does better there than one prediction for all cases.");
}

TEST_CASE("a calibration line changes no order: it is flat at the base rate where it would", "[study][calibration]") {
  const Target target;  // of two classes
  const auto fitted = [&](const std::vector<double>& logits, const std::vector<double>& targets) {
    Matrix<double> column(static_cast<Index>(logits.size()), 1);
    for (std::size_t i = 0; i < logits.size(); ++i) column(static_cast<Index>(i), 0) = logits[i];
    return calibrated(target, {&column, 1}, targets, CalibrationMethod::line, 0, 1);
  };
  for (const std::vector<double>& logits :
       std::vector<std::vector<double>>{{3, 2, 2, 1, 1, 0, -1, -2},   // class 1 below
                                        {3, 2, 2, 1, 1, 0, -5, -6},   // and parted from class 0
                                        {1, 1, 1, 1, 1, 1, 1, 1}}) {  // nothing said at all
    const Calibration line = fitted(logits, {0, 0, 0, 0, 0, kNan, 1, 1});
    CHECK(line.line);
    CHECK(line.slope == 0);
    CHECK(std::abs(line.intercept - std::log(2.0 / 5)) < 1e-12);
  }
  const Calibration right = fitted({-3, -2, -2, -1, -1, 0, 1, 2}, {0, 0, 1, 0, 0, 0, 0, 1});
  CHECK(right.slope > 0);
  CHECK(fitted({-3, -2, 5, 6}, {0, 0, 1, 1}).slope > 0);  // parted the right way
}

TEST_CASE("the columns of a ridge model have names, one each", "[study][baselines]") {
  Cases cases;
  cases.features = {{"a", "1", {}}, {"unit", "1", {"ward", "surgery"}}};
  cases.offsets = {0, 1, 3};
  cases.values.resize(3, 2);
  cases.values << 1, 0, static_cast<float>(kNan), 1, 2, 0;
  cases.targets = {0, 1};
  cases.ids = {"x", "y"};
  const Target target;
  for (const bool classed : {false, true}) {
    if (classed) cases.classes = {"k", "l"}, cases.kinds = {0, 1, 0};
    const Preparation preparation = prepare(cases, {0, 1}, target);
    const std::vector<std::string> names = mean_input_names(preparation, target);
    CHECK(static_cast<Index>(names.size()) == mean_inputs(cases, prepared(preparation, cases), target, {0, 1}).cols());
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
  }
}

}  // namespace fovea::study
