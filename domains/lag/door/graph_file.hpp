#pragma once
/// The graph of significant links as a file for programs that draw and measure graphs.

#include <string>
#include <vector>

#include "fovea/core/data/dataset.hpp"
#include "fovea/domains/lag/door/link_rows.hpp"

namespace fovea::lag::door {

enum class GraphFormat { graphml, dot };

/// What --export says, before anything is run. Throws UsageError where the name ends neither in .graphml nor in .dot
/// or .gv, and where its folder is not there or cannot be written to.
GraphFormat graph_format_of(const std::string& path);

struct GraphNode {
  std::string name;  ///< any text; what XML cannot hold becomes the replacement character
  std::string unit;  ///< empty: not known
};

/// Nodes n0, n1, ... labelled with their names; edges between series with lag (in lag_unit), lag_steps, lag_unit,
/// strength, p, q, log10_p, log10_q, promised (true or false) and, where known, effect_size and effect_unit. Own pasts
/// are left out. An edge within a step without direction is undirected: edge.directed = false in GraphML, dir = none in
/// DOT. Numbers read back to the same bits; one that is not finite is left out.
///
/// GraphML: Brandes et al. 2002, graphml.graphdrawing.org. DOT: graphviz.org/doc/info/lang.html; of quoted texts the
/// quote and the backslash are escaped, and a line's end is \n.
struct LinkGraphFile {
  std::vector<GraphNode> nodes;
  std::vector<LinkRow> links;  ///< their times in lag_unit
  std::string lag_unit;        ///< "steps" where the times have none
};
std::string graphml_of(const LinkGraphFile& graph);
std::string dot_of(const LinkGraphFile& graph);

/// Of a result of lag.discover: its significant links.
LinkGraphFile graph_of(const Dataset& data);

/// Writes the file whole or not at all. Throws StorageError.
void export_graph(const Dataset& data, const std::string& path);

}  // namespace fovea::lag::door
