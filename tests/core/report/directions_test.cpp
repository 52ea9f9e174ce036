/// Arrows, labels and given bands: what figures of links between series are made of.

#include <nlohmann/json.hpp>
#include <regex>

#include "fovea/core/report/figures/svg_arrows.hpp"
#include "fovea/core/report/figures/thinning.hpp"
#include "fovea/core/report/kinds/kind.hpp"
#include "fovea/core/report/page_data.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/tests/support/test.hpp"
#include "page_support.hpp"
#include "sample_results.hpp"

namespace {

std::string drawn_link_figure(const std::string& name) {
  for (const SvgFigure& figure : draw_figures(sample_links()))
    if (figure.name == name) return figure.svg;
  return {};
}

nlohmann::json link_page() { return nlohmann::json::parse(page_data(sample_links(), 1000000)); }

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

}  // namespace

TEST_CASE("an arrow leaves the rim of its source and its head touches its target", "[report]") {
  const std::vector<Point> nodes{{100, 100}, {300, 180}, {120, 260}};
  const double radius = 9;
  for (const auto& [source, target] : {std::pair{0, 1}, {1, 0}, {2, 1}, {2, 2}}) {
    const std::size_t s = source, t = target;
    const Arrow arrow = arrow_between(nodes, s, t, 0, radius, {180, 180});
    CHECK(distance(arrow.line.front(), nodes[s]) == Approx(radius));
    CHECK(distance(arrow.tip, nodes[t]) == Approx(radius + 2));
    CHECK(std::hypot(arrow.direction.x, arrow.direction.y) == Approx(1));
    // the head points at the node: going on for the length of the gap and the radius ends inside
    const Point on{arrow.tip.x + 5 * arrow.direction.x, arrow.tip.y + 5 * arrow.direction.y};
    CHECK(distance(on, nodes[t]) < radius);
    CHECK(arrow_head(arrow, 2).size() == 3);
    CHECK(distance(arrow_head(arrow, 2)[0], arrow.tip) == 0);
  }
}

TEST_CASE("edges there and back, and several between two nodes, have their labels apart", "[report]") {
  const std::vector<Point> nodes{{100, 100}, {300, 100}};
  const Point centre{200, 100};
  const Point there = arrow_between(nodes, 0, 1, 0, 9, centre).label;
  const Point back = arrow_between(nodes, 1, 0, 0, 9, centre).label;
  const Point second = arrow_between(nodes, 0, 1, 1, 9, centre).label;
  CHECK(distance(there, back) > 16);  // the height of a label
  CHECK(distance(there, second) > 12);
  const Point loop = arrow_between(nodes, 0, 0, 0, 9, centre).label;
  CHECK(loop.x < 100 - 9);  // away from the middle
}

TEST_CASE("labels stand in the cells that have a value, and in no other", "[report]") {
  const std::string svg = drawn_link_figure("matrix");
  for (const char* lag : {"3", "9", "2", "1", "7", "4"}) CHECK(has(svg, ">" + std::string(lag) + "</text>"));
  CHECK_FALSE(has(svg, ">0</text>\n<text x=\"2"));
  CHECK(count_of(svg, "font-weight=\"600\"") == 1 + 6);  // the title and six pairs
  const nlohmann::json page = link_page();
  CHECK(page["figures"][0]["labels"] == "lag_of_pair");
  CHECK(page["arrays"]["lag_of_pair"]["mean"].size() == 25);
}

TEST_CASE("numbers that have no room are left out of the cells", "[report]") {
  Results results;
  results.data.dimension("row", 80);
  results.data.dimension("column", 80);
  results.add("v", {"row", "column"}, std::vector<double>(6400, 0.5), "1", "v");
  results.add("l", {"row", "column"}, std::vector<double>(6400, 77), "1", "l");
  Figure map = figure_of("heatmap", {"v"}, "column", "row");
  map.labels = "l";
  results.figure(map);
  CHECK_FALSE(has(draw_figures(results)[0].svg, ">77</text>"));
}

TEST_CASE("a label may be the value itself, and then it is the mean over the seeds", "[report]") {
  Results results;
  results.coordinate("seed", std::vector<std::int64_t>{1, 2}, "1", "seed");
  results.data.dimension("row", 1);
  results.data.dimension("column", 2);
  results.add("v", {"seed", "row", "column"}, std::vector<double>{1, 2, 3, 6}, "1", "v");
  results.add("first", {"seed", "row", "column"}, std::vector<double>{1, 8, 3, 6}, "1", "first");
  Figure map = figure_of("heatmap", {"v"}, "column", "row");
  for (const char* labels : {"v", "first"}) {
    map.labels = labels;
    map.name = labels;
    results.figure(map);
  }
  const std::vector<SvgFigure> figures = draw_figures(results);
  CHECK(has(figures[0].svg, "font-weight=\"600\">4</text>"));
  CHECK(has(figures[1].svg, "font-weight=\"600\">8</text>"));  // of the first seed
}

TEST_CASE("a directed network has a head for each edge that is there, its label and the names of its nodes",
          "[report]") {
  const std::string svg = drawn_link_figure("graph");
  // Of eight links two are not there in the first window: numbers 3 and 7.
  CHECK(count_of(svg, "fill-opacity=\"1\"") == 6);
  CHECK(count_of(svg, " d</text>") == 6);
  CHECK_FALSE(has(svg, ">1 d</text>"));
  for (const char* name : {"rain", "snow", "upper river", "lower river", "well"})
    CHECK(has(svg, "</title>" + std::string(name) + "</text>"));
  CHECK(has(svg, "strength of the link 0.82</text>"));
}

TEST_CASE("the page has direction, labels and weights of every window", "[report]") {
  const nlohmann::json page = link_page();
  const nlohmann::json& graph = page["figures"][1];
  CHECK(graph["directed"] == true);
  CHECK(page["arrays"][graph["labels"].get<std::string>()]["words"][1] == "9 d");
  CHECK(page["arrays"][graph["edgeWeight"].get<std::string>()]["dims"] == nlohmann::json({"window", "link"}));
  CHECK(page["start"].contains("window"));
  CHECK_FALSE(page["start"].contains("link"));
}

TEST_CASE("a network that is thinned keeps each edge's label and weight", "[report][limit]") {
  const Results results = sample_links();
  Figure graph = results.figures()[1];
  FigureData data = figure_data(results.data, graph);
  const std::string note = limit_network(data, graph, 5000, 4);
  CHECK(has(note, "4 of 8 edges"));
  CHECK(data.arrays.at("link_label").words == std::vector<std::string>{"3 d", "2 d", "7 d", "11 d"});
  const Averaged& weight = data.arrays.at("link_strength");
  CHECK(weight.shape == std::vector<std::size_t>{3, 4});
  CHECK(weight.mean[1] == 0.74);
}

TEST_CASE("a given band is drawn behind the line and named, with a gap where it has no value", "[report]") {
  const std::string svg = drawn_link_figure("profile");
  const std::size_t band = svg.find("fill=\"#5a6572\" fill-opacity=\"0.16\"");
  CHECK(band != std::string::npos);
  CHECK(band < svg.find("stroke=\"#0b6cb0\" stroke-width=\"2\""));
  CHECK(count_of(svg, "fill-opacity=\"0.16\"") == 2);  // on both sides of the gap
  CHECK(has(svg, "without effect</text>"));
  const nlohmann::json page = link_page();
  CHECK(page["figures"][2]["bandLow"] == "null_low");
  CHECK(page["figures"][2]["bandHigh"] == "null_high");
}

TEST_CASE("the range of the axis holds the whole band", "[report]") {
  Results results;
  results.coordinate("x", std::vector<double>{1, 2, 3}, "1", "x");
  results.add("y", {"x"}, std::vector<double>{1, 1.5, 2}, "1", "y");
  results.add("low", {"x"}, std::vector<double>{-40, -40, -40}, "1", "low");
  results.add("high", {"x"}, std::vector<double>{40, 40, 40}, "1", "high");
  Figure lines = figure_of("lines", {"y"}, "x");
  lines.band_low = "low";
  lines.band_high = "high";
  results.figure(lines);
  CHECK(has(draw_figures(results)[0].svg, ">40</text>"));
}

TEST_CASE("the band of the errors stays within the plot, on a logarithmic axis too", "[report]") {
  const auto edges_of =
      [](std::vector<double> values) {  // heights of the band's corners: 2 of the upper edge, 2 of the lower
        Results results;
        results.coordinate("x", std::vector<double>{1, 2}, "1", "x");
        results.coordinate("seed", std::vector<std::int64_t>{1, 2}, "1", "seed");
        results.add("y", {"x", "seed"}, std::move(values), "1", "y");
        Figure lines = figure_of("lines", {"y"}, "x");
        lines.log_y = true;
        results.figure(lines);
        const std::string svg = draw_figures(results)[0].svg;
        const std::size_t end = svg.find("fill-opacity=\"0.2\"");
        REQUIRE(end != std::string::npos);
        const std::size_t start = svg.rfind("points=", end);
        static const std::regex point(R"(([0-9.]+)[ ,]([0-9.]+))");
        const std::string path = svg.substr(start, end - start);
        std::vector<double> heights;
        for (std::sregex_iterator at(path.begin(), path.end(), point), none; at != none; ++at)
          heights.push_back(std::stod((*at)[2]));
        return heights;
      };
  const std::vector<double> small = edges_of({2.0, 2.4, 2.1, 2.5}), whole = edges_of({0.01, 8, 2.1, 2.5});
  REQUIRE(small.size() == 4);
  REQUIRE(whole.size() == 4);
  for (const std::vector<double>& heights : {small, whole})
    for (const double height : heights) CHECK((height > 60 && height < 400));
  CHECK(small[3] > small[0] + 50);  // drawn over most of the axis
  CHECK(whole[3] > whole[2]);       // what reaches 0 goes down to the axis
}

TEST_CASE("directions, labels and bands survive the presentation, and older presentations are read without",
          "[report]") {
  const Results results = sample_links();
  Results read;
  read.read_presentation(results.presentation());
  CHECK(read.figures()[1].directed);
  CHECK(read.figures()[1].edge_weight == "link_strength");
  CHECK(read.figures()[0].labels == "lag_of_pair");
  CHECK(read.figures()[2].band_high == "null_high");
  nlohmann::json older = nlohmann::json::parse(results.presentation());
  for (nlohmann::json& figure : older["figures"])
    for (const char* member : {"labels", "directed", "edge_weight", "band_low", "band_high"}) figure.erase(member);
  read.read_presentation(older.dump());
  CHECK_FALSE(read.figures()[1].directed);
  CHECK(read.figures()[0].labels.empty());
}
