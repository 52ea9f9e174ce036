#pragma once
/// A checked configuration: every key of the schema has a value, and remembers where it was written.
///
///   experiment = "opinion.temperature"     which experiment (required in a file)
///   title, seed                            optional, for every experiment
///   extends = "base.toml"                  keys not given here are taken from there; relative to this file; up to 8
///   [sweep]                                keys with several values each; see sweep_grid.hpp
///   preview = true                         what is computed is a preview: nothing is concluded from it
///   [quick]                                values for a quick look, such as agents.count = 100, and [quick.sweep];
///                                          without --quick they are checked, but change nothing
///   [[model.modifiers]]                    one table of a list, with its type
///
/// What is read later wins, key by key: base, file, with --quick the [quick] of base and file, then overrides. A single
/// value given later also ends an earlier sweep of that key. A list of tables replaces the earlier one as a whole; a
/// key such as model.modifiers.1.half_life (counted from 0) changes that one value. Whole numbers are accepted for
/// reals, never the other way round. Seeds lie in [0, 2^63 - 1].

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/base/place.hpp"
#include "fovea/core/config/schema.hpp"

namespace fovea {

/// Collects mistakes so that all of them are reported at once.
class Complaints {
 public:
  void add(const Source& source, std::string sentence);
  void add_missing(const Source& source, std::string sentence);  ///< a file that is not there
  bool empty() const { return lines_.empty(); }
  const std::vector<std::string>& lines() const { return lines_; }
  /// Throws ConfigError with all lines, in the order of files and lines, unless empty; MissingInput where each is of a
  /// file that is not there.
  void raise() const;

 private:
  std::vector<Source> sources_;
  std::vector<std::string> lines_;
  bool only_missing_ = true;
};

/// One axis of a sweep: a key (or "seed") and its values.
struct SweepAxis {
  std::string key;
  std::vector<ConfigValue> values;
};

class Config : public ConfigValues {
 public:
  /// The default config of a schema.
  explicit Config(const Schema& schema) : ConfigValues(schema), schema_(schema) {}

  bool is_default(std::string_view key) const;  ///< equal to the schema's default
  /// What was declared under that key, also a key of a table in a list; nullptr if there is none.
  const Parameter* parameter(std::string_view key) const;
  const Schema& schema() const { return schema_; }

  std::string experiment;
  std::string title;
  std::optional<std::uint64_t> seed;  ///< empty: the lab takes 1, and writes it down
  /// Smaller than was asked for: the values of [quick] were taken, where there are any. Part of what a run is, so that
  /// a preview and a whole run that happens to have its values are two.
  bool preview = false;
  std::vector<SweepAxis> sweep;  ///< in the order of the file, then of --grid; "seed" always last
  /// Set only while `seed` is empty: replicas wanted (`seeds = N`); resolve_seed() turns them into the axis "seed".
  std::optional<std::int64_t> seed_count;

 private:
  Schema schema_;
};

/// Overrides from the command line: `key=value` texts of --set (TOML values; a bare word is a text).
struct Overrides {
  std::vector<std::string> set;
  std::vector<std::string> grid;  ///< `key=log:0.01..3:12`, `key=lin:0..1:5`, `key=a,b,c`
  std::optional<std::uint64_t> seed;
  std::optional<std::int64_t> seeds;  ///< this many consecutive seeds
  bool quick = false;                 ///< take the values of [quick]
};

/// Finds the schema of an experiment by name; nullptr if there is none.
using FindSchema = std::function<const Schema*(std::string_view experiment)>;

/// Reads, checks and completes a config file. All mistakes are reported together.
/// Refuses a file over 1 MiB, and one nested deeper than 64, before parsing it. Throws ConfigError.
/// experiments: the known names, for suggestions.
Config read_config(const Place& place, const FindSchema& find_schema, const std::vector<std::string>& experiments,
                   const Overrides& overrides);
/// The same for TOML text; `name` stands for the file in messages, `folder` is where relative paths count from.
Config parse_config(const std::string& toml, const std::string& name, const std::string& folder,
                    const FindSchema& find_schema, const std::vector<std::string>& experiments,
                    const Overrides& overrides);

/// The config of an experiment without a file: defaults and overrides. Throws ConfigError, also for --quick.
Config default_config(std::string_view experiment, const Schema& schema, const Overrides& overrides);

/// Sets the seed, and expands seed_count into the axis "seed": seed, seed + 1, ...
/// Throws ArgumentError if a seed is above 2^63 - 1.
void resolve_seed(Config& config, std::uint64_t seed);

/// The paths that a key of files holds, whether of one (Schema::file) or of many (Schema::files); none where it has
/// none.
std::vector<std::string> paths_of(const ConfigValues& config, const Parameter& parameter);
/// Puts paths there, unchecked. Throws ArgumentError for more than one where the key holds one.
void set_paths(ConfigValues& config, const Parameter& parameter, const std::vector<std::string>& paths,
               const Source& source);

/// The whole config as canonical TOML, defaults included but for keys that were added later; reading it back gives the
/// same config. Files as absolute paths.
std::string to_toml(const Config& config);
/// The same keys with their defaults; without title, seed and sweep.
std::string defaults_toml(const Config& config);
/// A commented config with every key, its unit, range, default and meaning.
std::string init_toml(std::string_view experiment, std::string_view summary, const Schema& schema);

}  // namespace fovea
