#pragma once
/// Zachary's karate club: who met whom outside of the club, and on which side each member stood when it split.

#include "fovea/datasets/network/network.hpp"

namespace fovea::datasets::network {

/// 34 members, 78 undirected edges; weight = in how many of eight contexts two members met. Member 0 is the instructor
/// (Mr. Hi), 33 the administrator (John A., the officer). labels["club"]: "Mr. Hi" or "Officer", the club each member
/// joined after the split, 17 and 17.
/// W. W. Zachary, An information flow model for conflict and fission in small groups, J. Anthropol. Res. 33 (1977)
/// 452-473: Figure 1 (edges), Figure 3 (weights), Table 3 (clubs); numbered from 0, as is common since. Facts as
/// published; python3-networkx 2.8.8 holds the same, and a test compares the two.
Network karate_club();

}  // namespace fovea::datasets::network
