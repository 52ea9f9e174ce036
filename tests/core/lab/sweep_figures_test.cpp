#include "fovea/core/lab/sweep/sweep_figures.hpp"

#include "fovea/core/lab/runner.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"
#include "fovea/tests/support/toy_experiment.hpp"

namespace fovea {
namespace {

using support::ToyExperiment;

RunSummary swept_run(const std::vector<std::string>& axes, std::int64_t seeds) {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  RunOptions options;
  options.output = folder.path();
  options.threads = options.jobs = 2;
  return run_experiment(toy, support::swept_config_of(toy, axes, seeds), "", options, silent_narrator());
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string only_drawing(const Results& results) {
  const std::vector<SvgFigure> figures = draw_figures(results);
  REQUIRE(figures.size() == 1);
  return figures[0].svg;
}

const std::string kCross = "stroke=\"#b3261e\"";  // two lines each

}  // namespace

TEST_CASE("a sweep over one key shows each headline against it with the band of the seeds", "[lab][figures]") {
  const Results results = swept_run({"speed=0.1,0.2,0.4,0.8"}, 3).results;
  REQUIRE(results.figures().size() == 1);
  const Figure& figure = results.figures()[0];
  CHECK(figure.kind == "lines");
  CHECK(figure.x == "speed");
  CHECK(figure.log_x);
  CHECK(figure.variables == std::vector<std::string>{"last"});
  CHECK(figure.title == "last position against mean step");
  CHECK(figure.caption == "where the walk ends Mean of 3 seeds; the band is its standard error.");
  CHECK(figure.references.empty());  // the check of the walk's start is none of its end
  CHECK(occurrences(only_drawing(results), "fill-opacity") == 1);
}

TEST_CASE("a sweep over seeds, words or flags alone has no curve", "[lab][figures]") {
  CHECK(swept_run({}, 3).results.figures().empty());
  CHECK(swept_run({"fails=false,true"}, 2).results.figures().empty());
}

TEST_CASE("a sweep over more words than cards can show has a table of the headlines", "[lab][figures]") {
  Schema schema;
  schema.text("land", "DE", "country");
  Overrides given;
  given.grid = {"land=DE,FR,IT,LU"};
  given.seeds = 2;
  given.seed = 5;
  const Sweep sweep([&] {
    Config config = default_config("toy", schema, given);
    resolve_seed(config, 5);
    return config;
  }());
  Results merged;
  merged.coordinate("land", std::vector<std::string>{"DE", "FR", "IT", "LU"}, "", "country");
  merged.coordinate("seed", std::vector<std::int64_t>{5, 6}, "1", "seed");
  merged.add("gap", {"land", "seed"}, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}, "1", "gap");
  merged.scalar("all", 1, "1", "over all");
  merged.headline({.variable = "gap", .label = "Gap"});
  merged.headline({.variable = "all", .label = "All"});
  add_sweep_figures(sweep, std::vector<char>(8, 1), {}, merged);
  REQUIRE(merged.figures().size() == 1);
  CHECK(merged.figures()[0].kind == "table");
  CHECK(merged.figures()[0].x == "land");
  CHECK(merged.figures()[0].variables == std::vector<std::string>{"gap"});
  CHECK(merged.figures()[0].title == "Results for each country");
  CHECK(only_drawing(merged).find("FR") != std::string::npos);
}

TEST_CASE("points of a sweep that failed are marked with crosses, in lines and in maps", "[lab][figures]") {
  const RunSummary lines = swept_run({"speed=1,2,3", "fails=false,true"}, 2);
  CHECK(lines.failures.size() == 6);
  REQUIRE(lines.results.figures().size() == 1);
  CHECK(lines.results.figures()[0].hue == "fails");
  CHECK(occurrences(only_drawing(lines.results), kCross) == 2 * 3);
  CHECK(lines.results.notes().back() == "6 of the 12 points have no result; a cross stands where one is missing.");
  const RunSummary map = swept_run({"speed=1,2,3,4,5,6,7", "steps=2,3,4,5,6,7,8", "fails=false,true"}, 1);
  REQUIRE(map.results.figures().size() == 1);
  CHECK(map.results.figures()[0].kind == "heatmap");
  CHECK(occurrences(only_drawing(map.results), kCross) == 0);  // the slider stands where none failed
}

TEST_CASE("a sweep over two keys has a line for each of up to six values of the second", "[lab][figures]") {
  const Results results = swept_run({"speed=0.1,0.2,0.4,0.8,1.6,3.2,6.4", "steps=2,3,4,5,6,7"}, 2).results;
  REQUIRE(results.figures().size() == 1);
  const Figure& figure = results.figures()[0];
  CHECK(figure.kind == "lines");
  CHECK(figure.x == "speed");
  CHECK(figure.hue == "steps");
  CHECK(figure.title == "last position against mean step and steps of the walk");
  const std::string drawing = only_drawing(results);
  CHECK(occurrences(drawing, "fill-opacity") == 6);       // bands
  CHECK(occurrences(drawing, "r=\"1.7\"") == 2 * 7 * 6);  // a dot for each seed
  CHECK(occurrences(only_drawing(swept_run({"speed=1,2,3"}, 1).results), "r=\"1.7\"") == 0);
}

TEST_CASE("a sweep over two keys of many values is a map with the contours of the prediction, a third key its slider",
          "[lab][figures]") {
  const ToyExperiment toy;
  const Sweep sweep(
      support::swept_config_of(toy, {"speed=1,2,3,4,5,6,7,8", "steps=2,3,4,5,6,7,8", "fails=false,true"}, 1));
  Results merged;
  merged.coordinate("speed", std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}, "m", "mean step");
  merged.coordinate("steps", std::vector<std::int64_t>{2, 3, 4, 5, 6, 7, 8}, "1", "steps of the walk");
  merged.coordinate("fails", std::vector<std::uint8_t>{0, 1}, "1", "fails");
  merged.coordinate("seed", std::vector<std::int64_t>{5}, "1", "seed");
  SweptCheck check{"mean", {}, {}}, other{"other", {}, {}};
  std::vector<char> finished;
  for (std::size_t p = 0; p < sweep.size(); ++p) {
    const Config config = sweep.config(p);
    finished.push_back(p == 3 ? 0 : 1);
    check.predicted.push_back(config.real("speed") * static_cast<double>(config.integer("steps")));
    check.measured.push_back(p == 3 ? kNan : check.predicted.back() + 0.1);
    other.predicted.push_back(0), other.measured.push_back(p == 7 ? 0 : check.measured.back());
  }
  merged.add("last", {"speed", "steps", "fails", "seed"}, check.measured, "m", "last position");
  merged.headline({.variable = "last", .label = "End"});
  SECTION("a check that measures the headline in every point predicts it, one that does not in some point does not") {
    add_sweep_figures(sweep, finished, {other, check}, merged);
    const Figure& figure = merged.figures().at(0);
    CHECK(figure.kind == "heatmap");
    CHECK(figure.x == "speed");
    CHECK(figure.y == "steps");
    CHECK(figure.title == "End against mean step and steps of the walk");
    CHECK(figure.references == std::vector<std::string>{"last_by_check"});
    CHECK(merged.data.at("last_by_check").reals() == check.predicted);
    const std::string drawing = only_drawing(merged);
    CHECK(occurrences(drawing, "stroke-width=\"3.6\"") > 3);
    CHECK(occurrences(drawing, "fails = 0") > 0);  // the slider
    CHECK(draw_page(merged, {}).find("\"failed\":\"sweep_failed\"") != std::string::npos);
  }
  SECTION("the headline's own prediction comes first, and an experiment's own figures of the keys stay first") {
    merged.add("theory", {"speed", "steps", "fails", "seed"}, check.predicted, "m", "theory");
    Results own = merged;
    Results plain;
    plain.data = merged.data;
    plain.headline({.variable = "last", .label = "End", .predicted = "theory"});
    plain.figure({.name = "mine", .title = "Mine", .variables = {"last"}, .x = "speed"});
    add_sweep_figures(sweep, finished, {check}, plain);
    REQUIRE(plain.figures().size() == 2);
    CHECK(plain.figures()[0].name == "mine");
    CHECK(plain.figures()[1].references == std::vector<std::string>{"theory"});
    own.figure({.name = "mine", .title = "Mine", .variables = {"last"}, .x = "seed"});
    add_sweep_figures(sweep, finished, {check}, own);
    CHECK(own.figures().back().name == "mine");
  }
}

TEST_CASE("the checks of points keep their places where some point lacks them", "[lab][figures]") {
  Results one, two;
  one.check({"a", "", "", 1, 2, absolute(1)});
  two.check({"a", "", "", 3, 4, absolute(1)});
  two.check({"b", "", "", 5, 6, absolute(1)});
  std::vector<SweptCheck> checks;
  add_checks(checks, one, 0, 3);
  add_checks(checks, two, 2, 3);
  REQUIRE(checks.size() == 2);
  CHECK(checks[0].predicted[0] == 1);
  CHECK(checks[0].measured[2] == 4);
  CHECK(std::isnan(checks[0].measured[1]));
  CHECK(std::isnan(checks[1].predicted[0]));
  CHECK(checks[1].measured[2] == 6);
}

}  // namespace fovea
