#pragma once
/// What the attributes of a graph document say of its nodes: their sides and their opinions.

#include <optional>
#include <string>
#include <vector>

#include "fovea/core/config/config.hpp"
#include "fovea/datasets/network/network.hpp"
#include "fovea/domains/opinion/survey/answers.hpp"

namespace fovea::opinion::measure {

/// The names of the attributes.
std::vector<std::string> attributes_of(const datasets::network::Network& network);

/// The side of each node, "" where none is known, by the attribute that is asked for (sides.column) or called so, or
/// the only one that takes 2 to 10 values. Empty where there is none. opinion: an attribute that holds opinions, "" for
/// none. Throws DataError for an attribute that is not there.
std::vector<std::string> sides_of_attributes(const Config& config, const datasets::network::Network& network,
                                             const std::string& opinion, std::vector<std::string>& notes);

/// Opinions by the attribute data.value, or the one that is called opinion, with the sides; nothing where there is
/// none. Throws DataError for an attribute that is not there or holds words.
std::optional<survey::Answers> answers_of_attributes(const Config& config, const datasets::network::Network& network);

}  // namespace fovea::opinion::measure
