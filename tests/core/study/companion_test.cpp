#include "fovea/core/study/trees/companion.hpp"

#include "fovea/core/data/dataset_bytes.hpp"
#include "fovea/core/study/predict/prediction_rows.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/core/study/trees/companion_file.hpp"
#include "fovea/core/study/trees/findings.hpp"
#include "fovea/core/study/trees/tree_rows.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/tasks/looking_task.hpp"
#include "fovea/tests/support/tasks/record_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

using support::LookingTask;

const std::vector<std::string> kWithTrees{"training.epochs=1", "ensemble.members=2",      "explain.cases=2",
                                          "split.folds=3",     "split.validation=0",      "calibration.method=line",
                                          "trees.rounds=8",    "trees.learning_rate=0.3", "trees.mixing=fixed",
                                          "trees.share=0.25",  "trees.half_lives=1,4",    "trees.recent=3"};

Results run_with_trees(const Study& study, const std::vector<std::string>& set = kWithTrees) {
  return support::run_of(study, set);
}

Study looked_at(LookingTask::Look look) {
  return Study(std::make_unique<LookingTask>(std::move(look), support::record_task()));
}

const Dataset& saved_model() {
  static const Dataset model = [] {
    const Study study(support::record_task());
    return *run_with_trees(study).model();
  }();
  return model;
}

std::string refused(const std::function<void(Dataset&)>& change) {
  Dataset data = saved_model();
  change(data);
  data.attributes.erase("model_hash");
  data.attributes["model_hash"] = content_hash(data);
  const auto task = support::record_task();
  return support::refusal_of<DataError>([&] { read_model("m.h5", data, *task); });
}

std::string predicted_rows(Index block, std::vector<double> at = {}) {
  const support::TemporaryFolder folder;
  std::ofstream file(folder.file("a.csv"));
  for (int b = 0; b < 9; ++b)
    for (int i = 0; i < 5; ++i) file << 's' << b << ',' << i + 0.25 * b << ",lactate," << (b * 7 + i * 3) % 10 << '\n';
  file.close();
  const Study study(support::record_task());
  const TrainedModel model = read_model("m.h5", saved_model(), study.task());
  PredictOptions options;
  options.block = block;
  options.times.at = std::move(at);
  std::string rows;
  study.predict(model, folder.file("a.csv"), options, [&](const PredictedBlock& some) {
    rows += prediction_rows(study.task().target(model.config), some.cases, some.predictions, some.asked);
  });
  return rows;
}

/// Which tokens of a set are marked? Those whose value lies in the second quarter, of the class "a" also in the last,
/// of "b" in the third.
class Marks final : public LearnedTask {
 public:
  std::string_view name() const override { return "toy.marks"; }
  std::string_view summary() const override { return "which tokens are marked?"; }
  int result_version() const override { return 1; }
  void keys(Schema& schema) const override {
    schema.file("data.file", "any file; other cases than those that are simulated without");
    schema.flag("data.dated", false, "tokens have times");
  }
  Target target(const Config&) const override {
    return {.level = TargetLevel::per_token, .name = "marked", .classes = {"no", "yes"}};
  }
  std::unique_ptr<CaseReader> open(const Config& config, const Random& random) const override {
    const bool known = config.text("data.file").empty();
    return reader_of(simulated(config.flag("data.dated"), known ? random : Random(9)));
  }
  static Cases simulated(bool dated, const Random& random) {
    Cases cases;
    cases.features = {{"value", "1", {}}};
    cases.classes = {"a", "b"};
    std::vector<float> values;
    for (Index b = 0; b < 150; ++b) {
      const auto entity = static_cast<std::uint64_t>(b);
      for (std::uint64_t i = 0; i < (entity == 5 ? 0 : 4 + entity % 5); ++i) {  // one is empty
        const double value = random.uniform(entity, 2 * i);
        const bool second = random.uniform(entity, 2 * i + 1) < 0.5;
        values.push_back(static_cast<float>(value));
        cases.kinds.push_back(second ? 1 : 0);
        const auto quarter = static_cast<Index>(4 * value);
        const bool marked = quarter == 1 || quarter == (second ? 2 : 3);
        cases.targets.push_back(i == 2 ? kNan : marked ? 1 : 0);
        if (dated) cases.times.push_back(static_cast<double>(i / 2));
      }
      cases.offsets.push_back(std::ssize(values));
      cases.ids.push_back(concat("set ", b + 1));
    }
    if (dated) cases.time_unit = "h";
    cases.values = Eigen::Map<Matrix<float>>(values.data(), cases.tokens(), 1);
    return cases;
  }
};

/// AUROC, which is the first score.
double first_score(const Results& results, const std::string& predictor) {
  return results.data.at("scores_of_" + predictor).reals()[0];
}

std::string rows_of_marks(const Study& study, const Dataset& saved, Index block) {
  const support::TemporaryFolder folder;
  std::ofstream(folder.file("a.csv")) << '\n';
  const TrainedModel model = read_model("m.h5", saved, study.task());
  PredictOptions options;
  options.block = block;
  std::string rows;
  study.predict(model, folder.file("a.csv"), options, [&](const PredictedBlock& some) {
    rows += prediction_rows(study.task().target(model.config), some.cases, some.predictions, some.asked);
  });
  return rows;
}

}  // namespace

TEST_CASE("each member is mixed with trees that did not learn from the case", "[study][trees][twin]") {
  bool looked = false;
  run_with_trees(looked_at([&](const StudyOutcome& found) {
    looked = true;
    for (const FoldModel& fold : found.folds->models) {
      const Companion& trees = *fold.trees;
      CHECK(trees.parts[0].weight == 0.25);
      const std::vector<BoostedTrees>& lots = trees.parts[0].trees;
      const Matrix<float> inputs = prepared(fold.preparation, found.cases);
      const Matrix<double> own = outputs_of(fold.members[1], found.target, found.cases, inputs, fold.split.test, 50);
      const Matrix<float> rows = summary_columns(found.cases, fold.split.test, {}, trees.columns);
      for (std::size_t k = 0; k < fold.split.test.size(); ++k) {
        const float* const row = rows.row(static_cast<Index>(k)).data();
        const double of_trees = (lots[0].log_odds(row) + lots[1].log_odds(row)) / 2;
        CHECK(std::abs(found.folds->outputs[1](fold.split.test[k], 0) -
                       (0.75 * own(static_cast<Index>(k), 0) + 0.25 * of_trees)) < 1e-12);
      }
    }
  }));
  CHECK(looked);
}

TEST_CASE("trees learn only from the cases that they are given", "[study][trees]") {
  Cases cases = support::simulated_records(120, Random(2));
  const Config config = support::config_of(*support::record_task(), kWithTrees);
  std::vector<Index> first;
  for (Index b = 0; b < 80; ++b) first.push_back(b);
  const Target target = support::record_task()->target(config);
  const auto grown = [&] {
    return companions("here", tree_keys().read(config), target, cases, {{&first}}, Random(3)).front().parts[0].trees;
  };
  const std::vector<BoostedTrees> before = grown();
  for (std::size_t b = 80; b < 120; ++b) cases.targets[b] = 1 - cases.targets[b];
  const std::vector<BoostedTrees> after = grown();
  for (std::size_t f = 0; f < 2; ++f) CHECK(before[f].value == after[f].value);
}

TEST_CASE("attention alone and trees alone are reported beside the mixture", "[study][trees]") {
  const Study study(support::record_task());
  const Results results = run_with_trees(study);
  CHECK(std::get<std::vector<std::string>>(results.data.at("predictor").values) ==
        std::vector<std::string>{"attention with trees", "ridge", "base rate", "attention alone", "trees alone"});
  CHECK(results.data.has("scores_of_attention_alone"));
  CHECK(results.data.has("scores_of_trees_alone"));
  CHECK(results.verdict().find("attention alone") != std::string::npos);
}

TEST_CASE("without folds trees learn from the training part alone", "[study][trees]") {
  const Results results = run_with_trees(
      Study(support::record_task()), {"training.epochs=1", "ensemble.members=2", "explain.cases=2", "trees.rounds=8"});
  CHECK(results.data.has("scores_of_trees_alone"));
  CHECK(results.model()->has("forest_2_root"));
}

TEST_CASE("weights are chosen on cases that were not learned from, and reported", "[study][trees]") {
  std::vector<std::string> stacked = kWithTrees;
  std::erase(stacked, "trees.mixing=fixed");
  stacked.insert(stacked.end(), {"trees.forest=20", "data.cases=300"});
  bool looked = false;
  const Results results = run_with_trees(looked_at([&](const StudyOutcome& found) {
                                           looked = true;
                                           std::set<double> weights;
                                           for (const FoldModel& fold : found.folds->models) {
                                             double sum = fold.trees->own();
                                             for (const CompanionPart& part : fold.trees->parts) sum += part.weight;
                                             CHECK(std::abs(sum - 1) < 1e-12);
                                             weights.insert(fold.trees->parts[0].weight);
                                           }
                                           CHECK(weights.size() == 3);  // each by the other folds
                                         }),
                                         stacked);
  CHECK(looked);
  CHECK(results.found<MixtureWeights>());
  CHECK(results.data.has("scores_of_random_forest_alone"));
  CHECK(!run_with_trees(Study(support::record_task())).found<MixtureWeights>());
  const auto task = support::record_task();
  CHECK(read_model("m.h5", *results.model(), *task).trees->parts[1].trees.size() == 2);
}

TEST_CASE("a run with trees has the same bytes for any number of threads", "[study][trees][threads][long]") {
  const int before = omp_get_max_threads();
  for (const int threads : {1, 3}) {
    omp_set_num_threads(threads);
    CHECK(content_hash(*run_with_trees(Study(support::record_task())).model()) == content_hash(saved_model()));
  }
  omp_set_num_threads(before);
}

TEST_CASE("a saved model with trees predicts the same rows in any block", "[study][trees]") {
  const std::string rows = predicted_rows(100);
  CHECK(rows == predicted_rows(1));
  CHECK(rows == predicted_rows(4));
}

TEST_CASE("the end's forest fades out over the last quarter of a record", "[study][trees]") {
  const Cases cases = support::simulated_records(40, Random(2));
  const Config config = support::config_of(*support::record_task(), kWithTrees);
  std::vector<Index> all;
  for (Index b = 0; b < 40; ++b) all.push_back(b);
  const Target target = support::record_task()->target(config);
  const Companion trees = companions("here", tree_keys().read(config), target, cases, {{&all}}, Random(3)).front();
  const std::vector<double> at{1, 10};
  const Matrix<double> outputs = outputs_of(trees, target, cases, all, at)[0],
                       ends = outputs_of(trees, target, cases, all)[0];
  const Matrix<float> rows = summary_columns(cases, all, at, trees.columns);
  for (Index b = 0; b < 40; ++b) {
    CHECK(outputs(2 * b, 0) == trees.parts[0].trees[1].log_odds(rows.row(2 * b).data()));
    CHECK(outputs(2 * b + 1, 0) == ends(b, 0));
  }
}

TEST_CASE("trees of a file of unknown origin are checked", "[study][trees][hostile]") {
  CHECK(refused([](Dataset&) {}).empty());
  const auto numbers = [](Dataset& data, const char* name) -> std::vector<std::int64_t>& {
    return std::get<std::vector<std::int64_t>>(data.at(name).values);
  };
  CHECK(refused([&](Dataset& data) { numbers(data, "forest_1_left")[0] = 0; }).find("behind its node") !=
        std::string::npos);
  CHECK(refused([&](Dataset& data) { numbers(data, "forest_2_column")[0] = 1'000'000; }).find("not one of a row") !=
        std::string::npos);
  CHECK(refused([&](Dataset& data) { numbers(data, "forest_2_root")[0] = -5; }).find("a root is no node") !=
        std::string::npos);
  const auto weight = [](Dataset& data) -> double& {
    return std::get<std::vector<double>>(data.at("tree_weights").values)[0];
  };
  CHECK(refused([&](Dataset& data) { weight(data) = 1.5; }).find("shares of a mixture") != std::string::npos);
  CHECK(refused([&](Dataset& data) { weight(data) = -0.5; }).find("shares of a mixture") != std::string::npos);
  CHECK(refused([&](Dataset& data) { numbers(data, "summary_columns")[0] -= 1; }).find("train the model again") !=
        std::string::npos);
}

TEST_CASE("trees are refused where the task takes none", "[study][trees][errors]") {
  Complaints complaints;
  const Config config = support::config_of(*support::record_task(), kWithTrees);
  check_trees(config, "", complaints);
  CHECK(complaints.lines().empty());
  check_trees(config, "the task is about attention alone", complaints);
  REQUIRE(complaints.lines().size() == 1);
  CHECK(complaints.lines()[0].find("trees.rounds > 0: the task is about attention alone; use trees.rounds = 0.") !=
        std::string::npos);
}

TEST_CASE("trees answer for tokens, and have the weight where they alone can learn", "[study][trees]") {
  const Study study(std::make_unique<Marks>());
  for (const bool dated : {false, true}) {
    const Results results =
        run_with_trees(study, {dated ? "data.dated=true" : "data.dated=false",
                               dated ? "split.folds=0" : "split.folds=2", "training.epochs=1", "ensemble.members=1",
                               "explain.cases=0", "trees.rounds=60", "trees.learning_rate=0.3", "trees.forest=10"});
    const double trees = first_score(results, "boosted_trees_alone");
    CHECK(trees > 0.9);
    CHECK(first_score(results, "attention_alone") < 0.7);
    CHECK(first_score(results, "attention_with_trees") > trees - 0.01);  // weights are chosen on a hundred tokens
    CHECK(!results.found<TreesNotCompared>());
    const Dataset& saved = *results.model();
    CHECK(content_hash(model_dataset(study.task(), read_model("m.h5", saved, study.task()))) == content_hash(saved));
    const std::string rows = rows_of_marks(study, saved, 100);
    CHECK(std::count(rows.begin(), rows.end(), '\n') == Marks::simulated(false, Random(9)).tokens());
    CHECK(rows == rows_of_marks(study, saved, 7));
  }
}

TEST_CASE("a token's row is its case at the token's time, then what it is itself", "[study][trees]") {
  const Marks marks;
  const Target target = marks.target(support::config_of(marks));
  Cases cases = Marks::simulated(true, Random(4));
  const SummarySettings settings{{1, 2}, 3};
  std::vector<Index> tokens;
  for (Index i = 0; i < 300; ++i) tokens.push_back(i);
  const Index width = summary_width(2, 1, settings);
  const Matrix<float> rows = tree_rows(target, cases, tokens, {}, settings);
  REQUIRE(rows.cols() == width + 2);
  const auto same = [](const auto& a, const auto& b) {  // bit for bit, with NaN where there is NaN
    return ((a.array() == b.array()) || (a.array() != a.array() && b.array() != b.array())).all();
  };
  Index item = 0;
  for (const Index token : tokens) {
    while (cases.offsets[item + 1] <= token) ++item;
    CHECK(same(rows.row(token).head(width),
               summary_columns(cases, {&item, 1}, {&cases.times[token], 1}, settings).row(0)));
    CHECK(rows(token, width) == cases.values(token, 0));
    CHECK(rows(token, width + 1) == static_cast<float>(cases.kinds[token]));
  }
  cases.values(3, 0) = 5;  // of the first set's second time
  const Matrix<float> after = tree_rows(target, cases, tokens, {}, settings);
  CHECK(same(after.topRows(2), rows.topRows(2)));
  CHECK(!same(after.middleRows(2, 1), rows.middleRows(2, 1)));
  cases.times.clear();  // a set: each token sees the whole of it
  const std::vector<Index> first_set{0, 1, 2, 3};
  const Matrix<float> of_set = tree_rows(target, cases, first_set, {}, settings);
  for (Index k = 1; k < 4; ++k) CHECK(same(of_set.row(k).head(width), of_set.row(0).head(width)));
}

TEST_CASE("a run without trees says that they were not compared, and why", "[study][trees]") {
  const std::vector<std::string> plain{"training.epochs=1", "ensemble.members=1", "explain.cases=0"};
  const Results without = run_with_trees(Study(std::make_unique<Marks>()), plain);
  REQUIRE(without.found<TreesNotCompared>());
  CHECK(without.found<TreesNotCompared>()->sentence() ==
        "Trees were not compared with attention: trees.rounds = 0 and trees.forest = 0.");
  CHECK(TreesNotCompared{false, "they would see the mass"}.sentence().ends_with(": they would see the mass."));
  CHECK(!run_with_trees(Study(support::record_task())).found<TreesNotCompared>());
}

}  // namespace fovea::study
