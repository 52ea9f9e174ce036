#pragma once
/// Random networks, undirected and simple (no self loops, no double edges), in O(nodes + edges). Equal random streams
/// give equal networks. Edges are listed as (lower node, higher node), ascending.

#include <array>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::opinion::society {

using Edge = std::array<Index, 2>;

/// Erdos and Renyi (Gilbert 1959, G(n, p)) with p = mean_degree / (nodes - 1), by geometric skips (Batagelj and Brandes
/// 2005). nodes >= 2; mean_degree in [0, nodes - 1].
std::vector<Edge> erdos_renyi(Index nodes, double mean_degree, const Random& random);

/// Barabasi and Albert (1999): a complete graph of links + 1 nodes, then each new node links to `links` different older
/// ones with probability proportional to their degree. Exactly links (links + 1) / 2 + (nodes - links - 1) links edges.
/// 1 <= links < nodes.
std::vector<Edge> barabasi_albert(Index nodes, Index links, const Random& random);

/// Watts and Strogatz (1998): a ring where each node knows its `neighbours` nearest (even), then the far end of each
/// edge is moved with probability rewiring to a node chosen evenly among the permitted ones. nodes * neighbours / 2
/// edges; clustering at rewiring = 0: 3 (k - 2) / (4 (k - 1)). 2 <= neighbours < nodes; rewiring in [0, 1].
std::vector<Edge> watts_strogatz(Index nodes, Index neighbours, double rewiring, const Random& random);

/// Stochastic block model (Holland, Laskey, Leinhardt 1983): blocks of (nearly) equal size, nodes 0.. in block 0 first.
/// within, between: expected number of neighbours inside one's block and in all others together. The blocks have at
/// least two nodes; the degrees must not exceed the number of candidates.
std::vector<Edge> block_model(Index nodes, Index blocks, double within, double between, const Random& random);

/// The block of each node in block_model(): node * blocks / nodes.
std::vector<Index> block_of_nodes(Index nodes, Index blocks);

/// All functions throw ArgumentError where an argument is out of its range.

}  // namespace fovea::opinion::society
