/// The part of the config builder that reads sweeps; and the seeds, which may be drawn later.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/config_builder.hpp"
#include "fovea/core/config/config_check.hpp"
#include "fovea/core/config/sweep_grid.hpp"

namespace fovea {

namespace {

const Parameter& seed_parameter() {
  static const Parameter parameter = [] {
    Parameter seed;
    seed.key = "seed";
    seed.type = ValueType::integer;
    seed.meaning = "seed of all random numbers";
    seed.range = Range::at_least(0);
    return seed;
  }();
  return parameter;
}

ConfigNode number_node(double value, bool whole, const Source& source) {
  ConfigNode node;
  node.kind = whole ? ConfigNode::Kind::integer : ConfigNode::Kind::real;
  node.integer = whole && std::abs(value) < 9e18 ? std::llround(value) : 0;
  node.real = value;
  node.written = whole ? std::to_string(node.integer) : concat(value);
  node.text = node.written;
  node.source = source;
  return node;
}

bool is_list_or_file(const Parameter& parameter) {
  switch (parameter.type) {
    case ValueType::file:
    case ValueType::files:
    case ValueType::integers:
    case ValueType::reals:
    case ValueType::texts:
    case ValueType::tables:
      return true;
    default:
      return false;
  }
}

SweepAxis seed_axis(std::uint64_t first, std::int64_t count) {
  SweepAxis axis{"seed", {}};
  for (std::int64_t i = 0; i < count; ++i) axis.values.emplace_back(static_cast<std::int64_t>(first) + i);
  return axis;
}

bool seeds_fit(std::uint64_t first, std::int64_t count) {
  return first <= kSeedLimit && static_cast<std::uint64_t>(count - 1) <= kSeedLimit - first;
}

}  // namespace

void ConfigBuilder::apply_sweep(const std::string& prefix, const ConfigMember& member) {
  const std::string key = prefix.empty() ? member.key : prefix + "." + member.key;
  sweep_source_ = member.source;
  const Parameter* declared = config_.schema().find(key);
  const bool holds_keys = declared == nullptr ? is_table(key) || list_with(key) : declared->type == ValueType::tables;
  if (member.value.kind == ConfigNode::Kind::table && holds_keys) {
    for (const ConfigMember& inner : member.value.members) apply_sweep(key, inner);
    return;
  }
  if (!can_be_swept(key, member)) return;
  if (!seen_.insert(key == "seeds" ? "seed" : key).second)
    return complaints.add(member.source, "the sweep over '" + key + "' is given twice.");
  if (key == "seeds") return apply_seeds(member.value);
  Parameter parameter = key == "seed" ? seed_parameter() : *config_.parameter(key);
  parameter.key = key;  // of a value in a list of tables: with the list and the number
  apply_axis(parameter, member.value);
}

bool ConfigBuilder::can_be_swept(const std::string& key, const ConfigMember& member) {
  if (key == "seed" || key == "seeds") return true;
  if (key == "experiment" || key == "title" || key == "extends" || key == "quick" || key == "preview") {
    complaints.add(member.source, "'" + key + "' cannot be swept.");
    return false;
  }
  const Parameter* parameter = config_.parameter(key);
  if (parameter == nullptr) {
    const Parameter* list = list_with(key);
    if (list != nullptr)
      no_inner_value(*list, key, member.source);
    else
      unknown("key", key, member.source);
    return false;
  }
  if (!is_list_or_file(*parameter)) return true;
  const std::string what = parameter->type == ValueType::file ? "file" : "list";
  const std::string inside = parameter->type == ValueType::tables ? "sweep a key of it (" + key + ".0.KEY), or " : "";
  complaints.add(member.source, concat("'", key, "' cannot be swept, because it is a ", what, "; ", inside,
                                       "write one config for each."));
  return false;
}

void ConfigBuilder::apply_seeds(const ConfigNode& node) {
  sweep_source_ = node.source;
  const auto count = check_count("seeds", node, 1, "number of replicas", complaints);
  if (!count) return;
  end_sweep("seed");
  seeds_ = *count;
}

std::vector<ConfigNode> ConfigBuilder::axis_items(const Parameter& parameter, const ConfigNode& node) {
  if (node.kind == ConfigNode::Kind::list) {
    if (node.items.empty()) complaints.add(node.source, "the sweep over " + parameter.key + " has no values.");
    return node.items;
  }
  const bool whole = parameter.type == ValueType::integer;
  std::vector<ConfigNode> items;
  if (node.kind != ConfigNode::Kind::text || !is_grid(node.text) || (!whole && parameter.type != ValueType::real)) {
    const std::string meant = whole || parameter.type == ValueType::real ? meant_grid(node.text) : "";
    complaints.add(node.source, concat("sweep over ", parameter.key, " = ", node.written,
                                       ", but must be a list of values, or a grid of numbers such as ",
                                       meant.empty() ? "\"log:0.01..3:12\" or \"lin:0..1:5\"." : '"' + meant + "\"."));
    return items;
  }
  try {
    for (const double value : grid_values(node.text)) {
      ConfigNode item = number_node(value, whole, node.source);
      if (!whole || items.empty() || items.back().integer != item.integer) items.push_back(std::move(item));
    }
  } catch (const ArgumentError& error) {
    complaints.add(node.source, "sweep over " + parameter.key + ": " + error.what());
  }
  return items;
}

void ConfigBuilder::apply_axis(const Parameter& parameter, const ConfigNode& node) {
  const std::vector<ConfigNode> items = axis_items(parameter, node);
  constexpr int kMostMistakes = 10;
  int mistakes = items.empty() ? 1 : 0;
  SweepAxis axis{parameter.key, {}};
  std::set<ConfigValue> known;
  for (std::size_t i = 0; i < items.size() && mistakes < kMostMistakes; ++i) {
    const std::string name = concat("value ", i + 1, " of the sweep over ", parameter.key);
    auto value = check_value(parameter, name, items[i], folder_, complaints);
    const bool repeated = value && !known.insert(*value).second;
    if (repeated)
      complaints.add(items[i].source, name + " = " + items[i].written + ", but each value must be given only once.");
    mistakes += !value || repeated ? 1 : 0;
    if (value) axis.values.push_back(std::move(*value));
  }
  if (mistakes > 0) return;
  if (parameter.key == "seed") seeds_.reset();
  const auto same = std::find_if(config_.sweep.begin(), config_.sweep.end(),
                                 [&](const SweepAxis& old) { return old.key == axis.key; });
  if (same == config_.sweep.end())
    config_.sweep.push_back(std::move(axis));
  else
    *same = std::move(axis);
}

Config ConfigBuilder::finish() {
  auto& sweep = config_.sweep;
  std::stable_partition(sweep.begin(), sweep.end(), [](const SweepAxis& axis) { return axis.key != "seed"; });
  const bool listed = !sweep.empty() && sweep.back().key == "seed";
  if (listed && !config_.seed)
    config_.seed = static_cast<std::uint64_t>(std::get<std::int64_t>(sweep.back().values[0]));
  config_.seed_count = seeds_;
  if (sweep_size(config_) > kSweepPointLimit)
    complaints.add(sweep_source_, concat("the sweep has more than ", kSweepPointLimit,
                                         " points, which is the most; take fewer values or seeds."));
  if (seeds_ && config_.seed && !seeds_fit(*config_.seed, *seeds_))
    complaints.add(sweep_source_, concat("seed + seeds must be at most ", kSeedLimit, "; take a smaller seed."));
  complaints.raise();
  if (config_.seed) resolve_seed(config_, *config_.seed);
  return std::move(config_);
}

void resolve_seed(Config& config, std::uint64_t seed) {
  const std::int64_t count = config.seed_count.value_or(1);
  require(seeds_fit(seed, count), "resolve_seed: ", count, " seeds from ", seed, " on, but the largest seed is ",
          kSeedLimit, ".");
  if (config.seed_count) config.sweep.push_back(seed_axis(seed, count));
  config.seed = seed;
  config.seed_count.reset();
}

}  // namespace fovea
