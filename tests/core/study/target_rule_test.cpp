/// What every kind of target promises to whoever asks its rule.

#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/baselines/baselines.hpp"
#include "fovea/core/study/report/findings.hpp"
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
    if (rule.tree_answers(target) == 0) continue;
    std::vector<float> outcomes;
    std::vector<double> targets;
    for (Index i = 0; i < kRows; ++i) {
      const Index steps = rule.real() ? 5 : rule.codes(target);
      outcomes.push_back(static_cast<float>(i * steps / kRows) - (rule.real() ? 2 : 0));
      // one code in ten is another in what is examined, so that no weight grows without end
      targets.push_back(
          static_cast<double>(rule.real() || i % 10 > 0 ? outcomes.back() : static_cast<float>((i / 10) % steps)));
    }
    const Matrix<double> noise = 10 * drawn(kRows, target.outputs(), Random(8));
    for (const bool boosted : {true, false}) {
      DYNAMIC_SECTION(rule.name() << (boosted ? " boosted" : " forest")) {
        const auto trees = rule.grown(target, {rows, outcomes, {}, boosted ? &boosting : nullptr, {.trees = 60}, 1});
        REQUIRE(std::ssize(trees) == rule.tree_answers(target));
        Matrix<double> answers(kRows, rule.tree_answers(target));
        for (Index i = 0; i < kRows; ++i)
          for (std::size_t k = 0; k < trees.size(); ++k)
            answers(i, static_cast<Index>(k)) = trees[k].log_odds(rows.row(i).data());
        rule.trees_to_outputs(!boosted, answers);
        CHECK(answers.cols() == target.outputs());
        const auto found = scored_once(target, combined(target, std::array{answers}, {}, 0, 1), targets);
        const auto constant = scored_once(target, base_rate(target, targets, kRows), targets);
        const double best = scores_of(target)[0].best;
        CHECK(std::abs(found[0].value - best) < 0.3 * std::abs(constant[0].value - best));
        const auto weights = rule.stacked(std::vector<Matrix<double>>{noise, answers}, targets);
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

}  // namespace fovea::study
