#include "fovea/core/study/cases/token_classes.hpp"

#include "fovea/core/base/moments.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/core/study/baselines/baselines.hpp"
#include "fovea/core/study/ensemble/fitting.hpp"
#include "fovea/core/study/predict/prediction_rows.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/tasks/record_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

/// Two cases; class "a" has numbers, "b" has none, "c" stands in the second case alone.
Cases small_record() {
  Cases cases;
  cases.features = {{"value", "1", {}}};
  cases.time_unit = "h";
  cases.offsets = {0, 3, 6};
  cases.values = Matrix<float>{{1}, {NAN}, {3}, {8}, {NAN}, {5}};
  cases.times = {0, 1, 2, 0, 1, 2};
  cases.classes = {"a", "b", "c"};
  cases.kinds = {0, 1, 0, 0, 1, 2};
  cases.ends = {2, 4};
  cases.ids = {"one", "two"};
  cases.targets = {0, 1};
  return cases;
}

TEST_CASE("a case starts at its first time, in whatever order its tokens are", "[study][classes]") {
  Cases cases = small_record();
  cases.times = {0, -1, 2, 5, 4, 6};
  CHECK(start_of(cases, 0) == -1);
  CHECK(start_of(cases, 1) == 4);
  cases.offsets = {0, 0, 6};
  CHECK(std::isnan(start_of(cases, 0)));
  cases.times.clear();
  CHECK(std::isnan(start_of(cases, 1)));
}

Results run_records(const Study& study, std::vector<std::string> set) {
  set.insert(set.begin(), {"training.batch_tokens=64", "ensemble.members=2", "explain.cases=5"});
  return support::run_of(study, set);
}

std::string rows_for(const Study& study, const TrainedModel& model, const std::string& path,
                     PredictionSummary& summary) {
  std::string rows;
  const Target target = study.task().target(model.config);
  summary = study.predict(model, path, {}, [&](const PredictedBlock& block) {
    rows += prediction_rows(target, block.cases, block.predictions);
  });
  return rows;
}

/// Says when a case is asked, and the sum of the numbers of its tokens' classes.
class ClockModel final : public StudyModel {
 public:
  learning::Variable<float> outputs(learning::Tape<float>& tape, const Batch& batch,
                                    learning::Variable<float>*) const override {
    const Index sets = batch.tokens->sets(), times = std::max<Index>(1, static_cast<Index>(batch.at.size()));
    const auto y = tape.constant(sets * times, 1);
    for (Index b = 0; b < sets; ++b)
      for (Index k = 0; k < times; ++k) {
        const double asked = batch.at.empty() ? batch.ends[b] : batch.at[k];
        float kinds = 0;
        for (Index i = batch.tokens->offsets[b]; i < batch.tokens->offsets[b + 1]; ++i)
          kinds += static_cast<float>(batch.kinds[i]);
        y.data()[b * times + k] = static_cast<float>(asked) + 100 * kinds;
      }
    return y;
  }
};

/// normal_score() by looking at every quantile.
double plain_score(const std::vector<double>& quantiles, double x) {
  const auto score = [&](std::size_t k) {
    return normal_quantile((static_cast<double>(k) + 0.5) / static_cast<double>(kClassQuantiles));
  };
  if (x <= quantiles.front() && quantiles[1] > x) return score(0);
  if (x > quantiles.back()) return score(kClassQuantiles - 1);
  std::size_t first = 0, below = 0;
  while (first < quantiles.size() && quantiles[first] < x) ++first;
  while (below < quantiles.size() && quantiles[below] <= x) ++below;
  if (below > first) return (score(first) + score(below - 1)) / 2;
  const double width = quantiles[first] - quantiles[first - 1];
  return score(first - 1) * (quantiles[first] - x) / width + score(first) * (x - quantiles[first - 1]) / width;
}

}  // namespace

TEST_CASE("a normal score is that of the rank, and of equal values the middle", "[study][classes]") {
  std::vector<double> quantiles;
  for (std::size_t k = 0; k < kClassQuantiles; ++k) quantiles.push_back(k < 60 ? 7 : static_cast<double>(k));
  CHECK(normal_score(quantiles, -1e9) == normal_quantile(0.005));
  CHECK(normal_score(quantiles, 1e9) == normal_quantile(0.995));
  CHECK(normal_score(quantiles, 7) == (normal_quantile(0.005) + normal_quantile(0.595)) / 2);
  CHECK(std::abs(normal_score(quantiles, 80) - normal_quantile(0.805)) < 1e-12);
  for (const double x : {7.0, 6.9, 7.1, 60.0, 63.5, 70.0, 80.25, 99.0})
    CHECK(std::abs(normal_score(quantiles, x) - plain_score(quantiles, x)) < 1e-12);
  CHECK(normal_score(std::vector<double>(kClassQuantiles, 3.0), 3) ==
        (normal_quantile(0.005) + normal_quantile(0.995)) / 2);
  double before = -3;
  for (double x = 6; x < 101; x += 0.37) {
    const double score = normal_score(quantiles, x);
    CHECK(score >= before);
    before = score;
  }
}

TEST_CASE("numbers that are ready stay as they are, whatever the class of their token", "[study][classes]") {
  Cases cases = support::simulated_records(100, Random(4));
  cases.features.front().ready = true;
  const Matrix<float> inputs = prepared(prepare(cases, first_numbers(cases.count()), Target{}), cases);
  for (Index i = 0; i < cases.tokens(); ++i)
    CHECK(inputs(i, 0) == (std::isnan(cases.values(i, 0)) ? 0.0F : cases.values(i, 0)));
}

TEST_CASE("numbers become normal scores within the class of their token", "[study][classes][twin]") {
  const Cases cases = support::simulated_records(3000, Random(4));
  std::vector<Index> training;
  for (Index b = 0; b < 2000; ++b) training.push_back(b);
  const Preparation made = prepare(cases, training, Target{});
  REQUIRE(made.scales.size() == 3);
  CHECK(made.inputs() == 2);
  const Index tokens = cases.offsets[2000];
  for (std::size_t c = 0; c < 2; ++c) {
    std::vector<double> values;
    for (Index i = 0; i < tokens; ++i)
      if (cases.kinds[i] == c) values.push_back(static_cast<double>(cases.values(i, 0)));
    std::sort(values.begin(), values.end());
    const double low = sorted_quantile(values, 0.005), high = sorted_quantile(values, 0.995);
    CHECK(made.scales[c].low == low);
    CHECK(made.scales[c].high == high);
    double sum = 0, squares = 0;
    for (const double x : values) sum += std::clamp(x, low, high);
    const double mean = sum / static_cast<double>(values.size());
    for (const double x : values) squares += std::pow(std::clamp(x, low, high) - mean, 2);
    CHECK(std::abs(made.scales[c].mean - mean) < 1e-12 * std::abs(mean));
    CHECK(std::abs(made.scales[c].deviation - std::sqrt(squares / static_cast<double>(values.size()))) < 1e-9);
  }
  CHECK(made.scales[0].high < 100);  // not the slips of the decimal point, at 3000
  CHECK(std::isnan(made.scales[2].low));
  const Matrix<float> inputs = prepared(made, cases);
  for (Index i = 0; i < cases.tokens(); ++i) {
    const std::size_t c = cases.kinds[i];
    const double scored = c == 2 ? 0 : plain_score(made.scales[c].quantiles, static_cast<double>(cases.values(i, 0)));
    CHECK(std::abs(static_cast<double>(inputs(i, 0)) - scored) < 1e-6);
    CHECK(inputs(i, 1) == (c == 2 ? 1 : 0));
  }
}

TEST_CASE("a value of a class that had none in the training part counts as missing", "[study][classes]") {
  const Preparation made = prepare(small_record(), {0}, Target{});
  const Matrix<float> inputs = prepared(made, small_record());
  CHECK(inputs.row(5) == Matrix<float>{{0, 1}});  // class c
  CHECK(inputs(3, 0) == inputs(2, 0));            // 8 and 3 are both beyond the quantiles
  CHECK(made.scale_name(2) == "c");
}

TEST_CASE("classes and ends that cannot be are refused", "[study][classes][error]") {
  const auto refusal = [](const std::function<void(Cases&)>& make) {
    Cases cases = small_record();
    make(cases);
    return support::refusal_of<DataError>([&] { check_cases("f", cases); });
  };
  CHECK(refusal([](Cases&) {}).empty());
  CHECK(refusal([](Cases& c) {
          c.classes = {"a", "c", "b"};
        }) == "f: class 'b' stands behind 'c'; classes must ascend, each once.");
  CHECK(refusal([](Cases& c) {
          c.classes = {"a", "b", "b"};
        }) == "f: class 'b' stands behind 'b'; classes must ascend, each once.");
  CHECK(refusal([](Cases& c) { c.kinds[4] = 3; }) ==
        "f: token 5 is of class 3, but must be below 3, as many as there are.");
  CHECK(refusal([](Cases& c) { c.kinds.pop_back(); }) ==
        "f: has 5 kinds of tokens for 6 tokens and 3 classes; each token needs one.");
  CHECK(refusal([](Cases& c) { c.classes.clear(); }) ==
        "f: has 6 kinds of tokens for 6 tokens and 0 classes; without classes there are none.");
  CHECK(refusal([](Cases& c) { c.ends = {1}; }) == "f: has 1 ends but 2 cases; each needs one.");
  CHECK(refusal([](Cases& c) { c.ends[1] = NAN; }) == "f: an end is nan, but must be finite.");
  CHECK(refusal([](Cases& c) { c.times.clear(); }) ==
        "f: its cases have ends but its tokens no times; give both or neither.");
}

TEST_CASE("classes and ends go with their cases when cases are taken and joined", "[study][classes]") {
  const Cases cases = small_record();
  const Cases turned = selected(cases, {1, 0});
  CHECK(turned.kinds == std::vector<std::uint16_t>{0, 1, 2, 0, 1, 0});
  CHECK(turned.ends == std::vector<double>{4, 2});
  Cases joined = selected(cases, {1});
  append(joined, selected(cases, {0}));
  CHECK(joined.kinds == turned.kinds);
  CHECK(joined.ends == turned.ends);
  CHECK(joined.classes == cases.classes);
  Cases other = cases;
  other.classes[2] = "d";
  CHECK_THROWS_WITH(append(joined, other), "a block of cases has other classes of tokens than the block before it.");
}

TEST_CASE("classes of new cases are found by name; unknown ones go with their tokens, and are noted",
          "[study][classes]") {
  Preparation learned = prepare(small_record(), {0, 1}, Target{});
  Cases cases = small_record();
  cases.classes = {"a", "aa", "b"};  // what was b is aa, which the model does not know; what was c is b
  Difference difference;
  const Cases found = matched("f", learned, cases, difference);
  check_cases("f", found);
  CHECK(difference.unused == std::vector<std::string>{"aa"});
  CHECK(difference.seen == std::vector<Index>{3, 1, 0});
  CHECK(found.kinds == std::vector<std::uint16_t>{0, 0, 0, 1});
  CHECK(found.offsets == std::vector<Index>{0, 2, 4});
  CHECK(found.times == std::vector<double>{0, 2, 0, 2});
  CHECK(found.values == Matrix<float>{{1}, {3}, {8}, {5}});
  CHECK(found.targets == cases.targets);
  CHECK(difference.outside == std::vector<Index>{2, 1, 0});  // the ends of a's values; a value of b, which had none
  Cases strange = cases;
  strange.classes = {"p", "q", "r"};
  CHECK_THROWS_WITH(matched("f", learned, strange, difference),
                    "f: has 'p', 'q' and 'r', but none of what the model knows: 'a', 'b' and 'c'; name its variables "
                    "as `fovea inspect MODEL` does.");
  strange.classes = {"p", "q", "r", "s", "t", "u"};
  CHECK_THROWS_WITH(matched("f", learned, strange, difference), Catch::Contains("'p', 'q', 'r', 's' and 2 more, but"));
  Cases plain = cases;
  plain.classes.clear();
  plain.kinds.clear();
  CHECK_THROWS_WITH(matched("f", learned, plain, difference),
                    "f: its tokens have no classes, but the model was trained with 3 of them.");
  const Preparation of_plain = prepare(plain, {0, 1}, Target{});
  CHECK_THROWS_WITH(matched("f", of_plain, cases, difference),
                    "f: its tokens have classes, but the model was trained without.");
}

TEST_CASE("of private cases no class and no quantile rests on fewer than the smallest cell",
          "[study][classes][private]") {
  Cases cases;  // 300 cases with a value 0, 1, ... each; case 7 has the largest thirty of "a" besides, and "b" alone
  cases.features = {{"value", "1", {}}};
  cases.classes = {"a", "b", "c"};
  std::vector<float> values;
  const auto put = [&](float value, std::uint16_t kind) { values.push_back(value), cases.kinds.push_back(kind); };
  for (int b = 0; b < 300; ++b) {
    put(static_cast<float>(b), 0);
    for (int k = 0; b == 7 && k < 30; ++k) put(7391.25F, 0), put(8, 1);
    if (b < 15) put(static_cast<float>(b), 2);
    cases.offsets.push_back(static_cast<Index>(values.size()));
    cases.ids.push_back(std::to_string(b));
  }
  cases.values = Eigen::Map<Matrix<float>>(values.data(), static_cast<Index>(values.size()), 1);
  std::vector<Index> all(300);
  for (std::size_t b = 0; b < all.size(); ++b) all[b] = static_cast<Index>(b);
  CHECK(prepare(cases, all, Target{}).scales[0].high == 7391.25);
  CHECK(without_rare_classes(cases).classes == cases.classes);

  cases.smallest_cell = 10;
  const Cases kept = without_rare_classes(cases);
  check_cases("kept", kept);
  CHECK(kept.classes == std::vector<std::string>{"a", "c"});
  CHECK(kept.tokens() == cases.tokens() - 30);
  CHECK(kept.kinds.back() == 0);
  const Preparation made = prepare(kept, all, Target{});
  const std::vector<double>& quantiles = made.scales[0].quantiles;
  CHECK(std::is_sorted(quantiles.begin(), quantiles.end()));
  CHECK(made.scales[0].high < 600);
  CHECK(made.scales[0].low < 0);
  CHECK(made.scales[0].mean < 165);         // 150, and a tenth at the outermost quantile
  CHECK(made.scales[1].quantiles.empty());  // 15 cases: ten from below and ten from above cross
  CHECK(std::isnan(made.scales[1].low));
}

TEST_CASE("tokens behind the end of their case are left out for a model without an eye for ends", "[study][classes]") {
  Cases cases = small_record();
  cases.ends = {1, -1};
  const Cases left = until_ends(cases);
  CHECK(left.offsets == std::vector<Index>{0, 2, 2});
  CHECK(left.kinds == std::vector<std::uint16_t>{0, 1});
  CHECK(left.targets == cases.targets);
  cases.ends.clear();
  CHECK(until_ends(cases).tokens() == 6);
}

TEST_CASE("the ridge model sees the mean and the number of each class, up to the end", "[study][classes][baselines]") {
  Cases cases = small_record();
  cases.ends = {2, 1};
  const Matrix<float> inputs{{1, 0}, {0, 1}, {3, 0}, {8, 0}, {0, 1}, {5, 0}};
  const Matrix<double> means = mean_inputs(cases, inputs, Target{}, {0, 1});
  const Matrix<double> by_hand{{2, std::log(3.0), 0, std::log(2.0), 0, 0}, {8, std::log(2.0), 0, std::log(2.0), 0, 0}};
  CHECK((means - by_hand).cwiseAbs().maxCoeff() < 1e-15);
}

TEST_CASE("a model is given classes, ends, and times at which every case is asked", "[study][classes]") {
  const Cases cases = small_record();
  const Preparation made = prepare(cases, {0, 1}, Target{});
  const Matrix<float> inputs = prepared(made, cases);
  Member member;
  member.model = std::make_unique<ClockModel>();
  CHECK(shape_of(made, Target{}).classes == cases.classes);
  CHECK(outputs_of(member, Target{}, cases, inputs, {1, 0}, 100) == Matrix<double>{{304}, {102}});
  const std::vector<double> at{6, 12, 24};
  for (const Index batch : {1, 100})
    CHECK(outputs_of(member, Target{}, cases, inputs, {1, 0}, batch, at) ==
          Matrix<double>{{306}, {312}, {324}, {106}, {112}, {124}});
  Target of_tokens;
  of_tokens.level = TargetLevel::per_token;
  CHECK_THROWS_WITH(outputs_of(member, of_tokens, cases, inputs, {0}, 100, at),
                    "outputs_of: times are given at which cases are asked, but this target is one a token.");
}

TEST_CASE("a study of records learns, explains by class, and predicts what its model file predicts",
          "[study][classes][predict]") {
  const Study study(support::record_task());
  const Results results = run_records(study, {"data.cases=1500", "training.epochs=12"});
  CHECK(results.data.at("score_low").reals()[0] > 0.7);
  CHECK(results.data.at("score_value").reals()[5] > 0.65);  // of the ridge model
  CHECK(std::get<std::vector<std::string>>(results.data.at("feature").values) ==
        std::vector<std::string>{"albumin", "lactate", "surgery"});
  const std::vector<double>& by_deletion = results.data.at("attributed_by_deletion").reals();
  CHECK(by_deletion[1] > 2 * by_deletion[0]);
  const TrainedModel model = read_model("m.h5", *results.model(), study.task());
  CHECK(content_hash(model_dataset(study.task(), model)) == content_hash(*results.model()));
  const support::TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder.file(name)) << text;
    return folder.file(name);
  };
  PredictionSummary summary;
  const std::string plain =
      rows_for(study, model, write("a.csv", "x,1,lactate,9\nx,2,surgery,\ny,3,lactate,1\n"), summary);
  CHECK(summary.difference.seen == std::vector<Index>{0, 2, 1});
  CHECK(summary.difference.unused.empty());
  CHECK(rows_for(study, model,
                 write("b.csv", "x,1,lactate,9\nx,1.5,weight,80\nx,2,surgery,\nx,11,lactate,1\ny,3,lactate,1\n"),
                 summary) == plain);  // of a class that is unknown, and behind the end
  CHECK(summary.difference.unused == std::vector<std::string>{"weight"});
}

TEST_CASE("a study reads its cases from several files", "[study][classes][inputs]") {
  const Study study(support::record_task());
  const support::TemporaryFolder folder;
  std::vector<std::string> paths;
  for (int part = 0; part < 2; ++part) {
    paths.push_back(folder.file(concat(part, ".csv")));
    std::ofstream file(paths.back());
    for (int b = 0; b < 40; ++b) file << part << '-' << b << ",1,lactate," << b % 7 << ',' << b % 2 << '\n';
  }
  Config config = support::config_of(study);
  config.set("data.records", paths, {});
  CHECK(study.open(config).as<Cases>()->count() == 80);
  config.set("data.records", std::vector<std::string>{paths[1]}, {});
  CHECK(study.open(config).as<Cases>()->count() == 40);
}

TEST_CASE("a model file with classes that cannot be is refused", "[study][classes][error]") {
  const auto task = support::record_task();
  const Study study(support::record_task());
  const Dataset good = *run_records(study, {"data.cases=60", "training.epochs=1"}).model();
  const auto refusal = [&](const std::function<void(Dataset&)>& make) {
    Dataset data = good;
    make(data);
    data.attributes.erase("model_hash");
    data.attributes["model_hash"] = content_hash(data);
    return support::refusal_of<DataError>([&] { read_model("m.h5", data, *task); });
  };
  CHECK(refusal([](Dataset&) {}).empty());
  const auto put_class = [](const std::string& name) {
    return [name](Dataset& d) { std::get<std::vector<std::string>>(d.at("class").values)[1] = name; };
  };
  CHECK(refusal(put_class("zebra")).find("lists its classes out of order") != std::string::npos);
  CHECK(refusal(put_class("albumin")).find("lists its classes out of order") != std::string::npos);
  CHECK(refusal(put_class(std::string(2000, 'b'))).find("a text of 2000 bytes") != std::string::npos);
  CHECK(refusal([](Dataset& d) {
          std::get<std::vector<double>>(d.at("feature_deviation").values)[2] = 0;
        }).find("/feature_deviation has the value 0") != std::string::npos);
  CHECK(refusal([](Dataset& d) {
          Dataset rest;
          rest.attributes = d.attributes;
          rest.documents = d.documents;
          for (const Variable& variable : d.variables()) {
            if (variable.name == "class") continue;
            const auto shape = d.shape(variable);
            for (std::size_t k = 0; k < shape.size(); ++k) rest.dimension(variable.dimensions[k], shape[k]);
            rest.add(variable);
          }
          d = rest;
        }).find("/feature_mean has 3 values in 2 dimensions, but must have 1 in 1") != std::string::npos);
}

}  // namespace fovea::study
