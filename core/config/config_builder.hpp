#pragma once
/// Turns layers of TOML (base files first) and overrides into one checked Config. Internal; use config.hpp.

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "fovea/core/config/config_document.hpp"

namespace fovea {

/// One parsed file, and the folder its relative paths count from.
struct ConfigLayer {
  ConfigNode root;
  std::string folder;
};

class ConfigBuilder {
 public:
  ConfigBuilder(std::string experiment, const Schema& schema);

  void apply(const ConfigLayer& layer);        ///< all but its [quick]
  void apply_quick(const ConfigLayer& layer);  ///< its [quick], where there is one
  void apply(const Overrides& overrides);
  /// Seeds, order and size of the sweep; then throws ConfigError if anything was wrong.
  Config finish();

  Complaints complaints;

 private:
  void apply_member(const std::string& prefix, const ConfigMember& member);
  void apply_table(const std::string& key, const ConfigMember& member);
  bool apply_common(const std::string& key, const ConfigMember& member);
  void apply_value(const Parameter& parameter, const std::string& key, const ConfigNode& node);
  void apply_seed(const ConfigNode& node);
  void apply_preview(const ConfigNode& node);

  void apply_sweep(const std::string& prefix, const ConfigMember& member);
  void apply_seeds(const ConfigNode& node);
  void apply_axis(const Parameter& parameter, const ConfigNode& node);
  bool can_be_swept(const std::string& key, const ConfigMember& member);
  std::vector<ConfigNode> axis_items(const Parameter& parameter, const ConfigNode& node);

  void apply_set(const std::string& words);
  void apply_grid(const std::string& words);
  void apply_given_seed(std::uint64_t seed);

  /// Values inside a list of tables; key: the list's own, or one that lies in it.
  const Parameter* list_with(const std::string& key) const;
  void apply_inner(const Parameter& list, const std::string& key, const ConfigMember& member);
  void no_inner_value(const Parameter& list, const std::string& key, const Source& source);
  bool given_inside(const std::string& list) const;

  void unknown(const std::string& what, const std::string& key, const Source& source);
  std::string nearest_key(const std::string& key) const;
  bool is_table(const std::string& key) const;
  std::vector<std::string> keys_of(const std::string& table) const;
  void end_sweep(const std::string& key);

  Config config_;
  std::string folder_;
  std::set<std::string> seen_;           ///< keys of the layer being read
  std::set<std::string> refused_lists_;  ///< lists of tables with mistakes; what lies in them is not known
  std::optional<std::int64_t> seeds_;
  Source sweep_source_;
};

}  // namespace fovea
