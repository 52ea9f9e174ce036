#include "fovea/datasets/edge_list.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "fovea/core/error.hpp"
#include "fovea/datasets/csv.hpp"

namespace fovea {
namespace {

constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kDirect = std::uint64_t{1} << 24;  // ids below it are looked up in a table, 4 bytes each

/// The id as a number, if it is written the one way that to_string() writes it.
std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_plain = error == std::errc() && stop == text.data() + text.size() && (text[0] != '0' || text == "0");
  return is_plain ? std::optional(value) : std::nullopt;
}

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

/// Numbers the nodes in the order in which they are seen.
class NodeNumbers {
 public:
  std::uint32_t find(std::string_view id) const {
    const auto number = whole_number(id);
    if (number && *number < kDirect) return *number < direct_.size() ? direct_[*number] : kUnknown;
    const auto place = others_.find(id);
    return place == others_.end() ? kUnknown : place->second;
  }

  std::uint32_t add(std::string_view id) {
    const std::uint32_t known = find(id);
    if (known != kUnknown) return known;
    const auto next = static_cast<std::uint32_t>(names_.size());
    const auto number = whole_number(id);
    if (number && *number < kDirect) {
      if (*number >= direct_.size()) direct_.resize(std::max<std::size_t>(*number + 1, 2 * direct_.size()), kUnknown);
      direct_[*number] = next;
    } else {
      others_.emplace(id, next);
    }
    all_whole_ = all_whole_ && number.has_value();
    names_.emplace_back(id);
    return next;
  }

  bool all_whole() const { return all_whole_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::uint32_t> direct_;
  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> others_;
  std::vector<std::string> names_;
  bool all_whole_ = true;
};

/// Which columns hold what.
struct Columns {
  std::size_t source = 0;
  std::size_t target = 1;
  std::optional<std::size_t> weight;
};

/// Whether the file names its columns; if not, its first row must be an edge between numbered nodes.
bool has_header(const std::string& path) {
  const CsvReader reader(path, {.comment = '#'});
  if (reader.has("source") && reader.has("target")) return true;
  const auto& first = reader.columns();
  if (first.size() >= 2 && first.size() <= 3 && whole_number(first[0]) && whole_number(first[1])) return false;
  throw DataError(concat(path, ": has no columns 'source' and 'target' but ", first.size(), " others, the first '",
                         first[0].substr(0, 40), "'; name them in the first line."));
}

Columns columns_of(const CsvReader& reader, bool header, bool weighted) {
  Columns columns;
  if (header) {
    columns.source = reader.column("source");
    columns.target = reader.column("target");
    if (weighted && reader.has("weight")) columns.weight = reader.column("weight");
  } else if (weighted && reader.columns().size() == 3) {
    columns.weight = 2;
  }
  return columns;
}

std::string_view id_of(const CsvReader& reader, std::size_t column) {
  const std::string_view id = trimmed(reader.text(column));
  if (id.empty()) reader.refuse(column, "the name of a node is missing; give every row both ends.");
  return id;
}

double weight_of(const CsvReader& reader, const std::optional<std::size_t>& column) {
  if (!column || reader.empty(*column)) return 1;
  const double weight = reader.number(*column);
  if (!(weight >= 0) || !std::isfinite(weight))
    reader.refuse(*column, concat("the weight is ", weight, "; it must be finite and >= 0."));
  return weight;
}

std::vector<NetworkEdge> read_edges(const std::string& path, bool weighted, NodeNumbers& nodes) {
  const bool header = has_header(path);
  CsvReader reader(path, {.header = header, .comment = '#'});
  const Columns columns = columns_of(reader, header, weighted);
  std::vector<NetworkEdge> edges;
  while (reader.next()) {
    const std::uint32_t source = nodes.add(id_of(reader, columns.source));
    const std::uint32_t target = nodes.add(id_of(reader, columns.target));
    edges.push_back({source, target, weight_of(reader, columns.weight)});
  }
  if (edges.empty()) throw DataError(concat(path, ": has a header but no edges; each row must be one."));
  return edges;
}

using Labels = std::map<std::string, std::vector<std::string>>;

/// The labels in the order of the node numbers.
Labels read_labels(const std::string& path, NodeNumbers& nodes) {
  Labels labels;
  CsvReader reader(path, {.comment = '#'});
  const std::size_t node = reader.column("node");
  while (reader.next()) {
    const std::size_t count = nodes.names().size();
    if (nodes.add(id_of(reader, node)) < count) reader.refuse(node, "this node is in the file twice; keep one row.");
    for (std::size_t column = 0; column < reader.columns().size(); ++column)
      if (column != node) labels[reader.columns()[column]].emplace_back(trimmed(reader.text(column)));
  }
  return labels;
}

/// Old number -> new number, such that whole-numbered ids ascend.
std::vector<std::uint32_t> ranks(const NodeNumbers& nodes) {
  std::vector<std::uint32_t> order(nodes.names().size());
  std::iota(order.begin(), order.end(), 0U);
  if (!nodes.all_whole()) return order;
  std::vector<std::uint64_t> ids;
  for (const std::string& name : nodes.names()) ids.push_back(*whole_number(name));
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return ids[a] < ids[b]; });
  std::vector<std::uint32_t> rank(order.size());
  for (std::uint32_t place = 0; place < order.size(); ++place) rank[order[place]] = place;
  return rank;
}

std::vector<std::string> reordered(const std::vector<std::string>& texts, const std::vector<std::uint32_t>& rank) {
  std::vector<std::string> out(rank.size());
  for (std::size_t i = 0; i < texts.size(); ++i) out[rank[i]] = texts[i];
  return out;
}

/// Edges given again have added up to 2, 3, ...; without weights each counts once.
void forget_weights(Network& network) {
  for (NetworkEdge& edge : network.edges) edge.weight = 1;
  for (Adjacency* rows : {&network.outgoing, &network.incoming})
    std::fill(rows->weights.begin(), rows->weights.end(), 1.0);
}

}  // namespace

Network read_edge_list(const std::string& path, const EdgeListOptions& options) {
  NodeNumbers nodes;
  Labels labels;
  if (!options.node_file.empty()) labels = read_labels(options.node_file, nodes);
  std::vector<NetworkEdge> edges = read_edges(path, options.weighted, nodes);
  const std::vector<std::uint32_t> rank = ranks(nodes);
  for (NetworkEdge& edge : edges) edge = {rank[edge.source], rank[edge.target], edge.weight};
  Network network = make_network(rank.size(), std::move(edges), options.directed);
  network.names = reordered(nodes.names(), rank);
  for (const auto& [column, texts] : labels) network.labels[column] = reordered(texts, rank);
  if (!options.weighted) forget_weights(network);
  return network;
}

}  // namespace fovea
