#include "fovea/core/study/study.hpp"

#include <numeric>
#include <set>

#include "fovea/core/base/words.hpp"
#include "fovea/core/lab/run_point.hpp"
#include "fovea/core/study/predict/prediction_rows.hpp"
#include "fovea/core/study/report/cost_growth.hpp"
#include "fovea/core/study/report/doubts.hpp"
#include "fovea/tests/support/folders.hpp"
#include "fovea/tests/support/runs/bench.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/tasks/looking_task.hpp"
#include "fovea/tests/support/tasks/toy_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

const std::vector<std::string> kSmall{"data.cases=120", "training.epochs=3", "training.batch_tokens=64",
                                      "ensemble.members=2", "explain.cases=5"};

/// A file of cases, and the rows that it is predicted to have.
std::string predicted(const study::Study& study, const study::TrainedModel& model, const std::string& path,
                      const study::PredictOptions& options) {
  std::string rows;
  const study::Target target = study.task().target(model.config);
  study.predict(model, path, options, [&](const study::PredictedBlock& block) {
    rows += study::prediction_rows(target, block.cases, block.predictions);
  });
  return rows;
}

std::string case_rows(Index first, Index count) {
  std::string text;
  for (Index b = first; b < first + count; ++b)
    for (Index i = 0; i < 1 + b % 5; ++i)
      text += concat("c", b, ',', i, ',', static_cast<double>((b * 7 + i * 3) % 11) / 4 - 1, ',',
                     b % 3 == 0 ? std::string() : exact_text(static_cast<double>(b % 7)), '\n');
  return text;
}
const std::string kHeader = "id,time [h],reading [mV],quality\n";

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

double score(const Results& results, const char* part, std::size_t place) {
  return results.data.at(std::string("score_") + part).reals()[place];
}

}  // namespace

TEST_CASE("a study learns what its generator put in, and beats the ridge model that sees means alone",
          "[study][long]") {
  const study::Study study(support::toy_task());
  const Results results =
      support::run_of(study, {"data.cases=4000", R"(model.modifiers=[{type="time_decay",half_life=1.0}])",
                              "ensemble.members=2", "explain.cases=100"});
  CHECK(score(results, "value", 0) > score(results, "value", 5) + 0.02);  // AUROC, ours and the ridge model's
  CHECK(score(results, "low", 0) > 0.75);
  CHECK(results.verdict().find(" on the test part.") != std::string::npos);
  CHECK(!results.found<study::SimplerIsBetter>());
  CHECK(!results.found<study::FewCases>());
  const std::vector<double>& by_deletion = results.data.at("attributed_by_deletion").reals();
  CHECK(by_deletion[0] > 2 * by_deletion[1]);  // the reading matters, its quality does not
}

TEST_CASE("on targets drawn by chance the interval of AUROC holds .5, and the verdict says so", "[study][statistics]") {
  const study::Study study(support::toy_task());
  int holds = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {  // 95 % each: 7 of 10 or fewer have a chance of .01
    const Results results = support::run_of(
        study, {"data.by_chance=true", "data.cases=300", "training.epochs=4", "ensemble.members=1", "explain.cases=0"},
        seed);
    const bool held = score(results, "low", 0) <= 0.5 && score(results, "high", 0) >= 0.5;
    holds += held;
    CHECK(held == results.found<study::NoBetterThanChance>().has_value());
    CHECK((!held || results.found<study::FewCases>()));  // which could have found little
    const double temperature = results.data.at("calibration_scale").reals()[0];
    CHECK((temperature > 999) == (results.verdict().find("largest temperature, 1000:") != std::string::npos));
  }
  CHECK(holds >= 8);
}

TEST_CASE("folds say under their table where the base rate stands for risks, and only there", "[study][findings]") {
  const study::Study study(std::make_unique<support::LookingTask>([](const study::StudyOutcome& found) {
    const std::vector<double>& targets = found.cases.targets;
    const double ones = std::accumulate(targets.begin(), targets.end(), 0.0), all = static_cast<double>(targets.size());
    for (const study::FoldModel& fold : found.folds->models)  // one rate, so that flat folds have no order among them
      CHECK(
          (fold.calibration.slope > 0 || std::abs(fold.calibration.intercept - std::log(ones / (all - ones))) < 1e-9));
  }));
  std::set<bool> seen;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Results results = support::run_of(
        study,
        {seed % 2 == 0 ? "data.by_chance=true" : "data.cases=400", "split.folds=3", "split.validation=0",
         "calibration.method=line", "training.epochs=1", "ensemble.members=1", "explain.cases=0"},
        seed);
    const auto flat = results.found<study::FlatCalibration>();
    const auto table = std::find_if(results.figures().begin(), results.figures().end(),
                                    [](const Figure& figure) { return figure.name == "folds"; });
    REQUIRE(table != results.figures().end());
    const bool said = table->caption.find("others, but for the base rate of all cases.") != std::string::npos;
    CHECK(said == (flat && flat->flat > 0));
    seen.insert(said);
  }
  CHECK(seen.size() == 2);
}

TEST_CASE("one input that tells the outcome is named, whatever the model makes of it", "[study][findings]") {
  const study::Study study(support::toy_task());
  const support::TemporaryFolder folder;
  std::string rows = "id,time [h],reading [mV],quality,target\n";
  for (int b = 0; b < 80; ++b)
    rows += concat("c", b, ",0,", (b * 37) % 80, ',', b % 2, ',', b % 2, '\n');  // readings say nothing
  write(folder.file("cases.csv"), rows);
  const Results results = support::run_of(
      study, {concat("data.file=\"", folder.file("cases.csv"), '"'), "training.epochs=1", "explain.cases=0"});
  const auto perfect = results.found<study::NearlyPerfect>();
  REQUIRE(perfect);
  CHECK(perfect->value == 1);
  CHECK(results.found<study::OneInput>()->name == "quality");
  CHECK(results.found<study::OneInput>()->value == 1);
  CHECK(results.found<study::FewCases>()->cases == std::size_t(results.data.at("test_cases").reals()[0]));
}

TEST_CASE("a study that is stopped again and again ends with the same model", "[study][resume]") {
  const study::Study study(support::toy_task());
  const Results whole = support::run_of(study, kSmall);
  const Config config = support::config_of(study, kSmall);
  support::StoppingBench bench(1);
  int stops = 0;
  for (int step = 1;; step = 1 + step % 3) {
    bench.begin_again(step);
    Results results;
    try {
      study.run(config, {}, Random(1), results, bench);
    } catch (const Interrupted&) {
      REQUIRE(++stops < 200);
      continue;
    }
    CHECK(content_hash(*results.model()) == content_hash(*whole.model()));
    break;
  }
  CHECK(stops >= 5);
}

TEST_CASE("a case is predicted alike alone, in any batch and block and with any threads", "[study][predict][threads]") {
  const support::TemporaryFolder folder;
  const study::Study study(support::toy_task());
  const Results results = support::run_of(study, kSmall);
  const study::TrainedModel model = study::read_model("m.h5", *results.model(), study.task());
  const std::string path = folder.path() + "/cases.csv";
  write(path, kHeader + case_rows(0, 60));
  const std::string whole = predicted(study, model, path, {});
  CHECK(std::count(whole.begin(), whole.end(), '\n') == 60);
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 3, 5})
    for (const Index batch : {1, 7, 100000}) {
      omp_set_num_threads(threads);
      CHECK(predicted(study, model, path, {batch == 1 ? 1 : 13, batch}) == whole);
    }
  omp_set_num_threads(before);
  std::string alone;
  for (Index b = 0; b < 60; ++b) {
    write(path, kHeader + case_rows(b, 1));
    alone += predicted(study, model, path, {});
  }
  CHECK(alone == whole);
}

TEST_CASE("what new cases have too much, too little or outside is said", "[study][predict]") {
  const support::TemporaryFolder folder;
  const study::Study study(support::toy_task());
  const Results results = support::run_of(study, kSmall);
  const study::TrainedModel model = study::read_model("m.h5", *results.model(), study.task());
  const std::string path = folder.path() + "/cases.csv";
  write(path, "quality,id,nurse,reading [mV],time [h],target\n1,a,7,1e6,0,1\n,a,7,2,1,1\n1,b,7,-1e6,0,0\n");
  const study::PredictionSummary summary = study.predict(model, path, {}, [](const study::PredictedBlock&) {});
  CHECK(summary.cases == 2);
  CHECK(summary.known == 2);
  CHECK(summary.difference.unused == std::vector<std::string>{"nurse"});
  CHECK(summary.difference.outside == std::vector<Index>{2, 0});
  CHECK(std::isfinite(summary.values.front().value));
}

TEST_CASE("broken cases end in one sentence with file, row and rule", "[study][predict][error]") {
  struct Broken {
    const char* text;
    const char* says;
  };
  const std::vector<Broken> all{
      {"", "is empty"},
      {"a\n", "id"},
      {"id\n", "has no cases"},
      {"id,time [h],reading [mV]\na,0,1\n", "has no feature 'quality' (1)"},
      {"id,time [h],reading,quality\na,0,1,1\n", "is in '1', but the model was trained on 'mV'"},
      {"id,time [h],reading [V],quality\na,0,1,1\n", "is in 'V', but the model was trained on 'mV'"},
      {"id,time [min],reading [mV],quality\na,0,1,1\n", "its times are in 'min'"},
      {"id,reading [mV],quality\na,1,1\n", "its times are missing"},
      {"time [h],reading [mV],quality\n0,1,1\n", "has no column 'id'"},
      {"id,id,time [h],reading [mV],quality\na,a,0,1,1\n", "id"},
      {"id,time [h],time [h],reading [mV],quality\na,0,0,1,1\n", "time"},
      {"id,time [h],reading [mV],reading [mV],quality\na,0,1,1,1\n", "reading"},
      {"id,time [h],reading [mV],reading [V],quality\na,0,1,1,1\n", "two features 'reading'"},
      {"id,time [h],reading [mV],quality\na,0,high,1\n", "row 2"},
      {"id,time [h],reading [mV],quality\na,0,1\n", "row 2"},
      {"id,time [h],reading [mV],quality\na,0,1,1,1\n", "row 2"},
      {"id,time [h],reading [mV],quality\na,noon,1,1\n", "row 2"},
      {"id,time [h],reading [mV],quality\na,inf,1,1\n", "the time must be a finite number"},
      {"id,time [h],reading [mV],quality\na,,1,1\n", "the time must be a finite number"},
      {"id,time [h],reading [mV],quality\na,0,inf,1\n", "is infinite"},
      {"id,time [h],reading [mV],quality\na,0,1e300,1\n", "too large for a float"},
      {"id,time [h],reading [mV],quality\n,0,1,1\n", "the id is empty"},
      {"id,time [h],reading [mV],quality\na,0,1,1\nb,0,1,1\na,1,1,1\n", "comes again after other cases"},
      {"id,time [h],reading [mV],quality,target\na,0,1,1,0\na,1,1,1,1\n", "must be the same in all rows"},
      {"id,time [h],reading [mV],quality,target\na,0,1,1,2\n", "a target is 2"},
      {"id,time [h],reading [mV],quality,target\na,0,1,1,0.5\n", "a target is 0.5"},
      {"id,time [h],reading [mV],quality,target\na,0,1,1,yes\n", "row 2"},
      {"id,time [h],reading [mV],quality,group\na,0,1,1,p\na,1,1,1,q\n", "must be the same in all rows"},
      {"id,time [h],reading [mV],quality,weight\na,0,1,1,heavy\n", "row 2"},
      {"id,time [h],reading [mV],quality\n\"a,0,1,1\n", "row 2"},
      {"id,time [h],reading [mV],quality\na\xff,0,1,1\n", "row 2"},
  };
  CHECK(all.size() >= 30);
  const support::TemporaryFolder folder;
  const study::Study study(support::toy_task());
  const Results results = support::run_of(study, kSmall);
  const study::TrainedModel model = study::read_model("m.h5", *results.model(), study.task());
  const std::string path = folder.path() + "/broken.csv";
  for (const Broken& broken : all) DYNAMIC_SECTION(broken.says << ": " << broken.text) {
      write(path, broken.text);
      const std::string said =
          support::refusal_of<DataError>([&] { study.predict(model, path, {}, [](const study::PredictedBlock&) {}); });
      CHECK(said.find(path) == 0);
      CHECK(said.find(broken.says) != std::string::npos);
      CHECK(said.find('\n') == std::string::npos);
    }
}

TEST_CASE("a group in two parts is refused, and a drawn split keeps groups whole", "[study][split]") {
  study::Cases cases;
  cases.features = {{"x", "1", {}}};
  for (int b = 0; b < 60; ++b) {
    cases.offsets.push_back(b + 1);
    cases.ids.push_back(concat(b));
    cases.groups.push_back(concat("g", b / 3));
    cases.targets.push_back(b % 2);
  }
  cases.values = Matrix<float>::Zero(60, 1);
  const study::Target target;
  const study::Split split = study::split_cases("f.csv", cases, target, {}, Random(3));
  CHECK(split.training.size() + split.validation.size() + split.test.size() == 60);
  CHECK(std::abs(static_cast<double>(split.test.size()) - 15) <= 3);
  for (const Index a : split.training)
    for (const Index b : split.test) CHECK(a / 3 != b / 3);
  cases.parts.assign(60, "training");
  cases.parts[59] = "test";
  CHECK_THROWS_WITH(study::split_cases("f.csv", cases, target, {}, Random(3)),
                    "f.csv: group 'g19' is in two parts: case '57' in training, case '59' in test; keep it in one.");
}

TEST_CASE("costs are measured round by round: the least time of each size, the memory of the first round", "[study]") {
  const std::vector<double> seconds{3, 10, 20, 2, 11, 18, 4, 9, 19}, bytes{5, 6, 7, 1, 9, 1, 9, 1, 9};
  std::vector<std::size_t> asked;
  const std::vector<Cost> costs = study::least_costs(3, [&](std::size_t k) {
    asked.push_back(k);
    return Cost{seconds.at(asked.size() - 1), bytes.at(asked.size() - 1)};
  });
  CHECK(asked == std::vector<std::size_t>{0, 1, 2, 0, 1, 2, 0, 1, 2});
  REQUIRE(costs.size() == 3);
  for (std::size_t k = 0; k < costs.size(); ++k) {
    CHECK(costs[k].cpu_seconds == std::vector<double>{2, 9, 18}[k]);
    CHECK(costs[k].peak_bytes == bytes[k]);
  }
}
