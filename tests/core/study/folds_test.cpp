#include "fovea/core/study/folds/folds.hpp"

#include "fovea/core/study/folds/cross_validation.hpp"
#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/tasks/toy_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

/// 40 cases of two in a group, of both classes in turn.
Cases grouped_cases() {
  Cases cases;
  cases.features = {{"x", "1", {}}};
  for (int b = 0; b < 40; ++b) {
    cases.offsets.push_back(b + 1);
    cases.ids.push_back(concat("c", b));
    cases.groups.push_back(concat("g", b / 2));
    cases.targets.push_back(b % 2);
  }
  cases.values = Matrix<float>::Zero(40, 1);
  return cases;
}

}  // namespace

TEST_CASE("drawn folds keep groups whole, and every case is tested once", "[study][folds]") {
  const Cases cases = grouped_cases();
  const FoldPlan plan = plan_folds("f", cases, Target{}, {.validation = 0.2, .folds = 4}, Random(5));
  REQUIRE(plan.splits.size() == 5);
  std::vector<int> tested(40, 0);
  for (std::size_t f = 0; f < 4; ++f) {
    const Split& split = plan.splits[f];
    CHECK(split.training.size() + split.validation.size() + split.test.size() == 40);
    CHECK(std::abs(static_cast<double>(split.validation.size()) - 6) <= 2);
    for (const Index b : split.test) ++tested[b];
    std::set<Index> sides[3];
    for (const Index b : split.training) sides[0].insert(b / 2);
    for (const Index b : split.validation) sides[1].insert(b / 2);
    for (const Index b : split.test) sides[2].insert(b / 2);
    CHECK(sides[0].size() + sides[1].size() + sides[2].size() == 20);
  }
  CHECK(tested == std::vector<int>(40, 1));
  CHECK(plan.splits[4].test.empty());
  CHECK(plan.splits[4].training.size() + plan.splits[4].validation.size() == 40);
}

TEST_CASE("folds that the cases name are taken as they are", "[study][folds]") {
  Cases cases = grouped_cases();
  for (int b = 0; b < 40; ++b) cases.folds.push_back(7 - 2 * (b / 2 % 2));
  CHECK(has_folds({}, cases));
  const std::vector<Index> folds = folds_of("f", cases, Target{}, {}, Random(5));
  for (int b = 0; b < 40; ++b) CHECK(folds[b] == 1 - b / 2 % 2);
  CHECK(selected(cases, {0, 2}).folds == std::vector<Index>{7, 5});
}

TEST_CASE("folds that cannot be are refused before training", "[study][folds][error]") {
  const auto refusal = [](const SplitSettings& wanted, const std::function<void(Cases&)>& make) {
    Cases cases = grouped_cases();
    make(cases);
    return support::refusal_of<DataError>([&] { plan_folds("f", cases, Target{}, wanted, Random(5)); });
  };
  const auto in_folds = [](Index count) {
    return [count](Cases& c) {
      for (Index b = 0; b < 40; ++b) c.folds.push_back(b / 2 % count);
    };
  };
  CHECK(refusal({}, in_folds(5)).empty());
  CHECK(refusal({}, in_folds(1)) == "f: its cases are in 1 folds, but there must be 2 to 20.");
  CHECK(refusal({.folds = 4}, in_folds(5)) ==
        "f: its cases are in 5 folds, but split.folds is 4; set it to 5 or leave it out.");
  CHECK(refusal({}, [](Cases& c) {
          for (Index b = 0; b < 40; ++b) c.folds.push_back(b / 20);
          c.folds[1] = 1;
        }) == "f: group 'g0' is in two folds: case 'c0' in 0, case 'c1' in 1; keep it in one.");
  CHECK(refusal({.folds = 20}, [](Cases& c) { c.groups.assign(40, "one"); }) ==
        "f: has 1 groups, but split.folds = 20 needs at least as many; take fewer folds.");
  CHECK(refusal({}, [](Cases& c) {
          for (Index b = 0; b < 40; ++b) c.folds.push_back(b / 20), c.targets[b] = static_cast<double>(b / 20);
        }) == "f: fold 1 has 20 cases with known targets of 1 classes, but needs 2.");
  CHECK(refusal({.folds = 2}, [](Cases& c) { c.targets.clear(); }).find("its cases have no targets") !=
        std::string::npos);
}

TEST_CASE("keys of folds that contradict each other are refused", "[study][folds][error]") {
  const auto task = support::toy_task();
  const auto refusal = [&](const std::vector<std::string>& set) {
    Complaints complaints;
    check_study(*task, support::config_of(*task, set), complaints);
    return complaints.empty() ? std::string() : complaints.lines()[0];
  };
  CHECK(refusal({"split.folds=5", "split.validation=0"}).empty());
  CHECK(refusal({"split.validation=0.01"}).empty());
  CHECK(refusal({"split.validation=0"}) ==
        "--set split.validation=0: split.validation = 0, but must be >= 0.01; 0 needs split.folds >= 2.");
  CHECK(refusal({"split.validation=0.001", "split.folds=3"}) ==
        "--set split.validation=0.001: split.validation = 0.001, but must be >= 0.01, or 0 for a fixed number of "
        "epochs.");
  CHECK(refusal({"split.folds=1"}) ==
        "--set split.folds=1: split.folds = 1, but must be 0 or >= 2: one fold leaves nothing to learn from.");
}

}  // namespace fovea::study
