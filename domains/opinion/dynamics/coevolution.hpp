#pragma once
/// Who changes whom one hears: rewiring moves edges of the network, a feed recommends others in each step. Both go with
/// the models that know them (knows_rewiring(), knows_feed()), and their equations stand in models.md.

#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/domains/opinion/dynamics/rules.hpp"

namespace fovea::opinion::dynamics {

struct ModelEntry;
struct ModelSettings;

/// An edge of an agent is cut, and the agent takes another neighbour in its place: the number of edges stays.
/// When, by model: models.md, "Networks that change".
/// Bots and media keep their edges. Where no other agent can be had the edge stays.
struct Rewiring {
  double probability = 0;  ///< phi, w or q in [0, 1]; 0: the network stays as it is
  double tolerance = 0;    ///< edges between opinions further apart are cut; 0: the model's confidence; voters: any
                           ///< difference
  bool any = false;        ///< voters: any edge may be cut, also between equal opinions (Holme & Newman)
  bool multiple = false;   ///< voters: an edge may be moved to a neighbour once more (Holme & Newman)
  /// Who comes instead, among those who are no neighbours yet. alike: evenly among those within the tolerance (voters:
  /// of the same opinion); random: evenly; friends_of_friends: a neighbour of a neighbour, both drawn evenly;
  /// recommended (models that hear): with p ~ max(distance, floor)^-homophily of the feed.
  std::string to = "alike";
};

/// Recommended agents are heard beside oneself and one's neighbours:
///   p(j | i) ~ max(|x_i - x_j|, floor)^-homophily,  j != i,  `size` independent draws in each step,
///   h_i = sum_j w_ij x_j,  w_ij ~ W_ij exp(score_ij / T_i),  W_ij = (1 - share) W'_ij / sum_k |W'_ik| + share n_ij /
///   size
/// n_ij: how often j was drawn, W' the network's weights and one's own (without a network: one's own alone).
struct Feed {
  Index size = 0;               ///< agents drawn for each agent in each step; 0: no feed
  double share = 0.5;           ///< of the weight that the recommended have together, in (0, 1]
  double homophily = 1;         ///< exponent >= 0; 0: all alike
  double distance_floor = 0.1;  ///< smaller distances count as this one, > 0
};

/// Whether agents of such a model can move their edges: voters, pairs drawn from all edges alike, and who hears on the
/// line or in space. (Of formulas: unless they are of pairs.)
bool knows_rewiring(const Rule& rule);
/// What the rewiring and the feed of a run do, as sentences; none without them.
std::vector<std::string> coevolution_notes(const ModelEntry& entry, const ModelSettings& settings);
/// Whether agents of such a model hear whom a feed recommends.
bool knows_feed(const Rule& rule);

}  // namespace fovea::opinion::dynamics
