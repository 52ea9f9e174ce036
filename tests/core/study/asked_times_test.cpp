#include "fovea/core/study/ensemble/asked_times.hpp"

#include <sstream>

#include "fovea/core/base/words.hpp"
#include "fovea/core/study/predict/prediction_rows.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/tasks/record_task.hpp"
#include "fovea/tests/support/tasks/toy_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

/// Its logit is a number of its own and the values so far, each halved every 3 hours.
class FadingModel final : public StudyModel {
 public:
  FadingModel(learning::Parameters<float>& parameters, const Random& random)
      : own_(parameters.add("own", Matrix<float>::Constant(1, 1, static_cast<float>(random.normal(0, 0))))) {}
  bool can_be_asked_at_times() const override { return true; }
  learning::Variable<float> outputs(learning::Tape<float>& tape, const Batch& batch,
                                    learning::Variable<float>*) const override {
    const auto times = std::max<std::size_t>(1, batch.at.size());
    const learning::Tokens& tokens = *batch.tokens;
    const auto y = tape.constant(tokens.sets() * static_cast<Index>(times), 1);
    const float own = tape.parameter(own_).data()[0];
    for (std::size_t b = 0; b + 1 < tokens.offsets.size(); ++b)
      for (std::size_t k = 0; k < times; ++k) {
        const double asked = batch.at.empty() ? batch.ends[b] : batch.at[k];
        double sum = 0;
        for (Index i = tokens.offsets[b]; i < tokens.offsets[b + 1]; ++i) {
          const double age = asked - tokens.times[i];
          if (age >= 0) sum += static_cast<double>(batch.x.value()(i, 0)) * std::exp2(-age / 3);
        }
        y.data()[b * times + k] = own + static_cast<float>(sum);
      }
    return y;
  }

 private:
  learning::ParameterPlace own_;
};

/// Records whose ends depend on the number behind the first letter of their ids.
class FadingTask final : public LearnedTask {
 public:
  explicit FadingTask(std::function<double(int number)> end) : end_(std::move(end)), inner_(support::record_task()) {}
  std::string_view name() const override { return inner_->name(); }
  std::string_view summary() const override { return inner_->summary(); }
  int result_version() const override { return 1; }
  std::string data_key() const override { return inner_->data_key(); }
  void keys(Schema& schema) const override {
    inner_->keys(schema);
    schema.file("data.labels", "a line for each case: its target");
  }
  std::string targets_key() const override { return "data.labels"; }
  Target target(const Config& config) const override { return inner_->target(config); }
  std::unique_ptr<CaseReader> open(const Config& config, const Random& random) const override {
    Cases cases = read_all(*inner_->open(config, random));
    for (std::size_t b = 0; b < cases.ends.size(); ++b) cases.ends[b] = end_(std::stoi(cases.ids[b].substr(1)));
    std::ifstream labels(config.text("data.labels"));
    if (!config.text("data.labels").empty())
      for (double& y : cases.targets) labels >> y;
    return reader_of(std::move(cases));
  }
  std::unique_ptr<StudyModel> model(const Config&, const ModelShape&, learning::Parameters<float>& parameters,
                                    const Random& random) const override {
    return std::make_unique<FadingModel>(parameters, random);
  }
  bool has_own_model() const override { return true; }

 private:
  std::function<double(int)> end_;
  std::unique_ptr<LearnedTask> inner_;
};

Study fading(std::function<double(int)> end) { return Study(std::make_unique<FadingTask>(std::move(end))); }
double uneven_end(int number) { return 10 - 1.25 * (number % 4); }

/// As a run leaves it, but for what its members would have learned.
TrainedModel untrained(const Study& study) {
  const Config config = support::config_of(study.task(), {"ensemble.members=3"});
  const Target target = study.task().target(config);
  const Cases cases = support::simulated_records(60, Random(3));
  std::vector<Index> items(60);
  for (std::size_t b = 0; b < items.size(); ++b) items[b] = static_cast<Index>(b);
  TrainedModel model{config, prepare(cases, items, target), {1, true, 0.25, 0.75}, {}, 0.5};
  model.members = make_members(study.task(), config, shape_of(model.preparation, target), Random(4));
  return model;
}

/// Records s0, s1, ..., s7 events each, over 12 hours, with a target where the number is even.
std::string record_lines(int first, int count) {
  std::string text;
  for (int b = first; b < first + count; ++b)
    for (int i = 0; i < 7; ++i)
      text += concat('s', b, ',', (b * 3 + i * 5) % 11 + 0.5 * i / 3.5, i % 2 == 0 ? ",lactate," : ",albumin,",
                     (b * 7 + i * 3) % 10, ',', b % 2 == 0 ? concat(b % 3 == 0 ? 1 : 0) : std::string(), '\n');
  return text;
}

std::string asked_rows(const Study& study, const TrainedModel& model, const std::string& lines,
                       const PredictOptions& options, PredictionSummary* summary = nullptr) {
  const support::TemporaryFolder folder;
  std::ofstream(folder.file("a.csv")) << lines;
  std::string rows;
  const Target target = study.task().target(model.config);
  const PredictionSummary found = study.predict(model, folder.file("a.csv"), options, [&](const PredictedBlock& block) {
    rows += prediction_rows(target, block.cases, block.predictions, block.asked);
  });
  if (summary != nullptr) *summary = found;
  return rows;
}

PredictOptions asking(std::vector<double> at, double every = 0) {
  PredictOptions options;
  options.times = {std::move(at), every};
  return options;
}

/// The lines that hold this time, without it.
std::string rows_at(const std::string& rows, const std::string& time) {
  std::istringstream lines(rows);
  std::string found;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(','), second = line.find(',', first + 1);
    if (line.substr(first + 1, second - first - 1) == time) found += line.erase(first, second - first) + '\n';
  }
  return found;
}

}  // namespace

TEST_CASE("asked at times, a case has the rows that it has where it ends then", "[study][predict][times][twin]") {
  const Study study = fading(uneven_end);
  const TrainedModel model = untrained(study);
  const std::string rows = asked_rows(study, model, record_lines(0, 9), asking({2, 4.5, 10}));
  CHECK(std::count(rows.begin(), rows.end(), '\n') == 27);
  CHECK(rows.substr(0, 5) == "s0,2,");
  for (const double time : {2.0, 4.5, 10.0})
    CHECK(rows_at(rows, exact_text(time)) ==
          asked_rows(fading([&](int) { return time; }), model, record_lines(0, 9), {}));
  CHECK(rows_at(rows, "2") != rows_at(rows, "4.5"));
}

TEST_CASE("asked every few hours, a case has a row at each before its end, and the row of its end",
          "[study][predict][times]") {
  const Study study = fading([](int number) { return number == 0 ? 10.0 : number == 1 ? 6.0 : 1.0; });
  const TrainedModel model = untrained(study);
  const std::string rows = asked_rows(study, model, record_lines(0, 3), asking({}, 3));
  std::istringstream lines(rows);
  std::vector<std::string> starts;
  for (std::string line; std::getline(lines, line);)
    starts.push_back(line.substr(0, line.find(',', line.find(',') + 1)));
  CHECK(starts == std::vector<std::string>{"s0,3", "s0,6", "s0,9", "s0,10", "s1,3", "s1,6", "s2,1"});
  CHECK(rows_at(rows, "10") + rows_at(rows, "6").substr(rows_at(rows, "6").find("s1")) + rows_at(rows, "1") ==
        asked_rows(study, model, record_lines(0, 3), {}));
  const std::string at = asked_rows(study, model, record_lines(0, 1), asking({3, 6, 9, 10}));
  CHECK(rows.substr(0, at.size()) == at);
}

TEST_CASE("a row of a case and time is alike alone, in any batch and block and with any threads",
          "[study][predict][times][threads]") {
  const Study study = fading(uneven_end);
  const TrainedModel model = untrained(study);
  const std::string lines = record_lines(0, 30);
  const std::string whole = asked_rows(study, model, lines, asking({}, 0.1));  // more times than are asked at once
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 3, 5})
    for (const Index batch : {1, 50, 100000}) {
      omp_set_num_threads(threads);
      PredictOptions options = asking({}, 0.1);
      options.block = batch == 1 ? 1 : 13;
      options.batch_tokens = batch;
      CHECK(asked_rows(study, model, lines, options) == whole);
    }
  omp_set_num_threads(before);
  std::string alone;
  for (int b = 0; b < 30; ++b) alone += asked_rows(study, model, record_lines(b, 1), asking({}, 0.1));
  CHECK(alone == whole);
  // s3 ends at 6.25 and is not asked at 7.3, the others are.
  CHECK(rows_at(asked_rows(study, model, record_lines(0, 3), asking({7.3})), "7.3") ==
        rows_at(asked_rows(study, model, record_lines(0, 4), asking({}, 0.1)), "7.3"));
}

TEST_CASE("of a case that is asked several times the last row is scored, and rows behind its end are counted",
          "[study][predict][times]") {
  const Study study = fading(uneven_end);
  const TrainedModel model = untrained(study);
  const std::string lines = record_lines(0, 12);
  PredictionSummary plain, every, at;
  asked_rows(study, model, lines, {}, &plain);
  asked_rows(study, model, lines, asking({}, 2), &every);
  asked_rows(study, model, lines, asking({1, 9}), &at);
  CHECK(plain.known == 6);
  CHECK(every.known == 6);
  CHECK(every.cases == 12);
  CHECK(every.rows > 48);
  CHECK(every.late == 0);
  REQUIRE(every.values.size() == plain.values.size());
  for (std::size_t k = 0; k < plain.values.size(); ++k)
    CHECK((every.values[k].value == plain.values[k].value || std::isnan(plain.values[k].value)));
  CHECK(at.rows == 24);
  CHECK(at.late == 9);  // 9 is behind the ends 8.75, 7.5 and 6.25
}

TEST_CASE("steps of decimal fractions are decimal fractions, and the end is there once", "[study][predict][times]") {
  Cases cases;
  cases.offsets = {0, 1, 2, 2};
  cases.times = {0.3, 0.75};
  cases.ids = {"a", "b", "c"};
  const AskedTimes asked = asked_times("f", cases, {{}, 0.1});
  CHECK(asked.times == std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7});
  CHECK(asked.counts == std::vector<Index>{2, 7, 0});
  CHECK(asked.last_rows() == std::vector<Index>{2, 10, 11});
  CHECK(asked.time(0, 2) == 0.3);
  CHECK(asked.time(1, 7) == 0.75);
  CHECK(std::isnan(asked.time(2, 0)));  // of no token, so of no end
  cases.ends = {-1, 0, 0.1};
  CHECK(asked_times("f", cases, {{}, 0.1}).counts == std::vector<Index>{0, 0, 0});
}

TEST_CASE("new cases are read without the training data's further files, and with targets of their own",
          "[study][predict]") {
  const Study study = fading(uneven_end);
  TrainedModel model = untrained(study);
  model.config.set("data.labels", std::string("/labels of the training cases, which lie elsewhere"), {});
  PredictionSummary summary;
  asked_rows(study, model, record_lines(1, 1), {}, &summary);
  CHECK(summary.known == 0);
  const support::TemporaryFolder folder;
  std::ofstream(folder.file("y")) << "1 0 1";
  PredictOptions options;
  options.targets = folder.file("y");
  asked_rows(study, model, record_lines(1, 3), options, &summary);
  CHECK(summary.known == 3);
  const Study single(support::record_task());
  CHECK(support::refusal_of<DataError>([&] {
          asked_rows(single, untrained(single), record_lines(1, 1), options);
        }).find("the targets of toy.record stand in the file of its cases; give no other file of them.") !=
        std::string::npos);
}

TEST_CASE("what cannot be asked at times is refused", "[study][predict][times][error]") {
  const Study study = fading(uneven_end);
  TrainedModel model = untrained(study);
  const Target target = study.task().target(model.config);
  const auto refusal = [](const Target& of, const TrainedModel& which) {
    return support::refusal_of<DataError>([&] { check_can_be_asked("m.h5", of, which.preparation, which.members); });
  };
  CHECK(refusal(target, model).empty());
  Target of_tokens = target;
  of_tokens.level = TargetLevel::per_token;
  CHECK(refusal(of_tokens, model) ==
        "m.h5: cannot be asked at other times than the end of a case, because it predicts each token; leave the times "
        "out.");
  const Study standard(support::record_task());
  const TrainedModel other = untrained(standard);
  CHECK(refusal(target, other).find("because its kind of model answers once a case") != std::string::npos);
  CHECK(support::refusal_of<DataError>([&] {
          asked_rows(standard, other, record_lines(0, 1), asking({1}));
        }).find("toy.record: cannot be asked") == 0);
  CHECK(support::refusal_of<DataError>([&] { asked_rows(study, model, record_lines(0, 1), asking({}, 1e-5)); })
            .find("case 's0' ends at 10 h; every 1e-05 it would be asked 1e+06 times, but at most 10000 are allowed; "
                  "take a longer step.") != std::string::npos);
  model.preparation.time_unit.clear();
  CHECK(refusal(target, model).find("because its cases have no times") != std::string::npos);
}

TEST_CASE("the column of times is named after their unit", "[study][predict][times]") {
  CHECK(prediction_header(Target{}, true, time_column("h")) == "id,time_hours,probability,spread,low,high,decision\n");
  CHECK(time_column("d") == "time_days");
  CHECK(time_column("kyr") == "time_kyr");
  CHECK(time_column("1") == "time");
}

}  // namespace fovea::study
