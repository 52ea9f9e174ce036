/// Writes pages and figures for the test in the browser (tests/browser/page_test.py) into the folder that the
/// environment variable FOVEA_SAMPLE_PAGES names; without it there is nothing to do.

#include <cstdlib>

#include "fovea/core/report/kinds/kind.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/tests/support/test.hpp"
#include "sample_intervals.hpp"
#include "sample_kinds.hpp"
#include "sample_results.hpp"

namespace {

const Provenance kProvenance{
    R"({"experiment":"opinion.temperature","seed":7,"started":"2026-01-02T03:04:05Z","wall_seconds":61.42,"threads":2,)"
    R"("peak_memory_bytes":33464320,"fovea":{"version":"0.1.0","commit":"3f2a9c1d5e6f708192a3","compiler":"GNU 12.2.0"},)"
    R"("machine":{"cpu":"Example CPU @ 2.4 GHz","processors":2},"files":{"outputs":[{"path":"result.h5"}]}})",
    "fovea run experiments/opinion/temperature.toml --seed 7"};

/// 4000 nodes on a spiral, 20000 edges, an opinion for each branch and temperature.
void add_large_network(Results& results) {
  constexpr std::size_t kAgents = 4000, kEdges = 20000;
  std::vector<double> x, y, opinions;
  std::vector<std::int64_t> source, target;
  for (std::size_t i = 0; i < kAgents; ++i) {
    x.push_back(std::sqrt(static_cast<double>(i)) * std::cos(2.4 * static_cast<double>(i)));
    y.push_back(std::sqrt(static_cast<double>(i)) * std::sin(2.4 * static_cast<double>(i)));
  }
  for (std::size_t i = 0; i < 2 * 40 * kAgents; ++i)
    opinions.push_back(std::sin(0.37 * static_cast<double>(i % kAgents)) * static_cast<double>(1 + i / kAgents));
  for (std::size_t e = 0; e < kEdges; ++e) {
    source.push_back(static_cast<std::int64_t>(e % kAgents));
    target.push_back(static_cast<std::int64_t>((e * 7 + e / kAgents) % kAgents));
  }
  results.data.dimension("agent", kAgents);
  results.data.dimension("link", kEdges);
  results.add("agent_x", {"agent"}, x, "1", "x");
  results.add("agent_y", {"agent"}, y, "1", "y");
  results.add("agent_opinion", {"branch", "temperature", "agent"}, opinions, "1", "opinion");
  results.add("link_source", {"link"}, source, "1", "from");
  results.add("link_target", {"link"}, target, "1", "to");
  results.figure({.kind = "network",
                  .name = "agents",
                  .title = "All agents",
                  .caption = "Colour: opinion.",
                  .variables = {"agent_opinion"},
                  .x = "agent",
                  .position_x = "agent_x",
                  .position_y = "agent_y",
                  .edge_source = "link_source",
                  .edge_target = "link_target"});
}

/// A page with a figure of every kind over the same data.
Results every_kind() {
  Results all;
  for (const FigureKind* kind : figure_kinds()) {
    const Results one = sample_of(std::string(kind->name()), {.missing = 0.1});
    if (all.figures().empty()) all.data = one.data;
    all.figure(one.figures().front());
  }
  return all;
}

void write_page(const std::string& folder, const std::string& name, const Results& results) {
  std::ofstream(folder + name + ".html") << draw_page(results, kProvenance);
  for (const SvgFigure& figure : draw_figures(results))
    std::ofstream(folder + name + "_" + figure.name + ".svg") << figure.svg;
}

}  // namespace

TEST_CASE("sample pages are written where FOVEA_SAMPLE_PAGES says", "[report][sample]") {
  const char* path = std::getenv("FOVEA_SAMPLE_PAGES");
  if (path == nullptr) return;
  const std::string folder = std::string(path) + "/";
  const Results results = sample_results(5, 40, 64);
  std::ofstream(folder + "sample.html") << draw_page(results, kProvenance);
  std::ofstream(folder + "links.html") << draw_page(sample_links(), kProvenance);
  for (const SvgFigure& figure : draw_figures(sample_links()))
    std::ofstream(folder + figure.name + ".svg") << figure.svg;
  for (const SvgFigure& figure : draw_figures(results)) std::ofstream(folder + figure.name + ".svg") << figure.svg;
  write_page(folder, "kinds", every_kind());
  write_page(folder, "intervals", sample_intervals());
  write_page(folder, "images", sample_images(96));
  Results large = sample_results(5, 40, 64);
  add_large_network(large);
  large.check({"camps", "number of camps", "derived in the README", 2, 3, relative(0)});
  std::ofstream(folder + "large.html") << draw_page(large, kProvenance);
  CHECK(std::ifstream(folder + "large.html").good());
}
