#include "fovea/domains/opinion/society/population_keys.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/domains/opinion/keys.hpp"

namespace fovea::opinion::society {

namespace {

/// The words of a choice, in the order of its values.
template <typename Kind, std::size_t n>
KeyWords<Kind> in_order(const char* const (&words)[n]) {
  KeyWords<Kind> all;
  for (std::size_t k = 0; k < n; ++k) all.emplace_back(words[k], static_cast<Kind>(k));
  return all;
}

const SharedChoice<StartKind> kStart{
    "start.kind",
    in_order<StartKind>({"gaussian_quantiles", "normal", "uniform", "groups", "labelled", "file", "two_opinions",
                         "even", "two_camps", "several_opinions"}),
    "starting opinions (anchors): evenly spread normal, random normal, random uniform, random normal around a centre "
    "for each label group, known for some and neutral (0) for the rest, read from start.file, -1 and +1, evenly "
    "spaced, one half at each end, or one of several"};
const SharedChoice<NetworkKind> kNetwork{
    "network.kind",
    in_order<NetworkKind>(
        {"none", "erdos_renyi", "barabasi_albert", "watts_strogatz", "block_model", "karate", "edges"}),
    "who attends to whom: all to all, a random network, Zachary's karate club, or an edge list"};

/// A key that counts with some kinds alone; these are words, each with a space before and behind.
struct KeyOfKinds {
  std::string_view key, kinds;
  bool number = false;   ///< that may be searched
  bool refused = false;  ///< elsewhere; else it is idle there, since a sweep over kinds passes through both
  std::string kind() const { return concat(key.substr(0, key.find('.')), ".kind"); }
  bool counts(const std::string& word) const { return kinds.find(" " + word + " ") != std::string_view::npos; }
};
constexpr std::string_view kRandomKinds = " erdos_renyi barabasi_albert watts_strogatz block_model ";
constexpr std::string_view kAnyNetwork = " edges karate erdos_renyi barabasi_albert watts_strogatz block_model ";
constexpr std::string_view kSpread = " gaussian_quantiles normal uniform groups even two_camps several_opinions ";
constexpr KeyOfKinds kKeysOfKinds[] = {{"start.share", " two_opinions ", true, true},
                                       {"start.opinions", " several_opinions ", false, true},
                                       {"start.file", " file ", false, true},
                                       {"start.known_nodes", " labelled ", false, true},
                                       {"start.known_per_side", " labelled ", false, true},
                                       {"start.known_by", " labelled "},
                                       {"start.known_stubbornness", " labelled ", true},
                                       {"start.separation", " groups ", true},
                                       {"start.spread", kSpread, true},
                                       {"network.edges", " edges ", false, true},
                                       {"network.labels", " edges ", false, true},
                                       {"network.parallel", " edges ", false, true},
                                       {"network.relation", " edges ", false, true},
                                       {"network.seed", kRandomKinds},
                                       {"network.use_weights", " edges karate "},
                                       {"network.self_weight", kAnyNetwork},
                                       {"network.mean_degree", " erdos_renyi watts_strogatz "},
                                       {"network.links", " barabasi_albert "},
                                       {"network.rewiring", " watts_strogatz ", true},
                                       {"network.blocks", " block_model "},
                                       {"network.within", " block_model ", true},
                                       {"network.between", " block_model ", true}};

const SharedKey kStartFile{"start.file", "table with the columns node, opinion (or node, opinion_1, opinion_2, ...)"};

Keys<StartSettings> first_keys() {
  return Keys<StartSettings>()
      .choice(kStart, &StartSettings::kind)
      .key("start.spread", &StartSettings::spread, Range::between(1 / kLargestOpinion, kLargestOpinion), "opinion",
           "standard deviation of the starting opinions; for uniform, even and two_camps half the width");
}

Keys<StartSettings> start_keys() {
  using Start = StartSettings;
  return Keys<StartSettings>()
      .key("start.separation", &Start::separation, Range::between(0, kLargestOpinion), "opinion",
           "groups: the centres are spread evenly over [-separation, separation]")
      .key("start.share", &Start::share, Range::between(0, 1), "",
           "two_opinions: share of the agents that begin with +1, drawn at random; the others begin with -1")
      .added_later()
      .key("start.opinions", &Start::opinions, Range::between(2, 1e8), "",
           "several_opinions: each agent begins with one of so many, all alike, evenly spaced over [-spread, spread]")
      .added_later()
      .file(kStartFile, &Start::file)
      .key("start.known_nodes", &Start::known_nodes, Range::at_least(0), "",
           "labelled: numbers of the nodes whose opinion is known, -1 or +1 by their label")
      .key("start.known_per_side", &Start::known_per_side, Range::at_least(0), "",
           "labelled: this many known nodes on each side, instead of known_nodes")
      .choice("start.known_by", &Start::known_by_degree, {{"degree", true}, {"random", false}},
              "labelled: which nodes known_per_side takes: those with most neighbours, or at random by the seed")
      .key("start.known_stubbornness", &Start::known_stubbornness, Range::between(0, 1), "",
           "labelled: s of the known nodes");
}

const Keys<NetworkSettings>& label_keys() {
  static const auto keys =
      Keys<NetworkSettings>()
          .file("network.labels", &NetworkSettings::labels, "edges: table node,label; .csv or .csv.gz")
          .key("network.label_column", &NetworkSettings::label_column,
               "the column of network.labels, or attribute of a graph document, that holds the labels; not needed for "
               "one");
  return keys;
}

const Keys<NetworkSettings>& direction_keys() {
  static const auto keys =
      Keys<NetworkSettings>()
          .key("network.directed", &NetworkSettings::directed,
               "edges: source,target,weight: target hears source, by the weight; false: both ends hear each other")
          .added_later()
          .choice("network.parallel", &NetworkSettings::refuse_parallel, {{"sum", false}, {"refuse", true}},
                  "edges: an edge that is given again adds its weight, or is a mistake")
          .added_later();
  return keys;
}

const Keys<NetworkSettings>& relation_keys() {
  static const auto keys = Keys<NetworkSettings>().key(kRelation, &NetworkSettings::relation).added_later();
  return keys;
}

Keys<NetworkSettings> network_keys() {
  using Network = NetworkSettings;
  return Keys<NetworkSettings>()
      .choice(kNetwork, &Network::kind)
      .file(kEdges, &Network::edges)
      .group(label_keys())
      .key("network.seed", &Network::seed, Range::at_least(0), "",
           "seed of a random network, apart from the run's, so that replicas share one network")
      .key(kUseWeights, &Network::use_weights)
      .key(kSelfWeight, &Network::self_weight)
      .key("network.mean_degree", &Network::mean_degree, Range::positive(), "",
           "erdos_renyi, watts_strogatz (there even): mean number of neighbours")
      .key("network.links", &Network::links, Range::at_least(1), "", "barabasi_albert: links that a new node brings")
      .key("network.rewiring", &Network::rewiring, Range::between(0, 1), "",
           "watts_strogatz: probability that an edge is rewired")
      .key("network.blocks", &Network::blocks, Range::at_least(1), "", "block_model: number of blocks")
      .key("network.within", &Network::within, Range::at_least(0), "",
           "block_model: mean number of neighbours in the node's own block")
      .key("network.between", &Network::between, Range::at_least(0), "",
           "block_model: mean number of neighbours in all other blocks");
}

const Keys<PopulationSettings>& all_keys(bool later = false) {
  const auto make = [](bool since) {
    return Keys<PopulationSettings>()
        .key(kAgentsCount, &PopulationSettings::agents)
        .group(first_keys(), &PopulationSettings::start)
        .group(start_keys(), &PopulationSettings::start)
        .added_later(since)
        .group(network_keys(), &PopulationSettings::network)
        .added_later(since)
        .group(direction_keys(), &PopulationSettings::network)
        .group(relation_keys(), &PopulationSettings::network);
  };
  static const auto now = make(false), then = make(true);
  return later ? then : now;
}

void check_kinds(KeyRules& rules) {
  for (const KeyOfKinds& one : kKeysOfKinds) {
    if (!one.refused || !rules.given(one.key) || one.counts(rules.word(one.kind()))) continue;
    rules.unless(false, one.key, one.key, " is given, but ", rules.said(one.kind()), "; set ", one.kind(), " = \"",
                 one.kinds.substr(1, one.kinds.size() - 2), "\" to use it.");
  }
}

/// The number of agents, or the smallest of several, and the key that gives it.
struct Count {
  const char* key;
  std::int64_t least;
};

void check_network_keys(const PopulationSettings& settings, const Count& count, KeyRules& rules) {
  const NetworkSettings& network = settings.network;
  const bool edges = network.kind == NetworkKind::edges;
  rules.unless(!edges || rules.given("network.edges"), "network.kind",
               "network.kind = \"edges\" needs network.edges, the file with the edges.");
  rules.unless(network.self_weight > 0 || network.directed, "network.self_weight",
               "network.self_weight = 0, but must be > 0; 0 needs network.directed = true.");
  rules.unless(edges || !network.directed, "network.directed", "network.directed = true, but ",
               rules.said("network.kind"), " has no directions; give an edge list with network.kind = \"edges\".");
  rules.unless(!settings.is_read() || !rules.given(count.key), count.key, count.key, " = ", count.least,
               ", but the network or start file brings its own agents; remove this key.");
}

void check_random_network(const PopulationSettings& settings, const Count& count, KeyRules& rules) {
  if (settings.start.kind == StartKind::file) return;  // the file knows how many agents there are
  const NetworkSettings& network = settings.network;
  const std::int64_t n = count.least;
  const double degree = network.mean_degree;
  if (network.kind == NetworkKind::erdos_renyi)
    rules.unless(degree <= static_cast<double>(n - 1), "network.mean_degree", "network.mean_degree = ", degree,
                 ", but must be <= ", count.key, " - 1 = ", n - 1, ".");
  if (network.kind == NetworkKind::watts_strogatz)
    rules.unless(std::fmod(degree, 2.0) == 0 && degree < static_cast<double>(n), "network.mean_degree",
                 "network.mean_degree = ", degree, ", but must be even and < ", count.key, " = ", n,
                 " for watts_strogatz.");
  if (network.kind == NetworkKind::barabasi_albert)
    rules.unless(network.links < n, "network.links", "network.links = ", network.links, ", but must be < ", count.key,
                 " = ", n, ".");
  if (network.kind != NetworkKind::block_model) return;
  rules.unless(2 * network.blocks <= n, "network.blocks", "network.blocks = ", network.blocks,
               ", but must be <= ", count.key, " / 2 = ", n / 2, ".");
  const double size = static_cast<double>(n) / static_cast<double>(network.blocks);
  rules.unless(network.within <= size - 1, "network.within", "network.within = ", network.within,
               ", but must be <= agents in a block - 1 = ", size - 1, ".");
  rules.unless(network.between <= static_cast<double>(n) - size, "network.between",
               "network.between = ", network.between,
               ", but must be <= agents outside a block = ", static_cast<double>(n) - size, ".");
}

void check_labelled(const PopulationSettings& settings, KeyRules& rules) {
  const bool by_list = rules.given("start.known_nodes"), by_count = settings.start.known_per_side > 0;
  const bool labelled = settings.start.kind == StartKind::labelled;
  rules.unless(!labelled || by_list != by_count, "start.kind",
               "start.kind = \"labelled\" needs either start.known_nodes or start.known_per_side >= 1.");
  if (settings.network.kind != NetworkKind::karate) return;
  constexpr std::int64_t kMembers = 34;
  for (const std::int64_t node : settings.start.known_nodes)
    rules.unless(node < kMembers, "start.known_nodes", "start.known_nodes has ", node,
                 ", but the karate club has the nodes 0 to ", kMembers - 1, ".");
}

void check_start(const PopulationSettings& settings, KeyRules& rules) {
  const StartKind kind = settings.start.kind;
  const bool several = kind == StartKind::normal || kind == StartKind::uniform || kind == StartKind::file;
  rules.unless(several || settings.components == 1, "model.components", "model.components = ", settings.components,
               ", but ", rules.said("start.kind"), " has 1; use normal, uniform or file.");
  rules.unless(kind != StartKind::file || rules.given("start.file"), "start.kind",
               "start.kind = \"file\" needs start.file, the table with the opinions.");
  const NetworkKind network = settings.network.kind;
  const bool has_labels =
      network == NetworkKind::karate || network == NetworkKind::block_model ||
      (network == NetworkKind::edges && (rules.given("network.labels") || rules.given("network.label_column")));
  rules.unless((kind != StartKind::labelled && kind != StartKind::groups) || has_labels, "start.kind",
               rules.said("start.kind"), " needs a network with labels: karate, block_model, or edges with ",
               "network.labels or, of a graph document, network.label_column.");
}

}  // namespace

bool PopulationSettings::is_drawn() const {
  constexpr std::array kDrawn{StartKind::normal, StartKind::uniform, StartKind::groups, StartKind::two_opinions,
                              StartKind::several_opinions};
  return network.is_drawn() || std::find(kDrawn.begin(), kDrawn.end(), start.kind) != kDrawn.end() ||
         (start.kind == StartKind::labelled && !start.known_by_degree);
}

PopulationSettings population_settings(const Config& config) {
  static const auto keys = Keys<PopulationSettings>()
                               .group(all_keys())
                               .key(kComponents, &PopulationSettings::components)
                               .key(kStubbornness, &PopulationSettings::stubbornness)
                               .key(kLimit, &PopulationSettings::limit);
  PopulationSettings settings = keys.read(config);
  settings.start.kind_place = config.source("start.kind");
  settings.start.nodes_place = config.source("start.known_nodes");
  settings.start.per_side_place = config.source("start.known_per_side");
  return settings;
}

PopulationSettings population_files_settings(const Config& config) {
  using Network = NetworkSettings;
  static const auto start_kind = Keys<StartSettings>().choice(kStart, &StartSettings::kind);
  static const auto start_file = Keys<StartSettings>().file(kStartFile, &StartSettings::file);
  static const auto components = Keys<PopulationSettings>().key(kComponents, &PopulationSettings::components);
  static const auto network_kind = Keys<Network>().choice(kNetwork, &Network::kind);
  static const auto of_edges = Keys<Network>()
                                   .file(kEdges, &Network::edges)
                                   .group(label_keys())
                                   .key(kUseWeights, &Network::use_weights)
                                   .group(direction_keys())
                                   .group(relation_keys());
  static const auto of_loops = Keys<Network>().key(kSelfWeight, &Network::self_weight);
  PopulationSettings settings;
  NetworkSettings& network = settings.network;
  network = network_kind.read(config);
  if (network.is_read()) network = of_edges.read(config, network);
  if (network.directed) network = of_loops.read(config, network);
  settings.start = start_kind.read(config);
  if (settings.start.kind != StartKind::file) return settings;
  settings.start = start_file.read(config, settings.start);
  return components.read(config, settings);
}

void add_population_keys(Schema& schema, Index agents, const PopulationKeys& keys) {
  const auto counts = [&](std::string_view key) {
    if (key == "agents.count") return !keys.made_anew;
    if (!key.starts_with("network.")) return true;
    if (key == "network.seed") return keys.network && !keys.made_anew;
    if (key == "network.self_weight") return keys.network && keys.own_weight;
    return keys.network && (keys.directed || (key != "network.directed" && key != "network.parallel"));
  };
  PopulationSettings defaults;
  defaults.agents = agents;
  defaults.start.kind = keys.start;
  all_keys(keys.later).declare(schema, defaults, counts);
}

bool KeyRules::given(std::string_view key) const {
  return config_.schema().find(key) != nullptr && !config_.is_default(key);
}

std::vector<std::string> KeyRules::given_keys(std::string_view group) const {
  std::vector<std::string> keys;
  for (const Parameter& parameter : config_.schema().parameters())
    if (parameter.key.starts_with(group) && !config_.is_default(parameter.key)) keys.push_back(parameter.key);
  return keys;
}

std::string without_effect(const std::string& why, const std::vector<std::string>& keys) {
  std::string names;
  for (const std::string& key : keys) names += concat(names.empty() ? "" : ", ", key);
  return concat(why, ": without effect ", keys.size() == 1 ? "is " : "are ", names, ".");
}

std::string KeyRules::said(std::string_view key) const { return concat(key, " = \"", word(key), '"'); }

void check_population(const PopulationSettings& settings, KeyRules& rules, const char* count, std::int64_t least) {
  check_kinds(rules);
  check_network_keys(settings, {count, least}, rules);
  check_random_network(settings, {count, least}, rules);
  check_labelled(settings, rules);
  check_start(settings, rules);
}

std::vector<std::string> idle_population_keys(const KeyRules& rules) {
  std::vector<std::string> notes;
  for (const std::string group : {"start.", "network."}) {
    std::vector<std::string> idle;
    for (const std::string& key : rules.given_keys(group))
      for (const KeyOfKinds& one : kKeysOfKinds)
        if (one.key == key && !one.counts(rules.word(one.kind()))) idle.push_back(key);
    if (!idle.empty()) notes.push_back(without_effect(rules.said(group + "kind"), idle));
  }
  return notes;
}

std::vector<std::string> population_numbers(const PopulationSettings& settings) {
  const std::string& start = kStart.words[static_cast<std::size_t>(settings.start.kind)].first;
  const std::string& network = kNetwork.words[static_cast<std::size_t>(settings.network.kind)].first;
  std::vector<std::string> numbers;
  for (const KeyOfKinds& one : kKeysOfKinds)
    if (one.counts(one.key.starts_with("start.") ? start : network) &&
        (one.number || (one.key == "network.mean_degree" && settings.network.kind == NetworkKind::erdos_renyi)))
      numbers.emplace_back(one.key);
  return numbers;
}

}  // namespace fovea::opinion::society
