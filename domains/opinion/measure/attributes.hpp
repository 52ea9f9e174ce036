#pragma once
/// What the attributes of a graph document say of its nodes: their sides and their opinions.

#include <optional>
#include <string>
#include <vector>

#include "fovea/datasets/network/network.hpp"
#include "fovea/domains/opinion/survey/answers.hpp"

namespace fovea::opinion::measure {

/// What is read of a network; members with a key have its default.
struct NetworkPlan {
  std::string edges;         ///< file; empty: Zachary's club, where there is no table either
  bool use_weights = false;  ///< edges count by their weight
  std::string relation;      ///< only edges of this one; empty: all
  std::string node = "node",
              side;  ///< columns of the table; side: or an attribute, empty: recognised, "none": there is none
  std::string neutral = "auto";      ///< opinion between two sides, or auto
  Index hubs = 10;                   ///< 0: no random walks
  std::string file;                  ///< the table
  std::string value;                 ///< attribute of opinions; empty: by its name
  std::vector<std::string> missing;  ///< numbers and words that mark missing opinions
  std::string scale;                 ///< its two ends; empty: not given
};

/// The names of the attributes.
std::vector<std::string> attributes_of(const datasets::network::Network& network);

/// The side of each node, "" where none is known, by the attribute that is asked for (plan.side) or called so, or
/// the only one that takes 2 to 10 values. Empty where there is none. opinion: an attribute that holds opinions, "" for
/// none. unread: all others. Throws DataError for an attribute that is not there.
std::vector<std::string> sides_of_attributes(const NetworkPlan& plan, const datasets::network::Network& network,
                                             const std::string& opinion, std::vector<std::string>& notes,
                                             std::vector<std::string>& unread);

/// Opinions by the attribute plan.value, or the one that is called opinion, with the sides; nothing where there is
/// none. Throws DataError for an attribute that is not there or holds words.
std::optional<survey::Answers> answers_of_attributes(const NetworkPlan& plan,
                                                     const datasets::network::Network& network);

}  // namespace fovea::opinion::measure
