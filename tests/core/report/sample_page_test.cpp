/// Writes a page and its figures for the test in the browser: FOVEA_SAMPLE_PAGE=path of the page.

#include <cstdlib>
#include <fstream>

#include "fovea/core/report/report.hpp"
#include "fovea/tests/support/catch.hpp"
#include "sample_results.hpp"

using namespace fovea;

TEST_CASE("a sample page is written where FOVEA_SAMPLE_PAGE says", "[.][sample]") {
  const char* path = std::getenv("FOVEA_SAMPLE_PAGE");
  REQUIRE(path != nullptr);
  const Results results = sample_results(5, 40, 64);
  const Provenance provenance{R"({"version":"0.1.0","commit":"3f2a9c1","seed":7,"threads":2,"machine":{"cpu":"Example CPU @ 2.4 GHz","cores":2},)"
                              R"("compiler":"GNU 12.2.0","started":"2026-01-02T03:04:05Z","wall_seconds":61.4,"outputs":[{"file":"result.h5","sha256":"ab12"}]})",
                              "fovea run experiments/opinion/temperature.toml --seed 7"};
  std::ofstream(path) << draw_page(results, provenance);
  for (const SvgFigure& figure : draw_figures(results)) std::ofstream(std::string(path) + "." + figure.name + ".svg") << figure.svg;
  CHECK(std::ifstream(path).good());
}
