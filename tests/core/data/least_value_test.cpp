/// p-values by draws, and what says that one is the smallest they can give: in sentences, cells, tables and exports.

#include "fovea/core/data/least_value.hpp"
#include "fovea/core/data/dataset_csv.hpp"
#include "fovea/core/data/results.hpp"
#include "fovea/core/report/headline_values.hpp"
#include "fovea/domains/lag/pair/findings.hpp"
#include "fovea/domains/opinion/fit/findings.hpp"
#include "fovea/domains/opinion/measure/findings.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea {

namespace {

const std::string kSaid = "the smallest p-value that so many draws can give";

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Two measures in two groups; the first value of each is the smallest that its draws can give.
Results two_measures() {
  Results results;
  results.coordinate("measure", std::vector<std::string>{"sd", "overlap"}, "", "measure");
  results.coordinate("group", std::vector<std::string>{"a", "b"}, "", "group");
  results.add("p", {"measure", "group"}, std::vector<double>{0.02, 0.03, 0.01, 0.02}, "1", "p-value");
  set_least(results.data.at("p"), "measure", {0.02, 0.01});
  results.scalar("chance", 0.01, "1", "p-value of all");
  set_least(results.data.at("chance"), 0.01);
  results.headline({.variable = "chance", .label = "chance"});
  return results;
}

}  // namespace

TEST_CASE("a p-value by draws is never 0, and its least is that of no draw as far", "[statistics]") {
  CHECK(drawn_p(0, 99) == 0.01);
  CHECK(drawn_p(3, 99) == 0.04);
  CHECK(drawn_p(0, 199, 2) == 0.01);
  CHECK(drawn_p(199, 199, 2) == 1);
  CHECK(least_drawn_p(0) == 1);
  CHECK(is_least_p(0.01, least_drawn_p(99)));
  CHECK_FALSE(is_least_p(0.02, least_drawn_p(99)));
  CHECK_FALSE(is_least_p(1, least_drawn_p(0)));  // without draws nothing is at most
  CHECK_FALSE(is_least_p(std::nan(""), 0.01));
}

TEST_CASE("the least p-value is said to be one, rounded up, and no other", "[statistics][findings]") {
  CHECK(drawn_p_text(0.01, 0.01) == "<= 0.01");
  CHECK(drawn_p_text(0.02, 0.01) == "0.02");
  CHECK(drawn_p_text(1.0 / 301, 1.0 / 301) == "<= 0.0034");  // 0.00332: a bound is not rounded down
  CHECK(drawn_p_text(0.005, 0.005) == "<= 0.005");
  CHECK(drawn_p_words(0.01, 0.01) + least_p_words(0.01, 0.01) == "p <= 0.01, " + kSaid);
  CHECK(drawn_p_words(0.02, 0.01) + least_p_words(0.02, 0.01) == "p = 0.02");
  auto lag = lag::pair::SignificantLag::example();
  CHECK(says(lag.sentence(), "false alarm <= 0.01, " + kSaid));
  lag.least = 0.001;
  CHECK(says(lag.sentence(), "false alarm 0.01."));
  auto motion = opinion::fit::SamplesDiffer::example();
  CHECK(says(motion.sentence(), "p <= 0.002, " + kSaid));
  motion.least_p = 0.0001;
  CHECK(says(motion.sentence(), "(permutation test, p = 0.002)."));
  auto sides = opinion::measure::SidesDiffer::example();
  sides.groups = sides.differ = 1;
  CHECK(says(sides.sentence(), "(p <= 0.005 against shuffled sides, " + kSaid + ")"));
  sides.least_p = 0.001;
  CHECK(says(sides.sentence(), "(p = 0.005 against shuffled sides)."));
}

TEST_CASE("exports and headlines mark the least p-values of each measure alone", "[statistics][csv]") {
  const Results results = two_measures();
  CHECK(to_csv(results.data, "p") ==
        "measure,group,p,p_bound\nsd,a,0.02,<=\nsd,b,0.03,\noverlap,a,0.01,<=\noverlap,b,0.02,\n");
  CHECK(headline_values(results.data, results.headlines()[0])[0].text() == "<= 0.01");
  CHECK(says(headlines_csv(results), "headline,value,bound,error"));
  CHECK(says(headlines_csv(results), "chance,0.01,<=,,"));
  Results other = two_measures();
  other.data.at("p").attributes.clear(), other.data.at("chance").attributes.clear();
  CHECK(says(to_csv(other.data, "p"), "measure,group,p\n"));
  CHECK(headline_values(other.data, other.headlines()[0])[0].text() == "0.01");
  CHECK(says(headlines_csv(other), "headline,value,error"));
}

}  // namespace fovea
