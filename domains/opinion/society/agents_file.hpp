#pragma once
/// What agents bring of their own, from a table; bots and media.

#include <string>
#include <vector>

#include "fovea/domains/opinion/dynamics/dynamics.hpp"

namespace fovea::opinion::society {

/// What stands in for an empty cell.
struct AgentDefaults {
  double stubbornness = 0;
  double temperature = 1;
  double confidence = 0.2;
};

/// Fills what the table has columns for: stubbornness, temperature, confidence, reach and kind, beside node and the
/// opinions, which read_start() reads. The column node holds each name once, in any order; agents.start is there
/// already, one row a name. kind is agent (the default), bot or medium: a bot and a medium are heard but do not count,
/// and their stubbornness is 1 where the table gives none. An empty cell means the default (reach: 1).
/// Throws DataError with file, row and column.
void read_traits(const std::string& path, const std::vector<std::string>& names, const AgentDefaults& defaults,
                 dynamics::Agents& agents);

/// Appends agents who are heard, never move and do not count: `each` at every one of the opinions (one component).
void add_bots(dynamics::Agents& agents, const std::vector<double>& opinions, Index each, double reach,
              const AgentDefaults& defaults);

}  // namespace fovea::opinion::society
