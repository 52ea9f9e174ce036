/// Trees beside attention for hazards: they win where ends follow a step, they have no weight where attention is right,
/// and a saved model answers as the one that was trained.

#include "fovea/core/data/dataset_bytes.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/hazards/hazard_target.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/core/study/trees/companion_file.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/tasks/looking_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

Target ends_of_cases() {
  return {.kind = TargetKind::hazards, .name = "end", .classes = {"dead", "moved"}, .edges = {0, 1, 2, 4}};
}

/// Two numbers a case; the logit of death is -1.5 more or less than `step` as their signs are alike or not, that of
/// moving, -2, rises by 1 in the last interval; one case in four is lost.
Cases cases_with_ends(Index count, double step, const Random& random) {
  Cases cases;
  cases.features = {{"x", "1", {}}, {"y", "1", {}}};
  cases.values.resize(count, 2);
  std::vector<double> times, ends;
  for (Index b = 0; b < count; ++b) {
    const auto entity = static_cast<std::uint64_t>(b);
    for (Index f = 0; f < 2; ++f)
      cases.values(b, f) = static_cast<float>(random.normal(entity, static_cast<std::uint64_t>(f)));
    const double logit = -1.5 + (cases.values(b, 0) * cases.values(b, 1) > 0 ? step : -step);
    const Matrix<double> shares =
        learning::hazard_incidences(Matrix<double>{{logit, -2, 0, logit, -2, 0, logit, -1, 0}}, 2);
    double time = 9, end = 0, drawn = random.uniform(entity, 3);
    for (Index t = 0; t < 3 && end == 0; ++t)
      for (Index k = 0; k < 2 && end == 0; ++k) {
        drawn -= shares(0, 3 * t + k) - (t > 0 ? shares(0, 3 * t + k - 3) : 0);
        if (drawn < 0) time = static_cast<double>(t) + 0.5, end = static_cast<double>(k + 1);
      }
    const double lost = random.uniform(entity, 4) < 0.25 ? 4 * random.uniform(entity, 5) : 9;
    if (lost < time) time = lost, end = 0;
    times.push_back(time), ends.push_back(end);
    cases.offsets.push_back(b + 1);
    cases.ids.push_back(concat("case ", b));
  }
  cases.targets = hazard_codes(ends_of_cases(), times, ends);
  return cases;
}

class StepHazards final : public LearnedTask {
 public:
  std::string_view name() const override { return "toy.steps"; }
  std::string_view summary() const override { return "ends that follow a step"; }
  int result_version() const override { return 1; }
  void keys(Schema& schema) const override { schema.file("data.file", "none"); }
  Target target(const Config&) const override { return ends_of_cases(); }
  std::unique_ptr<CaseReader> open(const Config&, const Random& random) const override {
    return reader_of(cases_with_ends(900, 1.5, random));
  }
};

const std::vector<std::string> kWithBoth{"training.epochs=1", "ensemble.members=1",      "explain.cases=0",
                                         "split.folds=2",     "split.validation=0",      "trees.rounds=30",
                                         "trees.forest=20",   "trees.learning_rate=0.2", "model.width=8",
                                         "model.heads=1",     "model.blocks=1"};

std::vector<Index> numbers(Index first, Index last) {
  std::vector<Index> found;
  for (Index i = first; i < last; ++i) found.push_back(i);
  return found;
}

Predictions said_by(const TrainedModel& model, const Cases& cases) {
  const Target target = ends_of_cases();
  const std::vector<Index> all = numbers(0, cases.count());
  std::vector<Matrix<double>> outputs =
      all_outputs(model.members, target, cases, prepared(model.preparation, cases), all, 4096, {});
  mix(outputs, outputs_of(*model.trees, target, cases, all), *model.trees);
  return combined(target, outputs, model.calibration, 0, 1);
}

}  // namespace

TEST_CASE("trees for hazards win where ends follow a step, and a saved model has them", "[study][hazards][trees]") {
  std::optional<Predictions> expected;
  Cases cases;
  const support::LookingTask::Look look = [&](const StudyOutcome& found) {
    for (const FoldModel& fold : found.folds->models) {
      const Companion& trees = *fold.trees;
      REQUIRE(trees.parts.size() == 2);
      CHECK(trees.parts[0].trees.size() == 3);
      CHECK(trees.parts[0].trees[0].roots.size() == 30);
    }
    cases = found.cases;
    expected = said_by(found.model, cases);
  };
  const Results results =
      support::run_of(Study(std::make_unique<support::LookingTask>(look, std::make_unique<StepHazards>())), kWithBoth);
  const auto score = [&](const char* of, std::size_t k) {
    return results.data.at(concat("scores_of_", of)).reals()[k];
  };
  CHECK(score("attention_with_trees", 0) > 0.65);
  CHECK(score("attention_alone", 0) < 0.6);
  for (const char* part : {"attention_alone", "boosted_trees_alone", "random_forest_alone"})
    CHECK(score("attention_with_trees", 8) < score(part, 8));  // negative log likelihood, which the weights minimise
  CHECK(results.verdict().find("random forest alone") != std::string::npos);
  REQUIRE(expected);
  const StepHazards task;
  const TrainedModel read = read_model("m.h5", *results.model(), task);
  REQUIRE(read.trees);
  CHECK(said_by(read, cases).mean == expected->mean);

  Dataset damaged = *results.model();
  std::get<std::vector<std::int64_t>>(damaged.at("forest_1_column").values)[0] = 99;
  damaged.attributes.erase("model_hash");
  damaged.attributes["model_hash"] = content_hash(damaged);
  CHECK(support::refusal_of<DataError>([&] { read_model("m.h5", damaged, task); }).find("not one of a row") !=
        std::string::npos);
}

TEST_CASE("trees for hazards have no weight beside outputs that are right, and a part that tells when alone has none",
          "[study][hazards][trees]") {
  constexpr Index kCases = 2000;
  const Target target = ends_of_cases();
  const Cases cases = cases_with_ends(kCases, 1, Random(4));
  Matrix<double> right(kCases, 9), when = Matrix<double>::Zero(kCases, 9), noise(kCases, 9);
  for (Index b = 0; b < kCases; ++b) {
    const double logit = -1.5 + (cases.values(b, 0) * cases.values(b, 1) > 0 ? 1 : -1);
    right.row(b) << logit, -2, 0, logit, -2, 0, logit, -1, 0;
    when.row(b) << -1.5, -2, 0, -1.5, -2, 0, -1.5, -1, 0;
    for (Index c = 0; c < 9; ++c)
      noise(b, c) = Random(5).normal(static_cast<std::uint64_t>(b), static_cast<std::uint64_t>(c));
  }
  const auto stacked = [&](const std::vector<Matrix<double>>& parts) {
    return target.rule().stacked(target, parts, cases.targets);
  };
  CHECK(stacked({right, noise})[1] < 0.05);
  CHECK(stacked({right, when}) == std::vector<double>{1, 0});
  CHECK(stacked({when, right}) == std::vector<double>{0, 1});

  const std::vector<Index> first = numbers(0, kCases / 2), second = numbers(kCases / 2, kCases);
  const TreeSettings settings{.boosting = {.rounds = 40, .learning_rate = 0.1, .column_share = 1},
                              .bagging = {.trees = 30}};
  const Companion grown = companions("here", settings, target, cases, {{&first}}, Random(3)).front();
  const std::vector<Matrix<double>> of_trees = outputs_of(grown, target, cases, second);
  const std::vector<Matrix<double>> parts{Matrix<double>(right.bottomRows(kCases / 2)), of_trees[0], of_trees[1]};
  const std::span<const double> codes = std::span(cases.targets).subspan(kCases / 2);
  CHECK(target.rule().stacked(target, parts, codes)[0] > 0.6);
  const std::vector<Matrix<double>> beside{Matrix<double>(noise.bottomRows(kCases / 2)), of_trees[0], of_trees[1]};
  CHECK(target.rule().stacked(target, beside, codes)[0] < 0.05);
}

TEST_CASE("the first of the boosted trees holds the hazards of the intervals, which one round has learned",
          "[study][hazards][trees]") {
  const Target target = ends_of_cases();
  const Cases cases = cases_with_ends(4000, 0, Random(6));
  const std::vector<Index> all = numbers(0, cases.count());
  const TreeSettings settings{.boosting = {.rounds = 1}};
  const Companion grown = companions("here", settings, target, cases, {{&all}}, Random(3)).front();
  const Matrix<double> output = outputs_of(grown, target, cases, all)[0];
  CHECK((output.rowwise() - output.row(0)).cwiseAbs().maxCoeff() == 0);
  const Predictions found = combined(target, std::vector<Matrix<double>>{output}, {}, 0, 1);
  const std::vector<double> observed = incidences_of(target, cases.targets);
  for (Index c = 0; c < found.mean.cols(); ++c) CHECK(std::abs(found.mean(0, c) - observed[c]) < 2e-3);
}

TEST_CASE("trees for hazards have the same bits alone, in any block and with any number of threads",
          "[study][hazards][trees][threads]") {
  const Target target = ends_of_cases();
  const Cases cases = cases_with_ends(300, 1, Random(7));
  const std::vector<Index> all = numbers(0, cases.count());
  const TreeSettings settings{.boosting = {.rounds = 10}, .bagging = {.trees = 10}};
  const int before = omp_get_max_threads();
  std::vector<Matrix<double>> first;
  for (const int threads : {1, 3}) {
    omp_set_num_threads(threads);
    const Companion grown = companions("here", settings, target, cases, {{&all}}, Random(3)).front();
    const std::vector<Matrix<double>> found = outputs_of(grown, target, cases, all);
    if (first.empty()) first = found;
    for (std::size_t p = 0; p < 2; ++p) CHECK(found[p] == first[p]);
    for (const Index item : {0, 7, 299})
      for (std::size_t p = 0; p < 2; ++p)
        CHECK(outputs_of(grown, target, cases, std::vector<Index>{item})[p] == first[p].middleRows(item, 1));
  }
  omp_set_num_threads(before);
}

TEST_CASE("trees for hazards: cases of which nothing is known are refused by name, one interval needs no number",
          "[study][hazards][trees][errors]") {
  Cases cases = cases_with_ends(60, 0, Random(8));
  const std::vector<Index> all = numbers(0, cases.count());
  const TreeSettings settings{.boosting = {.rounds = 3}, .bagging = {.trees = 3}};
  Target once = ends_of_cases();
  once.edges = {0, 4};
  const std::vector<double> times(60, 1.0);
  std::vector<double> ends(60, 0.0);
  cases.targets = hazard_codes(once, times, ends);
  CHECK(support::refusal_of<DataError>([&] {
          companions("here", settings, once, cases, {{&all}}, Random(3));
        }).find("were last seen in the first half of the first interval") != std::string::npos);
  for (std::size_t b = 0; b < 20; ++b) ends[b] = 1;
  cases.targets = hazard_codes(once, times, ends);
  const Companion grown = companions("here", settings, once, cases, {{&all}}, Random(3)).front();
  CHECK(outputs_of(grown, once, cases, all)[0].cols() == 3);
  CHECK(grown.parts[0].trees[0].columns == summary_width(0, 2, settings.columns));
}

}  // namespace fovea::study
