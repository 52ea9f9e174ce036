#include "fovea/datasets/network/network_file.hpp"

#include <algorithm>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/network/documents/graph_document.hpp"
#include "fovea/datasets/network/edge_list.hpp"
#include "fovea/datasets/network/findings.hpp"
#include "fovea/datasets/series/dialect.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::network {

namespace {

void refuse_parallel(const std::string& path, const std::vector<NetworkEdge>& edges,
                     const std::vector<std::string>& names, bool directed) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  for (const NetworkEdge& edge : edges)
    ends.emplace_back(directed ? edge.source : std::min(edge.source, edge.target),
                      directed ? edge.target : std::max(edge.source, edge.target));
  std::sort(ends.begin(), ends.end());
  const auto twice = std::adjacent_find(ends.begin(), ends.end());
  if (twice != ends.end())
    throw DataError(concat(path, ": the edge ", text::shown_text(names[twice->first]), directed ? " -> " : " - ",
                           text::shown_text(names[twice->second]),
                           " is given more than once; keep one, or let their weights be added."));
}

/// The nodes of the document with what is known of each.
NodeLabels add_nodes(const GraphDocument& document, const std::vector<std::string>& names, Gathering& gathering) {
  NodeLabels labels;
  labels.first = gathering.labelled();
  for (const std::string& name : names) gathering.labelled_node(name);
  for (std::size_t column = 0; column < document.columns.size(); ++column) {
    std::vector<std::string>& texts = labels.columns[document.columns[column]];
    for (const DocumentNode& node : document.nodes)
      texts.push_back(column < node.values.size() ? node.values[column] : "");
  }
  return labels;
}

/// The document's edges, one without a direction in both where the network is directed.
EdgesSeen add_edges(const std::string& path, const GraphDocument& document, const std::vector<std::string>& names,
                    const NetworkFileOptions& options, Gathering& gathering) {
  EdgesSeen seen;
  seen.unread = document.unread;
  seen.relation_column = document.relation_column;
  for (const DocumentEdge& edge : document.edges) {
    if (!document.relation_column.empty()) {
      seen.add_relation(document.relations[edge.relation]);
      if (!options.relation.empty() && document.relations[edge.relation] != options.relation) continue;
    }
    const double weight = options.weighted ? edge.weight : 1;
    if (const std::string mistake = mistake_of_weight(weight, options.negative); !mistake.empty())
      throw DataError(concat(path, edge.line == 0 ? "" : concat(":line ", edge.line), ": ", mistake));
    gathering.add_edge(names[edge.source], names[edge.target], weight);
    seen.directions += edge.directed && !document.directions_unsaid ? 1 : 0;
    seen.weights += !options.weighted && edge.weight != 1 ? 1 : 0;
    seen.not_positive += !options.weighted && edge.weight <= 0 ? 1 : 0;
    if (options.directed && !edge.directed && edge.source != edge.target)
      gathering.add_edge(names[edge.target], names[edge.source], weight);
  }
  return seen;
}

void add_labels(const NodeLabels& table, const std::vector<std::uint32_t>& node, Network& network) {
  for (const auto& [column, texts] : table.columns) {
    std::vector<std::string>& label = network.labels[column];
    label.resize(network.nodes);
    for (std::size_t row = 0; row < texts.size(); ++row) label[node[table.first + row]] = texts[row];
  }
}

std::int64_t whole(std::size_t count) { return static_cast<std::int64_t>(count); }

void append(const std::vector<std::string>& sentences, std::vector<std::string>& notes) {
  notes.insert(notes.end(), sentences.begin(), sentences.end());
}

/// What the file is, and what of it is not used. Throws DataError for a relation that it does not have.
std::vector<Finding> findings_of(const std::string& path, const std::string& kind, const EdgesSeen& seen,
                                 const NetworkFileOptions& options, const Network& network) {
  std::vector<Finding> findings;
  const auto add = [&](const auto& found) {
    if (found.holds()) findings.push_back(finding_of(found));
  };
  std::vector<std::uint8_t> has_edge(network.nodes, 0);
  for (const NetworkEdge& edge : network.edges) has_edge[edge.source] = has_edge[edge.target] = 1;
  add(NetworkRecognised{path.substr(path.find_last_of('/') + 1), kind, whole(network.nodes),
                        whole(network.edges.size()), std::count(has_edge.begin(), has_edge.end(), 0)});
  constexpr std::size_t kFew = 8;
  const std::string relations = text::listed(
      seen.relations,
      [](const auto& one) {
        return concat(one.first.empty() ? "none" : text::shown_text(one.first), " (",
                      counted(whole(one.second), "edge"), ')');
      },
      kFew);
  if (!options.relation.empty() && !seen.relations.contains(options.relation))
    throw DataError(concat(path, ": network.relation = \"", options.relation, "\", but ",
                           relations.empty() ? "its edges have no column or attribute relation, layer or type."
                                             : concat("its relations are ", relations, ".")));
  add(RelationsOfEdges{seen.relation_column, relations, whole(seen.relations.size()), options.relation});
  add(EdgeWeightsUnused{whole(seen.weights), whole(seen.not_positive), options.weights_key});
  add(EdgeColumnsUnread{whole(seen.unread.size()),
                        text::listed(
                            seen.unread, [](const auto& name) { return text::shown_text(name); }, kFew)});
  return findings;
}

}  // namespace

Network read_network(const std::string& path, const NetworkFileOptions& options) {
  Gathering gathering;
  std::vector<NodeLabels> tables;
  std::vector<std::string> notes;
  EdgesSeen seen;
  std::string kind;
  const GraphFormat format = graph_format_of(path);
  if (!options.node_file.empty()) {
    tables.push_back(read_labels(options.node_file, gathering));
    append(series::reading_notes(options.node_file), notes);
  }
  if (format == GraphFormat::table) {
    seen = read_edges(path, options, gathering);
    append(series::reading_notes(path), notes);
  } else {
    const GraphDocument document = read_graph_document(path, format);
    if (document.edges.empty()) throw DataError(concat(path, ": has no edges; a network needs at least one."));
    const std::vector<std::string> names = names_of(document);
    tables.insert(tables.begin(), add_nodes(document, names, gathering));  // the table of nodes has the last word
    seen = add_edges(path, document, names, options, gathering);
    kind = document.kind;
    const std::string file = path.substr(path.find_last_of('/') + 1);
    for (const std::string& note : document.notes) notes.push_back(concat(file, ' ', note));
  }
  Gathering::Result result = gathering.finish();
  if (options.refuse_parallel) refuse_parallel(path, result.edges, result.names, options.directed);
  Network network = make_network(result.names.size(), std::move(result.edges),
                                 EdgeRules{options.directed, options.keep_loops, options.negative});
  network.names = std::move(result.names);
  network.notes = std::move(notes);
  network.directions = options.directed ? 0 : seen.directions;
  network.findings = findings_of(path, kind, seen, options, network);
  for (const NodeLabels& table : tables) add_labels(table, result.labelled, network);
  // Edges given again have added up to 2, 3, ...; without weights each counts once.
  if (!options.weighted)
    for (NetworkEdge& edge : network.edges) edge.weight = 1;
  return network;
}

}  // namespace fovea::datasets::network
