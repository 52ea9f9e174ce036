#include "fovea/domains/opinion/examples.hpp"

#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/opinion/fit/data.hpp"
#include "fovea/domains/opinion/society/networks.hpp"

namespace fovea::opinion {

namespace {

constexpr Index kExampleNodes = 120, kExampleWaves = 3, kExampleAsked = 200;
const Random kExampleSeed(1);

/// A crowd whose halves drift apart, or one that stays as it is, asked on seven points.
fit::OpinionSeries country_series(bool moves) {
  fit::SimulatedTruth truth;
  truth.temperature = moves ? truth.temperature : fit::SimulatedTruth::kDeaf;
  truth.growth = moves ? 0.15 : 0;
  truth.periods = kExampleWaves, truth.sample = kExampleAsked, truth.points = 7;
  return simulated_series(truth, kExampleSeed.stream(moves ? "Spain" : "Norway"));
}

void write_survey(const std::string& folder) {
  constexpr std::array<const char*, 3> kYears{"2010", "2015", "2020"};
  std::string text = "wave,country,party,q1,w\n";
  std::array<Index, 7> counts{};
  const Random party = kExampleSeed.stream("party"), weight = kExampleSeed.stream("weight");
  std::uint64_t person = 0;
  for (const bool moves : {false, true}) {
    const fit::OpinionSeries series = country_series(moves);
    for (std::size_t wave = 0; wave < series.samples.size(); ++wave)
      for (const double opinion : series.samples[wave]) {
        const std::size_t answer = series.grid.nearest(opinion);
        const double lean = 0.5 + 0.13 * (static_cast<double>(answer) - 3);  // answers 1 to 7: from 0.11 to 0.89
        text += concat(kYears.at(wave), moves ? ",Spain," : ",Norway,", party.uniform(person) < lean ? "right" : "left",
                       ',', answer + 1, ',', exact_text(std::round(100 * (0.5 + weight.uniform(person))) / 100), '\n');
        ++counts.at(answer), ++person;
      }
  }
  write_file(folder + "/survey.csv", text);
  text = "answer,n\n";
  for (std::size_t k = 0; k < counts.size(); ++k) text += concat(k + 1, ',', counts[k], '\n');
  write_file(folder + "/answers.csv", text);
}

std::string example_node(Index node) { return concat('n', 100 + node); }

const char* example_side(Index node) { return society::block_of_nodes(kExampleNodes, 2)[node] == 0 ? "left" : "right"; }

/// Two sides apart by 1.6 standard deviations, by 2.4 in the second wave.
double example_opinion(Index node, int wave) {
  const double half = wave == 1 ? 0.8 : 1.2;
  const double spread = kExampleSeed.stream("opinions").normal(static_cast<std::uint64_t>(node));
  return std::round(100 * ((example_side(node)[0] == 'l' ? -half : half) + spread)) / 100;
}

std::string example_graph(const std::vector<society::Edge>& edges) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
      "<key id=\"party\" for=\"node\" attr.name=\"party\" attr.type=\"string\"/>\n"
      "<key id=\"trust\" for=\"node\" attr.name=\"trust\" attr.type=\"double\"/>\n<graph edgedefault=\"undirected\">\n";
  for (Index node = 0; node < kExampleNodes; ++node)
    text += concat("<node id=\"", example_node(node), "\"><data key=\"party\">", example_side(node),
                   "</data><data key=\"trust\">", exact_text(example_opinion(node, 1)), "</data></node>\n");
  for (const society::Edge& edge : edges)
    text += concat("<edge source=\"", example_node(edge[0]), "\" target=\"", example_node(edge[1]), "\"/>\n");
  return text + "</graph>\n</graphml>\n";
}

void write_network(const std::string& folder) {
  const std::vector<society::Edge> edges = society::block_model(kExampleNodes, 2, 6, 1, kExampleSeed.stream("edges"));
  std::string links = "source,target\n", nodes = "node,side,opinion\n", panel = "node,wave,opinion\n";
  for (const society::Edge& edge : edges) links += concat(example_node(edge[0]), ',', example_node(edge[1]), '\n');
  for (Index node = 0; node < kExampleNodes; ++node) {
    const std::string first = exact_text(example_opinion(node, 1));
    nodes += concat(example_node(node), ',', example_side(node), ',', first, '\n');
    panel += concat(example_node(node), ",1,", first, '\n', example_node(node), ",2,",
                    exact_text(example_opinion(node, 2)), '\n');
  }
  write_file(folder + "/network.csv", links);
  write_file(folder + "/nodes.csv", nodes);
  write_file(folder + "/panel.csv", panel);
  write_file(folder + "/network.graphml", example_graph(edges));
}

}  // namespace

std::vector<Example> examples() {
  return {{"survey.csv",
           "1200 answers on a scale from 1 to 7: three waves of two countries, in one of which they move apart",
           {"answers.csv"},
           {"fovea measure survey.csv --value q1 --by wave --scale 1..7 --weight w"},
           &write_survey},
          {"network.csv",
           "ties of 120 people of two sides, drawn so that six of seven stay within a side",
           {"nodes.csv", "panel.csv", "network.graphml"},
           {"fovea measure nodes.csv --edges network.csv"},
           &write_network}};
}

}  // namespace fovea::opinion
