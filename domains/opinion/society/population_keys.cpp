#include "fovea/domains/opinion/society/population_keys.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "fovea/core/base/error.hpp"

namespace fovea::opinion::society {

namespace {

Range share_of_one() { return Range::between(0, 1); }

/// A key that counts with some kinds alone; each with a space before and behind.
struct KeyOfKinds {
  std::string_view key, kinds;
};
constexpr std::string_view kRandomKinds = " erdos_renyi barabasi_albert watts_strogatz block_model ";
constexpr std::array kOfNetwork{KeyOfKinds{"network.seed", kRandomKinds},
                                KeyOfKinds{"network.use_weights", " edges karate "},
                                KeyOfKinds{"network.self_weight",
                                           " edges karate erdos_renyi barabasi_albert "
                                           "watts_strogatz block_model "},
                                KeyOfKinds{"network.mean_degree", " erdos_renyi watts_strogatz "},
                                KeyOfKinds{"network.links", " barabasi_albert "},
                                KeyOfKinds{"network.rewiring", " watts_strogatz "},
                                KeyOfKinds{"network.blocks", " block_model "},
                                KeyOfKinds{"network.within", " block_model "},
                                KeyOfKinds{"network.between", " block_model "}};
constexpr std::array kOfStart{
    KeyOfKinds{"start.spread", " gaussian_quantiles normal uniform groups even two_camps several_opinions "},
    KeyOfKinds{"start.separation", " groups "}, KeyOfKinds{"start.known_by", " labelled "},
    KeyOfKinds{"start.known_stubbornness", " labelled "}};

template <typename Keys>
bool counts(const Keys& keys, const std::string& key, const std::string& kind) {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const KeyOfKinds& one) { return one.key == key; });
  return found == keys.end() || found->kinds.find(" " + kind + " ") != std::string_view::npos;
}

/// Marks what is declared as added later, where the experiment had results before.
class Added {
 public:
  explicit Added(bool later) : later_(later) {}
  void operator()(Schema& schema) const {
    if (later_) schema.added_later();
  }

 private:
  bool later_;
};

void add_start_keys(Schema& schema, const std::string& kind, const Added& added) {
  schema.choice(
      "start.kind", kind,
      {"gaussian_quantiles", "normal", "uniform", "groups", "labelled", "file", "two_opinions", "even", "two_camps",
       "several_opinions"},
      "starting opinions (anchors): evenly spread normal, random normal, random uniform, random normal around a centre "
      "for each label group, known for some and neutral (0) for the rest, read from start.file, -1 and +1, evenly "
      "spaced, one half at each end, or one of several");
  schema.real("start.spread", 1.0, Range::between(1 / kLargestOpinion, kLargestOpinion), "opinion",
              "standard deviation of the starting opinions; for uniform, even and two_camps half the width");
  added(schema.real("start.separation", 1.0, Range::between(0, kLargestOpinion), "opinion",
                    "groups: the centres are spread evenly over [-separation, separation]"));
  schema
      .real("start.share", 0.5, share_of_one(), "",
            "two_opinions: share of the agents that begin with +1, drawn at random; the others begin with -1")
      .added_later();
  schema
      .integer(
          "start.opinions", 10, Range::between(2, 1e8), "",
          "several_opinions: each agent begins with one of so many, all alike, evenly spaced over [-spread, spread]")
      .added_later();
  added(schema.file("start.file", "table with the columns node, opinion (or node, opinion_1, opinion_2, ...)"));
  added(schema.integers("start.known_nodes", {}, Range::at_least(0), "",
                        "labelled: numbers of the nodes whose opinion is known, -1 or +1 by their label"));
  added(schema.integer("start.known_per_side", 0, Range::at_least(0), "",
                       "labelled: this many known nodes on each side, instead of known_nodes"));
  added(schema.choice(
      "start.known_by", "degree", {"degree", "random"},
      "labelled: which nodes known_per_side takes: those with most neighbours, or at random by the seed"));
  added(schema.real("start.known_stubbornness", 1.0, share_of_one(), "", "labelled: s of the known nodes"));
}

void add_network_keys(Schema& schema, const PopulationKeys& keys, const Added& added) {
  added(schema.choice("network.kind", "none",
                      {"none", "erdos_renyi", "barabasi_albert", "watts_strogatz", "block_model", "karate", "edges"},
                      "who attends to whom: all to all, a random network, Zachary's karate club, or an edge list"));
  added(schema.file("network.edges", "edges: a table source,target[,weight], GraphML, GEXF, GML or Pajek; also .gz"));
  added(schema.file("network.labels", "edges: table node,label; .csv or .csv.gz"));
  added(schema.text(
      "network.label_column", "",
      "the column of network.labels, or attribute of a graph document, that holds the labels; not needed for one"));
  if (!keys.made_anew)
    added(schema.integer("network.seed", 1, Range::at_least(0), "",
                         "seed of a random network, apart from the run's, so that replicas share one network"));
  added(schema.flag("network.use_weights", false, "multiply the attention along an edge by its weight"));
  if (keys.own_weight)
    added(schema.real(
        "network.self_weight", 1.0, Range::at_least(0), "",
        "weight of an agent's own opinion, on the scale of the edge weights; 0 where network.directed is true"));
  added(schema.real("network.mean_degree", 10.0, Range::positive(), "",
                    "erdos_renyi, watts_strogatz (there even): mean number of neighbours"));
  added(schema.integer("network.links", 5, Range::at_least(1), "", "barabasi_albert: links that a new node brings"));
  added(
      schema.real("network.rewiring", 0.1, share_of_one(), "", "watts_strogatz: probability that an edge is rewired"));
  added(schema.integer("network.blocks", 4, Range::at_least(1), "", "block_model: number of blocks"));
  added(schema.real("network.within", 18.0, Range::at_least(0), "",
                    "block_model: mean number of neighbours in the node's own block"));
  added(schema.real("network.between", 2.0, Range::at_least(0), "",
                    "block_model: mean number of neighbours in all other blocks"));
}

void add_direction_keys(Schema& schema) {
  schema
      .flag("network.directed", false,
            "edges: source,target,weight: target hears source, by the weight; false: both ends hear each other")
      .added_later();
  schema
      .choice("network.parallel", "sum", {"sum", "refuse"},
              "edges: an edge that is given again adds its weight, or is a mistake")
      .added_later();
}

void check_direction(const Config& config, KeyRules& rules) {
  const bool edges = rules.is("network.kind", "edges"), directed = is_directed(config);
  rules.unless(config.real("network.self_weight") > 0 || directed, "network.self_weight",
               "network.self_weight = 0, but must be > 0; 0 needs network.directed = true.");
  if (config.schema().find("network.directed") == nullptr) return;
  rules.unless(!directed || edges, "network.directed",
               concat("network.directed = true, but network.kind = \"", config.text("network.kind"),
                      "\" has no directions; give an edge list with network.kind = \"edges\"."));
  rules.unless(edges || !rules.given("network.parallel"), "network.parallel",
               concat("network.parallel is given, but network.kind = \"", config.text("network.kind"),
                      "\"; set network.kind = \"edges\" to use it."));
}

/// The number of agents, or the smallest of several, and the key that gives it.
struct Count {
  const char* key;
  std::int64_t least;
};

Count count_of(const Config& config, const char* key) {
  if (config.schema().find(key)->type == ValueType::integer) return {key, config.integer(key)};
  return {key, config.integers(key).empty() ? 0 : config.integers(key).front()};
}

void check_network_keys(const Config& config, const Count& count, KeyRules& rules) {
  const bool edges = rules.is("network.kind", "edges");
  rules.unless(!edges || rules.given("network.edges"), "network.kind",
               "network.kind = \"edges\" needs network.edges, the file with the edges.");
  for (const char* key : {"network.edges", "network.labels"})
    rules.unless(edges || !rules.given(key), key,
                 concat(key, " is given, but network.kind = \"", config.text("network.kind"),
                        "\"; set network.kind = \"edges\" to use it."));
  const bool brings_agents = edges || rules.is("network.kind", "karate") || rules.is("start.kind", "file");
  rules.unless(
      !brings_agents || !rules.given(count.key), count.key,
      concat(count.key, " = ", count.least, ", but the network or start file brings its own agents; remove this key."));
}

void check_random_network(const Config& config, const Count& count, KeyRules& rules) {
  if (rules.is("start.kind", "file")) return;  // the file knows how many agents there are
  const std::int64_t n = count.least;
  const double degree = config.real("network.mean_degree");
  if (rules.is("network.kind", "erdos_renyi"))
    rules.unless(degree <= static_cast<double>(n - 1), "network.mean_degree",
                 concat("network.mean_degree = ", degree, ", but must be <= ", count.key, " - 1 = ", n - 1, "."));
  if (rules.is("network.kind", "watts_strogatz"))
    rules.unless(std::fmod(degree, 2.0) == 0 && degree < static_cast<double>(n), "network.mean_degree",
                 concat("network.mean_degree = ", degree, ", but must be even and < ", count.key, " = ", n,
                        " for watts_strogatz."));
  if (rules.is("network.kind", "barabasi_albert"))
    rules.unless(
        config.integer("network.links") < n, "network.links",
        concat("network.links = ", config.integer("network.links"), ", but must be < ", count.key, " = ", n, "."));
  if (!rules.is("network.kind", "block_model")) return;
  const std::int64_t blocks = config.integer("network.blocks");
  rules.unless(2 * blocks <= n, "network.blocks",
               concat("network.blocks = ", blocks, ", but must be <= ", count.key, " / 2 = ", n / 2, "."));
  const double size = static_cast<double>(n) / static_cast<double>(blocks);
  const double within = config.real("network.within"), between = config.real("network.between");
  rules.unless(within <= size - 1, "network.within",
               concat("network.within = ", within, ", but must be <= agents in a block - 1 = ", size - 1, "."));
  rules.unless(between <= static_cast<double>(n) - size, "network.between",
               concat("network.between = ", between,
                      ", but must be <= agents outside a block = ", static_cast<double>(n) - size, "."));
}

void check_labelled(const Config& config, KeyRules& rules) {
  const bool by_list = rules.given("start.known_nodes"), by_count = config.integer("start.known_per_side") > 0;
  const bool labelled = rules.is("start.kind", "labelled");
  rules.unless(!labelled || by_list != by_count, "start.kind",
               "start.kind = \"labelled\" needs either start.known_nodes or start.known_per_side >= 1.");
  for (const char* key : {"start.known_nodes", "start.known_per_side"})
    rules.unless(labelled || !rules.given(key), key,
                 concat(key, " is given, but start.kind = \"", config.text("start.kind"),
                        "\"; set start.kind = \"labelled\" to use it."));
  if (!rules.is("network.kind", "karate")) return;
  constexpr std::int64_t kMembers = 34;
  for (const std::int64_t node : config.integers("start.known_nodes"))
    rules.unless(
        node < kMembers, "start.known_nodes",
        concat("start.known_nodes has ", node, ", but the karate club has the nodes 0 to ", kMembers - 1, "."));
}

void check_start(const Config& config, KeyRules& rules) {
  const std::string& kind = config.text("start.kind");
  const std::int64_t components = config.integer("model.components");
  if (kind == "gaussian_quantiles" || kind == "labelled" || kind == "groups" || kind.ends_with("_opinions") ||
      kind == "even" || kind == "two_camps")
    rules.unless(components == 1, "model.components",
                 concat("model.components = ", components, ", but start.kind = \"", kind,
                        "\" has 1; use normal, uniform or file."));
  rules.unless(
      kind == "two_opinions" || config.is_default("start.share"), "start.share",
      concat("start.share is given, but start.kind = \"", kind, "\"; set start.kind = \"two_opinions\" to use it."));
  rules.unless(kind == "several_opinions" || config.is_default("start.opinions"), "start.opinions",
               concat("start.opinions is given, but start.kind = \"", kind,
                      "\"; set start.kind = \"several_opinions\" to use it."));
  rules.unless(kind != "file" || rules.given("start.file"), "start.kind",
               "start.kind = \"file\" needs start.file, the table with the opinions.");
  rules.unless(kind == "file" || !rules.given("start.file"), "start.file",
               concat("start.file is given, but start.kind = \"", kind, "\"; set start.kind = \"file\" to use it."));
  const bool has_labels =
      rules.is("network.kind", "karate") || rules.is("network.kind", "block_model") ||
      (rules.is("network.kind", "edges") && (rules.given("network.labels") || rules.given("network.label_column")));
  rules.unless((kind != "labelled" && kind != "groups") || has_labels, "start.kind",
               concat("start.kind = \"", kind, "\" needs a network with labels: karate, block_model, or edges with ",
                      "network.labels or, of a graph document, network.label_column."));
}

}  // namespace

void add_population_keys(Schema& schema, std::int64_t agents, const PopulationKeys& keys) {
  if (!keys.made_anew)
    schema.integer("agents.count", agents, Range::between(2, 1e8), "",
                   "number of agents; a network file and a start file give their own");
  const Added added(keys.later);
  add_start_keys(schema, keys.start, added);
  if (keys.network) add_network_keys(schema, keys, added);
  if (keys.network && keys.directed) add_direction_keys(schema);
}

bool is_directed(const Config& config) {
  return config.schema().find("network.directed") != nullptr && config.flag("network.directed");
}

void check_population(const Config& config, Complaints& complaints, const char* count_key) {
  const Count count = count_of(config, count_key);
  KeyRules rules(config, complaints);
  check_network_keys(config, count, rules);
  check_direction(config, rules);
  check_random_network(config, count, rules);
  check_labelled(config, rules);
  check_start(config, rules);
}

std::vector<std::string> idle_population_keys(const Config& config) {
  std::string start, network;
  for (const Parameter& parameter : config.schema().parameters()) {
    const std::string& key = parameter.key;
    if (config.is_default(key)) continue;
    if (key.starts_with("start.") && !counts(kOfStart, key, config.text("start.kind")))
      start += concat(start.empty() ? "" : ", ", key);
    if (key.starts_with("network.") && !counts(kOfNetwork, key, config.text("network.kind")))
      network += concat(network.empty() ? "" : ", ", key);
  }
  std::vector<std::string> notes;
  for (const auto& [keys, kind] : {std::pair{&start, "start.kind"}, std::pair{&network, "network.kind"}})
    if (!keys->empty())
      notes.push_back(concat(kind, " = \"", config.text(kind), "\": without effect ",
                             keys->find(',') == std::string::npos ? "is " : "are ", *keys, "."));
  return notes;
}

std::vector<std::string> population_numbers(const Config& config) {
  const std::string &start = config.text("start.kind"), &network = config.text("network.kind");
  std::vector<std::string> numbers;
  if (start == "two_opinions") numbers.emplace_back("start.share");
  if (start == "labelled") numbers.emplace_back("start.known_stubbornness");
  if (start == "groups") numbers.emplace_back("start.separation");
  if (start != "two_opinions" && start != "labelled" && start != "file") numbers.emplace_back("start.spread");
  if (network == "erdos_renyi") numbers.emplace_back("network.mean_degree");
  if (network == "watts_strogatz") numbers.emplace_back("network.rewiring");
  if (network == "block_model") numbers.insert(numbers.end(), {"network.within", "network.between"});
  return numbers;
}

}  // namespace fovea::opinion::society
