/// The oracle on measured crowds: the US Senate, and political blogs. Skipped where the config names no files.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/network/network_file.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/votes/ideal_points.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"
#include "fovea/domains/opinion/oracle/crowds.hpp"
#include "fovea/domains/opinion/oracle/oracle.hpp"
#include "fovea/domains/opinion/society/graph.hpp"

namespace fovea::opinion::oracle {

namespace {

void note_absent(OracleSheet& sheet, const std::string& key, const std::string& what) {
  sheet.results().note(concat("Not compared: ", what, "; set ", key, " to its file."));
}

struct PublishedCongress {
  std::int64_t number = 0;
  double gap = 0, variance = 0, bimodality = 0, moderates = 0;
};

std::vector<PublishedCongress> read_published(const std::string& path) {
  datasets::text::CsvReader reader(path);
  const std::size_t number = reader.column("congress"), gap = reader.column("party_mean_diff_d1"),
                    spread = reader.column("var_d1"), bimodal = reader.column("bimodality"),
                    moderate = reader.column("prop_moderate");
  std::vector<PublishedCongress> series;
  while (reader.next())
    series.push_back({static_cast<std::int64_t>(reader.number(number)), reader.number(gap), reader.number(spread),
                      reader.number(bimodal), reader.number(moderate)});
  return series;
}

double mean_square_distance(const std::vector<double>& values) { return measures::variance(as_column(values)); }

}  // namespace

void measure_senate(OracleSheet& sheet) {
  const std::string& members = sheet.config().text("senate.members");
  if (members.empty()) return note_absent(sheet, "senate.members", "the US Senate's ideal points");
  constexpr double kPublished = 2e-4;  // voteview's own column differs from the series by 1.9e-4
  const std::vector<datasets::votes::IdealPoints> congresses = datasets::votes::read_ideal_points(members, "Senate");
  std::vector<double> years, gaps;
  double least = 1;
  std::int64_t least_number = 0;
  for (const datasets::votes::IdealPoints& congress : congresses) {
    if (congress.period < 46) continue;  // from 1879 on both parties sit in every Congress
    const double gap = datasets::votes::party_mean_difference(congress);
    years.push_back(static_cast<double>(congress.year()));
    gaps.push_back(gap);
    if (gap < least) least = gap, least_number = congress.period;
    for (const auto& [number, published] : {std::pair{77, 0.471811}, {102, 0.618968}, {114, 0.810140}})
      if (congress.period == number)
        sheet.compare(concat("gap_", number),
                      concat("distance of the parties' means in Congress ", number, " (", congress.year(), ")"),
                      published, gap, absolute(kPublished));
  }
  sheet.compare("least", "Congress with the least distance of the parties", 77, static_cast<double>(least_number),
                absolute(0.0));
  Results& results = sheet.results();
  results.coordinate("senate_year", years, "year", "year");
  results.add("senate_gap", {"senate_year"}, gaps, "1", "distance of the parties' means");
  if (const std::string& path = sheet.config().text("senate.series"); !path.empty()) {
    double worst_gap = 0, worst_variance = 0, worst_bimodality = 0, worst_moderates = 0;
    const std::vector<PublishedCongress> series = read_published(path);
    for (const PublishedCongress& published : series)
      for (const datasets::votes::IdealPoints& congress : congresses) {
        if (congress.period != published.number) continue;
        worst_gap = std::max(worst_gap, std::abs(datasets::votes::party_mean_difference(congress) - published.gap));
        worst_variance =
            std::max(worst_variance, std::abs(mean_square_distance(congress.positions) - published.variance));
        worst_bimodality =
            std::max(worst_bimodality,
                     std::abs(datasets::votes::bimodality_of_sample(congress.positions) - published.bimodality));
        worst_moderates = std::max(
            worst_moderates, std::abs(datasets::votes::share_of_moderates(congress.positions) - published.moderates));
      }
    const std::string over =
        concat(" over ", series.size(), " Congresses: largest deviation from the published series");
    sheet.compare("series_gap", "distance of the parties" + over, 0, worst_gap, absolute(kPublished));
    sheet.compare("series_variance", "variance" + over, 0, worst_variance, absolute(kPublished));
    sheet.compare("series_bimodality", "bimodality" + over, 0, worst_bimodality, absolute(kPublished));
    sheet.compare("series_moderates", "share of moderates" + over, 0, worst_moderates, absolute(kPublished));
  }
  results.figure({.name = "senate",
                  .title = "The parties of the US Senate",
                  .caption = "Distance of the two parties' mean ideal points (first dimension), Congress 46 on.",
                  .variables = {"senate_gap"},
                  .x = "senate_year"});
}

void measure_polblogs(OracleSheet& sheet) {
  const std::string& edges = sheet.config().text("polblogs.edges");
  const std::string& labels = sheet.config().text("polblogs.labels");
  if (edges.empty() || labels.empty())
    return note_absent(sheet, "polblogs.edges and polblogs.labels", "the political blogs");
  datasets::network::NetworkFileOptions options;
  options.weighted = false;
  options.node_file = labels;
  const datasets::network::Network network = datasets::network::read_network(edges, options);
  require(!network.labels.empty(), "oracle: ", labels, " has no label column; it needs node and one label.");
  society::Graph graph;
  graph.nodes = static_cast<Index>(network.nodes);
  for (const datasets::network::NetworkEdge& edge : network.edges)
    graph.edges.push_back({static_cast<Index>(edge.source), static_cast<Index>(edge.target)});
  std::vector<std::string> names = network.labels.begin()->second;
  std::vector<std::string> kinds = names;
  std::sort(kinds.begin(), kinds.end());
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  std::vector<Index> sides;
  for (const std::string& name : names)
    sides.push_back(std::lower_bound(kinds.begin(), kinds.end(), name) - kinds.begin());
  constexpr double kPrintedDigits = 5e-7;
  sheet.compare("assortativity", "assortativity of the two sides of the political blogs", 0.811351,
                society::assortativity(graph, sides), absolute(kPrintedDigits));
}

}  // namespace fovea::opinion::oracle
