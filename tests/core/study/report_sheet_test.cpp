#include <algorithm>

#include "fovea/core/report/report.hpp"
#include "fovea/core/study/report/curves.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/tasks/toy_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

std::string fact_of(const Results& results, const std::string& item) {
  for (const SheetLine& line : results.sheet())
    if (line.item == item) return line.fact;
  return "there is no such item";
}

bool says(const Results& results, const std::string& item, const std::string& text) {
  return fact_of(results, item).find(text) != std::string::npos;
}

Results toy_run(std::vector<std::string> more) {
  std::vector<std::string> keys{"data.cases=300", "training.epochs=3", "ensemble.members=1", "explain.cases=0"};
  keys.insert(keys.end(), more.begin(), more.end());
  return support::run_of(Study(support::toy_task()), keys);
}

TEST_CASE("the sheet has all 27 items, and what a run cannot know is the reader's", "[study][sheet]") {
  const Results results = toy_run({});
  std::vector<std::string> numbers;
  for (const SheetLine& line : results.sheet()) {
    const std::string number = line.item.substr(0, line.item.find_first_not_of("0123456789"));
    if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
    CHECK_FALSE(line.asks.empty());
  }
  REQUIRE(numbers.size() == 27);
  for (std::size_t k = 0; k < numbers.size(); ++k) CHECK(numbers[k] == std::to_string(k + 1));
  for (const char* item : {"1", "3c", "5b", "6b", "8b", "17", "18a", "19", "20c", "25", "27c"})
    CHECK(fact_of(results, item).empty());
  CHECK(says(results, "4", "drawn at random"));
  CHECK(says(results, "5a", "simulated"));
  CHECK(says(results, "13", "None"));
  CHECK(says(results, "16", "None by design"));
  CHECK(says(results, "8a", "'rise': falls, rises."));
  CHECK(says(results, "9a", "2 variables (reading, quality)"));
  CHECK(says(results, "9b", "reading [mV]"));
  CHECK(says(results, "10", "tested cases would show"));
  CHECK(says(results, "11", "Every case has a value of each variable."));
  CHECK_FALSE(says(results, "11", "have no value"));
  CHECK(fact_of(results, "12b") == "Numbers are scaled by mean and deviation of what was learned from.");
  CHECK(says(results, "23a", "AUROC 0"));
  CHECK(says(results, "23a", "on the test part"));
  CHECK_FALSE(says(results, "15", "decision"));
  CHECK(fact_of(results, "12d").empty());  // each case is a group of its own
  CHECK(fact_of(results, "26").empty());   // nothing was warned of
  CHECK(results.data.has("net_benefit"));
}

TEST_CASE("with folds the sheet says so, and trees are named where there are some", "[study][sheet]") {
  const Results folds = toy_run({"split.folds=3", "trees.rounds=5"});
  CHECK(says(folds, "4", "3-fold"));
  CHECK(says(folds, "12a", "3 folds"));
  CHECK(says(folds, "12c", "5 rounds of boosted trees"));
  CHECK(says(folds, "15", "decision from"));
  CHECK_FALSE(says(folds, "12a", "drawn at random"));
  CHECK_FALSE(says(toy_run({}), "12c", "trees"));
}

TEST_CASE("a sheet goes through a presentation and stands on the page, one that is empty does not", "[study][sheet]") {
  Results results, read, none;
  results.sheet({"1", "title", ""}), results.sheet({"2", "sources <of> data", "File a."});
  results.sheet({"1", "title", "A."}), results.sheet({"2", "sources <of> data", "File a."});
  REQUIRE(results.sheet().size() == 3);
  CHECK(results.sheet()[1].fact == "A.");
  read.read_presentation(results.presentation());
  CHECK(read.sheet().size() == 3);
  const std::string page = draw_page(read, {});
  CHECK(page.find("What a report needs: 2 of 2 items") != std::string::npos);
  CHECK(page.find("sources &lt;of&gt; data") != std::string::npos);
  CHECK(draw_page(none, {}).find("What a report needs") == std::string::npos);
}

TEST_CASE("what is missing is counted where some case lacks it, and small counts are not shown", "[study][missing]") {
  Reading reading;
  reading.cases = 100;
  reading.variables = {{"age", "", "", 100}, {"lactate", "", "", 40}, {"rare", "", "", 3}};
  Results open, hidden, whole;
  write_missing(reading, open);
  CHECK(open.data.at("missing_share").reals() == std::vector<double>{0.97, 0.6});
  reading.smallest_cell = 10;
  write_missing(reading, hidden);
  CHECK(std::isnan(hidden.data.at("missing_share").reals()[0]));
  CHECK(hidden.data.at("missing_share").reals()[1] == 0.6);
  reading.variables.resize(1);
  write_missing(reading, whole);
  CHECK_FALSE(whole.data.has("missing_share"));
}

}  // namespace
}  // namespace fovea::study
