/// What every kind of target promises to whoever asks its rule.

#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/baselines/baselines.hpp"
#include "fovea/core/study/report/findings.hpp"
#include "fovea/core/study/scores/scores.hpp"
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
