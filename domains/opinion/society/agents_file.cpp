#include "fovea/domains/opinion/society/agents_file.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::opinion::society {

namespace {

/// One column of numbers that may be there.
struct Trait {
  const char* name;
  const char* range;
  bool (*allowed)(double);
  std::vector<double> dynamics::Agents::*values;
  double fallback;
};

bool above_zero(double value) { return value > 0 && std::isfinite(value); }
bool zero_or_more(double value) { return value >= 0 && std::isfinite(value); }
bool within_one(double value) { return value >= 0 && value <= 1; }

/// 0 for those who do not count.
std::uint8_t counts(const datasets::text::CsvReader& table, std::size_t column) {
  const std::string_view kind = datasets::text::trimmed(table.text(column));
  if (kind.empty() || kind == "agent") return 1;
  if (kind != "bot" && kind != "medium")
    table.refuse(column, concat("kind = '", kind, "', but must be agent, bot or medium."));
  return 0;
}

std::unordered_map<std::string_view, std::size_t> numbered(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> number;
  for (std::size_t i = 0; i < names.size(); ++i) number.emplace(names[i], i);
  return number;
}

void read_trait(const datasets::text::CsvReader& table, const Trait& trait, bool counted, std::size_t agent,
                dynamics::Agents& agents) {
  const std::size_t column = table.column(trait.name);
  const bool stubborn = trait.values == &dynamics::Agents::stubbornness;
  double value = stubborn && !counted ? 1.0 : trait.fallback;
  if (!table.empty(column)) value = table.number(column);
  if (!trait.allowed(value))
    table.refuse(column, concat(trait.name, " = ", value, ", but must be ", trait.range, "; leave the cell empty for ",
                                stubborn ? "the model's." : "the usual."));
  (agents.*trait.values)[agent] = value;
}

}  // namespace

void read_traits(const std::string& path, const std::vector<std::string>& names, const AgentDefaults& defaults,
                 dynamics::Agents& agents) {
  const Trait traits[] = {
      {"stubbornness", "in [0, 1]", &within_one, &dynamics::Agents::stubbornness, defaults.stubbornness},
      {"temperature", "> 0", &above_zero, &dynamics::Agents::temperature, defaults.temperature},
      {"confidence", "> 0", &above_zero, &dynamics::Agents::confidence, defaults.confidence},
      {"reach", ">= 0", &zero_or_more, &dynamics::Agents::reach, 1}};
  datasets::text::CsvReader table(path);
  const auto n = static_cast<std::size_t>(agents.count());
  const std::size_t node = table.column("node");
  const bool has_kinds = table.has("kind");
  const auto number = numbered(names);
  const auto wanted = [&](const Trait& trait) {
    return table.has(trait.name) || (has_kinds && trait.values == &dynamics::Agents::stubbornness);
  };
  for (const Trait& trait : traits)
    if (wanted(trait)) (agents.*trait.values).assign(n, trait.fallback);
  if (has_kinds) agents.counted.assign(n, 1);
  while (table.next()) {
    const auto found = number.find(table.text(node));
    if (found == number.end()) table.refuse(node, concat("there is no agent '", table.text(node), "'."));
    const std::size_t i = found->second;
    if (has_kinds) {
      agents.counted[i] = counts(table, table.column("kind"));
      if (agents.counted[i] == 0) agents.stubbornness[i] = 1;
    }
    for (const Trait& trait : traits)
      if (table.has(trait.name)) read_trait(table, trait, !has_kinds || agents.counted[i] != 0, i, agents);
  }
  if (has_kinds && std::find(agents.counted.begin(), agents.counted.end(), 1) == agents.counted.end())
    throw DataError(concat(path, ": all are bots or media; somebody must be an agent."));
  for (const double g : agents.reach)
    if (g > 0) return;
  if (!agents.reach.empty()) throw DataError(concat(path, ": every reach is 0, so nobody is heard; give some > 0."));
}

void add_bots(dynamics::Agents& agents, const std::vector<double>& opinions, Index each, double reach,
              const AgentDefaults& defaults) {
  const Index before = agents.count(), added = static_cast<Index>(opinions.size()) * each;
  if (added == 0) return;
  require(agents.start.cols() == 1, "add_bots: opinions have ", agents.start.cols(),
          " components, but bots with one number as their opinion need 1; give them in a file.");
  agents.start.conservativeResize(before + added, 1);
  for (Index k = 0; k < added; ++k) agents.start(before + k, 0) = opinions[static_cast<std::size_t>(k / each)];
  const auto n = static_cast<std::size_t>(before), all = static_cast<std::size_t>(before + added);
  const auto extend = [&](std::vector<double>& values, double usual, double of_bots, bool needed) {
    if (values.empty() && !needed) return;
    if (values.empty()) values.assign(n, usual);
    values.resize(all, of_bots);
  };
  extend(agents.stubbornness, defaults.stubbornness, 1, true);
  extend(agents.temperature, defaults.temperature, defaults.temperature, false);
  extend(agents.confidence, defaults.confidence, defaults.confidence, false);
  extend(agents.reach, 1, reach, true);
  if (agents.counted.empty()) agents.counted.assign(n, 1);
  agents.counted.resize(all, 0);
}

}  // namespace fovea::opinion::society
