#include "fovea/core/data/results.hpp"

#include "fovea/core/data/dataset_merge.hpp"
#include "fovea/tests/support/datasets.hpp"
#include "fovea/tests/support/test.hpp"

using support::kInf;

namespace {

Check check_of(double predicted, double measured, Tolerance tolerance) {
  return {"gap", "", "", predicted, measured, tolerance};
}

Results full_results() {
  Results results;
  results.coordinate("temperature", std::vector<double>{0.1, 0.2}, "1", "softmax temperature");
  results.add("variance", {"temperature"}, std::vector<double>{1, 2}, "1", "variance of the opinions");
  results.scalar("critical", 0.15, "1", "critical temperature");
  results.check({"gap", "what is compared", "Author 2020, eq. 3", 0.1 + 0.2, kNan, absolute(kInf)});
  results.check({"zero", "", "", -0.0, -kInf, relative(5e-324)});
  results.headline({.variable = "critical",
                    .label = "T_c",
                    .predicted = "predicted",
                    .half_width = "half_width",
                    .meaning = "One sentence, \"quoted\"."});
  results.figure({.kind = "heatmap",
                  .name = "map",
                  .title = "Map",
                  .caption = "See.",
                  .variables = {"a", "b"},
                  .references = {"theory"},
                  .x = "x",
                  .y = "y",
                  .hue = "hue",
                  .log_x = true,
                  .marks = {"mark"},
                  .position_x = "px",
                  .position_y = "py",
                  .edge_source = "from",
                  .edge_target = "to"});
  results.figure({.kind = "table", .name = "table", .variables = {"a"}, .x = "x", .log_y = true});
  results.note("not at rest after 2000 steps");
  results.verdict("It jumps \xE2\x9C\x93.");
  return results;
}

/// variance(temperature) of one point; its values start at `start`.
Results point(double start, std::vector<double> grid = {0.1, 0.2}) {
  Results results;
  std::vector<double> values;
  for (std::size_t i = 0; i < grid.size(); ++i) values.push_back(start + static_cast<double>(i));
  results.coordinate("temperature", std::move(grid), "1", "softmax temperature");
  results.add("variance", {"temperature"}, values, "1", "variance");
  results.scalar("critical", start, "1", "critical temperature");
  results.check({"gap", "", "", 1, start, relative(0.5)});
  results.headline({.variable = "critical", .label = "T_c"});
  results.figure({.name = "variance", .variables = {"variance"}, .x = "temperature"});
  results.note("same for all");
  results.verdict("done");
  return results;
}

MergeAxis branches() { return {"branch", std::vector<std::string>{"cooling", "heating"}, "", "direction"}; }
MergeAxis seeds() { return {"seed", std::vector<std::int64_t>{3, 4}, "1", "seed"}; }

}  // namespace

TEST_CASE("a check holds within its tolerance, relative or absolute, and never with NaN", "[results]") {
  CHECK(check_of(2, 2.5, relative(0.25)).holds());
  CHECK_FALSE(check_of(2, 2.5, relative(0.2499)).holds());
  CHECK(check_of(-2, -1.5, relative(0.25)).holds());
  CHECK(check_of(2, 2.5, absolute(0.5)).holds());
  CHECK_FALSE(check_of(2, 2.5, absolute(0.25)).holds());
  CHECK(check_of(0, 0, relative(0)).holds());
  CHECK_FALSE(check_of(0, 1e-300, relative(0.1)).holds());
  CHECK_FALSE(check_of(kNan, 1, absolute(kInf)).holds());
  CHECK_FALSE(check_of(1, kNan, absolute(kInf)).holds());
  CHECK_FALSE(check_of(1, 1, absolute(kNan)).holds());
}

TEST_CASE("results keep arrays, scalars and their coordinates", "[results]") {
  const Results results = full_results();
  CHECK(results.data.is_coordinate(results.data.at("temperature")));
  CHECK(results.data.at("variance").long_name == "variance of the opinions");
  CHECK(results.data.at("critical").reals() == std::vector<double>{0.15});
  CHECK(results.data.at("critical").dimensions.empty());
}

TEST_CASE("the presentation comes back with every bit", "[results]") {
  const Results results = full_results();
  Results back;
  back.scalar("kept", 1, "", "");
  back.note("replaced");
  back.read_presentation(results.presentation());
  CHECK(back.data.has("kept"));
  CHECK(back.presentation() == results.presentation());
  REQUIRE(back.checks().size() == 2);
  CHECK(back.checks()[0].predicted == 0.1 + 0.2);
  CHECK(std::isnan(back.checks()[0].measured));
  CHECK(back.checks()[0].tolerance.size == kInf);
  CHECK_FALSE(back.checks()[0].tolerance.relative);
  CHECK(std::signbit(back.checks()[1].predicted));
  CHECK(back.checks()[1].measured == -kInf);
  CHECK(back.checks()[1].tolerance.size == 5e-324);
  CHECK(back.headlines().at(0).meaning == "One sentence, \"quoted\".");
  const Figure& figure = back.figures().at(0);
  CHECK(figure.kind == "heatmap");
  CHECK(figure.variables == std::vector<std::string>{"a", "b"});
  CHECK(figure.references == std::vector<std::string>{"theory"});
  CHECK(figure.log_x);
  CHECK_FALSE(figure.log_y);
  CHECK(figure.edge_target == "to");
  CHECK(back.figures().at(1).log_y);
  CHECK(back.notes() == std::vector<std::string>{"not at rest after 2000 steps"});
  CHECK(back.verdict() == "It jumps \xE2\x9C\x93.");
}

TEST_CASE("a damaged presentation is a DataError and changes nothing", "[results][fault]") {
  const std::string json = full_results().presentation();
  Results results = full_results();
  for (std::size_t size = 0; size < json.size(); size += 41)
    CHECK_THROWS_AS(results.read_presentation(json.substr(0, size)), DataError);
  CHECK_THROWS_AS(results.read_presentation("{}"), DataError);
  CHECK(results.presentation() == json);
}

TEST_CASE("names of checks and figures are unique, notes are kept once", "[results]") {
  Results results = full_results();
  CHECK_THROWS_AS(results.check(check_of(1, 1, relative(1))), ArgumentError);
  CHECK_THROWS_AS(results.figure(results.figures()[0]), ArgumentError);
  results.note("not at rest after 2000 steps");
  CHECK(results.notes().size() == 1);
}

TEST_CASE("points of a sweep become one data set with the axes in front", "[merge]") {
  const std::vector<Results> points{point(0), point(10), point(20), point(30)};
  const Dataset merged =
      merge_points({branches(), seeds()}, {&points[0].data, &points[1].data, &points[2].data, &points[3].data});
  CHECK(merged.at("variance").dimensions == std::vector<std::string>{"branch", "seed", "temperature"});
  CHECK(merged.at("variance").reals() == std::vector<double>{0, 1, 10, 11, 20, 21, 30, 31});
  CHECK(merged.at("critical").dimensions == std::vector<std::string>{"branch", "seed"});
  CHECK(merged.at("temperature").dimensions == std::vector<std::string>{"temperature"});
  CHECK(std::get<4>(merged.at("branch").values)[1] == "heating");
  CHECK(merged.at("variance").long_name == "variance");
}

TEST_CASE("a missing point is filled, and whole numbers with a gap become doubles", "[merge]") {
  Dataset own;
  own.dimension("agent", 2);
  own.add({"count", {}, std::vector<std::int64_t>{7}, "1", "", {}});
  own.add({"group",
           {"agent"},
           std::vector<std::uint8_t>{0, 1},
           "",
           "",
           {{"flag_values", "0, 1"}, {"flag_meanings", "a b"}}});
  own.add({"name", {"agent"}, std::vector<std::string>{"x", "y"}, "", "", {}});
  own.add({"small", {"agent"}, std::vector<float>{1, 2}, "", "", {}});
  const Dataset merged = merge_points({seeds()}, {nullptr, &own});
  CHECK(std::isnan(merged.at("count").reals()[0]));
  CHECK(merged.at("count").reals()[1] == 7);
  CHECK(std::get<3>(merged.at("group").values) == std::vector<std::uint8_t>{255, 255, 0, 1});
  CHECK(merged.at("group").attributes.at("flag_values") == "0, 1, 255");
  CHECK(merged.at("group").attributes.at("flag_meanings") == "a b missing");
  CHECK(std::get<4>(merged.at("name").values) == std::vector<std::string>{"", "", "x", "y"});
  CHECK(std::isnan(std::get<1>(merged.at("small").values)[1]));
  const Dataset whole = merge_points({seeds()}, {&own, &own});
  CHECK(std::get<2>(whole.at("count").values) == std::vector<std::int64_t>{7, 7});
  CHECK(whole.at("group").attributes.at("flag_values") == "0, 1");
  CHECK(merge_points({seeds()}, {nullptr, nullptr}).variables().size() == 1);
}

TEST_CASE("a grid that differs between points becomes a variable over an index", "[merge]") {
  const std::vector<Results> points{point(0), point(10, {0.3, 0.4, 0.5})};
  const Results merged = merge_results({seeds()}, {&points[0], &points[1]});
  CHECK(merged.data.at("temperature").dimensions == std::vector<std::string>{"seed", "temperature_index"});
  CHECK(merged.data.at("temperature").reals()[1] == 0.2);
  CHECK(std::isnan(merged.data.at("temperature").reals()[2]));
  CHECK(merged.data.at("temperature").reals()[5] == 0.5);
  CHECK(merged.data.at("variance").reals()[3] == 10);
  CHECK(std::isnan(merged.data.at("variance").reals()[2]));
  CHECK(std::get<2>(merged.data.at("temperature_index").values) == std::vector<std::int64_t>{0, 1, 2});
  CHECK(merged.figures().at(0).x == "temperature_index");
}

TEST_CASE("an axis has a name that can be typed, and never that of something else", "[merge]") {
  const std::vector<Results> points{point(0), point(10)};
  const std::vector<const Dataset*> data{&points[0].data, &points[1].data};
  const std::vector<double> values{0, 10};
  CHECK(merge_points({{"noise.level", values, "", ""}}, data).has("noise_level"));
  // The scalar 'critical' is 0 and 10 in the points, just as the axis says.
  CHECK(merge_points({{"critical", values, "", ""}}, data).at("critical").dimensions ==
        std::vector<std::string>{"critical"});
  const Dataset other = merge_points({{"critical", std::vector<double>{1, 2}, "", ""}}, data);
  CHECK(other.at("critical").dimensions == std::vector<std::string>{"sweep_critical"});
  CHECK(merge_points({{"temperature", values, "", ""}}, data).at("variance").dimensions ==
        std::vector<std::string>{"sweep_temperature", "temperature"});
}

TEST_CASE("points that do not fit together are refused in words", "[merge]") {
  const std::vector<Results> points{point(0), point(10)};
  Dataset other;
  other.add({"variance", {}, std::vector<double>{1}, "", "", {}});
  const auto message = [&](const std::vector<const Dataset*>& data) -> std::string {
    return support::refusal_of<ArgumentError>([&] { merge_points({seeds()}, data); });
  };
  CHECK(message({&points[0].data}) ==
        "merge_points: there are 1 points, but the axes have 2 combinations; give one for each, nullptr for a missing "
        "one.");
  CHECK(message({&points[0].data, &other}) ==
        "merge_points: variable 'variance' has other dimensions or another type in another point; it must be the same "
        "in all.");
}

TEST_CASE("merged results keep each check with its point, the rest once", "[merge]") {
  std::vector<Results> points{point(0), point(1), point(2), point(3)};
  points[2].note("only here");
  points[0].data.attributes = {{"title", "t"}, {"seed", "3"}};
  points[3].data.attributes = {{"title", "t"}, {"seed", "4"}};
  const Results merged = merge_results({branches(), seeds()}, {&points[0], nullptr, &points[2], &points[3]});
  REQUIRE(merged.checks().size() == 3);
  CHECK(merged.checks()[0].name == "gap (branch=cooling, seed=3)");
  CHECK(merged.checks()[2].name == "gap (branch=heating, seed=4)");
  CHECK(merged.headlines().size() == 1);
  CHECK(merged.figures().size() == 1);
  CHECK(merged.notes() == std::vector<std::string>{"same for all", "only here"});
  CHECK(merged.verdict().empty());
  CHECK(merged.data.attributes.empty());  // points[2] has none
  CHECK(point_label({branches(), seeds()}, 2) == "branch=heating, seed=3");
  CHECK(point_label({{"one", std::vector<double>{0.1}, "", ""}, seeds()}, 1) == "seed=4");
}

TEST_CASE("a single point without axes comes through as it is", "[merge]") {
  const Results single = full_results();
  const Results merged = merge_results({}, {&single});
  CHECK(content_hash(merged.data) == content_hash(single.data));
  CHECK(merged.presentation() == single.presentation());
}
