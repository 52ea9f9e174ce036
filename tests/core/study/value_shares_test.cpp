#include "fovea/core/study/explain/value_shares.hpp"
#include "fovea/core/study/predict/explanation_rows.hpp"

#include <sstream>

#include "fovea/core/study/cases/days.hpp"
#include "fovea/core/study/cases/token_classes.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/tasks/record_task.hpp"
#include "fovea/tests/support/tasks/toy_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

constexpr double kRounding = 1e-12;

TrainedModel model_of(const Study& study, std::vector<std::string> set) {
  set.insert(set.begin(), {"training.batch_tokens=64", "ensemble.members=2", "explain.cases=0", "training.epochs=3"});
  const Results results = support::run_of(study, set);
  return read_model("m.h5", *results.model(), study.task());
}

Cases some_cases(const Study& study, const TrainedModel& model) {
  return until_ends(read_all(*study.task().open(model.config, Random(9))));
}

double logit(double p) { return std::log(p / (1 - p)); }

}  // namespace

TEST_CASE("base, shares and remainder are the logit of what is predicted", "[study][explain]") {
  const Study records(support::record_task()), readings(support::toy_task());
  for (const Study* study : {&records, &readings}) {
    TrainedModel model = model_of(*study, {"data.cases=60", "calibration.method=none"});
    model.members.pop_back();  // of one member the mixture has the member's logit
    const Target target = study->task().target(model.config);
    const Cases cases = some_cases(*study, model);
    const Matrix<float> inputs = prepared(model.preparation, cases);
    const Predictions predicted =
        combined(target, all_outputs(model.members, target, cases, inputs, first_numbers(cases.count()), 100),
                 model.calibration, 0, 1);
    const std::vector<ExplainedPrediction> found = explained_predictions(model, target, cases);
    double largest = 0;
    for (std::size_t b = 0; b < found.size(); ++b) {
      const double shares = std::accumulate(found[b].shares.begin(), found[b].shares.end(), 0.0);
      CHECK(std::abs(found[b].base + shares + found[b].remainder - found[b].answer) < kRounding);
      ExplainedCases one(cases, model.preparation, {static_cast<Index>(b)});
      CHECK(found[b].base == one.answers(model.members[0], one.at_middle())[0]);
      CHECK(std::abs(found[b].answer - logit(predicted.mean(static_cast<Index>(b), 0))) < 1e-9);
      for (const double share : found[b].shares) largest = std::max(largest, std::abs(share));
    }
    CHECK(largest > 0.02);
  }
}

TEST_CASE("boosted trees beside the members stand in a row of their own", "[study][explain]") {
  const Study study(support::record_task());
  const TrainedModel model = model_of(study, {"data.cases=200", "trees.rounds=5", "split.folds=2", "split.validation=0",
                                              "training.patience=0", "calibration.method=line"});
  REQUIRE(model.trees);
  const Cases cases = some_cases(study, model);
  double largest = 0;
  const Target target = study.task().target(model.config);
  const auto found = explained_predictions(model, target, cases);
  std::vector<Matrix<double>> outputs =
      all_outputs(model.members, target, cases, prepared(model.preparation, cases), first_numbers(cases.count()), 100);
  mix(outputs, outputs_of(*model.trees, target, cases, first_numbers(cases.count())), *model.trees);
  const Predictions predicted = combined(target, outputs, model.calibration, 0, 1);
  for (std::size_t b = 0; b < found.size(); ++b) {
    const double shares = std::accumulate(found[b].shares.begin(), found[b].shares.end(), 0.0);
    CHECK(std::abs(found[b].base + shares + *found[b].trees + found[b].remainder - found[b].answer) < kRounding);
    CHECK(std::abs(found[b].answer - logit(predicted.mean(static_cast<Index>(b), 0))) < 1e-9);
    largest = std::max(largest, std::abs(*found[b].trees));
  }
  CHECK(largest > 0.01);
}

TEST_CASE("a line of calibration stretches the shares, and its intercept goes to the base", "[study][explain]") {
  const Study study(support::record_task());
  TrainedModel model = model_of(study, {"data.cases=40"});
  const Target target = study.task().target(model.config);
  const Cases cases = some_cases(study, model);
  model.calibration = {};
  const auto plain = explained_predictions(model, target, cases);
  model.calibration = {1, true, -2, 0.5};
  const auto lined = explained_predictions(model, target, cases);
  for (std::size_t b = 0; b < plain.size(); ++b) {
    CHECK(std::abs(lined[b].base - (-2 + 0.5 * plain[b].base)) < kRounding);
    for (std::size_t i = 0; i < plain[b].shares.size(); ++i)
      CHECK(std::abs(lined[b].shares[i] - 0.5 * plain[b].shares[i]) < kRounding);
  }
}

TEST_CASE("the rows of a case are the same bits alone, among others, and for any number of threads",
          "[study][explain][threads]") {
  const Study study(support::record_task());
  const TrainedModel model = model_of(study, {"data.cases=40"});
  const Target target = study.task().target(model.config);
  const Cases cases = some_cases(study, model);
  const auto rows = [&](const Cases& some) {
    return explanation_rows(model.preparation, some, explained_predictions(model, target, some));
  };
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::string all = rows(cases);
  for (const int threads : {2, 3, 5}) {
    omp_set_num_threads(threads);
    CHECK(rows(cases) == all);
  }
  omp_set_num_threads(before);
  std::string one_by_one;
  for (Index b = 0; b < cases.count(); ++b) one_by_one += rows(selected(cases, {b}));
  CHECK(one_by_one == all);
}

TEST_CASE("rows name variable and hour of each value, and what has no value has no row", "[study][explain]") {
  Preparation learned;
  learned.features = {{"value", "1", {}}};
  learned.classes = {"lactate", "surgery, heart"};
  learned.time_unit = "h";
  Cases cases;
  cases.features = learned.features;
  cases.classes = learned.classes;
  cases.offsets = {0, 2, 2};
  cases.values = Matrix<float>{{3}, {NAN}};
  cases.times = {1.5, 2};
  cases.kinds = {0, 1};
  cases.ids = {"a", "b"};
  CHECK(explanation_header(learned) == "id,variable,hour,contribution\n");
  CHECK(explanation_header(learned, "stay_id") == "stay_id,variable,hour,contribution\n");
  CHECK(explanation_rows(learned, cases, {{1, -2, {3, 0}, {}, 0}, {0, -1, {}, 1, 0}}) ==
        "a,(base),,-2\na,lactate,1.5,3\na,(remainder),,0\nb,(base),,-1\nb,(trees),,1\nb,(remainder),,0\n");
  learned.time_unit = kMonthsSince1900;
  cases.times = {1415, 12 * 124};  // 1415 = 12 * 117 + 11
  CHECK(explanation_header(learned, "date") == "date,variable,time,contribution\n");
  CHECK(explanation_rows(learned, cases, {{1, -2, {3, 0}, {}, 0}, {0, -1, {}, {}, 0}}) ==
        "a,(base),,-2\na,lactate,2017-12,3\na,(remainder),,0\nb,(base),,-1\nb,(remainder),,0\n");
  cases.values(1, 0) = 7;
  cases.classes.clear(), cases.kinds.clear(), learned.classes.clear(), learned.time_unit.clear();
  CHECK(explanation_header(learned) == "id,token,contribution\n");
  CHECK(explanation_rows(learned, cases, {{2, -2, {3, 1}, {}, 0}, {-1, -1, {}, {}, 0}}) ==
        "a,(base),-2\na,0,3\na,1,1\na,(remainder),0\nb,(base),-1\nb,(remainder),0\n");
  CHECK_THROWS_AS(explanation_rows(learned, cases, {}), ArgumentError);
}

TEST_CASE("the range of the members holds nine tenths of them, and the probability", "[study][predict]") {
  // Logits of 21 members: 0, 0.1, ..., 2 in any order; the 0.05 and 0.95 quantiles are the second of each end.
  std::vector<Matrix<double>> outputs;
  for (int m = 0; m < 21; ++m) outputs.emplace_back(Matrix<double>{{0.1 * ((m * 8) % 21)}});
  const auto probability = [](double z) { return 1 / (1 + std::exp(-z)); };
  for (const Calibration& calibration : {Calibration{}, Calibration{1, true, 0, 1}}) {
    const Predictions found = combined(Target{}, outputs, calibration, 0, 1);
    CHECK(std::abs(found.low.at(0) - probability(0.1)) < kRounding);
    CHECK(std::abs(found.high.at(0) - probability(1.9)) < kRounding);
  }
  for (auto& output : outputs) output(0, 0) = -1;
  outputs[4](0, 0) = 60;  // moves the mean logit beyond nine tenths of the members
  const Predictions strange = combined(Target{}, outputs, {1, true, 0, 1}, 0, 1);
  CHECK(strange.low[0] == probability(-1));
  CHECK(strange.high[0] == strange.mean(0, 0));
}

}  // namespace fovea::study
