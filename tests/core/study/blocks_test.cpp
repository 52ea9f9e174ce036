/// Folds in time: nothing that becomes known later is in a prediction.

#include "fovea/core/study/folds/blocks.hpp"

#include <set>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/learning/layers/linear.hpp"
#include "fovea/core/study/folds/cross_validation.hpp"
#include "fovea/core/study/folds/folds.hpp"
#include "fovea/core/study/report/fold_findings.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/tests/support/runs/bench.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

constexpr Index kMonths = 120, kLate = 4;  // months until a target is known

/// A month is a case of one token, and its target is known later.
Cases monthly_cases() {
  const Random random(7);
  Cases cases;
  cases.features = {{"claims", "1", {}}, {"spread", "1", {}}};
  cases.time_unit = "months";
  cases.values.resize(kMonths, 2);
  for (Index b = 0; b < kMonths; ++b) {
    cases.offsets.push_back(b + 1);
    cases.ids.push_back(concat("m", b));
    cases.times.push_back(static_cast<double>(b));
    cases.known.push_back(static_cast<double>(b + kLate));
    for (Index c = 0; c < 2; ++c)
      cases.values(b, c) = static_cast<float>(random.normal(static_cast<std::uint64_t>(b), c));
    cases.targets.push_back(cases.values(b, 0) + random.normal(static_cast<std::uint64_t>(b), 2) > 0.5 ? 1 : 0);
  }
  return cases;
}

class MonthModel final : public StudyModel {
 public:
  MonthModel(const ModelShape& shape, learning::Parameters<float>& parameters, const Random& random)
      : linear_(parameters, "linear", shape.inputs, shape.outputs, random) {}
  learning::Variable<float> outputs(learning::Tape<float>&, const Batch& batch,
                                    learning::Variable<float>*) const override {
    return linear_(batch.x);
  }

 private:
  learning::Linear<float> linear_;
};

class MonthTask final : public LearnedTask {
 public:
  using Look = std::function<void(const StudyOutcome&)>;
  MonthTask(Cases cases, Look look) : cases_(std::move(cases)), look_(std::move(look)) {}
  std::string_view name() const override { return "toy.months"; }
  std::string_view summary() const override { return "months"; }
  int result_version() const override { return 1; }
  void keys(Schema& schema) const override { schema.file("data.file", "none"); }
  Target target(const Config&) const override { return {.name = "recession", .classes = {"no", "yes"}}; }
  std::unique_ptr<CaseReader> open(const Config&, const Random&) const override { return reader_of(cases_); }
  bool has_own_model() const override { return true; }
  std::unique_ptr<StudyModel> model(const Config&, const ModelShape& shape, learning::Parameters<float>& parameters,
                                    const Random& random) const override {
    return std::make_unique<MonthModel>(shape, parameters, random);
  }
  void examine(const StudyOutcome& outcome, Results&) const override { look_(outcome); }

 private:
  Cases cases_;
  Look look_;
};

const std::vector<std::string> kInTime{
    "training.epochs=2", "training.batch_tokens=32", "ensemble.members=2",          "explain.cases=0", "split.folds=5",
    "split.method=time", "split.validation=0",       "calibration.method=\"line\"", "trees.rounds=3"};

/// What a run predicts of every month: ours with deviation and decision, then each baseline's.
struct Told {
  std::vector<std::vector<double>> of_month;
  std::vector<Index> block;
  int flat;  ///< blocks whose calibration line is flat
};

Told told_of(const Cases& cases, bool learns) {
  const MonthTask task(cases, [](const StudyOutcome&) {});
  std::vector<std::string> set = kInTime;
  set[0] = concat("training.epochs=", learns ? 100 : 2);
  set.push_back(concat("training.learning_rate=", learns ? 0.1 : 1e-5));
  const Config config = support::config_of(task, set);
  const Target target = task.target(config);
  support::StoppingBench bench;
  learning::TrainingSeries series(bench, 12);
  const CrossValidation folds =
      cross_validated(task, target, cases, plan_folds("f", cases, target, split_keys().read(config), Random(3)), config,
                      Random(3), series)
          .folds;
  Told told{std::vector<std::vector<double>>(kMonths), folds.fold_of_case, 0};
  for (const FoldModel& fold : folds.models) told.flat += fold.calibration.slope == 0 ? 1 : 0;
  std::vector<const Predictions*> all{&folds.predictions};
  for (const Predictions& baseline : folds.baselines) all.push_back(&baseline);
  REQUIRE(all.size() == 5);
  for (Index b = 0; b < kMonths; ++b)
    for (const Predictions* one : all)
      for (const double value : {one->mean(b, 0), one->spread(b, 0), static_cast<double>(one->decisions[b])})
        told.of_month[b].push_back(value);
  return told;
}

Split block_of(const Cases& cases, const SplitSettings& wanted, Index block) {
  return plan_folds("f", cases, Target{}, wanted, Random(5)).splits[block];
}

std::vector<Index> from_to(Index first, Index end) {
  std::vector<Index> items;
  for (Index b = first; b < end; ++b) items.push_back(b);
  return items;
}

/// With noise in the values, targets and times that a block does not know yet; those of its own cases stay.
Cases noisy_after(const Cases& cases, Index block) {
  const double begin = 20.0 * static_cast<double>(block + 1), end = begin + 20;
  const Random random = Random(11).stream(concat("noise of block ", block));
  Cases noisy = cases;
  for (Index b = 0; b < kMonths; ++b) {
    const auto place = static_cast<std::uint64_t>(b);
    if (cases.times[b] >= end)
      for (Index c = 0; c < 2; ++c) noisy.values(b, c) = static_cast<float>(1 + 100 * random.normal(place, c));
    if (cases.known[b] <= begin) continue;
    noisy.targets[b] = random.uniform(place, 3) < 0.7 ? 1 : 0;
    noisy.known[b] = begin + 1 + 50 * random.uniform(place, 4);
  }
  return noisy;
}

const SplitSettings kFive{.validation = 0, .folds = 5, .method = FoldMethod::time};

}  // namespace

TEST_CASE("a block is taught and calibrated by what was known when it began", "[study][folds][time]") {
  const Cases cases = monthly_cases();
  const FoldPlan plan = plan_folds("f", cases, Target{}, kFive, Random(5));
  REQUIRE(plan.splits.size() == 6);
  for (Index b = 0; b < kMonths; ++b) CHECK(plan.fold_of_case[b] == b / 20 - 1);
  for (Index block = 0; block < 5; ++block) {
    const Split& split = plan.splits[block];
    const Index begin = 20 * (block + 1), known = begin - kLate + 1;
    CHECK(split.test == from_to(begin, begin + 20));
    CHECK(split.training == from_to(0, known));
    CHECK(split.calibration == from_to(std::min<Index>(20, known), known));
  }
  CHECK(plan.splits[5].training == from_to(0, kMonths));
  CHECK(plan.splits[5].calibration == from_to(20, kMonths));
  CHECK(plan.splits[5].test.empty());
}

TEST_CASE("the latest of what was known choose the epoch, and an embargo keeps cases out", "[study][folds][time]") {
  Cases cases = monthly_cases();
  SplitSettings wanted = kFive;
  wanted.validation = 0.25;
  CHECK(block_of(cases, wanted, 1).training == from_to(0, 28));  // of the 37 before it
  CHECK(block_of(cases, wanted, 1).validation == from_to(28, 37));
  wanted = kFive;
  wanted.embargo = 12;
  CHECK(block_of(cases, wanted, 1).training == from_to(0, 28));  // asked before 40 - 12
  CHECK(block_of(cases, wanted, 1).calibration == from_to(20, 37));
  wanted.embargo = 0;
  cases.known.clear();  // when it is asked
  CHECK(block_of(cases, wanted, 1).training == from_to(0, 40));
  cases.targets[3] = kNan;
  CHECK(block_of(cases, wanted, 1).training.size() == 39);
  cases.ends.assign(kMonths, 0);
  for (Index b = 0; b < kMonths; ++b) cases.ends[b] = static_cast<double>(kMonths - b);
  CHECK(block_of(cases, wanted, 0).test == from_to(80, 100));
}

TEST_CASE("noise in all that is known later leaves every bit of a prediction", "[study][folds][time]") {
  const Cases cases = monthly_cases();
  for (const bool learns : {false, true}) {  // else calibration lines are flat
    const Told before = told_of(cases, learns);
    CHECK(before.flat == (learns ? 0 : 4));
    for (const Index block : {0, 2, 3}) {
      const Told after = told_of(noisy_after(cases, block), learns);
      CHECK(after.block == before.block);
      Index same = 0, others = 0;
      for (Index b = 20; b < kMonths; ++b) {
        const bool equal = after.of_month[b] == before.of_month[b];
        before.block[b] <= block ? same += equal ? 1 : 0 : others += equal ? 0 : 1;
      }
      CHECK(same == 20 * (block + 1));
      CHECK(others == 20 * (4 - block));
    }
  }
}

TEST_CASE("a run with blocks in time tells how it tested, and leaves untested cases out", "[study][folds][time]") {
  const Study study(std::make_unique<MonthTask>(monthly_cases(), [&](const StudyOutcome& found) {
    CHECK(found.folds->tested() == 100);
    CHECK(std::isnan(found.test_targets[19]));
    CHECK(std::isnan(found.predictions.mean(19, 0)));
    CHECK(!std::isnan(found.predictions.mean(20, 0)));
    CHECK(!found.folds->models[0].fitted_on_others);
    CHECK(*found.folds->models[0].threshold == 0.5);
    CHECK(found.folds->models[1].fitted_on_others);
    CHECK(std::isnan(found.outputs(std::vector<double>{})[0](19, 0)));
  }));
  const Results told = support::run_of(study, kInTime);
  CHECK(told.found<BlocksInTime>()->sentence() ==
        "Each of 5 blocks in time was tested by what learned from targets known when it began.");
  CHECK(told.found<NotAllTested>()->sentence() == "Of 120 cases 100 are tested.");
  CHECK(told.found<UncalibratedFolds>()->sentence() ==
        "1 of 5 blocks is not calibrated and is decided at 0.5: too few targets of earlier blocks were known when it "
        "began.");
  Cases early = monthly_cases();
  early.folds.assign(kMonths, kNeverTested), early.parts.assign(kMonths, "training");
  for (Index b = 20; b < kMonths; ++b) early.folds[b] = (b - 20) / 20, early.parts[b] = b < 40 ? "validation" : "test";
  std::vector<std::string> named = kInTime;
  named[4] = "split.folds=0";
  const Study scored(std::make_unique<MonthTask>(early, [](const StudyOutcome&) {}));
  CHECK(support::run_of(scored, named).found<NotAllTested>()->sentence() ==
        "Of 120 cases 100 are tested; 20 of them calibrate later blocks and are not scored.");
  CHECK(told.data.at("test_cases").reals()[0] == 100);
  CHECK(told.data.at("validation_cases").reals()[0] == 0);
  std::vector<std::string> by_group = kInTime;
  by_group[5] = "split.method=group";
  const Study same(std::make_unique<MonthTask>(monthly_cases(), [](const StudyOutcome&) {}));
  const Results others = support::run_of(same, by_group);
  CHECK(!others.found<BlocksInTime>());
  CHECK(!others.found<NotAllTested>());
  CHECK(!others.found<UncalibratedFolds>());
}

TEST_CASE("a study of blocks in time that is stopped goes on with the same bits", "[study][folds][time][resume]") {
  const Study study(std::make_unique<MonthTask>(monthly_cases(), [](const StudyOutcome&) {}));
  const std::string whole = content_hash(*support::run_of(study, kInTime).model());
  const Config config = support::config_of(study, kInTime);
  support::StoppingBench bench;
  for (int stops = 0;; ++stops) {
    REQUIRE(stops < 500);
    bench.begin_again(1 + stops % 7);
    try {
      const Results results = support::run_of(study, config, bench);
      CHECK(content_hash(*results.model()) == whole);
      CHECK(stops > 3);
      return;
    } catch (const Interrupted&) {
    }
  }
}

TEST_CASE("cases of no fold only teach, and an embargo lies around a fold that is named", "[study][folds]") {
  Cases cases = monthly_cases();
  cases.folds.assign(kMonths, kNeverTested);
  for (Index b = 30; b < 50; ++b) cases.folds[b] = 4;
  for (Index b = 70; b < 90; ++b) cases.folds[b] = 9;
  cases.times[89] = 25;  // as if month 25 were there twice
  SplitSettings wanted{.validation = 0};
  const FoldPlan plan = plan_folds("f", cases, Target{}, wanted, Random(5));
  CHECK(plan.splits[0].training.size() == 100);
  CHECK(plan.splits[0].calibration == from_to(70, 90));
  CHECK(plan.splits[2].calibration.size() == 40);
  CHECK(plan.splits[2].training == from_to(0, kMonths));
  wanted.embargo = 6;
  const Split split = block_of(cases, wanted, 0);
  CHECK(split.test == from_to(30, 50));
  for (const Index b : split.training) CHECK((cases.times[b] < 24 || cases.times[b] > 55));
  CHECK(split.training.size() == 24 + 64 - 1);
  CHECK(split.calibration == from_to(70, 89));
  std::vector<std::string> set = kInTime;
  set[4] = "split.folds=2", set[5] = "split.embargo=6";
  const Study study(std::make_unique<MonthTask>(cases, [&](const StudyOutcome& found) {
    for (Index b = 0; b < kMonths; ++b)
      CHECK(std::isnan(found.predictions.mean(b, 0)) == (cases.folds[b] == kNeverTested));
  }));
  const Results results = support::run_of(study, set);
  CHECK(results.found<NotAllTested>()->sentence() == "Of 120 cases 40 are tested.");
  CHECK(results.verdict().find("over all cases") == std::string::npos);
  for (const double value : results.data.at("score_value").reals()) CHECK(std::isfinite(value));
}

TEST_CASE("cases of the part validation calibrate later blocks and are not scored", "[study][folds][time]") {
  Cases cases = monthly_cases();
  for (Index b = 0; b < kMonths; ++b) {
    cases.folds.push_back(b < 40 ? kNeverTested : b / 10);
    cases.parts.push_back(b < 40 ? "training" : b < 70 ? "validation" : "test");
  }
  const Study study(std::make_unique<MonthTask>(cases, [&](const StudyOutcome& found) {
    for (Index b = 0; b < kMonths; ++b) {
      CHECK(std::isnan(found.test_targets[b]) == (b < 70));
      CHECK(std::isnan(found.predictions.mean(b, 0)) == (b < 40));
    }
    CHECK(found.folds->models[3].split.calibration == from_to(40, 70 - kLate + 1));
  }));
  std::vector<std::string> set = kInTime;
  set[4] = "split.folds=0";
  support::run_of(study, set);
}

TEST_CASE("64 blocks in time are allowed, and 20 folds by group", "[study][folds][time][error]") {
  const MonthTask task(monthly_cases(), [](const StudyOutcome&) {});
  const auto complaint = [&](const std::vector<std::string>& set) {
    Complaints complaints;
    check_study(task, support::config_of(task, set), complaints);
    return complaints.empty() ? std::string() : complaints.lines()[0];
  };
  CHECK(complaint({"split.folds=64", "split.method=time", "split.validation=0"}).empty());
  CHECK(complaint({"split.folds=20"}).empty());
  CHECK(complaint({"split.folds=21"}) ==
        "--set split.folds=21: split.folds = 21, but must be at most 20; blocks in time (split.method = \"time\") may "
        "be 64.");
  CHECK(complaint({"split.folds=1", "split.method=time"}) ==
        "--set split.folds=1: split.folds = 1, but must be 0 or >= 2: one block has none before it to calibrate it.");
  CHECK(support::refusal_of<ConfigError>([&] {
          complaint({"split.folds=65", "split.method=time"});
        }).find("must be") != std::string::npos);
  SplitSettings many = kFive;
  many.folds = 64;
  Cases cases = monthly_cases();
  cases.known.clear();
  CHECK(support::refusal_of<DataError>([&] { plan_folds("f", cases, Target{}, many, Random(5)); }).empty());
  for (Index b = 0; b < kMonths; ++b) cases.folds.push_back(std::max<Index>(kNeverTested, b - 56));
  many.folds = 0;
  CHECK(support::refusal_of<DataError>([&] { plan_folds("f", cases, Target{}, many, Random(5)); }).empty());
  cases.folds[55] = -7;
  CHECK(support::refusal_of<DataError>([&] { plan_folds("f", cases, Target{}, many, Random(5)); }) ==
        "f: its cases are in 65 folds, but there must be 2 to 64.");
}

TEST_CASE("blocks in time that cannot be are refused before training", "[study][folds][time][error]") {
  const auto refusal = [](const SplitSettings& wanted, const std::function<void(Cases&)>& make) {
    Cases cases = monthly_cases();
    make(cases);
    return support::refusal_of<DataError>([&] {
      check_cases("f", cases);
      has_folds(wanted, cases) ? static_cast<void>(plan_folds("f", cases, Target{}, wanted, Random(5)))
                               : static_cast<void>(split_cases("f", cases, Target{}, wanted, Random(5)));
    });
  };
  const auto same = [](Cases&) {};
  const auto named = [](Index late) {
    return [late](Cases& c) {
      for (Index b = 0; b < kMonths; ++b) c.folds.push_back(b < 60 ? kNeverTested : b < 90 ? 3 : 5);
      c.times[100] = 89 + static_cast<double>(late);
    };
  };
  SplitSettings in_time = kFive, unnamed = kFive, embargo{.embargo = 3};
  unnamed.folds = 0;
  CHECK(refusal(in_time, same).empty());
  CHECK(refusal(unnamed, named(1)).empty());
  CHECK(refusal(unnamed, named(0)) ==
        "f: block 2 begins at 89 months, but block 1 has case 'm89', asked at 89 months; blocks must follow each other "
        "in time.");
  CHECK(refusal(unnamed, same) ==
        "f: split.folds = 0, but split.method = \"time\" needs 2 blocks or more, or cases that name them.");
  CHECK(refusal(in_time, [](Cases& c) { c.times.clear(), c.time_unit.clear(); }) ==
        "f: case 'm0' has no time at which it is asked, which split.method = \"time\" needs.");
  CHECK(refusal(in_time, [](Cases& c) { c.times.assign(kMonths, 48); }) ==
        "f: its cases are asked at 1 time, so that 0 of split.folds = 5 blocks have cases behind the first that only "
        "teach; use split.method = \"group\".");
  CHECK(refusal(in_time, [](Cases& c) { c.known.assign(kMonths, 21); }) ==
        "f: block 1 learns from 0 cases, whose targets, known when it begins at 20 months, are of 0 classes, but must "
        "be of 2; "
        "take fewer blocks.");
  CHECK(refusal(in_time, [](Cases& c) {
          for (Index b = 20; b < kMonths; ++b) c.targets[b] = 0;
        }) == "f: its 100 cases in blocks have known targets of 1 class, but need 2.");
  CHECK(refusal(in_time, [](Cases& c) { c.known.pop_back(); }) ==
        "f: has 119 times at which targets are known but 120 cases; each needs one.");
  CHECK(
      refusal(unnamed,
              [](Cases& c) {
                for (Index b = 0; b < kMonths; ++b) c.folds.push_back(b < 2 ? kNeverTested : b < 90 ? 3 : 5);
              }) ==
      "f: block 1 learns from 0 cases, whose targets, known when it begins at 2 months, are of 0 classes, but must be "
      "of 2; let it begin later.");
  CHECK(refusal(embargo, same) == "f: split.embargo = 3, but there are no folds; leave it out.");
  embargo.folds = 4;
  CHECK(refusal(embargo, same) ==
        "f: split.embargo = 3 needs folds that the cases name, or split.method = \"time\"; leave it out.");
}

}  // namespace fovea::study
