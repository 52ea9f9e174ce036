#include "fovea/domains/opinion/society/agents_file.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/datasets/series/dialect.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::opinion::society {

namespace {

/// One column of numbers that may be there.
struct Trait {
  const char* name;
  const char* range;
  bool (*allowed)(double);
  std::vector<double> Traits::*values;
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

constexpr Trait kTraits[] = {{"stubbornness", "in [0, 1]", &within_one, &Traits::stubbornness},
                             {"temperature", "> 0", &above_zero, &Traits::temperature},
                             {"confidence", "> 0", &above_zero, &Traits::confidence},
                             {"reach", ">= 0", &zero_or_more, &Traits::reach}};

void read_trait(const datasets::text::CsvReader& table, const datasets::text::CsvOptions& dialect, const Trait& trait,
                std::size_t agent, Traits& traits) {
  const std::size_t column = table.column(trait.name);
  const double value = datasets::series::number_of(table, column, dialect);
  if (std::isnan(value)) return;
  if (!trait.allowed(value))
    table.refuse(column, concat(trait.name, " = ", value, ", but must be ", trait.range, "; leave the cell empty for ",
                                trait.values == &Traits::stubbornness ? "the model's." : "the default."));
  (traits.*trait.values)[agent] = value;
}

void read_own(const datasets::text::CsvReader& table, const datasets::text::CsvOptions& dialect, const OwnColumn& own,
              double& value) {
  const std::size_t column = table.column(own.column);
  value = datasets::series::number_of(table, column, dialect);
  if (std::isinf(value)) table.refuse(column, "a number must be finite.");
  if (std::isnan(value))
    table.refuse(column, concat("the number of this agent is missing, which formulas read as ", own.name,
                                "; give one, or leave the row out."));
}

void add_trait(const std::vector<double>& given, double fallback, std::vector<double>& values) {
  if (given.empty()) return;
  values = given;
  for (double& value : values)
    if (std::isnan(value)) value = fallback;
}

}  // namespace

const Keys<OwnColumn>& own_column_keys() {
  static const auto keys = Keys<OwnColumn>()
                               .key("name", &OwnColumn::name, "name by which formulas read it")
                               .key("column", &OwnColumn::column, "column of start.file; empty: as the name");
  return keys;
}

std::vector<OwnColumn> own_columns(const Config& config) {
  std::vector<OwnColumn> columns;
  if (config.schema().find("formula.parameters") == nullptr) return columns;
  for (const ConfigTable& table : config.tables("formula.parameters")) {
    if (table.type() != "column") continue;
    columns.push_back(own_column_keys().read(table));
    if (columns.back().column.empty()) columns.back().column = columns.back().name;
  }
  return columns;
}

Traits read_traits(const std::string& path, const std::vector<std::string>& names, const std::vector<OwnColumn>& own) {
  const datasets::text::CsvOptions dialect = datasets::series::dialect_of(path);
  datasets::text::CsvReader table(path, dialect);
  const std::size_t node = table.column("node");
  const bool has_kinds = table.has("kind");
  const auto number = numbered(names);
  Traits traits;
  for (const Trait& trait : kTraits)
    if (table.has(trait.name)) (traits.*trait.values).assign(names.size(), kNan);
  if (has_kinds) traits.stubbornness.assign(names.size(), kNan);
  if (has_kinds) traits.counted.assign(names.size(), 1);
  traits.own.assign(own.size(), std::vector<double>(names.size()));
  while (table.next()) {
    const std::string_view name = datasets::text::trimmed(table.text(node));
    const auto found = number.find(name);
    if (found == number.end()) table.refuse(node, concat("there is no agent '", name, "'."));
    const std::size_t i = found->second;
    if (has_kinds) {
      traits.counted[i] = counts(table, table.column("kind"));
      if (traits.counted[i] == 0) traits.stubbornness[i] = 1;
    }
    for (const Trait& trait : kTraits)
      if (table.has(trait.name)) read_trait(table, dialect, trait, i, traits);
    for (std::size_t k = 0; k < own.size(); ++k) read_own(table, dialect, own[k], traits.own[k][i]);
  }
  if (has_kinds && std::find(traits.counted.begin(), traits.counted.end(), 1) == traits.counted.end())
    throw DataError(concat(path, ": all rows are bots or media; at least one must be an agent."));
  if (!traits.reach.empty() && std::all_of(traits.reach.begin(), traits.reach.end(), [](double g) { return g == 0; }))
    throw DataError(concat(path, ": every reach is 0, so no agent has any influence; at least one must be > 0."));
  return traits;
}

std::vector<std::string> trait_columns() {
  std::vector<std::string> names;
  for (const Trait& trait : kTraits) names.emplace_back(trait.name);
  return names;
}

std::vector<std::string> given_traits(const Traits& traits) {
  std::vector<std::string> names;
  for (const Trait& trait : kTraits) {
    const std::vector<double>& values = traits.*trait.values;
    const bool given = std::any_of(values.begin(), values.end(), [](double value) { return !std::isnan(value); });
    if (given && trait.values != &Traits::stubbornness) names.emplace_back(trait.name);
  }
  return names;
}

void add_traits(const Traits& traits, const AgentDefaults& defaults, Agents& agents) {
  add_trait(traits.stubbornness, defaults.stubbornness, agents.stubbornness);
  add_trait(traits.temperature, defaults.temperature, agents.temperature);
  add_trait(traits.confidence, defaults.confidence, agents.confidence);
  add_trait(traits.reach, 1, agents.reach);
  agents.counted = traits.counted;
  agents.own = traits.own;
}

void add_bots(Agents& agents, const std::vector<double>& opinions, Index each, double reach,
              const AgentDefaults& defaults) {
  const Index before = agents.count(), added = static_cast<Index>(opinions.size()) * each;
  if (added == 0) return;
  require(agents.start.cols() == 1, "add_bots: opinions have ", agents.start.cols(),
          " components, but bots with one number as their opinion need 1; give them in a file.");
  agents.start.conservativeResize(before + added, 1);
  for (Index k = 0; k < added; ++k) agents.start(before + k, 0) = opinions[k / each];
  const std::size_t n = before, all = before + added;
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
