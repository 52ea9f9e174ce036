#pragma once
/// Who takes part: anchors, stubbornness, the network and what is really known about its members.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/core/data/dataset.hpp"
#include "fovea/core/data/finding.hpp"
#include "fovea/domains/opinion/society/graph.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::society {

struct Population {
  Matrix<double> anchors;              ///< N x D
  std::vector<double> stubbornness;    ///< N
  std::shared_ptr<const Graph> graph;  ///< shared by the points of a sweep; none: everybody hears everybody
  std::vector<std::string> names;      ///< of the nodes; empty without a network
  std::vector<Index> side;             ///< the label group of each node, numbered as labels; -1 unknown; may be empty
  std::vector<std::string> labels;     ///< the label groups, sorted
  std::vector<std::uint8_t> known;     ///< 1: opinion known from its label; empty unless start.kind = "labelled"
  std::string left_out;                ///< what of an edge list is not used, as a sentence; empty if all is
  std::string symmetrised;             ///< what of it lost its direction, as a sentence; empty for nothing
  std::vector<Finding> findings;       ///< what the files are, and what of them is not used
  std::string letters;                 ///< how the files were read, as sentences, such as letters taken for Latin-1
  std::size_t isolated = 0;            ///< agents of start.file without an edge
  Index agents() const { return anchors.rows(); }
};

struct PopulationFiles;

/// How many agents there are where no file brings them, and the random numbers of what is drawn.
struct PopulationDraws {
  Index agents = 0;
  Random network{0}, anchors{0}, known{0};
  bool angles = false;  ///< opinions on the circle: evenly spaced ones leave as wide a gap between the ends
};

/// Takes the network and the starting opinions from what was opened (open_population()), or generates them; files:
/// nullptr where the settings name none. Throws ConfigError for values that the network cannot have.
Population make_population(const PopulationSettings& settings, const PopulationFiles* files,
                           const PopulationDraws& draws);

/// With agents.count agents, a network by network.seed, and the streams "anchors" and "known" of random.
Population make_population(const PopulationSettings& settings, const PopulationFiles* files, const Random& random);

/// Some agents as people know them: by their names, by number where these are 0, 1, ... or there are none.
Values agent_names(const std::vector<std::string>& names, const std::vector<std::int64_t>& agents);

/// Half the width of the range that histograms show: wide enough for (nearly) all starting opinions, the same for every
/// seed. Outside values are counted in the last bin on their side.
double opinion_limit(const PopulationSettings& settings, const Population& population);

}  // namespace fovea::opinion::society
