#include "fovea/domains/opinion/society/population.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/domains/opinion/society/population_files.hpp"

namespace fovea::opinion::society {

namespace {

constexpr double kNormalReach = 4.0;  // histograms show this many standard deviations

std::vector<Edge> random_edges(const Config& config, Index n, const Random& random) {
  const std::string& kind = config.text("network.kind");
  const double mean_degree = config.real("network.mean_degree");
  if (kind == "erdos_renyi") return erdos_renyi(n, mean_degree, random);
  if (kind == "barabasi_albert") return barabasi_albert(n, static_cast<Index>(config.integer("network.links")), random);
  if (kind == "watts_strogatz")
    return watts_strogatz(n, static_cast<Index>(mean_degree), config.real("network.rewiring"), random);
  return block_model(n, static_cast<Index>(config.integer("network.blocks")), config.real("network.within"),
                     config.real("network.between"), random);
}

/// From one label for each node ("" unknown) to the sorted groups and each node's group (-1 unknown).
void number_labels(Population& population) {
  const std::vector<std::string> label_of_node = population.labels;
  auto& groups = population.labels;
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  std::erase(groups, "");
  for (const std::string& label : label_of_node) {
    const auto place = std::lower_bound(groups.begin(), groups.end(), label) - groups.begin();
    population.side.push_back(label.empty() ? Index{-1} : Index{place});
  }
}

void generate_network(const Config& config, Index n, const Random& random, Population& population) {
  population.graph = std::make_shared<const Graph>(Graph{n, random_edges(config, n, random), {}});
  population.names = numbered_names(n);
  if (config.text("network.kind") != "block_model") return;
  const auto blocks = static_cast<Index>(config.integer("network.blocks"));
  population.side = block_of_nodes(n, blocks);
  for (Index block = 0; block < blocks; ++block) population.labels.push_back(concat("block ", block));
}

void add_network(const Config& config, const PopulationFiles* files, const PopulationDraws& draws,
                 Population& population) {
  const std::string& kind = config.text("network.kind");
  if (kind == "none") return;
  if (kind != "karate" && kind != "edges") {
    const bool of_file = config.text("start.kind") == "file";
    return generate_network(config, of_file ? files->anchors.rows() : draws.agents, draws.network, population);
  }
  population.graph = files->graph;
  population.left_out = files->left_out;
  population.symmetrised = files->symmetrised;
  population.isolated = files->isolated;
  population.names = files->names;
  population.labels = files->labels;
  if (!population.labels.empty()) number_labels(population);
}

// Starting opinions.

Matrix<double> gaussian_quantiles(Index n, double spread) {
  Matrix<double> anchors(n, 1);
  for (Index i = 0; i < n; ++i)
    anchors(i, 0) = spread * normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(n));
  return anchors;
}

/// From -spread to spread; on the circle as far from the first to the last as between neighbours.
Matrix<double> evenly_spaced(Index n, double spread, bool angles) {
  Matrix<double> anchors(n, 1);
  for (Index i = 0; i < n; ++i) {
    const double share = angles ? (static_cast<double>(i) + 0.5) / static_cast<double>(n)
                                : static_cast<double>(i) / static_cast<double>(n - 1);
    anchors(i, 0) = spread * (2 * share - 1);
  }
  return anchors;
}

/// The first half at -spread, the others at spread.
Matrix<double> two_camps(Index n, double spread) {
  Matrix<double> anchors = Matrix<double>::Constant(n, 1, spread);
  anchors.topRows((n + 1) / 2).setConstant(-spread);
  return anchors;
}

template <typename Draw>
Matrix<double> drawn(Index n, Index components, const Draw& draw) {
  Matrix<double> anchors(n, components);
  for (Index k = 0; k < anchors.size(); ++k) anchors.data()[k] = draw(static_cast<std::uint64_t>(k));
  return anchors;
}

/// +1 for that share of the agents, to the nearest whole number, drawn at random; -1 for the others.
Matrix<double> two_opinions(Index n, double share, const Random& random) {
  std::vector<std::uint64_t> key;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(n); ++i) key.push_back(random.bits(i));
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  const auto by_key = [&](Index i) { return std::pair(key[i], i); };
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return by_key(i) < by_key(j); });
  Matrix<double> anchors = Matrix<double>::Constant(n, 1, -1);
  const auto positive = static_cast<std::size_t>(std::llround(share * static_cast<double>(n)));
  for (std::size_t k = 0; k < positive; ++k) anchors(order[k], 0) = 1;
  return anchors;
}

/// One of `opinions` values, evenly spaced over [-spread, spread], all alike.
Matrix<double> several_opinions(Index n, std::int64_t opinions, double spread, const Random& random) {
  const double last = static_cast<double>(opinions - 1);
  return drawn(n, 1, [&](std::uint64_t k) {
    const double rank = static_cast<double>(random.below(static_cast<std::uint64_t>(opinions), k));
    return spread * (2 * rank / last - 1);
  });
}

double group_centre(const Config& config, const Population& population, Index agent) {
  const auto groups = static_cast<double>(population.labels.size());
  const Index side = population.side[agent];
  const double share = groups > 1 && side >= 0 ? static_cast<double>(side) / (groups - 1) : 0.5;
  return config.real("start.separation") * (2 * share - 1);
}

/// A value that does not suit the network that was read: the place of its key first.
template <typename... Parts>
void require_fit(bool holds, const Config& config, const char* key, const Parts&... sentence) {
  if (!holds) throw ConfigError(concat(config.source(key).text(), ": ", key, sentence...));
}

/// The first `count` of a side by degree (ties by number) or in random order.
std::vector<Index> choose_known(const Config& config, const Population& population, const Random& random, Index side) {
  std::vector<Index> members;
  for (Index i = 0; i < population.graph->nodes; ++i)
    if (population.side[i] == side) members.push_back(i);
  const std::vector<Index> degree = degrees(*population.graph);
  const bool by_degree = config.text("start.known_by") == "degree";
  const auto key = [&](Index i) {
    return by_degree ? -static_cast<double>(degree[i]) : random.uniform(static_cast<std::uint64_t>(i));
  };
  std::stable_sort(members.begin(), members.end(), [&](Index a, Index b) { return key(a) < key(b); });
  const std::size_t count = config.integer("start.known_per_side");
  require_fit(count <= members.size(), config, "start.known_per_side", " = ", count,
              ", but must be <= ", members.size(), ", the members of the side '", population.labels[side], "'.");
  members.resize(count);
  return members;
}

void start_labelled(const Config& config, const Random& random, Population& population) {
  require_fit(population.labels.size() == 2, config, "start.kind",
              " = \"labelled\" needs a network with 2 label groups, ", "one for -1 and one for +1; this one has ",
              population.labels.size(), ".");
  const Index n = population.graph->nodes;
  std::vector<Index> known;
  for (const std::int64_t node : config.integers("start.known_nodes")) {
    require_fit(node < n, config, "start.known_nodes", " has ", node, ", but the network has the nodes 0 to ", n - 1,
                ".");
    require_fit(population.side[node] >= 0, config, "start.known_nodes", " has ", node,
                ", but that node has no label; choose a labelled node.");
    known.push_back(static_cast<Index>(node));
  }
  for (const Index side : {Index{0}, Index{1}})
    for (const Index node : choose_known(config, population, random, side)) known.push_back(node);
  population.anchors = Matrix<double>::Zero(n, 1);
  population.known.assign(n, 0);
  for (const Index node : known) {
    const std::size_t i = node;
    population.anchors(node, 0) = population.side[i] == 1 ? 1.0 : -1.0;
    population.known[i] = 1;
    population.stubbornness[i] = config.real("start.known_stubbornness");
  }
}

void add_start(const Config& config, const PopulationFiles* files, const PopulationDraws& draws,
               Population& population) {
  const std::string& kind = config.text("start.kind");
  if (kind == "file") {
    population.anchors = files->anchors;
    if (!population.graph) population.names = files->names;
  }
  const Index n = population.graph ? population.graph->nodes : kind == "file" ? population.agents() : draws.agents;
  const auto d = static_cast<Index>(config.integer("model.components"));
  const double spread = config.real("start.spread");
  const Random& anchors = draws.anchors;
  population.stubbornness.assign(n, config.real("model.stubbornness"));
  const auto normal = [&](std::uint64_t k) { return spread * anchors.normal(k); };
  if (kind == "gaussian_quantiles") population.anchors = gaussian_quantiles(n, spread);
  if (kind == "even") population.anchors = evenly_spaced(n, spread, draws.angles);
  if (kind == "two_camps") population.anchors = two_camps(n, spread);
  if (kind == "normal" || kind == "groups") population.anchors = drawn(n, d, normal);
  if (kind == "uniform")
    population.anchors = drawn(n, d, [&](std::uint64_t k) { return spread * (2 * anchors.uniform(k) - 1); });
  if (kind == "two_opinions") population.anchors = two_opinions(n, config.real("start.share"), anchors);
  if (kind == "several_opinions")
    population.anchors = several_opinions(n, config.integer("start.opinions"), spread, anchors);
  if (kind == "labelled") start_labelled(config, draws.known, population);
  if (kind != "groups") return;
  for (Index i = 0; i < n; ++i) population.anchors(i, 0) += group_centre(config, population, i);
}

}  // namespace

Population make_population(const Config& config, const PopulationFiles* files, const PopulationDraws& draws) {
  const std::string& network = config.text("network.kind");
  const bool needs_files = network == "karate" || network == "edges" || config.text("start.kind") == "file";
  require(!needs_files || files != nullptr,
          "opinion: the network or start.file was not opened; pass to run() what open() ", "returns.");
  Population population;
  add_network(config, files, draws, population);
  add_start(config, files, draws, population);
  return population;
}

Population make_population(const Config& config, const PopulationFiles* files, const Random& random) {
  PopulationDraws draws;
  draws.agents = static_cast<Index>(config.integer("agents.count"));
  draws.network = Random(static_cast<std::uint64_t>(config.integer("network.seed"))).stream("network");
  draws.anchors = random.stream("anchors");
  draws.known = random.stream("known");
  return make_population(config, files, draws);
}

Values agent_names(const std::vector<std::string>& names, const std::vector<std::int64_t>& agents) {
  bool named = false;
  for (std::size_t i = 0; i < names.size() && !named; ++i) named = names[i] != std::to_string(i);
  if (!named) return agents;
  std::vector<std::string> shown;
  for (const std::int64_t agent : agents) shown.push_back(names[agent]);
  return shown;
}

double opinion_limit(const Config& config, const Population& population) {
  const double given = config.real("record.limit");
  if (given > 0) return given;
  const std::string& kind = config.text("start.kind");
  const double spread = config.real("start.spread");
  if (kind == "uniform" || kind == "even" || kind == "two_camps" || kind == "several_opinions") return 1.05 * spread;
  if (kind == "labelled" || kind == "two_opinions") return 1.05;
  if (kind == "groups") return config.real("start.separation") + kNormalReach * spread;
  if (kind != "file") return kNormalReach * spread;
  const double largest = population.anchors.cwiseAbs().maxCoeff();
  return largest > 0 ? 1.05 * largest : 1.0;
}

}  // namespace fovea::opinion::society
