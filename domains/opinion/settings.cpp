#include "fovea/domains/opinion/settings.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/error.hpp"

namespace fovea::opinion {

namespace {

Range fraction() { return Range::between(0, 1); }
constexpr double kLargest = 1e50;  // fourth powers of opinions, for the kurtosis, stay in the range of a double

void add_model_keys(Schema& schema) {
  schema.choice("branch", "cooling", {"cooling", "heating", "fresh"},
                "cooling: from the top down, beginning in consensus; heating: from the bottom up, beginning with the "
                "anchors; fresh: each temperature from the anchors");
  schema.integer("agents.count", 4000, Range::between(2, 1e6), "",
                 "number of agents; a network that is read and a start file bring their own");
  schema.choice("model.score", "gaussian", {"gaussian", "dot_product", "cosine", "log_distance"},
                "how well two opinions match: -|x-y|^2/2, x.y, cosine of the angle, -log|x-y|");
  schema.real("model.distance_floor", 1e-6, Range::positive(), "opinion",
              "log_distance: smaller distances count as this one; oneself is heard as from this distance");
  schema.real("model.stubbornness", 0.05, fraction(), "",
              "s: share of one's starting opinion in each step; 0 is plain averaging");
  schema.real("model.noise", 0.0, Range::between(0, kLargest), "opinion",
              "standard deviation of the noise in each step");
  schema.integer("model.components", 1, Range::between(1, 64), "", "number of components of an opinion");
}

void add_start_keys(Schema& schema) {
  schema.choice(
      "start.kind", "gaussian_quantiles", {"gaussian_quantiles", "normal", "uniform", "groups", "labelled", "file"},
      "starting opinions (anchors): evenly spread normal, random normal, random uniform, random normal around "
      "a centre for each label group, known for some and neutral (0) for the rest, or read from start.file");
  schema.real("start.spread", 1.0, Range::between(1 / kLargest, kLargest), "opinion",
              "standard deviation of the starting opinions; for uniform half the width");
  schema.real("start.separation", 1.0, Range::between(0, kLargest), "opinion",
              "groups: the centres are spread evenly over [-separation, separation]");
  schema.file("start.file", "table with the columns node, opinion (or node, opinion_1, opinion_2, ...)");
  schema.integers("start.known_nodes", {}, Range::at_least(0), "",
                  "labelled: numbers of the nodes whose opinion is known, -1 or +1 by their label");
  schema.integer("start.known_per_side", 0, Range::at_least(0), "",
                 "labelled: this many known nodes on each side, instead of known_nodes");
  schema.choice("start.known_by", "degree", {"degree", "random"},
                "labelled: which nodes known_per_side takes: those with most neighbours, or at random by the seed");
  schema.real("start.known_stubbornness", 1.0, fraction(), "", "labelled: s of the known nodes");
}

void add_network_keys(Schema& schema) {
  schema.choice("network.kind", "none",
                {"none", "erdos_renyi", "barabasi_albert", "watts_strogatz", "block_model", "karate", "edges"},
                "who hears whom: everybody, a random network, Zachary's karate club, or an edge list");
  schema.file("network.edges", "edges: table source,target[,weight]; .csv or .csv.gz");
  schema.file("network.labels", "edges: table node,label; .csv or .csv.gz");
  schema.text("network.label_column", "", "the column of network.labels that holds the labels; not needed for one");
  schema.integer("network.seed", 1, Range::at_least(0), "",
                 "seed of a random network, apart from the run's, so that replicas share one network");
  schema.flag("network.use_weights", false, "let an edge's weight multiply the attention it carries");
  schema.real("network.self_weight", 1.0, Range::positive(), "",
              "weight of hearing oneself, beside the edges' weights");
  schema.real("network.mean_degree", 10.0, Range::positive(), "",
              "erdos_renyi, watts_strogatz (even there): neighbours of a node");
  schema.integer("network.links", 5, Range::at_least(1), "", "barabasi_albert: links that a new node brings");
  schema.real("network.rewiring", 0.1, fraction(), "", "watts_strogatz: probability that an edge is moved");
  schema.integer("network.blocks", 4, Range::at_least(1), "", "block_model: number of blocks");
  schema.real("network.within", 18.0, Range::at_least(0), "", "block_model: mean neighbours in one's own block");
  schema.real("network.between", 2.0, Range::at_least(0), "", "block_model: mean neighbours in all other blocks");
}

void add_run_keys(Schema& schema) {
  schema.real("temperature.low", 0.005, Range::positive(), "opinion^2",
              "lowest temperature of the grid (cosine and log_distance: a pure number, without unit)");
  schema.real("temperature.high", 0.3, Range::positive(), "opinion^2", "highest temperature of the grid");
  schema.integer("temperature.count", 16, Range::between(1, 10000), "", "number of temperatures");
  schema.choice("temperature.spacing", "log", {"log", "linear"}, "spacing of the grid");
  schema.reals("temperature.values", {}, Range::positive(), "opinion^2", "the grid as a list, ascending, instead");
  schema.real("rest.tolerance", 1e-6, Range::positive(), "opinion",
              "at rest: no opinion moves further than this in one step");
  schema.integer("rest.steps_max", 5000, Range::at_least(1), "step", "most steps at one temperature, without noise");
  schema.integer("average.burn_in", 500, Range::at_least(0), "step", "with noise: steps before the time average");
  schema.integer("average.steps", 1000, Range::at_least(10), "step", "with noise: steps of the time average");
  schema.flag("transition.find", true, "bisect for the temperature where one camp becomes several (without noise)");
  schema.real("transition.resolution", 0.002, Range::between(1e-9, 1), "", "relative width of the final bracket");
  schema.real(
      "camps.gap", 0.1, Range::positive(), "opinion",
      "agents nearer than this, directly or over others between them, are one camp; choose it above the distance of "
      "neighbours inside a camp and below the distance of camps, a few sqrt(T)");
  schema.real("camps.least_share", 0.01, fraction(), "", "smallest share of the agents that counts as a camp");
  schema.real("measures.alpha", 1.3, Range::between(0, 1.6), "", "exponent of the Esteban-Ray measure");
  schema.integer("record.bins", 120, Range::between(2, 10000), "", "bins of the opinion histogram");
  schema.real("record.limit", 0.0, Range::at_least(0), "opinion", "histogram over [-limit, limit]; 0: by the start");
  schema.integer("record.attention_groups", 48, Range::between(1, 512), "",
                 "rows of the attention map: agents sorted by opinion, in as many groups");
  schema.integer("record.agents_max", 2000, Range::at_least(0), "",
                 "up to this many agents each opinion is kept, above it quantiles");
  schema.flag("record.network", true, "keep and draw the network; switch off when a network key is swept");
}

/// Collects complaints at the place of a key.
class Rules {
 public:
  Rules(const Config& config, Complaints& complaints) : config_(config), complaints_(complaints) {}

  void unless(bool holds, const char* key, const std::string& sentence) {
    if (!holds) complaints_.add(config_.source(key), sentence);
  }
  bool is(const char* key, const char* value) const { return config_.text(key) == value; }
  bool given(const char* key) const { return !config_.is_default(key); }

 private:
  const Config& config_;
  Complaints& complaints_;
};

void check_temperatures(const Config& config, Rules& rules) {
  const std::vector<double>& values = config.reals("temperature.values");
  const bool ascending = std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
  rules.unless(ascending, "temperature.values",
               "temperature.values must ascend, each value once; sort it. Branch cooling walks it from the end.");
  if (!values.empty()) return;
  const double low = config.real("temperature.low"), high = config.real("temperature.high");
  rules.unless(low < high || (low == high && config.integer("temperature.count") == 1), "temperature.low",
               concat("temperature.low = ", low, ", but must be < temperature.high = ", high, "."));
}

void check_network(const Config& config, Rules& rules) {
  const bool edges = rules.is("network.kind", "edges");
  rules.unless(!edges || rules.given("network.edges"), "network.kind",
               "network.kind = \"edges\" needs network.edges, the file with the edges.");
  for (const char* key : {"network.edges", "network.labels"})
    rules.unless(edges || !rules.given(key), key,
                 concat(key, " is given, but network.kind = \"", config.text("network.kind"),
                        "\"; set network.kind = \"edges\" to use it."));
  const bool brings_agents = edges || rules.is("network.kind", "karate") || rules.is("start.kind", "file");
  rules.unless(!brings_agents || !rules.given("agents.count"), "agents.count",
               concat("agents.count = ", config.integer("agents.count"),
                      ", but the network or start file brings its own agents; remove this key."));
}

void check_random_network(const Config& config, Rules& rules) {
  if (rules.is("start.kind", "file")) return;  // the file knows how many agents there are
  const std::int64_t n = config.integer("agents.count");
  const double degree = config.real("network.mean_degree");
  if (rules.is("network.kind", "erdos_renyi"))
    rules.unless(degree <= static_cast<double>(n - 1), "network.mean_degree",
                 concat("network.mean_degree = ", degree, ", but must be <= agents.count - 1 = ", n - 1, "."));
  if (rules.is("network.kind", "watts_strogatz"))
    rules.unless(std::fmod(degree, 2.0) == 0 && degree < static_cast<double>(n), "network.mean_degree",
                 concat("network.mean_degree = ", degree, ", but must be even and < agents.count = ", n,
                        " for watts_strogatz."));
  if (rules.is("network.kind", "barabasi_albert"))
    rules.unless(
        config.integer("network.links") < n, "network.links",
        concat("network.links = ", config.integer("network.links"), ", but must be < agents.count = ", n, "."));
  if (!rules.is("network.kind", "block_model")) return;
  const std::int64_t blocks = config.integer("network.blocks");
  rules.unless(2 * blocks <= n, "network.blocks",
               concat("network.blocks = ", blocks, ", but must be <= agents.count / 2 = ", n / 2, "."));
  const double size = static_cast<double>(n) / static_cast<double>(blocks);
  const double within = config.real("network.within"), between = config.real("network.between");
  rules.unless(within <= size - 1, "network.within",
               concat("network.within = ", within, ", but must be <= agents in a block - 1 = ", size - 1, "."));
  rules.unless(between <= static_cast<double>(n) - size, "network.between",
               concat("network.between = ", between,
                      ", but must be <= agents outside a block = ", static_cast<double>(n) - size, "."));
}

void check_labelled(const Config& config, Rules& rules) {
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

void check_start(const Config& config, Rules& rules) {
  const std::string& kind = config.text("start.kind");
  const std::int64_t components = config.integer("model.components");
  if (kind == "gaussian_quantiles" || kind == "labelled" || kind == "groups")
    rules.unless(components == 1, "model.components",
                 concat("model.components = ", components, ", but start.kind = \"", kind,
                        "\" has 1; use normal, uniform or file."));
  rules.unless(kind != "file" || rules.given("start.file"), "start.kind",
               "start.kind = \"file\" needs start.file, the table with the opinions.");
  rules.unless(kind == "file" || !rules.given("start.file"), "start.file",
               concat("start.file is given, but start.kind = \"", kind, "\"; set start.kind = \"file\" to use it."));
  const bool has_labels = rules.is("network.kind", "karate") || rules.is("network.kind", "block_model") ||
                          (rules.is("network.kind", "edges") && rules.given("network.labels"));
  rules.unless((kind != "labelled" && kind != "groups") || has_labels, "start.kind",
               concat("start.kind = \"", kind, "\" needs a network with labels: karate, block_model, or edges with ",
                      "network.labels."));
}

}  // namespace

Schema temperature_schema() {
  Schema schema;
  add_model_keys(schema);
  add_start_keys(schema);
  add_network_keys(schema);
  add_run_keys(schema);
  return schema;
}

void check_settings(const Config& config, Complaints& complaints) {
  Rules rules(config, complaints);
  check_temperatures(config, rules);
  check_network(config, rules);
  check_random_network(config, rules);
  check_labelled(config, rules);
  check_start(config, rules);
}

std::vector<double> temperature_grid(const Config& config) {
  const std::vector<double>& values = config.reals("temperature.values");
  if (!values.empty()) return values;
  const double low = config.real("temperature.low"), high = config.real("temperature.high");
  const std::int64_t count = config.integer("temperature.count");
  const bool log = config.text("temperature.spacing") == "log";
  std::vector<double> grid;
  for (std::int64_t k = 0; k < count; ++k) {
    const double share = count > 1 ? static_cast<double>(k) / static_cast<double>(count - 1) : 0.0;
    grid.push_back(log ? low * std::pow(high / low, share) : low + (high - low) * share);
  }
  return grid;
}

std::string temperature_unit(const Config& config) {
  const std::string& score = config.text("model.score");
  return score == "gaussian" || score == "dot_product" ? "opinion^2" : "1";
}

CrowdSetup crowd_setup(const Config& config, const Population& population) {
  CrowdSetup setup;
  setup.anchors = population.anchors;
  setup.stubbornness = population.stubbornness;
  setup.score = config.text("model.score");
  setup.distance_floor = config.real("model.distance_floor");
  setup.noise = config.real("model.noise");
  if (population.graph) setup.neighbours = hearing_lists(*population.graph, config.real("network.self_weight"));
  return setup;
}

ObserverSettings observer_settings(const Config& config, const Population& population) {
  ObserverSettings settings;
  settings.camp_gap = config.real("camps.gap");
  settings.least_share = config.real("camps.least_share");
  settings.alpha = config.real("measures.alpha");
  settings.tolerance = config.real("rest.tolerance");
  settings.opinion_limit = opinion_limit(config, population);
  settings.bins = config.integer("record.bins");
  settings.attention_groups = config.integer("record.attention_groups");
  settings.agents_max = config.integer("record.agents_max");
  return settings;
}

WalkSettings walk_settings(const Config& config) {
  WalkSettings settings;
  const std::string& branch = config.text("branch");
  settings.branch = branch == "cooling" ? Branch::cooling : branch == "heating" ? Branch::heating : Branch::fresh;
  settings.temperatures = temperature_grid(config);
  settings.tolerance = config.real("rest.tolerance");
  settings.steps_max = config.integer("rest.steps_max");
  settings.burn_in = config.integer("average.burn_in");
  settings.average_steps = config.integer("average.steps");
  settings.find_transition = config.flag("transition.find") && config.real("model.noise") == 0;
  settings.resolution = config.real("transition.resolution");
  const bool anchored = config.text("start.kind") == "labelled" && config.real("start.known_stubbornness") > 0;
  settings.plain_averaging = config.real("model.stubbornness") == 0 && config.real("model.noise") == 0 && !anchored;
  return settings;
}

bool gaussian_state_applies(const Config& config) {
  const std::string& start = config.text("start.kind");
  const double s = config.real("model.stubbornness");
  return config.text("network.kind") == "none" && config.text("model.score") == "gaussian" &&
         config.integer("model.components") == 1 && config.real("model.noise") == 0 && s > 0 && s < 1 &&
         (start == "normal" || start == "gaussian_quantiles");
}

}  // namespace fovea::opinion
