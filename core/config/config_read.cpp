#include <algorithm>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/config_builder.hpp"
#include "fovea/core/config/config_check.hpp"

namespace fovea {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestChain = 8;

std::string parent_of(const std::string& path) { return fs::path(path).parent_path().string(); }

std::string identity(const std::string& path) {
  std::error_code error;
  const fs::path clean = fs::weakly_canonical(path, error);
  return error ? path : clean.string();
}

/// Reads a file's layers: what it extends first, itself last.
class Layers {
 public:
  explicit Layers(Complaints& complaints) : complaints_(complaints) {}

  void add(const std::string& text, const std::string& name, const std::string& folder) {
    ConfigLayer layer{parse_document(text, name), folder};
    const ConfigNode* base = layer.root.find("extends");
    if (base != nullptr) add_base(*base, folder);
    layers.push_back(std::move(layer));
  }

  void open(const std::string& path) { chain_.push_back(identity(path)); }

  std::vector<ConfigLayer> layers;

 private:
  void add_base(const ConfigNode& node, const std::string& folder) {
    const auto words = check_text("extends", node, "the config that this one extends", complaints_);
    if (!words) return;
    const std::string path = (fs::path(folder) / *words).lexically_normal().string();
    const std::string named = "extends = " + node.written;
    if (words->find('\0') != std::string::npos) return complaints_.add(node.source, named + " is no file name.");
    if (std::find(chain_.begin(), chain_.end(), identity(path)) != chain_.end())
      return complaints_.add(node.source, named + ", but that file extends this one; this is a cycle.");
    if (chain_.size() >= kLongestChain)
      return complaints_.add(node.source, concat(named, " makes a chain of more than ", kLongestChain, " files."));
    if (exists(path) && !is_file(path)) return complaints_.add(node.source, named + ", but that is no regular file.");
    std::string text;
    try {
      text = read_config_text(path);
    } catch (const MissingInput& error) {
      return complaints_.add_missing(node.source, named + ", but " + error.what());
    } catch (const ConfigError& error) {
      return complaints_.add(node.source, named + ", but " + error.what());
    }
    open(path);
    add(text, path, parent_of(path));
  }

  Complaints& complaints_;
  std::vector<std::string> chain_;
};

/// The name of the experiment, from the last layer that gives one.
std::string experiment_of(const std::vector<ConfigLayer>& layers, const std::string& name, Source& source,
                          Complaints& complaints) {
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    const ConfigNode* node = layer->root.find("experiment");
    if (node == nullptr) continue;
    source = node->source;
    return check_text("experiment", *node, "the name of the experiment", complaints).value_or("");
  }
  for (const ConfigMember& member : layers.back().root.members)
    if (nearest(member.key, {"experiment"}) == "experiment")
      complaints.add(member.source, "unknown key '" + shown(member.key) + "'; did you mean 'experiment'?");
  if (complaints.empty())
    complaints.add({name, 1, 1}, "the key 'experiment' is missing; 'fovea list' shows the experiments.");
  return "";
}

/// With --quick the values of [quick] come over those of all files. Without it they are checked all the same, on a
/// copy.
void apply_quick(ConfigBuilder& builder, const std::vector<ConfigLayer>& layers, const std::string& name, bool wanted) {
  const auto has_quick = [](const ConfigLayer& layer) { return layer.root.find("quick") != nullptr; };
  if (wanted && std::none_of(layers.begin(), layers.end(), has_quick))
    builder.complaints.add({"--quick", 0, 0},
                           name + " has no table [quick], which gives the values of keys for a quick run.");
  ConfigBuilder copy = builder;
  ConfigBuilder& target = wanted ? builder : copy;
  for (const ConfigLayer& layer : layers) target.apply_quick(layer);
  builder.complaints = target.complaints;
}

Config build_config(Layers& read, const std::string& name, Complaints& complaints, const FindSchema& find_schema,
                    const std::vector<std::string>& experiments, const Overrides& overrides) {
  Source source;
  const std::string experiment = experiment_of(read.layers, name, source, complaints);
  const Schema* schema = experiment.empty() ? nullptr : find_schema(experiment);
  if (schema == nullptr && source.line != 0 && !experiment.empty()) {
    const std::string near = nearest(experiment, experiments);
    complaints.add(source, "unknown experiment '" + shown(experiment) + "'" +
                               (near.empty() ? ";" : "; did you mean '" + near + "'?") +
                               " 'fovea list' shows all of them.");
  }
  if (schema == nullptr) {
    if (complaints.empty()) complaints.add(source, "experiment is empty; 'fovea list' shows the experiments.");
    complaints.raise();
  }
  ConfigBuilder builder(experiment, *schema);
  builder.complaints = complaints;
  for (const ConfigLayer& layer : read.layers) builder.apply(layer);
  apply_quick(builder, read.layers, name, overrides.quick);
  builder.apply(overrides);
  return builder.finish();
}

}  // namespace

Config read_config(const Place& place, const FindSchema& find_schema, const std::vector<std::string>& experiments,
                   const Overrides& overrides) {
  const std::string path = place.path();
  Complaints complaints;
  Layers read(complaints);
  read.open(path);
  read.add(read_config_text(place), path, parent_of(path));
  return build_config(read, path, complaints, find_schema, experiments, overrides);
}

Config parse_config(const std::string& toml, const std::string& name, const std::string& folder,
                    const FindSchema& find_schema, const std::vector<std::string>& experiments,
                    const Overrides& overrides) {
  Complaints complaints;
  Layers read(complaints);
  read.add(toml, name, folder);
  return build_config(read, name, complaints, find_schema, experiments, overrides);
}

Config default_config(std::string_view experiment, const Schema& schema, const Overrides& overrides) {
  ConfigBuilder builder(std::string(experiment), schema);
  if (overrides.quick)
    builder.complaints.add({"--quick", 0, 0},
                           concat("the defaults of ", experiment, " have no table [quick]; give a config file."));
  builder.apply(overrides);
  return builder.finish();
}

}  // namespace fovea
