#include "fovea/domains/opinion/society/population.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/network/findings.hpp"
#include "fovea/datasets/network/karate_club.hpp"
#include "fovea/datasets/network/network_file.hpp"
#include "fovea/datasets/series/dialect.hpp"
#include "fovea/datasets/text/names.hpp"
#include "fovea/domains/opinion/society/agents_file.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::society {

namespace {

datasets::network::Network network_of(const NetworkSettings& settings) {
  if (settings.kind == NetworkKind::karate) return datasets::network::karate_club();
  datasets::network::NetworkFileOptions options;
  options.weighted = settings.use_weights;
  options.node_file = settings.labels;
  options.directed = options.keep_loops = options.negative = settings.directed;
  options.refuse_parallel = settings.refuse_parallel;
  options.relation = settings.relation;
  return datasets::network::read_network(settings.edges, options);
}

/// The column of labels that the config names, or the only one.
std::vector<std::string> labels_of(const PopulationSettings& settings, const datasets::network::Network& network) {
  const std::string &wanted = settings.network.label_column, &table = settings.network.labels;
  if (network.labels.empty() && wanted.empty()) return {};
  const auto column = wanted.empty() ? network.labels.begin() : network.labels.find(wanted);
  if (column != network.labels.end() && (!wanted.empty() || network.labels.size() == 1)) return column->second;
  // Attributes that a graph document has by the way.
  if (wanted.empty() && table.empty() && settings.start.kind != StartKind::labelled &&
      settings.start.kind != StartKind::groups)
    return {};
  std::string names;
  for (const auto& [name, values] : network.labels) names += (names.empty() ? "" : ", ") + name;
  throw DataError(concat(table.empty() ? settings.network.edges : table, ": network.label_column = \"", wanted,
                         "\", but ",
                         names.empty() ? "there are no labels." : concat("must be one of the columns ", names, ".")));
}

/// Attributes of the nodes besides the labels that are used.
datasets::network::NodeColumnsUnused unused_columns(const datasets::network::Network& network,
                                                    const std::vector<std::string>& used) {
  std::vector<std::string> columns;
  for (const auto& [name, values] : network.labels)
    if (used.empty() || values != used) columns.push_back(datasets::text::shown_text(name));
  return {std::ssize(columns), datasets::text::listed(columns), "network.label_column"};
}

struct FileRow {
  std::string node;
  std::vector<double> opinion;
  std::size_t line = 0;
};

/// What else an experiment reads of agents.
struct OfAgents {
  bool traits = false;  ///< whether it reads numbers of their own
  bool formulas = false;
  std::vector<OwnColumn> own;
};

/// A column that nothing reads, such as a misspelt one.
void refuse_unknown_columns(const datasets::text::CsvReader& table, const std::string& path, std::size_t components,
                            const OfAgents& agents) {
  const std::vector<std::string> traits{"stubbornness", "temperature", "confidence", "reach", "kind"};
  std::vector<std::string> known{"node"};
  if (agents.traits) known.insert(known.end(), traits.begin(), traits.end());
  for (const OwnColumn& own : agents.own) known.push_back(own.column);
  if (components == 1) known.emplace_back("opinion");
  for (std::size_t c = 1; components > 1 && c <= components; ++c) known.push_back(concat("opinion_", c));
  for (const std::string& column : table.columns()) {
    if (std::find(known.begin(), known.end(), column) != known.end()) continue;
    if (std::find(traits.begin(), traits.end(), column) != traits.end())
      throw DataError(concat(path, ": has a column '", column,
                             "', which opinion.simulate and opinion.phase read, but not this experiment; remove it."));
    const std::string near = nearest(column, known);
    throw DataError(concat(path, ": has a column '", datasets::text::shown_text(column),
                           "', which nothing reads (model.components = ", components, "); ",
                           near.empty() ? "remove it" : concat("did you mean '", near, "'?"),
                           !agents.formulas ? ""
                           : near.empty()   ? ", or let"
                                            : " Else let",
                           agents.formulas ? " formulas read it by [[formula.parameters]] of type \"column\"."
                           : near.empty()  ? "."
                                           : ""));
  }
}

std::vector<FileRow> read_rows(const std::string& path, std::size_t components, const OfAgents& agents) {
  const datasets::text::CsvOptions dialect = datasets::series::dialect_of(path);
  datasets::text::CsvReader table(path, dialect);
  refuse_unknown_columns(table, path, components, agents);
  const std::size_t node = table.column("node");
  std::vector<std::size_t> columns;
  for (std::size_t c = 1; c <= components; ++c)
    columns.push_back(table.column(components == 1 ? std::string("opinion") : concat("opinion_", c)));
  std::vector<FileRow> rows;
  while (table.next()) {
    FileRow row{std::string(datasets::text::trimmed(table.text(node))), {}, table.row()};
    if (row.node.empty()) table.refuse(node, "the name of an agent is missing.");
    for (const std::size_t column : columns) {
      row.opinion.push_back(datasets::series::number_of(table, column, dialect));
      if (std::isnan(row.opinion.back()))
        table.refuse(column, "the opinion is missing; give one, or leave the row out.");
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
    std::size_t& first = first_line[found->second];
    if (first > 0)
      throw DataError(concat(path, ":row ", row.line, ": node '", row.node, "' was already given in row ", first, "."));
    first = row.line;
    place.push_back(found->second);
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (first_line[i] == 0) throw DataError(concat(path, ": the opinion of node '", names[i], "' is missing."));
  return place;
}

std::size_t loops_among(const datasets::network::Network& network) {
  const auto is_loop = [](const datasets::network::NetworkEdge& edge) { return edge.source == edge.target; };
  return std::count_if(network.edges.begin(), network.edges.end(), is_loop);
}

/// Of a directed list: what became of edges given again and of self-loops.
std::string directed_sentence(const datasets::network::Network& network, std::size_t weightless) {
  std::string text = concat("The network is directed: the target of an edge hears its source; ",
                            network.edges.size() - loops_among(network) - weightless, " edges are in use.");
  if (network.merged > 0)
    text += concat(" ", network.merged, network.merged == 1 ? " was" : " were",
                   " given before in the same direction: the weights were added.");
  if (network.self_loops > 0)
    text += concat(" ", network.self_loops, network.self_loops == 1 ? " leads" : " lead",
                   " from a node to itself: this is the weight of its own opinion.");
  if (weightless > 0) text += concat(" ", weightless, " of weight 0 ", weightless == 1 ? "was" : "were", " left out.");
  return text;
}

/// Of an undirected list: what was given with a direction or again.
std::string undirected_sentence(const datasets::network::Network& network, bool weighted) {
  std::string text = "The network is undirected: both ends of an edge hear each other (network.directed = false).";
  if (network.directions > 0)
    text += concat(" ", counted(static_cast<Index>(network.directions), "edge"), " of the file ",
                   network.directions == 1 ? "has" : "have", " a direction, which is not used.");
  if (network.merged > 0)
    text += concat(" ", counted(static_cast<Index>(network.merged), "edge"), network.merged == 1 ? " was" : " were",
                   " given before, in the same or the other direction: ",
                   weighted ? "the weights were added." : "each pair counts once.");
  return text;
}

std::string sentence_on(const datasets::network::Network& network, std::size_t weightless, bool weighted) {
  std::string parts;
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) parts += concat(parts.empty() ? "" : "; ", count, what);
  };
  add(weighted ? 0 : network.merged, " given before, in the same or the other direction");
  add(network.self_loops, " from a node to itself");
  add(weightless, " of weight 0");
  const std::size_t used = network.edges.size() - weightless;
  return parts.empty() ? "" : concat("Edges of the list in use: ", used, "; left out: ", parts, ".");
}

/// Self-loops of a directed list are the weights of the agents' own opinions.
void add_own_weight(Graph& graph, const datasets::network::NetworkEdge& edge, double usual) {
  if (graph.own.empty()) graph.own.assign(graph.nodes, usual);
  graph.own[edge.source] = edge.weight;
}

void add_edges(const NetworkSettings& settings, const datasets::network::Network& network, Graph& graph) {
  for (const datasets::network::NetworkEdge& edge : network.edges) {
    if (edge.source == edge.target) {
      if (!(edge.weight >= 0))
        throw DataError(concat(settings.edges, ": the edge from ", network.names[edge.source],
                               " to itself has the weight ", edge.weight, ", but one's own must be >= 0."));
      add_own_weight(graph, edge, settings.self_weight);
      continue;
    }
    if (settings.use_weights && edge.weight == 0) continue;  // nobody is heard over it
    graph.edges.push_back({static_cast<Index>(edge.source), static_cast<Index>(edge.target)});
    if (settings.use_weights) graph.weights.push_back(edge.weight);
  }
}

void read_network(const PopulationSettings& settings, PopulationFiles& files) {
  const datasets::network::Network network = network_of(settings.network);
  const bool weighted = settings.network.use_weights;
  if (network.nodes < 2)
    throw DataError(concat(settings.network.edges, ": there is ", network.nodes, " node, but must be at least 2."));
  const auto graph = std::make_shared<Graph>();
  graph->nodes = static_cast<Index>(network.nodes);
  graph->directed = network.directed;
  add_edges(settings.network, network, *graph);
  const std::size_t weightless = network.edges.size() - loops_among(network) - graph->edges.size();
  const std::string parts = parts_in_words(*graph);
  if (const std::string left_out =
          network.directed ? directed_sentence(network, weightless) : sentence_on(network, weightless, weighted);
      !left_out.empty())
    files.notes.push_back(left_out);
  if (!network.directed && settings.network.kind == NetworkKind::edges)
    files.notes.push_back(undirected_sentence(network, weighted) + (parts.empty() ? "" : ' ' + parts));
  files.names = network.names;
  files.notes.insert(files.notes.end(), network.notes.begin(), network.notes.end());
  files.labels = labels_of(settings, network);
  files.findings = network.findings;
  if (const auto unused = unused_columns(network, files.labels); unused.holds())
    files.findings.push_back(finding_of(unused));
  files.graph = graph;
}

/// Agents of start.file without an edge: they hear nobody but themselves.
void add_isolated(const std::vector<FileRow>& rows, PopulationFiles& files) {
  std::set<std::string> known(files.names.begin(), files.names.end());
  const auto graph = std::make_shared<Graph>(*files.graph);
  const double usual = graph->own.empty() ? 0 : 1;
  for (const FileRow& row : rows) {
    if (!known.insert(row.node).second) continue;
    files.names.push_back(row.node);
    if (!files.labels.empty()) files.labels.emplace_back();
    if (!graph->own.empty()) graph->own.push_back(usual);
    ++graph->nodes;
  }
  if (const Index isolated = graph->nodes - files.graph->nodes; isolated > 0)
    files.notes.push_back(concat(
        counted(isolated, "agent"), " of start.file ",
        isolated == 1 ? "has no edge: it hears nobody but itself." : "have no edge: they hear nobody but themselves."));
  files.graph = graph;
}

void read_start(const PopulationSettings& settings, const OfAgents& agents, PopulationFiles& files) {
  const std::string& path = settings.start.file;
  const std::size_t components = settings.components;
  const std::vector<FileRow> rows = read_rows(path, components, agents);
  if (settings.network.kind == NetworkKind::none)
    for (const FileRow& row : rows) files.names.push_back(row.node);
  else if (!files.graph)
    files.names = numbered_names(static_cast<Index>(rows.size()));
  else if (settings.network.kind == NetworkKind::edges)
    add_isolated(rows, files);
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
  const PopulationSettings settings = population_files_settings(config);
  if (!settings.is_read()) return nullptr;
  const auto files = std::make_shared<PopulationFiles>();
  if (settings.network.is_read()) read_network(settings, *files);
  if (settings.start.kind != StartKind::file) return files;
  const bool models = config.schema().find("model.name") != nullptr;
  read_start(settings, {models, models && config.text("model.name") == "formula", own_columns(config)}, *files);
  for (const std::string& note : datasets::series::reading_notes(settings.start.file)) files->notes.push_back(note);
  return files;
}

}  // namespace fovea::opinion::society
