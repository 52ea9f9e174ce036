#pragma once
/// What agents bring of their own, from a table; bots and media.

#include <string>
#include <vector>

#include "fovea/core/config/keys.hpp"
#include "fovea/domains/opinion/society/agents.hpp"

namespace fovea::opinion::society {

/// What stands in for an empty cell.
struct AgentDefaults {
  double stubbornness = 0;
  double temperature = 1;
  double confidence = 0.2;
};

/// A number that formulas read by a name of the config's own, from a column of start.file.
struct OwnColumn {
  std::string name, column;
};
/// Those of formula.parameters, in their order.
const Keys<OwnColumn>& own_column_keys();
std::vector<OwnColumn> own_columns(const Config& config);

/// What a table says of each agent; empty where it has no such column, NaN in an empty cell.
struct Traits {
  std::vector<double> stubbornness, temperature, confidence, reach;
  std::vector<std::uint8_t> counted;     ///< 0: a bot or a medium
  std::vector<std::vector<double>> own;  ///< of each OwnColumn; every cell has a number
};

/// Reads what the table has columns for: stubbornness, temperature, confidence, reach and kind, and those of `own`,
/// beside node and the opinions, which open_population() reads. The column node holds each name once, in any order.
/// kind is agent (the default), bot or medium: a bot and a medium are heard but do not count, and their stubbornness is
/// 1 where the table gives none. Throws DataError with file, row and column.
Traits read_traits(const std::string& path, const std::vector<std::string>& names,
                   const std::vector<OwnColumn>& own = {});

/// The columns of numbers that a table may have of agents: stubbornness, temperature, confidence, reach.
std::vector<std::string> trait_columns();
/// Those of them with a value in any row. Not stubbornness: a kind gives one as well.
std::vector<std::string> given_traits(const Traits& traits);

/// Gives them to the agents, with the default (reach: 1) for an empty cell.
void add_traits(const Traits& traits, const AgentDefaults& defaults, Agents& agents);

/// Appends agents who are heard, never move and do not count: `each` at every one of the opinions (one component).
void add_bots(Agents& agents, const std::vector<double>& opinions, Index each, double reach,
              const AgentDefaults& defaults);

}  // namespace fovea::opinion::society
