#pragma once
/// Who takes part: anchors, stubbornness, the network and what is really known about its members.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/core/data/dataset.hpp"
#include "fovea/core/data/finding.hpp"
#include "fovea/core/ranks/ranks.hpp"
#include "fovea/domains/opinion/society/graph.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::society {

/// The parts of a population that come from files.
struct PopulationFiles {
  Matrix<double> anchors;              ///< N x D; of start.kind = "file": in the order of names
  std::shared_ptr<const Graph> graph;  ///< shared by the points of a sweep; none: everybody hears everybody
  std::vector<std::string> names;      ///< of the network's nodes; without one, of the rows of start.file
  std::vector<std::string> labels;     ///< one for each node, "" unknown; empty when the network has none
  std::vector<Finding> findings;       ///< what the files are, and what of them is not used
  std::vector<std::string> notes;      ///< what of an edge list is not used or lost its direction, how files were read
};

/// The names of the nodes of a network that is generated: 0, 1, ...
std::vector<std::string> numbered_names(Index nodes);

/// What the config names: nullptr where that is nothing. Asks for the keys that reading needs alone. Edges keep their
/// weights where network.use_weights says so. start.file is a table with a header and the columns node, opinion (or
/// node, opinion_1, opinion_2, ...): as many opinions as model.components. A column that nothing reads is refused. With
/// a network each of its nodes must be there once, by name and in any order, and beside an edge list nodes without
/// edges; without one the rows are the agents. Throws DataError with file and line.
std::shared_ptr<const PopulationFiles> open_population(const Config& config);

/// labels: the label groups, sorted.
struct Population : PopulationFiles {
  std::vector<double> stubbornness;  ///< N; empty unless start.kind = "labelled": all as the settings say
  std::vector<Index> side;           ///< the label group of each node, numbered as labels; -1 unknown; may be empty
  std::vector<std::uint8_t> known;   ///< 1: opinion known from its label; empty unless start.kind = "labelled"
  Index agents() const { return anchors.rows(); }
};

/// How many agents there are where no file brings them, and the random numbers of what is drawn.
struct PopulationDraws {
  Index agents = 0;
  Random network{0}, anchors{0}, known{0};
  bool angles = false;             ///< opinions on the circle: evenly spaced ones leave as wide a gap between the ends
  std::optional<RankPart> part{};  ///< of the agents, whose start alone is wanted; without network and files
};

/// Takes the network and the starting opinions from what was opened (open_population()), or generates them; files:
/// nullptr where the settings name none. Throws ConfigError for values that the network cannot have.
Population make_population(const PopulationSettings& settings, const PopulationFiles* files,
                           const PopulationDraws& draws);

/// With agents.count agents, of which each rank has its part, a network by network.seed, and the streams "anchors" and
/// "known" of random.
Population make_population(const PopulationSettings& settings, const PopulationFiles* files, const Random& random,
                           const Ranks& ranks = alone());

/// Some agents as people know them: by their names, by number where these are 0, 1, ... or there are none.
Values agent_names(const std::vector<std::string>& names, const std::vector<std::int64_t>& agents);

/// Half the width of the range that histograms show: wide enough for (nearly) all starting opinions, the same for every
/// seed. Outside values are counted in the last bin on their side.
double opinion_limit(const PopulationSettings& settings, const Population& population);

}  // namespace fovea::opinion::society
