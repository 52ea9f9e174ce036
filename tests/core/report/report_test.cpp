/// The page and the figures: well-formed, small, complete, and deaf to what hostile data says.

#include "fovea/core/report/report.hpp"

#include "fovea/core/report/page_data.hpp"
#include "fovea/tests/support/test.hpp"
#include "page_support.hpp"
#include "sample_results.hpp"

namespace {

constexpr std::size_t kOneMegabyte = 1000000;

std::string only_figure(const Results& results) {
  const std::vector<SvgFigure> figures = draw_figures(results);
  REQUIRE(figures.size() == 1);
  CHECK(xml_fault(figures[0].svg) == "");
  return figures[0].svg;
}

const std::string kHostile =
    "</script><script>alert(1)</script><!-- ]]> & \"quoted\" 'x' \x01\x02 \xFF\xC0 onload=alert(1)>";

Results hostile_results() {
  Results results;
  results.data.attributes["title"] = kHostile;
  results.coordinate("branch", std::vector<std::string>{kHostile, "b"}, kHostile, kHostile);
  results.coordinate("x", std::vector<double>{1, 2, 3}, kHostile, kHostile);
  results.coordinate("node", std::vector<std::string>{kHostile, "n", "m"}, "", kHostile);
  results.add("y", {"branch", "x"}, std::vector<double>{1, 2, 3, 4, 5, 6}, kHostile, kHostile);
  results.add("v", {"branch", "node"}, std::vector<double>{1, 2, 3, 4, 5, 6}, kHostile, kHostile);
  results.add("group", {"node"}, std::vector<std::string>{kHostile, "g", "h"}, "", kHostile);
  results.add("square", {"x", "node"}, std::vector<double>(9, 1.0), kHostile, kHostile);
  results.add("place", {"node"}, std::vector<double>{0, 1, 2}, "1", kHostile);
  results.scalar("mark", 2, "1", kHostile);
  results.data.dimension("edge", 2);
  results.add("from", {"edge"}, std::vector<std::int64_t>{0, 1}, "1", kHostile);
  results.add("to", {"edge"}, std::vector<std::int64_t>{2, 99}, "1", kHostile);  // 99: no such node
  Figure lines = figure_of("lines", {"y"}, "x", "", "branch");
  lines.marks = {"mark"};
  Figure network = figure_of("network", {"v", "group"}, "node");
  network.position_x = network.position_y = "place";
  network.edge_source = "from";
  network.edge_target = "to";
  for (Figure figure : {lines, figure_of("histogram", {"y"}, "x"), figure_of("heatmap", {"square"}, "x", "node"),
                        network, figure_of("table", {"v", "group"}, "node")}) {
    figure.title = figure.caption = kHostile;
    figure.name =
        kHostile + (results.figures().size() % 2 == 0 ? "/" : "?") + std::to_string(results.figures().size() / 2);
    results.figure(figure);
  }
  results.check({kHostile, kHostile, kHostile, 1, 2, relative(0.1)});
  results.headline({.variable = "mark", .label = kHostile, .meaning = kHostile});
  results.note(kHostile);
  results.verdict(kHostile);
  results.data.documents["resolved_toml"] = "key = \"" + kHostile + "\"\n";
  return results;
}

}  // namespace

TEST_CASE("the page is one document with every section and nothing from elsewhere", "[report]") {
  const std::string page = draw_page(sample_results(3, 12, 16), {R"({"version":"9.8.7"})", "fovea run again.toml"});
  CHECK(page.size() < kOneMegabyte);
  CHECK(page.starts_with("<!doctype html>"));
  CHECK(has(page, "default-src 'none'"));
  for (const char* part :
       {"Consensus breaks at T = 0.00897", "3 of 3 checks hold", "Friedkin and Johnsen", "Who listens to whom",
        "Heating was stopped", "crowd.agents", "9.8.7", "fovea run again.toml", "standard error over 3 seeds"}) {
    INFO(part);
    CHECK(has(page, part));
  }
  CHECK(count_of(page, "<figure ") == 7);
  for (const char* foreign : {"http:", "https:", "<link", " src=", "import(", "eval(", "new Function"}) {
    INFO(foreign);
    // The name of the SVG language is an address that is never opened.
    CHECK(count_of(page, foreign) ==
          (std::string(foreign) == "http:" ? count_of(page, "\"http://www.w3.org/2000/svg\"") : 0));
  }
}

TEST_CASE("a large result stays under a megabyte and the page says what was thinned", "[report][limit][long]") {
  Results results = sample_results(5, 40, 64);
  results.coordinate("agent", std::vector<std::int64_t>(4000, 1), "1", "agent");
  results.add("agent_opinion", {"branch", "temperature", "agent"}, std::vector<double>(2 * 40 * 4000, 0.5), "1",
              "opinion");
  results.add("agent_x", {"agent"}, std::vector<double>(4000, 0.1), "1", "x");
  Figure network = figure_of("network", {"agent_opinion"}, "agent");
  network.position_x = network.position_y = "agent_x";
  results.figure(network);
  const std::string page = draw_page(results, {});
  CHECK(page.size() < kOneMegabyte);
  CHECK(has(page, "Thinned for this page"));
  CHECK_FALSE(has(draw_page(sample_results(2, 8, 16), {}), "Thinned for this page"));
}

TEST_CASE("a page of one very long line is thinned too", "[report][limit]") {
  Results results;
  std::vector<double> time(300000), value(300000);
  for (std::size_t i = 0; i < time.size(); ++i)
    time[i] = static_cast<double>(i) * 0.1, value[i] = std::sin(0.001 * time[i]);
  results.coordinate("time", time, "s", "time");
  results.add("value", {"time"}, value, "V", "voltage");
  results.figure(figure_of("lines", {"value"}, "time"));
  const std::string page = draw_page(results, {});
  CHECK(page.size() < kOneMegabyte / 4);  // of which the page's own scripts and style are six tenths
  CHECK(has(page, "one in 150 along time"));
}

TEST_CASE("hostile text cannot leave its place in the page", "[report]") {
  const std::string page =
      draw_page(hostile_results(), {"{\"version\":\"</script><script>alert(2)</script>\"}", kHostile});
  CHECK(count_of(page, "<script") == 2);  // the data and our own
  CHECK(count_of(page, "</script>") == 2);
  CHECK(count_of(page, "<!--") == 0);
  CHECK_FALSE(has(page, "\"quoted\" 'x'"));
  CHECK(has(page, "1 of 1 check FAILED"));
}

TEST_CASE("every kind of figure is well-formed SVG, with hostile names too", "[report]") {
  for (const Results& results : {sample_results(3, 9, 12), hostile_results()}) {
    const std::vector<SvgFigure> figures = draw_figures(results);
    CHECK(figures.size() == results.figures().size());
    std::vector<std::string> names;
    for (const SvgFigure& figure : figures) {
      INFO(figure.name);
      CHECK(xml_fault(figure.svg) == "");
      CHECK(figure.svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
      CHECK_FALSE(has(figure.svg, "nan"));
      CHECK_FALSE(has(figure.svg, "<script"));
      CHECK(figure.name.find('/') == std::string::npos);
      CHECK(std::count(names.begin(), names.end(), figure.name) == 0);
      names.push_back(figure.name);
    }
  }
}

TEST_CASE("the checker of these tests finds faults", "[report]") {
  CHECK(xml_fault("<a><b/></a>") == "");
  for (const char* bad : {"<a><b></a>", "<a>&</a>", "<a", "<a/><b></b><c></c>", "<a x=\"<\"/>"}) {
    INFO(bad);
    CHECK(xml_fault(bad) != "");
  }
}

TEST_CASE("a figure with sliders says where they stand, and draws band, theory and mark", "[report]") {
  const std::vector<SvgFigure> figures = draw_figures(sample_results(3, 9, 12));
  CHECK(has(figures[0].svg, "fill-opacity=\"0.2\""));
  CHECK(has(figures[0].svg, "stroke-dasharray=\"6 4\""));
  CHECK(has(figures[0].svg, "predicted tipping point 0.00897</text>"));
  CHECK(has(figures[1].svg, "branch: cooling"));
  CHECK(has(figures[1].svg, "temperature T = 0.006344"));  // the third of nine: the last below the mark
  CHECK(has(figures[2].svg, "data:image/png;base64,"));
  CHECK(has(figures[3].svg, "instructor"));
  // Each node, each group in the legend; a ring around each of two known nodes and in the legend.
  CHECK(count_of(figures[3].svg, "<circle") + count_of(figures[3].svg, "<polygon") == 34 + 2 + 3);
  CHECK(count_of(figures[3].svg, "fill=\"none\" stroke=\"#1c2430\" stroke-width=\"2\"") == 3);
  CHECK(has(figures[3].svg, "known side</text>"));
  CHECK(has(figures[6].svg, "\xC2\xB1"));
}

TEST_CASE("a mark without a value does not hide the others", "[report]") {
  Results results;
  results.coordinate("x", std::vector<double>{1, 2, 3}, "1", "x");
  results.add("y", {"x"}, std::vector<double>{1, 2, 3}, "1", "y");
  Figure lines = figure_of("lines", {"y"}, "x");
  for (const auto& [name, value] : {std::pair{"left", 1.5}, std::pair{"none", kNan}, std::pair{"right", 2.5}}) {
    results.scalar(name, value, "1", name);
    lines.marks.push_back(name);
  }
  results.figure(lines);
  const std::string svg = only_figure(results);
  CHECK(has(svg, "left 1.5</text>"));
  CHECK(has(svg, "right 2.5</text>"));
  CHECK_FALSE(has(svg, "none no value"));
}

TEST_CASE("NaN leaves a gap in a line and has no place in a range", "[report]") {
  Results results;
  results.coordinate("x", std::vector<double>{1, 2, 3, 4, 5}, "km", "way");
  results.add("y", {"x"}, std::vector<double>{1, 2, kNan, 4, 5}, "1", "y");
  results.figure(figure_of("lines", {"y"}, "x"));
  const std::string svg = only_figure(results);
  const std::size_t path = svg.find("<path");
  CHECK(count_of(svg.substr(path, svg.find("/>", path) - path), "M") == 2);
  CHECK(count_of(svg, "<circle") == 4);
  CHECK(has(svg, "way (km)"));
  CHECK(has(draw_page(results, {}), "[1.0,2.0,null,4.0,5.0]"));
}

TEST_CASE("figures of nothing but NaN, of one point and of constants are drawn", "[report]") {
  for (const double value : {kNan, 0.0, 1e-300, 1e300, std::numeric_limits<double>::infinity()}) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{3}}) {
      Results results;
      results.coordinate("x", std::vector<double>(size, 1.0), "1", "x");
      results.coordinate("y", std::vector<double>(size, 0.0), "1", "y");
      results.add("line", {"x"}, std::vector<double>(size, value), "1", "line");
      results.add("matrix", {"y", "x"}, std::vector<double>(size * size, value), "1", "matrix");
      for (const bool logarithmic : {false, true}) {
        Figure lines = figure_of("lines", {"line"}, "x");
        lines.log_x = lines.log_y = logarithmic;
        results.figure(lines);
      }
      results.figure(figure_of("histogram", {"line"}, "x"));
      results.figure(figure_of("heatmap", {"matrix"}, "x", "y"));
      Figure network = figure_of("network", {"line"}, "x");
      network.position_x = network.position_y = "line";
      results.figure(network);
      results.figure(figure_of("table", {"line"}, "x"));
      for (const SvgFigure& figure : draw_figures(results)) CHECK(xml_fault(figure.svg) == "");
      CHECK(draw_page(results, {}).size() < kOneMegabyte);
    }
  }
}

TEST_CASE("folded figures stand closed under their headings, and self-tests are told from checks of the run",
          "[report]") {
  Results results;
  results.coordinate("x", std::vector<double>{1, 2}, "1", "x");
  results.add("line", {"x"}, std::vector<double>{1, 2}, "1", "line");
  for (const char* fold : {"", "Other <measures>", "", "Other <measures>"}) {
    Figure figure = figure_of("lines", {"line"}, "x");
    figure.name += std::to_string(results.figures().size());
    figure.fold = fold;
    results.figure(figure);
  }
  results.check({"self_test_one", "", "", 1, 1, absolute(0)});
  results.check({"two", "", "", 1, 1, absolute(0)});
  Results again;
  again.data = results.data;
  again.read_presentation(results.presentation());
  const std::string page = draw_page(again, {});
  CHECK(has(page, "2 of 2 checks hold; 1 of them is a self-test of the model"));
  CHECK(count_of(page, "<summary>Other &lt;measures&gt;</summary>") == 1);
  const std::size_t fold = page.find("<details class=\"fold\">");
  for (const char* open : {"data-figure=\"0\"", "data-figure=\"2\""}) CHECK(page.find(open) < fold);
  for (const char* closed : {"data-figure=\"1\"", "data-figure=\"3\""}) CHECK(page.find(closed) > fold);
  CHECK(draw_figures(again).size() == 4);
}

TEST_CASE("empty results make an empty page and no figures", "[report]") {
  const std::string page = draw_page(Results{}, {});
  CHECK(has(page, "Fovea report"));
  CHECK_FALSE(has(page, "<figure"));
  CHECK(draw_figures(Results{}).empty());
}

TEST_CASE("a figure of a variable that is not there is refused", "[report]") {
  Results results = sample_results(2, 3, 4);
  results.figure(figure_of("lines", {"no_such_variable"}, "temperature"));
  CHECK_THROWS_AS(draw_figures(results), ArgumentError);
}

TEST_CASE("a kind of figure that nobody knows is an error of the data, on the page and alone", "[report][fault]") {
  Results results = sample_results(2, 3, 4);
  std::string json = results.presentation();
  json.replace(json.find("heatmap"), 7, "hotmaps");
  results.read_presentation(json);
  CHECK_THROWS_AS(draw_figures(results), DataError);
  CHECK_THROWS_AS(draw_page(results, {}), DataError);
}

TEST_CASE("a coordinate kept as flags is shown by its names, and text of any coordinate by a short label", "[report]") {
  Results results;
  results.coordinate("branch", std::vector<std::uint8_t>{0, 1}, "1", "cooling: from the top down; heating: from below");
  results.data.at("branch").attributes = {{"flag_values", "0, 1"}, {"flag_meanings", "cooling heating"}};
  results.coordinate("t", std::vector<double>{1, 2, 3}, "K^2", "temperature: how near opinions must be to be heard");
  results.add("v", {"branch", "t"}, std::vector<double>{1, 2, 3, 4, 5, 6}, "1", "v");
  results.figure(figure_of("lines", {"v"}, "t", "", "branch"));
  results.figure(figure_of("histogram", {"v"}, "t"));
  results.figure(figure_of("table", {"v"}, "branch"));
  results.figure(figure_of("heatmap", {"v"}, "t", "branch"));
  const std::vector<SvgFigure> figures = draw_figures(results);
  CHECK(has(figures[0].svg, "heating</text>"));
  CHECK(has(figures[0].svg, "heard</title>temperature (K\xC2\xB2)</text>"));
  CHECK(has(figures[1].svg, "branch: cooling</text>"));
  for (const std::size_t either : {std::size_t{2}, std::size_t{3}}) CHECK(has(figures[either].svg, "heating</text>"));
  const std::string page = draw_page(results, {});
  CHECK(has(page, R"("label":"branch","units":"1","meaning":"cooling: from the top down; heating: from below")"));
  CHECK(has(page, R"("words":["cooling","heating"])"));
}

TEST_CASE("the data of the page hold to their budget", "[report][limit]") {
  const Results results = sample_results(3, 40, 64);
  for (const std::size_t budget : {std::size_t{60000}, std::size_t{200000}, std::size_t{500000}})
    CHECK(page_data(results, budget).size() <= budget);
}

TEST_CASE("the ends of many edges are kept exactly", "[report]") {
  Results results;
  results.coordinate("node", std::vector<double>(500, 0), "1", "node");
  results.add("value", {"node"}, std::vector<double>(500, 1), "1", "value");
  results.data.dimension("edge", 4000);
  results.add("from", {"edge"}, std::vector<std::int64_t>(4000, 258), "1", "from");
  Figure network = figure_of("network", {"value"}, "node");
  network.position_x = network.position_y = "value";
  results.add("to", {"edge"}, std::vector<std::int64_t>(4000, 257), "1", "to");
  network.edge_source = "from";
  network.edge_target = "to";
  results.figure(network);
  results.add("called", {"node"}, std::vector<std::string>(500, "Ada"), "", "name");
  const std::string data = page_data(results, kOneMegabyte);
  CHECK(has(data, R"("row":4000,"low":[0.0],"high":[65534.0],"b":"AgECAQIB)"));  // 258 is 2, 1
  CHECK(has(data, R"("names":"called")"));
}
