#include "fovea/domains/opinion/measure/ties.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/network/karate_club.hpp"
#include "fovea/datasets/network/network_file.hpp"
#include "fovea/domains/opinion/measure/sides.hpp"
#include "fovea/domains/opinion/measures/controversy.hpp"

namespace fovea::opinion::measure {

namespace {

using datasets::network::Network;

Network network_of(const Config& config, std::vector<std::string>& notes) {
  const std::string& path = config.text("network.edges");
  if (path.empty()) {
    notes.emplace_back("No file is given: this is Zachary's karate club with the clubs its members joined.");
    return datasets::network::karate_club();
  }
  datasets::network::NetworkFileOptions options;
  options.weighted = config.flag("network.use_weights");
  Network network = datasets::network::read_network(path, options);
  notes = network.notes;
  if (network.directions > 0)
    notes.push_back(concat(counted(static_cast<Index>(network.directions), "edge"),
                           " of the file have a direction, which the measures do not use."));
  if (network.merged > 0)
    notes.push_back(concat(network.merged, " edges were given before, in the same or the other direction: ",
                           options.weighted ? "their weights were added." : "each pair counts once."));
  if (network.self_loops > 0)
    notes.push_back(concat(network.self_loops, " edges lead from a node to itself and are left out."));
  return network;
}

society::Graph graph_of(const Network& network, bool weighted, std::vector<std::string>& notes) {
  society::Graph graph;
  graph.nodes = static_cast<Index>(network.nodes);
  for (const datasets::network::NetworkEdge& edge : network.edges) {
    if (weighted && edge.weight == 0) continue;
    graph.edges.push_back({static_cast<Index>(edge.source), static_cast<Index>(edge.target)});
    if (weighted) graph.weights.push_back(edge.weight);
  }
  if (const std::size_t left_out = network.edges.size() - graph.edges.size(); left_out > 0)
    notes.push_back(concat(left_out, " edges of weight 0 are left out."));
  return graph;
}

/// Sides by their words, the largest first, of equal ones the first in the alphabet; "" is no side.
void number_sides(const std::vector<std::string>& words, NodeSides& of) {
  std::map<std::string, Index> size;
  for (const std::string& word : words)
    if (!word.empty()) ++size[word];
  std::vector<std::pair<std::string, Index>> sides(size.begin(), size.end());
  std::stable_sort(sides.begin(), sides.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::map<std::string, Index> number;
  for (const auto& [word, count] : sides) {
    number.emplace(word, static_cast<Index>(of.side_names.size()));
    of.side_names.push_back(word);
  }
  for (const std::string& word : words) of.side.push_back(word.empty() ? -1 : number.at(word));
}

/// How many different texts there are, "" aside; more than `most` are not told apart.
std::size_t different(const std::vector<std::string>& words, std::size_t most) {
  std::set<std::string> seen;
  for (const std::string& word : words)
    if (!word.empty() && seen.size() <= most) seen.insert(word);
  return seen.size();
}

/// Sides among the attributes of a graph document: the one that is asked for or called so, or the only one that takes
/// few values. Empty where there is none.
std::vector<std::string> sides_of_document(const Config& config, const Network& network,
                                           std::vector<std::string>& notes) {
  constexpr std::size_t kMostSides = 10;
  const std::string& wanted = config.text("sides.column");
  if (wanted == "none") return {};
  std::vector<std::string> columns, few;
  for (const auto& [column, words] : network.labels) {
    columns.push_back(column);
    if (const std::size_t values = different(words, kMostSides); values >= 2 && values <= kMostSides)
      few.push_back(column);
  }
  std::string chosen = wanted.empty() ? survey::side_among(columns) : wanted;
  if (chosen.empty() && few.size() == 1) chosen = few[0];
  if (chosen.empty()) return {};
  const auto found = network.labels.find(chosen);
  if (found == network.labels.end()) {
    std::string there;
    for (const std::string& column : columns) there += (there.empty() ? "" : ", ") + column;
    throw DataError(concat(config.text("network.edges"), ": its nodes have no attribute '", chosen, "'; there ",
                           there.empty() ? "is none: give a table of nodes." : concat("are: ", there, ".")));
  }
  if (wanted.empty()) notes.push_back(concat("Sides are read from the attribute ", chosen, " of the nodes."));
  return found->second;
}

/// The opinion between two sides.
double neutral_of(const Config& config, const std::vector<double>& opinion) {
  const std::string& wanted = config.text("sides.neutral");
  if (wanted != "auto") return std::stod(wanted);
  if (const std::string& scale = config.text("data.scale"); !scale.empty())
    return (survey::scale_of(scale).low + survey::scale_of(scale).high) / 2;
  double low = INFINITY, high = -INFINITY;
  for (const double x : opinion)
    if (!std::isnan(x)) low = std::min(low, x), high = std::max(high, x);
  return low < 0 && high > 0 ? 0 : (low + high) / 2;
}

/// What the rows of one group say, node by node, and how many nodes they name. Nodes of the table alone have no edges
/// and play no part. words: the sides.
std::size_t add_rows(const Answers& answers, Index group, const std::map<std::string, std::size_t>& number,
                     NodeSides& of, std::vector<std::string>& words) {
  std::size_t used = 0;
  if (!answers.value.empty()) of.opinion.assign(number.size(), kNan);
  if (!answers.side.empty()) words.assign(number.size(), "");
  for (std::size_t row = 0; row < answers.node.size(); ++row) {
    const auto found = number.find(answers.node[row]);
    if (answers.group[row] != group || found == number.end()) continue;
    ++used;
    if (!answers.value.empty()) of.opinion[found->second] = answers.value[row];
    if (!answers.side.empty()) words[found->second] = answers.side[row];
  }
  return used;
}

void say_who_is_there(const std::string& path, const Answers& answers, const Ties& ties,
                      const std::vector<std::size_t>& used, std::vector<std::string>& notes) {
  const std::size_t nodes = ties.names.size();
  if (used.size() > 1) {
    const auto [least, most] = std::minmax_element(used.begin(), used.end());
    notes.push_back(concat("Each of the ", used.size(), " groups is measured on the same network, of whose ", nodes,
                           " nodes it has ", *least == *most ? concat(*least) : concat(*least, " to ", *most),
                           "; the others have no side in it."));
  } else if (used[0] < nodes) {
    notes.push_back(concat(counted(static_cast<Index>(nodes - used[0]), "node"), " of the network ",
                           nodes - used[0] == 1 ? "is" : "are", " not in ", path, "."));
  }
  std::size_t rows = 0;
  for (const std::size_t count : used) rows += count;
  if (rows < answers.node.size())
    notes.push_back(concat(answers.node.size() - rows, " rows of ", path, " are of nodes without an edge."));
}

society::Graph part_of(const society::Graph& graph, const std::vector<double>& weights,
                       const std::vector<std::uint8_t>& kept) {
  if (weights.empty()) return society::kept_part(graph, kept);
  society::Graph weighted = graph;
  weighted.weights = weights;
  return society::kept_part(weighted, kept);
}

/// From the words, else from the opinions; false where there are neither.
bool add_sides(const Config& config, const std::vector<std::string>& words, double neutral, const std::string& group,
               NodeSides& of) {
  if (!words.empty()) {
    number_sides(words, of);
    if (of.side_names.size() < 2)
      throw DataError(concat(config.text(config.text("data.file").empty() ? "network.edges" : "data.file"), ": names ",
                             of.side_names.size(), " side", group, ", but there must be at least 2."));
    return true;
  }
  if (of.opinion.empty()) return false;
  std::vector<std::string> beside;
  for (const double x : of.opinion)
    beside.emplace_back(std::isnan(x) || x == neutral ? "" : x < neutral ? "below" : "above");
  number_sides(beside, of);
  return true;
}

void find_network_sides(const Config& config, Ties& ties) {
  if (!ties.groups.empty())
    throw DataError(concat(config.text("data.file"),
                           ": has neither sides nor opinions, and sides found from the network are the same in every "
                           "group; name a column with sides.column (--sides) or data.value (--value), or leave data.by "
                           "(--by) out."));
  ties.from = SidesFrom::network;
  ties.side = find_sides(ties.graph);
  ties.side_names = {"first", "second"};
  ties.notes.emplace_back(
      "No sides are given: they are found from the network itself, by the leading eigenvector of the modularity matrix "
      "(Newman 2006) and moves of single nodes. A network that is cut where it is thinnest always has well-separated "
      "sides: compare with the null model, whose sides are found in the same way.");
}

/// The sides of each group of the table. Opinions of all groups have the same middle.
void add_table(const Config& config, const Answers& answers, Ties& ties) {
  std::map<std::string, std::size_t> number;
  for (std::size_t i = 0; i < ties.names.size(); ++i) number.emplace(ties.names[i], i);
  const double neutral = answers.value.empty() ? 0 : neutral_of(config, answers.value);
  std::vector<NodeSides> groups(answers.groups.size());
  std::vector<std::size_t> used;
  bool sides = true;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::string in = groups.size() > 1 ? concat(" in ", answers.groups[g].name) : "";
    std::vector<std::string> words;
    used.push_back(add_rows(answers, static_cast<Index>(g), number, groups[g], words));
    if (used.back() == 0)
      throw DataError(concat(config.text("data.file"), ": none of its nodes", in, " is in ",
                             config.text("network.edges"), "; both must call the nodes by the same names."));
    sides = add_sides(config, words, neutral, in, groups[g]);
  }
  say_who_is_there(config.text("data.file"), answers, ties, used, ties.notes);
  static_cast<NodeSides&>(ties) = groups.front();
  if (groups.size() > 1) ties.groups = std::move(groups);
  if (!sides) return find_network_sides(config, ties);
  if (!answers.side.empty()) return;
  ties.from = SidesFrom::opinions;
  ties.notes.push_back(concat("No sides are given: they are the opinions below and above ", neutral, "; those of ",
                              neutral, " are on neither."));
}

}  // namespace

Ties read_ties(const Config& config, const Answers* answers) {
  Ties ties;
  const Network network = network_of(config, ties.notes);
  ties.graph = graph_of(network, config.flag("network.use_weights"), ties.notes);
  if (ties.graph.edges.empty())
    throw DataError(concat(config.text("network.edges"), ": no edge is left; at least one is needed."));
  ties.names = network.names;
  std::vector<std::string> labels;
  if (answers == nullptr)
    labels = config.text("network.edges").empty() ? network.labels.at("club")
                                                  : sides_of_document(config, network, ties.notes);
  if (answers != nullptr)
    add_table(config, *answers, ties);
  else if (!add_sides(config, labels, 0, "", ties))
    find_network_sides(config, ties);
  return ties;
}

const std::vector<std::string>& tie_measures() {
  static const std::vector<std::string> names{"assortativity", "ei_index", "modularity", "random_walk_controversy",
                                              "value_assortativity"};
  return names;
}

std::vector<double> measure_ties(const society::Graph& graph, const NodeSides& of, Index hubs,
                                 const std::vector<double>& weights) {
  const std::vector<Index>& side = of.side;
  std::vector<double> values(tie_measures().size(), kNan);
  std::vector<std::uint8_t> kept(side.size());
  std::vector<Index> known;
  for (std::size_t i = 0; i < side.size(); ++i)
    if ((kept[i] = side[i] >= 0 ? 1 : 0) != 0) known.push_back(side[i]);
  if (!known.empty()) {
    const society::Graph part = part_of(graph, weights, kept);
    values[0] = society::assortativity(part, known);
    values[1] = society::ei_index(part, known);
    values[2] = part.edges.empty() ? kNan : society::modularity(part, known);
  }
  if (hubs > 0) {
    const std::vector<std::uint8_t> all(side.size(), 1);
    values[3] = measures::random_walk_controversy(part_of(graph, weights, all), side, hubs);
  }
  if (of.opinion.empty()) return values;
  std::vector<double> opinions;
  for (std::size_t i = 0; i < side.size(); ++i)
    if ((kept[i] = std::isnan(of.opinion[i]) ? 0 : 1) != 0) opinions.push_back(of.opinion[i]);
  if (!opinions.empty()) values[4] = society::value_assortativity(part_of(graph, weights, kept), opinions);
  return values;
}

society::Graph rewired(const society::Graph& graph, const Random& random) {
  society::Graph twin = graph;
  const auto key = [&](Index a, Index b) {
    return static_cast<std::uint64_t>(std::min(a, b)) * static_cast<std::uint64_t>(graph.nodes) +
           static_cast<std::uint64_t>(std::max(a, b));
  };
  std::unordered_set<std::uint64_t> present;
  present.reserve(2 * twin.edges.size());
  for (const society::Edge& edge : twin.edges) present.insert(key(edge[0], edge[1]));
  const std::uint64_t edges = twin.edges.size();
  for (std::uint64_t step = 0; step < 10 * edges; ++step) {
    const auto drawn = random.block(step);
    // 64 bits for a choice among far fewer: the bias of the remainder is below 1e-9.
    society::Edge &one = twin.edges[drawn[0] % edges], &other = twin.edges[(drawn[1] >> 1) % edges];
    const std::size_t end = drawn[1] & 1;
    const Index a = one[0], b = one[1], c = other[end], d = other[1 - end];
    if (a == d || c == b || a == c || b == d || present.count(key(a, d)) > 0 || present.count(key(c, b)) > 0) continue;
    present.erase(key(a, b));
    present.erase(key(c, d));
    present.insert(key(a, d));
    present.insert(key(c, b));
    one = {std::min(a, d), std::max(a, d)};
    other = {std::min(c, b), std::max(c, b)};
  }
  return twin;
}

}  // namespace fovea::opinion::measure
