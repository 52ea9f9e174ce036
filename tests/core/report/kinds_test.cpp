/// What every kind of figure promises; no kind is named here.

#include "fovea/core/report/kinds/kind.hpp"
#include "fovea/core/report/page_data.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/tests/support/test.hpp"
#include "page_support.hpp"
#include "sample_kinds.hpp"

namespace {

std::vector<std::string> names_of_kinds() {
  std::vector<std::string> names;
  for (const FigureKind* kind : figure_kinds()) names.emplace_back(kind->name());
  return names;
}

/// Its only figure as SVG; checks that it is one, and that a page holds it.
std::string drawn(const Results& results) {
  const std::vector<SvgFigure> figures = draw_figures(results);
  REQUIRE(figures.size() == 1);
  CHECK(xml_fault(figures[0].svg) == "");
  for (const char* broken : {"nan", "inf\"", "undefined"}) CHECK_FALSE(has(figures[0].svg, broken));
  CHECK(has(figures[0].svg, "A figure of kind"));
  const std::string page = draw_page(results, {});
  CHECK(page.size() < 1000000);
  CHECK(count_of(page, "<script") == 2);
  return figures[0].svg;
}

}  // namespace

TEST_CASE("the kinds of figures stand in the order of their names, and each says what it needs", "[report][kind]") {
  const std::vector<std::string> names = names_of_kinds();
  CHECK(std::is_sorted(names.begin(), names.end()));
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  for (const FigureKind* kind : figure_kinds()) CHECK(kind->needs().size() > 10);
}

TEST_CASE("every kind of figure draws a sample, with one seed and with many", "[report][kind]") {
  for (const std::string& kind : names_of_kinds()) DYNAMIC_SECTION(kind) {
      for (const std::size_t seeds : {std::size_t{1}, std::size_t{5}}) {
        const std::string svg = drawn(sample_of(kind, {.seeds = seeds}));
        CHECK(has(svg, "slider = "));
        CHECK_FALSE(has(svg, "There is no data"));
      }
    }
}

TEST_CASE("every kind of figure has a script of its own on the page", "[report][kind]") {
  for (const std::string& kind : names_of_kinds()) DYNAMIC_SECTION(kind) {
      const std::string page = draw_page(sample_of(kind, {}), {});
      CHECK(count_of(page, "KINDS." + kind + " = ") == 1);
      CHECK(has(page, "\"kind\":\"" + kind + "\""));
      CHECK(has(page.substr(page.find("\"start\":{")), "\"slider\":"));
    }
}

TEST_CASE("every kind of figure survives missing values, some of them or all", "[report][kind][limit]") {
  for (const std::string& kind : names_of_kinds()) DYNAMIC_SECTION(kind) {
      for (const double missing : {0.3, 1.0}) drawn(sample_of(kind, {.missing = missing}));
    }
}

TEST_CASE("every kind of figure survives a single value, and says where there is none", "[report][kind][limit]") {
  for (const std::string& kind : names_of_kinds()) DYNAMIC_SECTION(kind) {
      drawn(sample_of(kind, {.seeds = 1, .positions = 1, .rows = 1, .columns = 1}));
      CHECK(has(drawn(sample_of(kind, {.rows = 0, .columns = 0})), "There is no data."));
    }
}

TEST_CASE("every kind of figure is thinned until it fits the page", "[report][kind][limit][long]") {
  for (const std::string& kind : names_of_kinds()) DYNAMIC_SECTION(kind) {
      const bool whole = kind == "network" || kind == "table";  // thinned along sliders alone
      const std::size_t rows = whole ? 1 : 300, positions = whole ? 3600 : 12;
      const Results large = sample_of(kind, {.seeds = 1, .positions = positions, .rows = rows, .columns = 300});
      CHECK(draw_page(large, {}).size() < 1000000);
      CHECK(page_data(large, 60000).size() < 60000);
    }
}

TEST_CASE("every kind of figure says what it lacks", "[report][kind][fault]") {
  for (const FigureKind* kind : figure_kinds()) DYNAMIC_SECTION(kind->name()) {
      Results results;
      results.figure({.kind = std::string(kind->name()), .name = "one", .x = "x", .y = "y"});
      const std::string said = support::refusal_of<ArgumentError>([&] { draw_figures(results); });
      CHECK(said ==
            concat("figure 'one' names no variable; a figure of kind ", kind->name(), " needs ", kind->needs(), "."));
      CHECK(support::refusal_of<ArgumentError>([&] { draw_page(results, {}); }) == said);
    }
}
