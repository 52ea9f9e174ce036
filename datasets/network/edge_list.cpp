#include "fovea/datasets/network/edge_list.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/network/node_numbers.hpp"
#include "fovea/datasets/series/dialect.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::network {
namespace {

constexpr std::size_t kShortTable = std::size_t{1} << 24;  // numbers below it are looked up in a table, 4 bytes each

/// What was read of the files. As long as all ids are small whole numbers, ends of edges are these numbers themselves,
/// which takes no look-up; from the first other id on they are the numbers that NodeNumbers gives.
class Reading {
 public:
  void labelled_node(std::string_view id) {
    if (!numbers_ && !small_number(id)) number_nodes();
    labelled_.push_back(end_of(id));
  }

  void add_edge(std::string_view source, std::string_view target, double weight) {
    if (!numbers_) {
      const auto from = small_number(source), to = small_number(target);
      if (from && to) {
        largest_ = std::max({largest_, *from, *to});
        edges_.push_back({*from, *to, weight});
        return;
      }
      number_nodes();
    }
    wait_for(source, target);
    edges_.push_back({0, 0, weight});
    if (waiting_.size() == kWaiting) number_waiting();
  }

  bool empty() const { return edges_.empty(); }

  /// Edges between nodes 0, 1, ..., their names, and the nodes of the node file in its order.
  struct Result {
    std::vector<NetworkEdge> edges;
    std::vector<std::string> names;
    std::vector<std::uint32_t> labelled;
  };
  Result finish() {
    number_waiting();
    // The table must not be much larger than the edges themselves.
    if (!numbers_ && largest_ >= std::max(kShortTable, 4 * edges_.size())) number_nodes();
    const std::vector<std::uint32_t> place = numbers_ ? numbers_->ranks() : places_of_small_numbers();
    for (NetworkEdge& edge : edges_) edge = {place[edge.source], place[edge.target], edge.weight};
    for (std::uint32_t& node : labelled_) node = place[node];
    return {std::move(edges_), numbers_ ? ordered_names(place) : std::move(small_names_), std::move(labelled_)};
  }

 private:
  static std::optional<std::uint32_t> small_number(std::string_view id) {
    const auto number = whole_number(id);
    return number && *number < NodeNumbers::kUnknown ? std::optional(static_cast<std::uint32_t>(*number))
                                                     : std::nullopt;
  }

  std::uint32_t end_of(std::string_view id) {
    if (numbers_) return numbers_->add(NodeNumbers::id_of(id));
    const std::uint32_t number = *small_number(id);
    largest_ = std::max(largest_, number);
    return number;
  }

  void number_nodes() {
    numbers_.emplace();
    for (std::uint32_t& node : labelled_) node = numbers_->add({node, false, {}});
    for (NetworkEdge& edge : edges_) {
      edge.source = numbers_->add({edge.source, false, {}});
      edge.target = numbers_->add({edge.target, false, {}});
    }
  }

  /// A look-up waits for memory, many at a time hardly longer: so ends wait until they are many.
  void wait_for(std::string_view source, std::string_view target) {
    for (const std::string_view text : {source, target}) {
      waiting_.push_back(NodeNumbers::id_of(text));
      numbers_->fetch_slot(waiting_.back());
      if (!waiting_.back().is_name) continue;
      waiting_names_.emplace_back(text);  // the text goes with its row
      waiting_.back().name = waiting_names_.back();
    }
  }

  void number_waiting() {
    for (const NodeNumbers::Id& id : waiting_) numbers_->fetch_name(id);
    std::size_t edge = edges_.size() - waiting_.size() / 2;
    for (std::size_t k = 0; k < waiting_.size(); k += 2, ++edge) {
      edges_[edge].source = numbers_->add(waiting_[k]);
      edges_[edge].target = numbers_->add(waiting_[k + 1]);
    }
    waiting_.clear();
    waiting_names_.clear();
  }

  std::vector<std::uint32_t> places_of_small_numbers() {
    std::vector<std::uint32_t> place(std::size_t{largest_} + 1, 0);
    for (const std::uint32_t node : labelled_) place[node] = 1;
    for (const NetworkEdge& edge : edges_) place[edge.source] = place[edge.target] = 1;
    std::uint32_t next = 0;
    for (std::size_t number = 0; number < place.size(); ++number) {
      if (place[number] != 0) small_names_.push_back(std::to_string(number));
      next += std::exchange(place[number], next);
    }
    return place;
  }

  std::vector<std::string> ordered_names(const std::vector<std::uint32_t>& place) const {
    std::vector<std::string> names = numbers_->names(), out(names.size());
    for (std::size_t node = 0; node < names.size(); ++node) out[place[node]] = std::move(names[node]);
    return out;
  }

  static constexpr std::size_t kWaiting = 128;  // an even number

  std::vector<NetworkEdge> edges_;
  std::vector<NodeNumbers::Id> waiting_;   // ends of the last edges
  std::deque<std::string> waiting_names_;  // stay where they are when others come
  std::vector<std::uint32_t> labelled_;
  std::uint32_t largest_ = 0;
  std::optional<NodeNumbers> numbers_;
  std::vector<std::string> small_names_;
};

/// Which columns hold what.
struct Columns {
  std::size_t source = 0;
  std::size_t target = 1;
  std::optional<std::size_t> weight;
};

/// Whether the file names its columns; if not, its first row must be an edge between numbered nodes.
bool has_header(const std::string& path, const datasets::text::CsvOptions& dialect) {
  const datasets::text::CsvReader reader(path, dialect);
  if (reader.has("source") && reader.has("target")) return true;
  const auto& first = reader.columns();
  if (first.size() >= 2 && first.size() <= 3 && whole_number(first[0]) && whole_number(first[1])) return false;
  if (!first.empty() && first[0].starts_with("<"))
    throw DataError(concat(path,
                           ": is XML, such as GraphML or GEXF, which is not read; export the edges as a table with the "
                           "columns source and target."));
  if (first.size() == 1 && first[0].find_first_of(";\t ") != std::string::npos)
    throw DataError(
        concat(path, ": has a single column '", first[0].substr(0, 40), "'; put commas between the columns."));
  throw DataError(concat(path, ": has no columns 'source' and 'target' but ", first.size(), " others, the first '",
                         first[0].substr(0, 40), "'; name them in the first line."));
}

Columns columns_of(const datasets::text::CsvReader& reader, bool header, bool weighted) {
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

std::string_view id_of(const datasets::text::CsvReader& reader, std::size_t column) {
  const std::string_view id = datasets::text::trimmed(reader.text(column));
  if (id.empty()) reader.refuse(column, "the name of a node is missing; give every row both ends.");
  return id;
}

double weight_of(const datasets::text::CsvReader& reader, const std::optional<std::size_t>& column,
                 const datasets::text::CsvOptions& dialect, bool negative) {
  if (!column || reader.empty(*column)) return 1;
  const double weight = datasets::series::number_of(reader, *column, dialect);
  const std::string_view cell = datasets::text::trimmed(reader.text(*column));
  const bool computed = cell.size() == 3 && (cell[0] | 0x20) == 'n' && (cell[2] | 0x20) == 'n';  // nan, but not NA
  if (std::isnan(weight) && !computed) return 1;
  if (!(weight >= 0 || negative) || !std::isfinite(weight))
    reader.refuse(*column, concat("the weight is ", weight, "; it must be finite", negative ? "." : " and >= 0."));
  constexpr double kLargest = 1e290;  // 2^32 of them still have a finite sum
  if (std::abs(weight) > kLargest)
    reader.refuse(*column, concat("the weight is ", weight, "; above ", kLargest, " sums are infinite: scale it."));
  return weight;
}

void read_edges(const std::string& path, const EdgeListOptions& options, Reading& reading) {
  datasets::text::CsvOptions dialect = datasets::series::dialect_of(path);
  const bool header = dialect.header = has_header(path, dialect);
  datasets::text::CsvReader reader(path, dialect);
  const Columns columns = columns_of(reader, header, options.weighted);
  while (reader.next())
    reading.add_edge(id_of(reader, columns.source), id_of(reader, columns.target),
                     weight_of(reader, columns.weight, dialect, options.negative));
  if (reading.empty()) throw DataError(concat(path, ": has a header but no edges; each row must be one."));
}

void refuse_parallel(const std::string& path, const std::vector<NetworkEdge>& edges,
                     const std::vector<std::string>& names, bool directed) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  for (const NetworkEdge& edge : edges)
    ends.emplace_back(directed ? edge.source : std::min(edge.source, edge.target),
                      directed ? edge.target : std::max(edge.source, edge.target));
  std::sort(ends.begin(), ends.end());
  const auto twice = std::adjacent_find(ends.begin(), ends.end());
  if (twice != ends.end())
    throw DataError(concat(path, ": the edge ", datasets::text::shown_text(names[twice->first]),
                           directed ? " -> " : " - ", datasets::text::shown_text(names[twice->second]),
                           " is given more than once; keep one, or let their weights be added."));
}

using Labels = std::map<std::string, std::vector<std::string>>;

/// The labels in the order of the node file.
Labels read_labels(const std::string& path, Reading& reading) {
  Labels labels;
  NodeNumbers seen;
  datasets::text::CsvReader reader(path, datasets::series::dialect_of(path));
  const std::size_t node = reader.column("node");
  while (reader.next()) {
    const std::string_view id = id_of(reader, node);
    const std::uint32_t count = seen.count();
    if (seen.add(NodeNumbers::id_of(id)) < count) reader.refuse(node, "this node is in the file twice; keep one row.");
    reading.labelled_node(id);
    for (std::size_t column = 0; column < reader.columns().size(); ++column)
      if (column != node) labels[reader.columns()[column]].emplace_back(datasets::text::trimmed(reader.text(column)));
  }
  return labels;
}

}  // namespace

Network read_edge_list(const std::string& path, const EdgeListOptions& options) {
  Reading reading;
  Labels labels;
  if (!options.node_file.empty()) labels = read_labels(options.node_file, reading);
  read_edges(path, options, reading);
  Reading::Result result = reading.finish();
  if (options.refuse_parallel) refuse_parallel(path, result.edges, result.names, options.directed);
  Network network = make_network(result.names.size(), std::move(result.edges),
                                 EdgeRules{options.directed, options.keep_loops, options.negative});
  network.names = std::move(result.names);
  for (const auto& [column, texts] : labels) {
    std::vector<std::string>& label = network.labels[column];
    label.resize(network.nodes);
    for (std::size_t row = 0; row < texts.size(); ++row) label[result.labelled[row]] = texts[row];
  }
  // Edges given again have added up to 2, 3, ...; without weights each counts once.
  if (!options.weighted)
    for (NetworkEdge& edge : network.edges) edge.weight = 1;
  return network;
}

}  // namespace fovea::datasets::network
