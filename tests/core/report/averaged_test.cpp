/// Arrays as the report draws them: averages over replicas, words, sliders, thinning.

#include "fovea/core/report/figures/averaged.hpp"

#include "fovea/core/report/figures/thinning.hpp"
#include "fovea/core/report/kinds/kind.hpp"
#include "fovea/tests/support/test.hpp"
#include "page_support.hpp"

namespace {

constexpr double kMeanRounding = 1e-11;  // a few operations on numbers near 10

/// branch 2 x seed 3 x x 2, values 100 branch + 10 seed + x.
Dataset replicas() {
  Dataset data;
  data.dimension("branch", 2);
  data.dimension("seed", 3);
  data.dimension("x", 2);
  std::vector<double> values;
  for (int b = 0; b < 2; ++b) {
    for (int s = 0; s < 3; ++s) {
      for (int x = 0; x < 2; ++x) values.push_back(100 * b + 10 * s + x);
    }
  }
  data.add({"v", {"branch", "seed", "x"}, values, "m", "a length", {}});
  return data;
}

}  // namespace

TEST_CASE("replicas are averaged with their standard error", "[report]") {
  const Averaged v = averaged(replicas(), "v");
  CHECK(v.dimensions == std::vector<std::string>{"branch", "x"});
  CHECK(v.mean == std::vector<double>{10, 11, 110, 111});
  CHECK(v.replicas == 3);
  for (const double error : v.error)
    CHECK(std::abs(error - 10 / std::sqrt(3.0)) < kMeanRounding);  // sd 10 of 0, 10, 20
  CHECK(v.label == "a length");
  CHECK(first_replica(replicas(), "v").mean == std::vector<double>{0, 1, 100, 101});
  CHECK(differs_between_replicas(replicas(), "v"));
}

TEST_CASE("a replica without a value does not count", "[report]") {
  Dataset data;
  data.dimension("seed", 3);
  data.add({"v", {"seed"}, std::vector<double>{1, kNan, 3}, "1", "", {}});
  data.add({"one", {"seed"}, std::vector<double>{kNan, kNan, 3}, "1", "", {}});
  CHECK(averaged(data, "v").mean[0] == 2);
  CHECK(averaged(data, "v").error[0] == 1);
  CHECK(averaged(data, "v").label == "v");
  CHECK(averaged(data, "one").mean[0] == 3);
  CHECK(std::isnan(averaged(data, "one").error[0]));
}

TEST_CASE("values are found by dimension and index", "[report]") {
  const Averaged v = averaged(replicas(), "v");
  CHECK(v.has("x"));
  CHECK_FALSE(v.has("seed"));
  CHECK(v.size_of("x") == 2);
  CHECK(v.size_of("other") == 1);
  CHECK(v.position({{"branch", 1}, {"x", 1}, {"other", 7}}) == 3);
  CHECK(v.along("branch", {{"x", 1}}) == std::vector<std::size_t>{1, 3});
  CHECK(v.along("other", {{"x", 1}}) == std::vector<std::size_t>{1});
}

TEST_CASE("dimensions along which nothing changes are dropped unless kept", "[report]") {
  Dataset data;
  data.dimension("branch", 2);
  data.dimension("x", 2);
  data.add({"v", {"branch", "x"}, std::vector<double>{1, kNan, 1, kNan}, "1", "", {}});
  data.add({"w", {"branch", "x"}, std::vector<std::string>{"a", "b", "a", "c"}, "", "", {}});
  CHECK(squeezed(averaged(data, "v"), {}).dimensions == std::vector<std::string>{"x"});
  CHECK(squeezed(averaged(data, "v"), {"branch"}).dimensions == std::vector<std::string>{"branch", "x"});
  CHECK(squeezed(averaged(data, "w"), {}).words.size() == 4);
  CHECK_FALSE(differs_between_replicas(data, "v"));
}

TEST_CASE("flags become their words, and a dimension without coordinate counts", "[report]") {
  Dataset data;
  data.dimension("node", 3);
  data.add({"side",
            {"node"},
            std::vector<std::uint8_t>{4, 2, 9},
            "1",
            "",
            {{"flag_values", "2 4"}, {"flag_meanings", "left right"}}});
  CHECK(averaged(data, "side").words == std::vector<std::string>{"right", "left", "9"});
  CHECK(coordinate_of(data, "node").mean == std::vector<double>{0, 1, 2});
  data.add(
      {"branch", {"branch"}, std::vector<std::string>{"cooling", "heating"}, "", "cooling: down; heating: up", {}});
  CHECK(coordinate_of(data, "branch").label == "branch");  // not "cooling"
  CHECK(coordinate_of(data, "branch").meaning == "cooling: down; heating: up");
}

TEST_CASE("what a figure does not draw becomes a slider", "[report]") {
  Dataset data = replicas();
  data.add({"branch", {"branch"}, std::vector<std::string>{"down", "up"}, "", "branch", {}});
  Figure figure;
  figure.variables = {"v"};
  figure.x = "x";
  CHECK(figure_data(data, figure).sliders == std::vector<std::string>{"branch"});
  figure.hue = "branch";
  CHECK(figure_data(data, figure).sliders.empty());
}

TEST_CASE("a slider starts just below the first mark, else a quarter of the way up", "[report]") {
  Dataset data;
  data.add({"branch", {"branch"}, std::vector<std::string>{"down", "up"}, "", "", {}});
  data.add({"t", {"t"}, std::vector<double>{9, 8, 7, 6, 5, 4, 3, 2, 1}, "1", "", {}});
  data.add({"none", {}, std::vector<double>{kNan}, "1", "", {}});
  data.add({"mark", {"branch"}, std::vector<double>{kNan, 6.5}, "1", "", {}});
  data.add({"low", {}, std::vector<double>{0.5}, "1", "", {}});
  Figure other, marked;
  other.x = "branch";
  other.marks = {"low"};
  marked.x = "t";
  marked.marks = {"none", "mark"};
  const auto start = [&](const std::vector<Figure>& figures) {
    const Selection at = start_selection(data, figures, {"t", "branch"});
    CHECK(at.at("branch") == 0);  // texts start at the first
    return at.at("t");
  };
  CHECK(start({other, marked}) == 3);  // 6, falling values
  CHECK(start({other}) == 6);          // the third lowest of nine
  marked.marks = {"low"};
  CHECK(start({marked}) == 8);  // nothing is below: the lowest
  marked.marks = {"none"};
  CHECK(start({marked}) == 6);
  Dataset time;  // time starts at its end, where what was simulated is seen
  time.add({"t", {"t"}, std::vector<double>{0, 1, 2, 5, 9}, "step", "", {{"axis", "T"}}});
  time.add({"branch", {"branch"}, std::vector<std::string>{"down", "up"}, "", "", {}});
  CHECK(is_time(time, "t"));
  CHECK_FALSE(is_time(data, "t"));
  CHECK(start_selection(time, {marked}, {"t"}).at("t") == 4);
}

TEST_CASE("arrays are reordered, thinned and cut along a dimension", "[report]") {
  const Averaged v = averaged(replicas(), "v");
  CHECK(reordered(v, {"branch"}).mean == std::vector<double>{10, 110, 11, 111});
  CHECK(reordered(v, {"branch"}).dimensions == std::vector<std::string>{"x", "branch"});
  CHECK(thinned(v, "x", 2, false).mean == std::vector<double>{10, 110});
  CHECK(thinned(v, "x", 2, true).mean == std::vector<double>{10.5, 110.5});
  CHECK(thinned(v, "branch", 2, true).mean == std::vector<double>{60, 61});
  CHECK(thinned(v, "other", 2, true).mean == v.mean);
  CHECK(shortened(v, "branch", 1).mean == std::vector<double>{10, 11});
  CHECK(shortened(v, "branch", 5).mean == v.mean);
  Averaged odd{"o", "o", "1", {"x"}, {5}, {1, 2, kNan, 4, 5}, {}, {}, 1};
  CHECK(thinned(odd, "x", 2, true).mean == std::vector<double>{1.5, 4, 5});
}

TEST_CASE("a large network keeps every k-th node and the edges between them", "[report]") {
  FigureData data;
  data.arrays["v"] = {"v", "", "1", {"node"}, {6}, {0, 1, 2, 3, 4, 5}, {}, {}, 1};
  data.arrays["a"] = {"a", "", "1", {"edge"}, {4}, {0, 0, 2, 4}, {}, {}, 1};
  data.arrays["b"] = {"b", "", "1", {"edge"}, {4}, {2, 1, 4, -1}, {}, {}, 1};
  Figure figure;
  figure.kind = "network";
  figure.variables = {"v"};
  figure.x = "node";
  figure.edge_source = "a";
  figure.edge_target = "b";
  FigureData small = data;
  CHECK(limit_network(small, figure, 3, 100) == "One node in 2 of 6 is drawn. 2 of 4 edges are drawn. ");
  CHECK(small.arrays["v"].mean == std::vector<double>{0, 2, 4});
  CHECK(small.arrays["a"].mean == std::vector<double>{0, 1});
  CHECK(small.arrays["b"].mean == std::vector<double>{1, 2});
  CHECK(limit_network(data, figure, 100, 1) == "1 of 4 edges are drawn. ");
}

TEST_CASE("where the grids of a sweep differ the axis of places is neither logarithmic nor marked",
          "[report][figures]") {
  Results results;
  results.coordinate("k", std::vector<double>{1, 2}, "1", "k");
  results.coordinate("t_index", std::vector<std::int64_t>{0, 1, 2}, "1", "place in t");
  results.add("t", {"k", "t_index"}, std::vector<double>{1, 2, 4, 1, 3, 9}, "s", "t");
  results.coordinate("u", std::vector<double>{1, 2, 4}, "s", "u");
  Figure figure{.name = "y", .x = "t_index", .log_x = true, .marks = {"m"}};
  CHECK_FALSE(has_log_x(results.data, figure));
  CHECK(marks_on_x(results.data, figure).empty());
  figure.x = "u";
  CHECK(has_log_x(results.data, figure));
  CHECK(marks_on_x(results.data, figure).size() == 1);
}

TEST_CASE("the axis of several variables has the words that their labels share", "[report]") {
  const auto label = [](const std::vector<std::string>& meanings, const std::string& own = "") {
    Dataset data;
    data.dimension("x", 1);
    Figure figure{.kind = "lines", .value_label = own};
    for (std::size_t k = 0; k < meanings.size(); ++k) {
      figure.variables.push_back(concat("v", k));
      data.add({figure.variables.back(), {"x"}, std::vector<double>{1}, "1", meanings[k], {}});
    }
    return label_of_values(data, figure);
  };
  CHECK(label({"mean training loss of the epoch", "validation loss at the end of the epoch"}) == "loss");
  CHECK(label({"share of camps", "share of bots"}) == "share");
  CHECK(label({"height", "width"}) == "height, width");
  CHECK(label({"height", "width"}, "length") == "length");
}
