#pragma once
/// The parts of a population that come from files.

#include <memory>

#include "fovea/core/config/config.hpp"
#include "fovea/domains/opinion/society/population.hpp"

namespace fovea::opinion::society {

struct PopulationFiles {
  std::shared_ptr<const Graph> graph;  ///< of network.kind = "karate" or "edges"
  std::vector<std::string> names;      ///< of the network's nodes; without one, of the rows of start.file
  std::vector<std::string> labels;     ///< one for each node, "" unknown; empty when the network has none
  std::string left_out;                ///< what of an edge list is not used, as a sentence; empty if all is
  std::string symmetrised;             ///< what of an edge list lost its direction, as a sentence; empty for nothing
  std::vector<Finding> findings;       ///< what the files are, and what of them is not used
  std::string letters;                 ///< how the files were read, as sentences, such as letters taken for Latin-1
  std::size_t isolated = 0;            ///< agents of start.file without an edge, behind the network's own
  Matrix<double> anchors;              ///< of start.kind = "file": N x D, in the order of names
};

/// The names of the nodes of a network that is generated: 0, 1, ...
std::vector<std::string> numbered_names(Index nodes);

/// What the config names: nullptr where that is nothing. Asks for the keys that reading needs alone. Edges keep their
/// weights where network.use_weights says so. start.file is a table with a header and the columns node, opinion (or
/// node, opinion_1, opinion_2, ...): as many opinions as model.components. A column that nothing reads is refused. With
/// a network each of its nodes must be there once, by name and in any order, and beside an edge list nodes without
/// edges; without one the rows are the agents. Throws DataError with file and line.
std::shared_ptr<const PopulationFiles> open_population(const Config& config);

}  // namespace fovea::opinion::society
