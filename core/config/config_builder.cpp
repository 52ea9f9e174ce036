#include "fovea/core/config/config_builder.hpp"

#include <algorithm>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/config_check.hpp"
#include "fovea/core/config/inner_key.hpp"
#include "fovea/core/config/sweep_grid.hpp"

namespace fovea {

namespace {

constexpr const char* kSeedMeaning = "seed of all random numbers";

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

std::string dotted(const std::string& prefix, const std::string& key) {
  return prefix.empty() ? key : prefix + "." + key;
}

/// Whether the node stands for values inside of a list of tables, as in `modifiers.1.half_life = 3`.
bool is_inner_part(const Parameter* declared, const ConfigNode& node) {
  if (declared == nullptr || declared->type != ValueType::tables || node.members.empty()) return false;
  return node.members[0].key.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

ConfigBuilder::ConfigBuilder(std::string experiment, const Schema& schema) : config_(schema) {
  config_.experiment = std::move(experiment);
}

void ConfigBuilder::apply(const ConfigLayer& layer) {
  folder_ = layer.folder;
  seen_.clear();
  for (const ConfigMember& member : layer.root.members)
    if (member.key != "sweep" && member.key != "quick") apply_member("", member);
  // The sweep comes after the single values, wherever it stands: a value ends only the sweeps of earlier layers.
  seen_.clear();
  for (const ConfigMember& member : layer.root.members) {
    if (member.key != "sweep") continue;
    if (member.value.kind != ConfigNode::Kind::table)
      complaints.add(member.value.source, "sweep = " + member.value.written + ", but must be a table: [sweep].");
    for (const ConfigMember& axis : member.value.members) apply_sweep("", axis);
  }
}

void ConfigBuilder::apply_quick(const ConfigLayer& layer) {
  const ConfigNode* quick = layer.root.find("quick");
  if (quick == nullptr) return;
  if (quick->kind != ConfigNode::Kind::table)
    return complaints.add(quick->source, "quick = " + quick->written + ", but must be a table: [quick].");
  for (const ConfigMember& member : quick->members)
    if (member.key == "experiment" || member.key == "extends" || member.key == "quick" || member.key == "preview")
      complaints.add(member.source, "the key '" + member.key + "' cannot be given in [quick].");
  if (!quick->members.empty()) config_.preview = true;  // else it is the run itself
  apply({*quick, layer.folder});
}

void ConfigBuilder::apply_member(const std::string& prefix, const ConfigMember& member) {
  const std::string key = dotted(prefix, member.key);
  if (prefix.empty() && apply_common(key, member)) return;
  const Parameter* declared = config_.schema().find(key);
  const Parameter* list = is_inner_part(declared, member.value) ? declared : list_with(key);
  if (list != nullptr) return apply_inner(*list, key, member);
  if (declared != nullptr) {
    if (!seen_.insert(key).second || given_inside(key))
      return complaints.add(member.source, "the key '" + key + "' is given twice.");
    return apply_value(*declared, key, member.value);
  }
  if (member.value.kind == ConfigNode::Kind::table) return apply_table(key, member);
  if (!is_table(key)) return unknown("key", key, member.source);
  std::string known;
  for (const std::string& inner : keys_of(key)) known += (known.empty() ? "'" : ", '") + inner + "'";
  complaints.add(member.value.source,
                 concat(key, " = ", member.value.written, ", but must be a table of ", known, "."));
}

void ConfigBuilder::apply_table(const std::string& key, const ConfigMember& member) {
  if (!is_table(key)) return unknown("table", key, member.source);
  for (const ConfigMember& inner : member.value.members) apply_member(key, inner);
}

bool ConfigBuilder::apply_common(const std::string& key, const ConfigMember& member) {
  if ((key == "title" || key == "seed" || key == "preview") && !seen_.insert(key).second) {
    complaints.add(member.source, "the key '" + key + "' is given twice.");
  } else if (key == "title") {
    const auto title = check_text("title", member.value, "title of the run", complaints);
    if (title) config_.title = *title;
  } else if (key == "seed") {
    apply_seed(member.value);
  } else if (key == "preview") {
    apply_preview(member.value);
  } else if (key == "seeds") {
    complaints.add(member.source, "seeds belongs in the table [sweep]; a single run has one seed.");
  } else {
    return key == "experiment" || key == "extends";
  }
  return true;
}

void ConfigBuilder::apply_seed(const ConfigNode& node) {
  const auto seed = check_count("seed", node, 0, kSeedMeaning, complaints);
  if (!seed) return;
  config_.seed = static_cast<std::uint64_t>(*seed);
  end_sweep("seed");
}

void ConfigBuilder::apply_preview(const ConfigNode& node) {
  if (node.kind != ConfigNode::Kind::flag)
    return complaints.add(node.source, "preview = " + node.written + ", but must be true or false.");
  config_.preview = node.flag;
}

void ConfigBuilder::apply_value(const Parameter& parameter, const std::string& key, const ConfigNode& node) {
  auto value = check_value(parameter, key, node, folder_, complaints);
  if (parameter.type == ValueType::tables && !value) refused_lists_.insert(key);
  if (!value) return;
  refused_lists_.erase(key);
  config_.set(key, std::move(*value), node.source);
  end_sweep(key);
}

void ConfigBuilder::end_sweep(const std::string& key) {
  std::erase_if(config_.sweep, [&](const SweepAxis& axis) { return axis.key == key || lies_in(key, axis.key); });
}

void ConfigBuilder::apply_set(const std::string& words) {
  const Source source{"--set " + shown(words), 0, 0};
  const std::size_t equals = words.find('=');
  if (equals == std::string::npos || equals == 0)
    return complaints.add(source, "must be KEY=VALUE, such as --set temperature=0.5.");
  const std::string key = words.substr(0, equals);
  if (key == "experiment" || key == "extends" || key == "quick" || key.substr(0, 6) == "quick.")
    return complaints.add(source, "the key '" + key + "' can only be given in a file.");
  if (key == "seeds" || key == "sweep" || key.substr(0, 6) == "sweep.")
    return complaints.add(source, "a sweep is given with --grid KEY=VALUES or --seeds N.");
  try {
    const ConfigNode value = parse_words(words.substr(equals + 1), source);
    apply_member("", {key, source, value});
  } catch (const ConfigError& error) {
    complaints.add({}, error.what());
  }
}

void ConfigBuilder::apply_grid(const std::string& words) {
  const Source source{"--grid " + shown(words), 0, 0};
  const std::size_t equals = words.find('=');
  if (equals == std::string::npos || equals == 0)
    return complaints.add(source,
                          "must be KEY=VALUES, such as --grid temperature=log:0.01..3:12 or --grid seed=1,2,3.");
  const std::string key = words.substr(0, equals), values = words.substr(equals + 1);
  if (const std::string meant = meant_grid(values); !meant.empty())
    return complaints.add(
        source, concat("must be a list of values, such as ", key, "=0.1,0.2,0.4, or a grid: ", key, "=", meant, "."));
  try {
    const bool one = key == "seeds" || is_grid(values);
    apply_sweep("", {key, source, one ? parse_words(values, source) : parse_word_list(values, source)});
  } catch (const ConfigError& error) {
    complaints.add({}, error.what());
  }
}

void ConfigBuilder::apply_given_seed(std::uint64_t seed) {
  const std::string words = std::to_string(seed);
  const Source source{"--seed " + words, 0, 0};
  if (seed > kSeedLimit)
    return complaints.add(source,
                          concat("seed = ", words, ", but must be at most ", kSeedLimit, " (", kSeedMeaning, ")."));
  apply_member("", {"seed", source, parse_words(words, source)});
}

/// Nothing that is given on the command line is dropped in silence: what contradicts itself is refused.
void ConfigBuilder::apply(const Overrides& overrides) {
  seen_.clear();
  for (const std::string& words : overrides.set) apply_set(words);
  if (overrides.seed) apply_given_seed(*overrides.seed);
  const std::set<std::string> single = std::exchange(seen_, {});
  for (const std::string& words : overrides.grid) {
    const std::string key = words.substr(0, words.find('='));
    if (single.count(key) > 0)
      complaints.add({"--grid " + shown(words), 0, 0},
                     "'" + key + "' is also given a single value; give only one of the two.");
    else
      apply_grid(words);
  }
  if (!overrides.seeds) return;
  const std::string words = std::to_string(*overrides.seeds);
  const Source source{"--seeds " + words, 0, 0};
  if (seen_.count("seed") > 0) return complaints.add(source, "the sweep over 'seed' is given twice.");
  apply_seeds(parse_words(words, source));
}

void ConfigBuilder::unknown(const std::string& what, const std::string& key, const Source& source) {
  complaints.add(source, "unknown " + what + " '" + shown(key) + "'" + suggestion(nearest_key(key)));
}

/// The nearest of all keys and tables; failing that, the one key whose last part is meant.
std::string ConfigBuilder::nearest_key(const std::string& key) const {
  std::vector<std::string> names{"experiment", "title", "seed", "extends", "sweep", "quick", "preview"};
  std::vector<std::string> parts;
  for (const Parameter& parameter : config_.schema().parameters()) {
    names.push_back(parameter.key);
    parts.push_back(last_part(parameter.key));
    for (std::size_t dot = parameter.key.find('.'); dot != std::string::npos; dot = parameter.key.find('.', dot + 1))
      names.push_back(parameter.key.substr(0, dot));
  }
  const std::string near = nearest(key, names);
  if (!near.empty()) return near;
  const std::string part = nearest(last_part(key), parts);
  if (part.empty() || std::count(parts.begin(), parts.end(), part) != 1) return "";
  const auto place = std::find(parts.begin(), parts.end(), part) - parts.begin();
  return config_.schema().parameters()[place].key;
}

bool ConfigBuilder::is_table(const std::string& key) const { return !keys_of(key).empty(); }

std::vector<std::string> ConfigBuilder::keys_of(const std::string& table) const {
  const std::string start = table + ".";
  std::vector<std::string> keys;
  for (const Parameter& parameter : config_.schema().parameters())
    if (parameter.key.substr(0, start.size()) == start) keys.push_back(parameter.key);
  return keys;
}

}  // namespace fovea
