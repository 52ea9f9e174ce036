#include "fovea/domains/opinion/society/population.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"

namespace fovea::opinion::society {

namespace {

constexpr double kNormalReach = 4.0;  // histograms show this many standard deviations

std::vector<Edge> random_edges(const NetworkSettings& network, Index n, const Random& random) {
  if (network.kind == NetworkKind::erdos_renyi) return erdos_renyi(n, network.mean_degree, random);
  if (network.kind == NetworkKind::barabasi_albert) return barabasi_albert(n, network.links, random);
  if (network.kind == NetworkKind::watts_strogatz)
    return watts_strogatz(n, static_cast<Index>(network.mean_degree), network.rewiring, random);
  return block_model(n, network.blocks, network.within, network.between, random);
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

void generate_network(const NetworkSettings& network, Index n, const Random& random, Population& population) {
  population.graph = std::make_shared<const Graph>(Graph{n, random_edges(network, n, random), {}});
  population.names = numbered_names(n);
  if (network.kind != NetworkKind::block_model) return;
  population.side = block_of_nodes(n, network.blocks);
  for (Index block = 0; block < network.blocks; ++block) population.labels.push_back(concat("block ", block));
}

void add_network(const PopulationSettings& settings, const PopulationFiles* files, const PopulationDraws& draws,
                 Population& population) {
  if (settings.network.kind == NetworkKind::none) return;
  if (settings.network.is_drawn()) {
    const Index n = settings.start.kind == StartKind::file ? files->anchors.rows() : draws.agents;
    return generate_network(settings.network, n, draws.network, population);
  }
  static_cast<PopulationFiles&>(population) = *files;
  if (!population.labels.empty()) number_labels(population);
}

// Starting opinions.

/// Of `n` agents those of a part.
Matrix<double> gaussian_quantiles(Index n, RankPart part, double spread) {
  Matrix<double> anchors(part.count, 1);
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < part.count; ++i)
    anchors(i, 0) = spread * normal_quantile((static_cast<double>(part.first + i) + 0.5) / static_cast<double>(n));
  return anchors;
}

/// From -spread to spread; on the circle as far from the first to the last as between neighbours.
Matrix<double> evenly_spaced(Index n, RankPart part, double spread, bool angles) {
  Matrix<double> anchors(part.count, 1);
  for (Index i = 0; i < part.count; ++i) {
    const auto number = static_cast<double>(part.first + i);
    const double share = angles ? (number + 0.5) / static_cast<double>(n) : number / static_cast<double>(n - 1);
    anchors(i, 0) = spread * (2 * share - 1);
  }
  return anchors;
}

/// The first half at -spread, the others at spread.
Matrix<double> two_camps(Index n, RankPart part, double spread) {
  Matrix<double> anchors = Matrix<double>::Constant(part.count, 1, spread);
  anchors.topRows(std::clamp<Index>((n + 1) / 2 - part.first, 0, part.count)).setConstant(-spread);
  return anchors;
}

template <typename Draw>
Matrix<double> drawn(RankPart part, Index components, const Draw& draw) {
  Matrix<double> anchors(part.count, components);
#pragma omp parallel for schedule(static)
  for (Index k = 0; k < anchors.size(); ++k)
    anchors.data()[k] = draw(static_cast<std::uint64_t>(part.first * components + k));
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
  return drawn({0, n}, 1, [&](std::uint64_t k) {
    const double rank = static_cast<double>(random.below(static_cast<std::uint64_t>(opinions), k));
    return spread * (2 * rank / last - 1);
  });
}

double group_centre(double separation, const Population& population, Index agent) {
  const auto groups = static_cast<double>(population.labels.size());
  const Index side = population.side[agent];
  const double share = groups > 1 && side >= 0 ? static_cast<double>(side) / (groups - 1) : 0.5;
  return separation * (2 * share - 1);
}

/// A value that does not suit the network that was read: the place of its key first.
template <typename... Parts>
void require_fit(bool holds, const Source& place, const Parts&... sentence) {
  if (!holds) throw ConfigError(concat(place.text(), ": ", sentence...));
}

/// The first `count` of a side by degree (ties by number) or in random order.
std::vector<Index> choose_known(const StartSettings& start, const Population& population, const Random& random,
                                Index side) {
  std::vector<Index> members;
  for (Index i = 0; i < population.graph->nodes; ++i)
    if (population.side[i] == side) members.push_back(i);
  const std::vector<Index> degree = degrees(*population.graph);
  const auto key = [&](Index i) {
    return start.known_by_degree ? -static_cast<double>(degree[i]) : random.uniform(static_cast<std::uint64_t>(i));
  };
  std::stable_sort(members.begin(), members.end(), [&](Index a, Index b) { return key(a) < key(b); });
  const std::size_t count = start.known_per_side;
  require_fit(count <= members.size(), start.per_side_place, "start.known_per_side = ", count,
              ", but must be <= ", members.size(), ", the members of the side '", population.labels[side], "'.");
  members.resize(count);
  return members;
}

void start_labelled(const StartSettings& start, const Random& random, Population& population) {
  require_fit(population.labels.size() == 2, start.kind_place,
              "start.kind = \"labelled\" needs a network with 2 label groups, ",
              "one for -1 and one for +1; this one has ", population.labels.size(), ".");
  const Index n = population.graph->nodes;
  std::vector<Index> known;
  for (const std::int64_t node : start.known_nodes) {
    require_fit(node < n, start.nodes_place, "start.known_nodes has ", node, ", but the network has the nodes 0 to ",
                n - 1, ".");
    require_fit(population.side[node] >= 0, start.nodes_place, "start.known_nodes has ", node,
                ", but that node has no label; choose a labelled node.");
    known.push_back(static_cast<Index>(node));
  }
  for (const Index side : {Index{0}, Index{1}})
    for (const Index node : choose_known(start, population, random, side)) known.push_back(node);
  population.anchors = Matrix<double>::Zero(n, 1);
  population.known.assign(n, 0);
  for (const Index node : known) {
    const std::size_t i = node;
    population.anchors(node, 0) = population.side[i] == 1 ? 1.0 : -1.0;
    population.known[i] = 1;
    population.stubbornness[i] = start.known_stubbornness;
  }
}

/// On the line or, of random starts, in as many components as there are.
Matrix<double> drawn_anchors(const PopulationSettings& settings, Index n, const PopulationDraws& draws) {
  const StartSettings& start = settings.start;
  const Random& random = draws.anchors;
  const RankPart part = draws.part.value_or(RankPart{0, n});
  switch (start.kind) {
    case StartKind::gaussian_quantiles:
      return gaussian_quantiles(n, part, start.spread);
    case StartKind::even:
      return evenly_spaced(n, part, start.spread, draws.angles);
    case StartKind::two_camps:
      return two_camps(n, part, start.spread);
    case StartKind::two_opinions:
      return two_opinions(n, start.share, random);
    case StartKind::several_opinions:
      return several_opinions(n, start.opinions, start.spread, random);
    case StartKind::uniform:
      return drawn(part, settings.components,
                   [&](std::uint64_t k) { return start.spread * (2 * random.uniform(k) - 1); });
    default:
      return drawn(part, settings.components, [&](std::uint64_t k) { return start.spread * random.normal(k); });
  }
}

void add_start(const PopulationSettings& settings, const PopulationFiles* files, const PopulationDraws& draws,
               Population& population) {
  const StartSettings& start = settings.start;
  const bool of_file = start.kind == StartKind::file;
  if (of_file && !population.graph) population.names = files->names;
  const Index n = population.graph ? population.graph->nodes : of_file ? files->anchors.rows() : draws.agents;
  if (start.kind == StartKind::labelled) {
    population.stubbornness.assign(n, settings.stubbornness);
    return start_labelled(start, draws.known, population);
  }
  population.anchors = of_file ? files->anchors : drawn_anchors(settings, n, draws);
  if (start.kind != StartKind::groups) return;
  for (Index i = 0; i < n; ++i) population.anchors(i, 0) += group_centre(start.separation, population, i);
}

}  // namespace

Population make_population(const PopulationSettings& settings, const PopulationFiles* files,
                           const PopulationDraws& draws) {
  require(!settings.is_read() || files != nullptr,
          "opinion: the network or start.file was not opened; pass to run() what open() ", "returns.");
  Population population;
  add_network(settings, files, draws, population);
  add_start(settings, files, draws, population);
  return population;
}

Population make_population(const PopulationSettings& settings, const PopulationFiles* files, const Random& random,
                           const Ranks& ranks) {
  PopulationDraws draws;
  draws.agents = settings.agents;
  if (!ranks.alone()) draws.part = rank_part(settings.agents, ranks);
  draws.network = Random(static_cast<std::uint64_t>(settings.network.seed)).stream("network");
  draws.anchors = random.stream("anchors");
  draws.known = random.stream("known");
  return make_population(settings, files, draws);
}

Values agent_names(const std::vector<std::string>& names, const std::vector<std::int64_t>& agents) {
  bool named = false;
  for (std::size_t i = 0; i < names.size() && !named; ++i) named = names[i] != std::to_string(i);
  if (!named) return agents;
  std::vector<std::string> shown;
  for (const std::int64_t agent : agents) shown.push_back(names[agent]);
  return shown;
}

double opinion_limit(const PopulationSettings& settings, const Population& population) {
  const StartSettings& start = settings.start;
  if (settings.limit > 0) return settings.limit;
  if (start.kind == StartKind::labelled || start.kind == StartKind::two_opinions) return 1.05;
  if (start.kind == StartKind::groups) return start.separation + kNormalReach * start.spread;
  if (start.kind == StartKind::normal || start.kind == StartKind::gaussian_quantiles)
    return kNormalReach * start.spread;
  if (start.kind != StartKind::file) return 1.05 * start.spread;
  const double largest = population.anchors.cwiseAbs().maxCoeff();
  return largest > 0 ? 1.05 * largest : 1.0;
}

}  // namespace fovea::opinion::society
