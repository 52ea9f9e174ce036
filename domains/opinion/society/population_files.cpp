#include "fovea/domains/opinion/society/population_files.hpp"

#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/network/edge_list.hpp"
#include "fovea/datasets/network/karate_club.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::opinion::society {

namespace {

datasets::network::Network network_of(const Config& config) {
  if (config.text("network.kind") == "karate") return datasets::network::karate_club();
  datasets::network::EdgeListOptions options;
  options.weighted = config.flag("network.use_weights");
  options.node_file = config.text("network.labels");
  return datasets::network::read_edge_list(config.text("network.edges"), options);
}

/// The column of labels that the config names, or the only one.
std::vector<std::string> labels_of(const Config& config, const datasets::network::Network& network) {
  const std::string& wanted = config.text("network.label_column");
  if (network.labels.empty()) return {};
  const auto column = wanted.empty() ? network.labels.begin() : network.labels.find(wanted);
  if (column != network.labels.end() && (!wanted.empty() || network.labels.size() == 1)) return column->second;
  std::string names;
  for (const auto& [name, values] : network.labels) names += (names.empty() ? "" : ", ") + name;
  throw DataError(concat(config.text("network.labels"), ": network.label_column = \"", wanted,
                         "\", but must be one of the columns ", names, "."));
}

struct FileRow {
  std::string node;
  std::vector<double> opinion;
  std::size_t line = 0;
};

std::vector<FileRow> read_rows(const std::string& path, std::size_t components) {
  datasets::text::CsvReader table(path);
  const std::size_t node = table.column("node");
  std::vector<std::size_t> columns;
  for (std::size_t c = 1; c <= components; ++c)
    columns.push_back(table.column(components == 1 ? std::string("opinion") : concat("opinion_", c)));
  std::vector<FileRow> rows;
  while (table.next()) {
    FileRow row{std::string(table.text(node)), {}, table.row()};
    for (const std::size_t column : columns) {
      row.opinion.push_back(table.number(column));
      constexpr double kLargest = 1e50;  // as for start.spread
      if (!(std::abs(row.opinion.back()) <= kLargest)) table.refuse(column, "an opinion must be in [-1e50, 1e50].");
    }
    rows.push_back(std::move(row));
  }
  if (rows.size() < 2) throw DataError(concat(path, ": there are ", rows.size(), " agents, but must be at least 2."));
  return rows;
}

/// The place of each row among the agents.
std::vector<Index> places(const std::vector<FileRow>& rows, const std::vector<std::string>& names,
                          const std::string& path) {
  std::map<std::string, Index> place_of;
  for (std::size_t i = 0; i < names.size(); ++i) place_of[names[i]] = static_cast<Index>(i);
  std::vector<Index> place;
  std::vector<std::size_t> first_line(names.size(), 0);
  for (const FileRow& row : rows) {
    const auto found = place_of.find(row.node);
    if (found == place_of.end())
      throw DataError(concat(path, ":row ", row.line, ": the network has no node '", row.node, "'."));
    std::size_t& first = first_line[static_cast<std::size_t>(found->second)];
    if (first > 0)
      throw DataError(concat(path, ":row ", row.line, ": node '", row.node, "' was already given in row ", first, "."));
    first = row.line;
    place.push_back(found->second);
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (first_line[i] == 0) throw DataError(concat(path, ": the opinion of node '", names[i], "' is missing."));
  return place;
}

std::string sentence_on(const datasets::network::Network& network, std::size_t weightless) {
  std::string parts;
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) parts += concat(parts.empty() ? "" : "; ", count, what);
  };
  add(network.merged, " given before, in the same or the other direction");
  add(network.self_loops, " from a node to itself");
  add(weightless, " of weight 0");
  const std::size_t used = network.edges.size() - weightless;
  return parts.empty() ? "" : concat("Edges of the list in use: ", used, "; left out: ", parts, ".");
}

void read_network(const Config& config, PopulationFiles& files) {
  const datasets::network::Network network = network_of(config);
  const bool weighted = config.flag("network.use_weights");
  if (network.nodes < 2)
    throw DataError(
        concat(config.text("network.edges"), ": there is ", network.nodes, " node, but must be at least 2."));
  const auto graph = std::make_shared<Graph>();
  graph->nodes = static_cast<Index>(network.nodes);
  for (const datasets::network::NetworkEdge& edge : network.edges) {
    if (weighted && edge.weight == 0) continue;  // nobody is heard over it
    graph->edges.push_back({static_cast<Index>(edge.source), static_cast<Index>(edge.target)});
    if (weighted) graph->weights.push_back(edge.weight);
  }
  files.graph = graph;
  files.left_out = sentence_on(network, network.edges.size() - graph->edges.size());
  files.names = network.names;
  files.labels = labels_of(config, network);
}

void read_start(const Config& config, PopulationFiles& files) {
  const std::string& path = config.text("start.file");
  const auto components = static_cast<std::size_t>(config.integer("model.components"));
  const std::vector<FileRow> rows = read_rows(path, components);
  if (config.text("network.kind") == "none")
    for (const FileRow& row : rows) files.names.push_back(row.node);
  else if (!files.graph)
    files.names = numbered_names(static_cast<Index>(config.integer("agents.count")));
  const std::vector<Index> place = places(rows, files.names, path);
  files.anchors.resize(static_cast<Index>(rows.size()), static_cast<Index>(components));
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < components; ++c) files.anchors(place[r], static_cast<Index>(c)) = rows[r].opinion[c];
}

}  // namespace

std::vector<std::string> numbered_names(Index nodes) {
  std::vector<std::string> names;
  for (Index i = 0; i < nodes; ++i) names.push_back(concat(i));
  return names;
}

std::shared_ptr<const PopulationFiles> open_population(const Config& config) {
  const std::string& network = config.text("network.kind");
  const bool reads_network = network == "edges" || network == "karate",
             reads_start = config.text("start.kind") == "file";
  if (!reads_network && !reads_start) return nullptr;
  const auto files = std::make_shared<PopulationFiles>();
  if (reads_network) read_network(config, *files);
  if (reads_start) read_start(config, *files);
  return files;
}

}  // namespace fovea::opinion::society
