#include "fovea/domains/opinion/measure/ties.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/network/findings.hpp"
#include "fovea/datasets/network/karate_club.hpp"
#include "fovea/datasets/network/network_file.hpp"
#include "fovea/datasets/text/names.hpp"
#include "fovea/domains/opinion/measure/attributes.hpp"
#include "fovea/domains/opinion/measures/controversy.hpp"

namespace fovea::opinion::measure {

namespace {

using datasets::network::Network;

Network network_of(const NetworkPlan& plan, std::vector<std::string>& notes) {
  const std::string& path = plan.edges;
  if (path.empty()) {
    notes.emplace_back("No file is given: this is Zachary's karate club with the clubs its members joined.");
    return datasets::network::karate_club();
  }
  datasets::network::NetworkFileOptions options;
  options.weighted = plan.use_weights;
  options.relation = plan.relation;
  options.weights_key = "--edge-weights (network.use_weights = true)";
  Network network = datasets::network::read_network(path, options);
  notes = network.notes;
  const auto edges = [](std::size_t count, const char* verb, const char* verbs) {
    return concat(counted(static_cast<Index>(count), "edge"), ' ', count == 1 ? verb : verbs);
  };
  if (network.directions > 0)
    notes.push_back(edges(network.directions, "of the file has a direction, which the measures do not use.",
                          "of the file have a direction, which the measures do not use."));
  const bool all_alike =
      std::all_of(network.edges.begin(), network.edges.end(), [](const auto& e) { return e.weight == 1; });
  if (options.weighted && all_alike && network.merged == 0)
    notes.emplace_back("All edges weigh 1: the file has no other weights.");
  if (network.merged > 0)
    notes.push_back(concat(edges(network.merged, "was", "were"), " given before, in the same or the other direction: ",
                           options.weighted ? "the weights were added." : "each pair counts once."));
  if (network.self_loops > 0)
    notes.push_back(edges(network.self_loops, "leads from a node to itself and is left out.",
                          "lead from a node to itself and are left out."));
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
    notes.push_back(concat(counted(static_cast<Index>(left_out), "edge"), " of weight 0 ", left_out == 1 ? "is" : "are",
                           " left out."));
  return graph;
}

/// The opinion between two sides.
double neutral_of(const NetworkPlan& plan, const std::vector<double>& opinion) {
  const std::string& wanted = plan.neutral;
  if (wanted != "auto") return std::stod(wanted);
  if (const std::string& scale = plan.scale; !scale.empty())
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
  const std::string file = path.substr(path.find_last_of('/') + 1);  // the folder must not enter the result
  if (used.size() > 1) {
    const auto [least, most] = std::minmax_element(used.begin(), used.end());
    notes.push_back(concat("Each of the ", used.size(), " groups is measured on the same network, of whose ", nodes,
                           " nodes it has ", *least == *most ? concat(*least) : concat(*least, " to ", *most),
                           "; the others have no side in it."));
  } else if (used[0] < nodes) {
    notes.push_back(concat(counted(static_cast<Index>(nodes - used[0]), "node"), " of the network ",
                           nodes - used[0] == 1 ? "is" : "are", " not in ", file, "."));
  }
  std::size_t rows = 0;
  for (const std::size_t count : used) rows += count;
  if (rows < answers.node.size())
    notes.push_back(concat(counted(static_cast<Index>(answers.node.size() - rows), "row"), " of ", file,
                           answers.node.size() - rows == 1 ? " is of a node" : " are of nodes", " without an edge."));
}

society::Graph part_of(const society::Graph& graph, const std::vector<double>& weights,
                       const std::vector<std::uint8_t>& kept) {
  if (weights.empty()) return society::kept_part(graph, kept);
  society::Graph weighted = graph;
  weighted.weights = weights;
  return society::kept_part(weighted, kept);
}

std::size_t first_row(const Answers& answers, Index group) {
  return (std::find(answers.group.begin(), answers.group.end(), group) - answers.group.begin());
}

/// From the words, else from the opinions; false where there are neither.
bool add_sides(const NetworkPlan& plan, const std::vector<std::string>& words, double neutral, const std::string& group,
               NodeSides& of) {
  if (!words.empty()) {
    number_sides(words, of);
    if (of.side_names.size() < 2)
      throw DataError(concat(plan.file.empty() ? plan.edges : plan.file, ": names ",
                             counted(static_cast<Index>(of.side_names.size()), "side"), group,
                             ", but there must be at least 2."));
    return true;
  }
  if (of.opinion.empty()) return false;
  std::vector<std::string> beside;
  for (const double x : of.opinion)
    beside.emplace_back(std::isnan(x) || x == neutral ? "" : x < neutral ? "below" : "above");
  number_sides(beside, of);
  return true;
}

void find_network_sides(const NetworkPlan& plan, Ties& ties) {
  if (!ties.groups.empty())
    throw DataError(concat(plan.file,
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

/// unread: columns of the table, or attributes.
void say_what_is_unused(const std::vector<std::string>& unread, Ties& ties) {
  constexpr std::size_t kFew = 8;
  const auto shown = [](const std::string& name) { return datasets::text::shown_text(name); };
  const datasets::network::NodeColumnsUnused unused{std::ssize(unread), datasets::text::listed(unread, shown, kFew),
                                                    "--sides (sides.column) or, for opinions, --value (data.value)"};
  if (unused.holds()) ties.findings.push_back(finding_of(unused));
}

/// Random walks are between two sides and in one part of the network.
void say_where_walks_are(const NetworkPlan& plan, Ties& ties) {
  if (plan.hubs == 0) return;
  if (ties.groups.empty() && ties.side_names.size() > 2)
    ties.notes.push_back(concat("There are ", ties.side_names.size(),
                                " sides: random walk controversy is that of the two largest, ", ties.side_names[0],
                                " and ", ties.side_names[1], "."));
  const std::vector<Index> part = society::connected_parts(ties.graph);
  std::vector<Index> size(*std::max_element(part.begin(), part.end()) + 1);
  for (const Index p : part) ++size[p];
  if (size.size() == 1) return;
  const auto largest = std::max_element(size.begin(), size.end());
  std::string sentence = concat("The network is not connected. ", society::parts_in_words(ties.graph),
                                " Random walks are in the largest part, of ", *largest, " nodes");
  std::set<Index> met;
  for (std::size_t i = 0; i < part.size(); ++i)
    if (part[i] == largest - size.begin() && ties.side[i] >= 0 && ties.side[i] < 2) met.insert(ties.side[i]);
  if (ties.groups.empty() && met.size() < 2)
    sentence += ", which does not hold both sides: random walk controversy has no value";
  ties.notes.push_back(sentence + '.');
}

/// The sides of each group of the table. Opinions of all groups have the same middle.
void add_table(const NetworkPlan& plan, const Answers& answers, Ties& ties) {
  std::map<std::string, std::size_t> number;
  for (std::size_t i = 0; i < ties.names.size(); ++i) number.emplace(ties.names[i], i);
  const double neutral = answers.value.empty() ? 0 : neutral_of(plan, answers.value);
  std::vector<NodeSides> groups(answers.groups.size());
  std::vector<std::size_t> used;
  bool sides = true;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::string in = groups.size() > 1 ? concat(" in ", answers.groups[g].name) : "";
    std::vector<std::string> words;
    used.push_back(add_rows(answers, static_cast<Index>(g), number, groups[g], words));
    if (used.back() == 0)
      throw DataError(concat(plan.file, ": none of its nodes", in, ", such as '",
                             datasets::text::shown_text(answers.node[first_row(answers, static_cast<Index>(g))]),
                             "', is in ", plan.edges, ", where one is called '",
                             datasets::text::shown_text(ties.names[0]), "'; both must call them by the same names."));
    sides = add_sides(plan, words, neutral, in, groups[g]);
  }
  say_who_is_there(plan.file, answers, ties, used, ties.notes);
  static_cast<NodeSides&>(ties) = groups.front();
  if (groups.size() > 1) ties.groups = std::move(groups);
  if (!sides) return find_network_sides(plan, ties);
  if (!answers.side.empty()) return;
  ties.from = SidesFrom::opinions;
  ties.notes.push_back(concat("No sides are given: they are the opinions below and above ", neutral, "; those of ",
                              neutral, " are on neither."));
}

/// Numbers below 2^64 - 1 in a table at most half full, looked for from their place on (Knuth 1973, 6.4, algorithm R):
/// a fraction of the time of std::unordered_set where it is larger than a cache.
class PairSet {
 public:
  explicit PairSet(std::size_t most) : slots_(std::bit_ceil(2 * most + 2), kFree) {}
  bool has(std::uint64_t key) const { return slots_[slot_of(key)] == key; }
  void insert(std::uint64_t key) { slots_[slot_of(key)] = key; }
  void erase(std::uint64_t key) {
    std::size_t hole = slot_of(key);
    slots_[hole] = kFree;
    for (std::size_t at = next(hole); slots_[at] != kFree; at = next(at))
      if (((at - place(slots_[at])) & (slots_.size() - 1)) >= ((at - hole) & (slots_.size() - 1)))
        slots_[hole] = std::exchange(slots_[at], kFree), hole = at;
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};
  std::size_t next(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
  std::size_t place(std::uint64_t key) const { return (key * 0x9E3779B97F4A7C15U >> 20U) & (slots_.size() - 1); }
  std::size_t slot_of(std::uint64_t key) const {  // or a free one
    std::size_t slot = place(key);
    while (slots_[slot] != key && slots_[slot] != kFree) slot = next(slot);
    return slot;
  }
  std::vector<std::uint64_t> slots_;
};

}  // namespace

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

Ties read_ties(const NetworkPlan& plan, std::shared_ptr<const Answers>& answers) {
  Ties ties;
  const Network network = network_of(plan, ties.notes);
  ties.graph = graph_of(network, plan.use_weights, ties.notes);
  if (ties.graph.edges.empty()) throw DataError(concat(plan.edges, ": no edge is left; at least one is needed."));
  ties.names = network.names;
  ties.findings = network.findings;
  const bool club = plan.edges.empty();
  std::vector<std::string> unread = attributes_of(network);
  if (answers != nullptr) unread.insert(unread.end(), answers->unread.begin(), answers->unread.end());
  if (answers == nullptr && !club)
    if (auto of_attributes = answers_of_attributes(plan, network))
      unread = (answers = std::make_shared<const Answers>(std::move(*of_attributes)))->unread;
  if (answers != nullptr) {
    add_table(plan, *answers, ties);
  } else {
    const std::vector<std::string> labels =
        club ? network.labels.at("club") : sides_of_attributes(plan, network, "", ties.notes, unread);
    if (!add_sides(plan, labels, 0, "", ties)) find_network_sides(plan, ties);
  }
  if (!club) say_what_is_unused(unread, ties);
  say_where_walks_are(plan, ties);
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
  PairSet present(twin.edges.size());
  for (const society::Edge& edge : twin.edges) present.insert(key(edge[0], edge[1]));
  const std::uint64_t edges = twin.edges.size();
  for (std::uint64_t step = 0; step < 10 * edges; ++step) {
    const auto drawn = random.block(step);
    // 64 bits for a choice among far fewer: the bias of the remainder is below 1e-9.
    society::Edge &one = twin.edges[drawn[0] % edges], &other = twin.edges[(drawn[1] >> 1) % edges];
    const std::size_t end = drawn[1] & 1;
    const Index a = one[0], b = one[1], c = other[end], d = other[1 - end];
    if (a == d || c == b || a == c || b == d || present.has(key(a, d)) || present.has(key(c, b))) continue;
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
