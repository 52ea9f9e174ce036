/// Results side by side: keys, headlines, curves.

#include "fovea/core/report/comparison.hpp"

#include "fovea/core/report/report.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea {
namespace {

/// A curve over x, a curve over x for two branches, and a headline with an error.
Results compared_result(double value, double error, const std::string& speed, std::size_t places = 3) {
  Results results;
  std::vector<double> x, y, branched;
  for (std::size_t i = 0; i < places; ++i) x.push_back(static_cast<double>(i)), y.push_back(value + x.back());
  for (const double branch : {10.0, 20.0})
    for (const double place : x) branched.push_back(value + branch + place);
  results.coordinate("x", x, "m", "place");
  results.coordinate("branch", std::vector<std::string>{"up", "down"}, "", "branch");
  results.add("y", {"x"}, y, "1", "height");
  results.add("both", {"branch", "x"}, branched, "1", "heights");
  results.scalar("top", value, "m", "top");
  results.scalar("top_width", error, "m", "half width");
  results.headline({.variable = "top", .label = "Top", .half_width = "top_width"});
  results.figure({.name = "line", .title = "Line", .variables = {"y"}, .x = "x"});
  results.figure({.name = "branches", .title = "Branches", .variables = {"both"}, .x = "x", .hue = "branch"});
  results.data.documents["resolved_toml"] = "speed = " + speed + "\nsteps = 3\n";
  return results;
}

std::vector<ComparedRun> two(const Results& a, const Results& b) { return {{"A", "a.h5", a}, {"B", "b.h5", b}}; }

}  // namespace

TEST_CASE("compared results name the keys that differ, and judge differences by both errors", "[report][compare]") {
  const std::vector<ComparedRun> runs = two(compared_result(1, 0.3, "0.1"), compared_result(2, 0.4, "0.2"));
  const std::vector<ComparedKey> keys = differing_keys(runs);
  REQUIRE(keys.size() == 1);
  CHECK(keys[0].key == "speed");
  CHECK(keys[0].values == std::vector<std::string>{"0.1", "0.2"});
  const std::vector<ComparedHeadline> headlines = compared_headlines(runs);
  REQUIRE(headlines.size() == 1);
  CHECK(headlines[0].difference(1) == 1);
  CHECK(headlines[0].error(1) == Approx(0.5));
  CHECK(headlines[0].judged(1) == "within twice the error");
  const auto judged = [](double value, double error, double first_error) {
    return compared_headlines(two(compared_result(1, first_error, "1"), compared_result(value, error, "1")))[0].judged(
        1);
  };
  CHECK(judged(2.01, 0.4, 0.3) == "more than twice the error");
  CHECK(judged(1, 0.4, 0.3) == "equal");
  CHECK(judged(2, kNan, kNan) == "no error is known");
  CHECK(judged(2, kNan, 0.3) == "more than twice the error");
  CHECK(judged(kNan, 0.4, 0.3).empty());
}

TEST_CASE("a key or a headline that one result lacks is shown as missing", "[report][compare]") {
  Results other;
  other.data.documents["resolved_toml"] = "speed = 0.1\nwidth = 2\n";
  other.scalar("depth", 3, "m", "depth");
  other.headline({.variable = "depth", .label = "Depth"});
  const std::vector<ComparedRun> runs = two(compared_result(1, 0.3, "0.1"), other);
  const std::vector<ComparedKey> keys = differing_keys(runs);
  REQUIRE(keys.size() == 2);
  CHECK(keys[0].values == std::vector<std::string>{"3", ""});
  CHECK(keys[1].values == std::vector<std::string>{"", "2"});
  CHECK(compared_headlines(runs).size() == 2);
  CHECK(std::isnan(compared_headlines(runs)[0].difference(1)));
  CHECK(draw_page(comparison(runs), {}).find("not have the same figure") != std::string::npos);
}

TEST_CASE("the page of a comparison has the curves of all results in one figure", "[report][compare]") {
  const std::vector<ComparedRun> runs = two(compared_result(1, 0.3, "0.1"), compared_result(2, 0.4, "0.2"));
  const Results page = comparison(runs);
  REQUIRE(page.figures().size() == 4);
  CHECK(page.figures()[0].name == "compared_headlines");
  CHECK(page.figures()[1].name == "compared_keys");
  CHECK(page.figures()[2].hue == "run");
  CHECK(page.data.at("y").dimensions == std::vector<std::string>{"run", "x"});
  CHECK(page.data.at("y").reals() == std::vector<double>{1, 2, 3, 2, 3, 4});
  const Figure& branches = page.figures()[3];
  CHECK(page.data.at(branches.hue).values == Values(std::vector<std::string>{"A: up", "A: down", "B: up", "B: down"}));
  CHECK(page.data.at(branches.variables[0]).reals() ==
        std::vector<double>{11, 12, 13, 21, 22, 23, 12, 13, 14, 22, 23, 24});
  CHECK(page.verdict() == "1 key differs. 0 of 1 headline differences exceed twice the error.");
  CHECK(draw_figures(page).size() == 4);
  const Results apart = comparison(two(compared_result(1, 0.3, "0.1"), compared_result(2, 0.4, "0.1", 4)));
  CHECK(apart.figures().size() == 1);
  REQUIRE(apart.notes().size() == 1);
  CHECK(apart.notes()[0].ends_with("the same figure over the same places: Line, Branches."));
  CHECK(apart.verdict().starts_with("No key differs."));
}

}  // namespace fovea
