#include "fovea/core/study/cases/reading.hpp"

#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/study/cases/case_hash.hpp"
#include "fovea/core/study/cases/days.hpp"
#include "fovea/core/study/cases/reading_findings.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/predict/prediction_notes.hpp"
#include "fovea/core/study/report/one_input.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/tasks/toy_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

const Target kDied{.name = "died", .classes = {"no", "yes"}};

/// Cases of one token a class that they have: "age" of all, "code" where wanted.
Cases record_of(Index count, const std::function<double(Index)>& outcome, const std::function<bool(Index)>& has_code,
                const std::function<float(Index)>& age) {
  Cases cases;
  cases.features = {{"value", "1", {}}};
  cases.classes = {"age", "code"};
  std::vector<float> values;
  for (Index b = 0; b < count; ++b) {
    values.push_back(age(b)), cases.kinds.push_back(0);
    if (has_code(b)) values.push_back(NAN), cases.kinds.push_back(1);
    cases.offsets.push_back(static_cast<Index>(values.size()));
    cases.targets.push_back(outcome(b));
    cases.ids.push_back(concat(b));
  }
  cases.values = Eigen::Map<Matrix<float>>(values.data(), cases.tokens(), 1);
  return cases;
}

std::vector<std::string> told_alone(Cases cases, const Target& target) {
  look_for_giveaways(cases, target);
  std::vector<std::string> inputs;
  for (const Finding& finding : cases.reading.findings) inputs.push_back(finding_as<TellsOutcomeAlone>(finding).input);
  return inputs;
}

float noise(Index b) { return static_cast<float>(b * 37 % 101); }

}  // namespace

TEST_CASE("an input that tells the outcome alone is named, whatever it is called", "[study][reading]") {
  const auto third = [](Index b) { return b % 3 == 0 ? 1.0 : 0.0; };
  const auto is_third = [](Index b) { return b % 3 == 0; };
  const auto is_other = [](Index b) { return b % 3 != 0; };
  const auto is_fifth = [](Index b) { return b % 5 == 0; };
  using Names = std::vector<std::string>;
  CHECK(told_alone(record_of(90, third, is_third, noise), kDied) == Names{"number of code"});
  CHECK(told_alone(record_of(90, third, is_other, noise), kDied) == Names{"number of code"});
  CHECK(told_alone(record_of(90, third, is_fifth, noise), kDied).empty());
  CHECK(told_alone(record_of(27, third, is_third, noise), kDied).empty());  // nine with the outcome
  CHECK(told_alone(record_of(90, third, is_fifth, [](Index b) { return b % 3 == 0 ? -1.0F : 7.0F; }), kDied) ==
        Names{"age"});
  const Target days{.kind = TargetKind::number, .name = "days", .classes = {}};
  CHECK(told_alone(record_of(
                       90, [](Index b) { return std::exp(0.01 * noise(b)); }, is_fifth, noise),
                   days) == Names{"age"});
  CHECK(told_alone(record_of(
                       90, [](Index b) { return b * 53 % 97; }, is_fifth, noise),
                   days)
            .empty());
}

TEST_CASE("an input that tells the outcome alone is found behind missing values and as a word", "[study][reading]") {
  const auto of_table = [](int missing_each, const Target& target) {
    Cases cases;
    cases.features = {{"copy", "1", {}}, {"word", "1", {"alive", "dead"}}, {"other", "1", {"alive", "dead"}}};
    cases.values.resize(120, 3);
    for (Index b = 0; b < 120; ++b) {
      const bool died = b % 3 == 0;
      cases.values.row(b) << (b % missing_each == 0 ? NAN
                              : died                ? 2.0F
                                                    : 1.0F),
          died ? 1.0F : 0.0F, b % 2 ? 1.0F : 0.0F;
      cases.offsets.push_back(b + 1), cases.targets.push_back(died ? 1 : 0), cases.ids.push_back(concat(b));
    }
    return told_alone(std::move(cases), target);
  };
  CHECK(of_table(20, kDied) == std::vector<std::string>{"copy", "word = alive"});
  CHECK(of_table(5, kDied) == std::vector<std::string>{"word = alive"});  // known of 80 % alone
  CHECK(of_table(20, {.kind = TargetKind::classes, .name = "died", .classes = {"no", "yes"}}).empty());
}

TEST_CASE("a case is known by its content, not by its name", "[study][reading]") {
  const auto never = [](Index) { return false; };
  const auto zero = [](Index) { return 0.0; };
  Cases cases = record_of(200, zero, never, noise);
  const std::vector<std::uint64_t> hashes = case_hashes(cases);
  CHECK(hashes[0] == hashes[101]);
  CHECK(hashes[0] != hashes[1]);
  Cases renamed = cases;
  renamed.ids[0] = "other", renamed.classes = {"aaa", "age"}, renamed.targets[0] = 1;
  for (std::uint16_t& kind : renamed.kinds) kind = 1;
  CHECK(case_hashes(renamed) == hashes);
  renamed.classes = {"aaa", "bbb"};
  CHECK(case_hashes(renamed)[0] != hashes[0]);
  CHECK(repeated_cases(hashes, {0, 1, 2}, {101, 50}) == std::vector<RepeatedCase>{{0, 101}});
  Cases empty = cases;
  empty.offsets.assign(3, 0), empty.ids.resize(2);
  CHECK(case_hashes(empty) == std::vector<std::uint64_t>{0, 0});
}

TEST_CASE("likes with other outcomes are no copies", "[study][reading]") {
  const RepeatedCases copies{.repeated = 40, .tested = 400, .first = "b, as a"},
      likes{.repeated = 40, .tested = 400, .first = "b, as a", .untold = 0, .other_targets = 4};
  CHECK(SameCases{copies}.holds());
  CHECK_FALSE(FewSameCases{copies}.holds());
  CHECK_FALSE(SameCases{likes}.holds());
  CHECK(FewSameCases{likes}.holds());
  CHECK(FewSameCases{likes}.sentence().find("; 4 of them with another outcome.") != std::string::npos);
}

TEST_CASE("of private cases a model keeps too little to prove that one was learned from", "[study][reading]") {
  const auto never = [](Index) { return false; };
  const auto zero = [](Index) { return 0.0; };
  const Cases learned = record_of(4000, zero, never, [](Index b) { return static_cast<float>(b); });
  const Cases others = record_of(4000, zero, never, [](Index b) { return static_cast<float>(b) + 0.5F; });
  const std::vector<Index> all = first_numbers(4000);
  CHECK(known_cases(learned, all).chance() == 0);
  CHECK(known_cases(learned, all).among(case_hashes(learned)) == 4000);
  CHECK(known_cases(learned, all).among(case_hashes(others)) == 0);
  CHECK(known_cases(learned, first_numbers(1000)).among(case_hashes(learned)) == 1000);  // the rest was tested
  Cases patients = learned;
  patients.smallest_cell = 10;
  const KnownCases known = known_cases(patients, all);
  CHECK(known.chance() > 0.04);
  CHECK(known.chance() < 0.13);
  CHECK(known.among(case_hashes(learned)) == 4000);
  const double found = static_cast<double>(known.among(case_hashes(others))) / 4000;
  CHECK(std::abs(found - known.chance()) < 0.03);
}

TEST_CASE("one class alone is refused under the name of the outcome and its file", "[study][reading]") {
  const auto never = [](Index) { return false; };
  const auto refusal = [&](const std::function<double(Index)>& outcome, std::vector<std::string> parts = {}) {
    Cases cases = record_of(20, outcome, never, noise);
    for (std::size_t b = 0; !parts.empty() && b < 20; ++b) cases.parts.push_back(parts[b % parts.size()]);
    return support::refusal_of<DataError>([&] { check_outcomes_differ("out.csv", kDied, cases); });
  };
  const std::string all = refusal([](Index) { return 0.0; });
  CHECK(all == "out.csv: all known values of 'died' are 0 (no); there is nothing to learn from one value alone.");
  CHECK(refusal([](Index b) { return b == 3 ? 1.0 : kNan; }).find("are 1 (yes)") != std::string::npos);
  CHECK(refusal([](Index b) { return b == 3 ? 1.0 : 0.0; }).empty());
  CHECK(refusal([](Index) { return kNan; }).empty());  // "no known target" is said elsewhere
  const auto odd = [](Index b) { return b % 2 == 1 ? 1.0 : 0.0; };
  CHECK(refusal(odd, {"training", "test"}).find("in the training part are 0") != std::string::npos);
  CHECK(refusal(odd, {"training", "training", "test", "test"}).empty());
  CHECK(refusal([](Index b) { return b % 4 == 1 ? 1.0 : 0.0; }, {"training", "training", "test", "test"}).empty());
}

TEST_CASE("a reading says what there is and what was left out, and no small number of patients", "[study][reading]") {
  Cases cases = record_of(
      40, [](Index b) { return b < 4   ? 1.0
                               : b < 6 ? kNan
                                       : 0.0; }, [](Index b) { return b == 0; }, noise);
  Reading reading;
  reading.files = {"/home/somebody/labs.csv"};
  reading.noun = "stay", reading.token = "event";
  reading.variables = {{"age", "years", "column unit"}};
  for (int row = 2; row < 9; ++row)
    reading.leave_out("row", "no admission", concat("/home/somebody/labs.csv:row ", row));
  reading.notes = {"/home/somebody/S1.tif: no names", "of /home/somebody/x/S2.tif", "a/home/somebody/S3.tif"};
  reading.without_folders();
  CHECK(reading.notes == std::vector<std::string>{"S1.tif: no names", "of x/S2.tif", "a/home/somebody/S3.tif"});
  reading.notes.clear();
  count_cases(reading, cases, kDied);
  const std::vector<std::string> open = sentences_of(reading);
  REQUIRE(open.size() == 4);
  CHECK(open[0] == "Read (labs.csv): 40 stays, 41 events of 2 variables.");
  CHECK(open[1] == "died: no in 34 stays (89.5 %), yes in 4 stays (10.5 %), not known in 2 stays.");
  CHECK(open[2] == "Units: age [years] (column unit).");
  CHECK(open[3] ==
        "Left out: 7 rows: no admission (labs.csv:row 2; row 3; row 4; row 5; "
        "row 6; ...).");
  reading.smallest_cell = 10;
  CHECK(sentences_of(reading)[1] ==
        "died: no in the others, yes in fewer than 10 stays, not known in fewer than 10 stays.");
  CHECK(reading_json(reading).find("\"yes\": null") != std::string::npos);
  CHECK(reading_json(reading).find("\"no\": null") != std::string::npos);
  CHECK(sentences_in("model.h5", reading_json(reading)) == sentences_of(reading));
  reading.files.clear(), reading.smallest_cell = 0;
  CHECK(sentences_of(reading)[0] == "Read (simulated): 40 stays, 41 events of 2 variables.");
  reading.first = 1, reading.last = 9, reading.time_unit = "h";
  CHECK(sentences_of(reading)[0] == "Read (simulated): 40 stays, 41 events of 2 variables, from 1 to 9 h.");
  reading.time_unit = "1";
  CHECK(sentences_of(reading)[0] == "Read (simulated): 40 stays, 41 events of 2 variables, from 1 to 9.");
  reading.time_unit = kMonthsSince1900;
  CHECK(sentences_of(reading)[0] == "Read (simulated): 40 stays, 41 events of 2 variables, from 1900-02 to 1900-10.");
  reading.time_unit = kDaysSince1970;
  CHECK(sentences_of(reading)[0] ==
        "Read (simulated): 40 stays, 41 events of 2 variables, from 1970-01-02 to 1970-01-10.");
  cases.targets.assign(41, 1), cases.targets[3] = 0;
  count_cases(reading, cases, {.level = TargetLevel::per_token, .name = "rises", .classes = {"0", "1"}});
  CHECK(sentences_of(reading)[1] == "rises: 0 in 1 event (2.4 %), 1 in 40 events (97.6 %).");
  CHECK(support::refusal_of<DataError>([] { sentences_in("model.h5", "{}"); }).find("model.h5: ") == 0);
}

namespace {

/// 60 toys of three readings in three parts; each test case is a copy of a training case where that is asked for.
std::string toys(const support::TemporaryFolder& folder, bool copies) {
  std::string text = "id,time [h],reading [mV],part,target\n";
  for (int b = 0; b < 60; ++b)
    for (int i = 0; i < 3; ++i) {
      const int content = copies && b % 3 == 2 ? b - 2 : b;
      text += concat('c', b, ',', i, ',', (content * 7 + i * 3) % 11 + content, ',',
                     b % 3 == 0   ? "training"
                     : b % 3 == 1 ? "validation"
                                  : "test",
                     ',', b / 3 % 2, '\n');
    }
  write_file(folder.file("cases.csv"), text);
  return folder.file("cases.csv");
}

Results run_of_toys(const std::string& path) {
  return support::run_of(Study(support::toy_task()),
                         {"data.file=" + path, "training.epochs=1", "ensemble.members=1", "explain.cases=3"});
}

}  // namespace

TEST_CASE("a test that was learned from is a warning, and is not said to be separate", "[study][reading]") {
  const support::TemporaryFolder folder;
  const Results twice = run_of_toys(toys(folder, true));
  REQUIRE(twice.found<SameCases>());
  CHECK(twice.found<SameCases>()->repeated == 20);
  CHECK(twice.found<SameCases>()->first == "c2, as c0");
  CHECK(twice.warnings().size() == 1);
  CHECK_FALSE(twice.found<TestIsSeparate>());
  CHECK(twice.headlines().front().meaning == "On the test part.");
  const Results once = run_of_toys(toys(folder, false));
  CHECK_FALSE(once.found<SameCases>());
  CHECK(once.warnings().empty());
  CHECK(once.found<TestIsSeparate>());
  CHECK(once.headlines().front().meaning == "On the test part, none of which was used for training.");
  CHECK(once.reading().front().find("Read (cases.csv): 60 cases, 180 tokens") == 0);
  std::string common = read_file(toys(folder, false));
  for (int b = 60; b < 66; ++b) common += concat('c', b, ",0,1,", b % 3 == 0 ? "training" : "test", ",0\n");
  write_file(folder.file("common.csv"), common);  // six cases of one content: none of them is known again
  const Results partly = run_of_toys(folder.file("common.csv"));
  CHECK(partly.found<TestIsSeparate>()->untold == 4);
  CHECK(partly.headlines().front().meaning == "On the test part.");
  CHECK(once.data.documents.contains("reading"));
}

TEST_CASE("a model knows the cases that it learned from, and is the same model without", "[study][reading]") {
  const support::TemporaryFolder folder;
  const std::string path = toys(folder, false);
  const Results results = run_of_toys(path);
  const auto task = support::toy_task();
  const TrainedModel model = read_model("model.h5", *results.model(), *task);
  CHECK(model.data.known.kept.size() == 40);  // the tested third is not learned from
  CHECK(sentences_in("model.h5", model.data.reading) == results.reading());
  CHECK(std::get<std::vector<std::string>>(results.data.at("model_hash").values).front() ==
        identity_of_model(*results.model()));
  const PredictionSummary again = Study(support::toy_task()).predict(model, path, {}, [](const PredictedBlock&) {});
  CHECK(again.learned_from == 40);
  write_file(folder.file("new.csv"), "id,time [h],reading [mV]\nx,0,5000\nx,1,2\n");
  const PredictionSummary fresh =
      Study(support::toy_task()).predict(model, folder.file("new.csv"), {}, [](const PredictedBlock&) {});
  CHECK(fresh.learned_from == 0);
  std::string alike = "id,time [h],reading [mV]\n";
  for (int b = 0; b < 6; ++b) alike += concat('x', b, ",0,5000\n");  // without content of their own
  write_file(folder.file("alike.csv"), alike);
  const PredictionSummary far =
      Study(support::toy_task()).predict(model, folder.file("alike.csv"), {}, [](const PredictedBlock&) {});
  CHECK(far.with_content == 0);
  REQUIRE(!reading_notes(far).empty());
  CHECK(reading_notes(far).back().find(": 6 of 6 cases (100 %) are unlike what the model learned from") !=
        std::string::npos);
  CHECK(reading_notes(again).back().find("40 of 60 cases have the content of a case that the model learned from") == 0);
}

}  // namespace fovea::study
